/** Going from cell to cell with the keyboard: on, back, and by arrows in the grid. */

/** Every field that can be typed in now, in the order of the page; of a choice the one that is made. @param {HTMLFormElement} form */
export function fieldsOf(form) {
  const all = form.querySelectorAll("input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, button[type=submit]");
  return /** @type {HTMLElement[]} */ ([...all]).filter((field) => field.checkVisibility());
}

/**
 * Focus the field that many steps away; what it holds is selected, so that typing replaces it.
 * @param {HTMLFormElement} form @param {HTMLElement} from @param {number} steps
 */
export function step(form, from, steps) {
  const fields = fieldsOf(form);
  const target = fields[fields.indexOf(from) + steps];
  if (target) arrive(target);
}

/** @param {HTMLElement} field */
export function arrive(field) {
  field.focus();
  if (field instanceof HTMLInputElement && field.type === "text") field.select();
}

/**
 * The cell above or below in the same column of the grid; null at its edge.
 * @param {HTMLElement} cell @param {number} rows
 */
export function inColumn(cell, rows) {
  const place = cell.closest("td");
  let row = cell.closest("tr");
  if (!place || !row) return null;
  const column = columnOf(place);
  for (let gone = 0; gone < Math.abs(rows); gone += 1) {
    row = /** @type {HTMLTableRowElement|null} */ (rows < 0 ? row.previousElementSibling : row.nextElementSibling);
    if (!row) return null;
  }
  const found = [...row.cells].find((other) => columnOf(other) === column);
  return /** @type {HTMLInputElement|null} */ (found?.querySelector("input, select") ?? null);
}

/** The place of a cell counted in columns, wide cells with all of theirs. @param {HTMLTableCellElement} cell */
function columnOf(cell) {
  let column = 0;
  for (let before = cell.previousElementSibling; before; before = before.previousElementSibling) {
    column += /** @type {HTMLTableCellElement} */ (before).colSpan;
  }
  return column;
}
