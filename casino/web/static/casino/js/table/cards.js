/** Cards on the glass: saved ones are paper, keyed ones are only an outline, a back is a back. */

import { h, shape } from "./dom.js";
import { faceName, say } from "./words.js";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
export const SUITS = ["S", "H", "D", "C"];

/** What is printed for a rank. @param {string} rank */
export function rankLabel(rank) {
  return rank === "T" ? "10" : rank;
}

/**
 * @typedef {object} CardModel
 * @property {string|null} face
 * @property {boolean} held      Keyed here, no receipt.
 * @property {boolean} down      Dealt face down, not yet keyed.
 * @property {boolean} target    The next keyed card goes here.
 */

/** @param {CardModel} card */
export function cardFace({ face, held, down, target }) {
  const classes = ["card", target && "card-target", held && "card-held"].filter(Boolean).join(" ");
  if (face === null) {
    const kind = down ? "card-down" : target ? "" : "card-slot";
    return box(`${classes} ${kind}`.trim(), down ? say("face_down") : say("no_card"));
  }
  if (face === "?") return box(`${classes} card-unknown`, faceName(face), "?");
  const inside = [h("b", {}, rankLabel(face[0]))];
  const node = h("span", {
    class: classes, role: "img", "data-rank": face[0], "data-suit": face.slice(1),
    "aria-label": held ? say("held_card", { card: faceName(face) }) : faceName(face),
  }, ...inside);
  if (face.length === 2) node.append(shape(face[1], "card-suit"));
  return node;
}

/** @param {string} className @param {string} label @param {string} [text] */
function box(className, label, text = "") {
  return h("span", { class: className, role: "img", "aria-label": label }, text);
}
