/**
 * The form of a sheet, typed with the keyboard alone: a card moves on by itself, Enter goes on, = repeats the
 * stake above, arrows go anywhere, and the server checks while it is typed. Without this script the form works
 * with Tab and is checked when it is saved.
 */

import { canStand, clockOf, faceOf, isWholeFace } from "./cells.js";
import { markFaults, showOwed } from "./marks.js";
import { arrive, inColumn, step } from "./moves.js";

const CHECK_AFTER_MS = 350;
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-sheet]"));
const check = /** @type {HTMLElement} */ (document.getElementById("check"));
let waiting = 0;

/** @param {EventTarget|null} target @returns {HTMLInputElement|null} */
function cellOf(target) {
  return target instanceof HTMLInputElement && target.dataset.cell ? target : null;
}

function checkSoon() {
  window.clearTimeout(waiting);
  waiting = window.setTimeout(() => form.dispatchEvent(new CustomEvent("check")), CHECK_AFTER_MS);
}

/** @param {HTMLInputElement} cell */
function mark(cell) {
  if (canStand(cell.dataset.cell ?? "", cell.value)) cell.removeAttribute("aria-invalid");
  else cell.setAttribute("aria-invalid", "true");
}

/** @param {Event} event */
function typed(event) {
  const cell = cellOf(event.target);
  checkSoon();
  if (!cell) return;
  mark(cell);
  const last = cell.selectionStart === cell.value.length;
  const added = event instanceof InputEvent && event.inputType.startsWith("insert");
  if (cell.dataset.cell === "card" && added && last && isWholeFace(cell.value)) {
    cell.value = faceOf(cell.value);
    step(form, cell, 1);
  }
}

/** Write what was typed in the form in which it stands on the page. @param {FocusEvent} event */
function left(event) {
  const cell = cellOf(event.target);
  if (!cell) return;
  if (cell.dataset.cell === "card") cell.value = faceOf(cell.value);
  if (cell.dataset.cell === "time") cell.value = clockOf(cell.value);
  mark(cell);
}

/** Repeat the stake above. @param {HTMLInputElement} cell */
function repeat(cell) {
  const above = inColumn(cell, -1);
  if (above instanceof HTMLInputElement) cell.value = above.value;
  mark(cell);
  checkSoon();
  step(form, cell, 1);
}

/** @param {HTMLInputElement} cell @param {string} key @returns {HTMLElement|null} */
function arrow(cell, key) {
  if (key === "ArrowUp") return inColumn(cell, -1);
  return key === "ArrowDown" ? inColumn(cell, 1) : null;
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const field = /** @type {HTMLElement} */ (event.target);
  const cell = cellOf(field);
  if (event.key === "Enter" && field.matches("input, select")) {
    event.preventDefault();
    step(form, field, event.shiftKey ? -1 : 1);
  } else if (cell && event.key === "=" && cell.dataset.cell === "stake") {
    event.preventDefault();
    repeat(cell);
  } else if (cell && event.key === "Backspace" && cell.value === "") {
    event.preventDefault();
    step(form, cell, -1);
  } else if (cell) {
    const target = arrow(cell, event.key);
    if (!target) return;
    event.preventDefault();
    arrive(target);
  }
}

form.addEventListener("input", typed);
form.addEventListener("change", checkSoon);
form.addEventListener("focusout", left);
form.addEventListener("keydown", pressed);
check.addEventListener("htmx:afterSwap", () => {
  markFaults(form, check);
  showOwed(form, check);
});
const wrong = form.querySelector('[aria-invalid="true"]');
arrive(/** @type {HTMLElement} */ (wrong ?? form.querySelector("[data-cell]")));
