/** The server's faults at their cells, and what is owed at its row; the list beside says them in words. */

/**
 * Mark the cells that the check names. What is only not typed yet is no fault of a cell.
 * @param {HTMLFormElement} form @param {HTMLElement} check
 */
export function markFaults(form, check) {
  for (const field of form.querySelectorAll("[data-checked]")) {
    field.removeAttribute("data-checked");
    field.removeAttribute("aria-invalid");
  }
  for (const fault of check.querySelectorAll("[data-field]:not([data-to-come])")) {
    const name = fault.getAttribute("data-field");
    const field = name ? form.elements.namedItem(name) : null;
    if (!(field instanceof HTMLElement)) continue;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("data-checked", "");
  }
}

/** Show what goes back to each seat in its row. @param {HTMLFormElement} form @param {HTMLElement} check */
export function showOwed(form, check) {
  for (const place of form.querySelectorAll("[data-owed]")) {
    const hand = place.closest("tr")?.getAttribute("data-hand");
    const owed = check.querySelector(`[data-seat="${hand}"]`);
    place.replaceChildren(...(owed ? owed.cloneNode(true).childNodes : []));
  }
}
