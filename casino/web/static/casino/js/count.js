/**
 * Adds up a count as it is keyed: pieces times denomination. The server computes it again; without this
 * script the page only lacks the running sum.
 */

const form = document.querySelector("[data-count]");
const exponent = Number(form?.getAttribute("data-exponent") ?? "2");

/** @param {number} minor */
function text(minor) {
  const unit = 10 ** exponent;
  const whole = String(Math.floor(minor / unit)).replace(/\B(?=(\d{3})+$)/g, ",");
  const part = minor % unit;
  return part ? `${whole}.${String(part).padStart(exponent, "0")}` : whole;
}

function add() {
  let total = 0;
  let pieces = 0;
  for (const row of form?.querySelectorAll("[data-denomination]") ?? []) {
    const input = /** @type {HTMLInputElement} */ (row.querySelector("input"));
    const count = /^\d{1,6}$/.test(input.value) ? Number(input.value) : 0;
    const value = count * Number(row.getAttribute("data-denomination"));
    const cell = row.querySelector("[data-value]");
    if (cell) cell.textContent = input.value === "" ? "" : text(value);
    total += value;
    pieces += count;
  }
  for (const [name, value] of [["total", text(total)], ["pieces", String(pieces)]]) {
    const cell = form?.querySelector(`[data-${name}]`);
    if (cell) cell.textContent = value;
  }
}

form?.addEventListener("input", add);
add();
