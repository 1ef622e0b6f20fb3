/** Pages that refresh a part of themselves; when they cannot, they say that they are old. */

import { defineSteady } from "./steady.js";

const htmx = /** @type {any} */ (window).htmx;
const page = /** @type {HTMLElement} */ (document.getElementById("content"));
let pressed = false;

defineSteady(htmx);

document.addEventListener("pointerdown", () => { pressed = true; });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => { window.setTimeout(() => { pressed = false; }, 0); });
}

document.body.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (pressed) detail.shouldSwap = false;
});
document.body.addEventListener("htmx:afterSwap", () => page.removeAttribute("data-stale"));
for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.body.addEventListener(failure, () => page.setAttribute("data-stale", ""));
}
