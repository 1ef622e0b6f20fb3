/**
 * The rows of a page's tables by keyboard: j and k go to the next and to the one before, and so do the arrows
 * once a row has the focus. A row without a link or a button is passed over; without this script Tab does it.
 */

const REACHED = "a[href], button:not(:disabled), summary";
const TYPED = "input, select, textarea";

/** What is focused of each row. */
function rows() {
  return Array.from(document.querySelectorAll(".table tbody > tr"), (row) => row.querySelector(REACHED))
    .filter((stop) => stop instanceof HTMLElement && stop.offsetParent !== null);
}

/** The next row or the one before; none where another key was pressed. @param {string} key @param {boolean} within */
function stepOf(key, within) {
  if (key === "j" || (within && key === "ArrowDown")) return 1;
  if (key === "k" || (within && key === "ArrowUp")) return -1;
  return 0;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
  if (event.target.closest(TYPED)) return;
  const stops = rows();
  const row = event.target.closest(".table tbody > tr");
  const at = row === null ? -1 : stops.findIndex((stop) => row.contains(stop));
  const step = stepOf(event.key, at >= 0);
  if (step === 0 || stops.length === 0) return;
  const next = at < 0 ? (step > 0 ? 0 : stops.length - 1) : at + step;
  event.preventDefault();
  /** @type {HTMLElement|undefined} */ (stops[next])?.focus();
});
