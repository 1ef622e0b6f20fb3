/** Parts that every screen of the pad has: what is asked for, and the one obvious action. */

import { button, h } from "./dom.js";

/** What is asked for now. @param {string} title @param {string} [note] */
export function prompt(title, note = "") {
  return h("div", { class: "pad-prompt", "aria-live": "polite" },
    h("p", { class: "pad-title" }, title), h("p", { class: "pad-note" }, note));
}

/**
 * The one obvious action; Enter does the same.
 *
 * @param {string} label @param {() => void} act @param {Object<string, any>} [attributes]
 */
export function primary(label, act, attributes = {}) {
  return button("primary", "button button-primary pad-primary", act, { "data-primary": true, ...attributes }, label);
}
