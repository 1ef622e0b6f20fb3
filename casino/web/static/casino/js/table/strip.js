/** The receipts strip: saved, on its way, not saved, refused; told apart from across the table. */

import { button, h, shape } from "./dom.js";
import { say } from "./words.js";

const MARKS = { saved: "saved", sending: "sending", held: "held", refused: "refused", quiet: "done" };

/**
 * @typedef {object} StripModel
 * @property {"saved"|"sending"|"held"|"refused"|"quiet"} state
 * @property {string} label                 What it is about, in words.
 * @property {string} detail                Of a refusal: what to do.
 * @property {string} code
 * @property {import("./state.js").Receipt|null} receipt
 * @property {number} behind                Calls that wait behind the first.
 * @property {boolean} stuck                The head of the line got no answer.
 * @property {boolean} away                 The server did not answer when last asked.
 * @property {boolean} signOn               The session ended.
 */

/** @param {StripModel} model @param {{again: () => void, dismiss: () => void, signOn: () => void}} actions */
export function drawStrip(model, actions) {
  return [shape(model.state === "quiet" && model.away ? "late" : MARKS[model.state]), h("div", { class: "receipt-what" }, ...sentence(model)), proof(model), act(model, actions)];
}

/** @param {StripModel} model */
function sentence(model) {
  const more = model.behind > 0 ? say("and_more", { count: model.behind }) : "";
  switch (model.state) {
    case "saved": return [h("b", {}, say("strip_saved")), h("span", {}, model.label)];
    case "sending": return [h("b", {}, say("strip_sending")), h("span", {}, `${model.label} ${more}`)];
    case "held": return [h("b", {}, say("strip_held")), h("span", {}, `${model.label} ${more}`)];
    case "refused": return [h("b", {}, say("strip_refused", { label: model.label })), h("span", {}, model.detail)];
    default: return [h("b", {}, say(model.away ? "strip_away" : "strip_quiet")), h("span", {}, model.away ? say("strip_away_how") : model.label)];
  }
}

/** @param {StripModel} model */
function proof(model) {
  if (model.state === "refused") return h("span", { class: "receipt-proof mono" }, model.code);
  if (model.receipt === null || model.state === "held" || model.state === "sending") return null;
  const { stream, seq, hash } = model.receipt;
  return h("span", { class: "receipt-proof" }, say("receipt", { seq }),
    h("br"), h("span", { class: "mono" }, `${stream} ${hash.slice(0, 12)}`));
}

/** @param {StripModel} model @param {any} actions */
function act(model, actions) {
  if (model.signOn) return button("sign-on", "button", actions.signOn, {}, say("sign_on_again"));
  if (model.stuck) return button("again", "button", actions.again, {}, say("try_again"));
  if (model.state === "refused") return button("dismiss", "button", actions.dismiss, {}, say("understood"));
  return null;
}
