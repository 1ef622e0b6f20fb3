/** Parts that every screen of the pad has: what is asked for, and the one obvious action. */

import { button, h, shape } from "./dom.js";
import { say } from "./words.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", "back"];

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

/** Keys for a number. @param {{keyDigit: (digit: string) => void}} actions @param {string[]} [keys] */
export function digits(actions, keys = DIGITS) {
  return h("div", { class: "pad-digits" }, ...keys.map((digit) =>
    button(`digit-${digit}`, "key", () => actions.keyDigit(digit), { "aria-label": digit === "back" ? say("undo") : digit },
      digit === "back" ? shape("undo") : digit)));
}
