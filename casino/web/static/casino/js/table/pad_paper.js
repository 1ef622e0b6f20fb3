/** Rounds that were dealt on paper while the tablet was away: their numbers are kept, play goes on behind them. */

import { button, h } from "./dom.js";
import { digits, primary, prompt } from "./pad_parts.js";
import { nextNumber } from "./state.js";
import { say } from "./words.js";

const ROUNDS_MAX = 80; // as many as the server takes at once
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "back"];

/** @param {import("./state.js").View} view @param {import("./state.js").Local} local */
export function paperModel(view, local) {
  const first = nextNumber(view);
  return { shoe: view.shoe?.number ?? 0, sofar: first - 1, first, rounds: Number(local.digits || "0") };
}

/** @param {any} model @param {any} actions */
export function paperPad(model, actions) {
  const { rounds, first } = model;
  const far = rounds > ROUNDS_MAX;
  const label = rounds > 1 ? say("paper_keep_many", { from: first, to: first + rounds - 1 }) : say("paper_keep_one", { number: first });
  return [
    prompt(say("paper_ask"), say("paper_how", { shoe: model.shoe, rounds: model.sofar })),
    h("p", { class: "pad-count", "aria-live": "polite" }, String(rounds)),
    digits(actions, KEYS),
    far ? h("p", { class: "pad-advice" }, say("paper_far", { most: ROUNDS_MAX })) : null,
    h("div", { class: "pad-room" }),
    h("div", { class: "pad-row" },
      button("paper-none", "button", actions.leavePaper, { disabled: model.busy }, say("paper_none")),
      h("a", { class: "button button-quiet", href: actions.paperUrl, "data-key": "paper-sheets" }, say("paper_sheets"))),
    primary(label, actions.keepForPaper, { disabled: model.busy || rounds === 0 || far }),
  ];
}

/**
 * The way there from the screens between rounds: quiet, unless the tablet was away.
 *
 * @param {any} model @param {any} actions
 */
export function paperKey(model, actions) {
  if (model.pack || !model.ready) return [];
  const key = button("paper", model.returned ? "button" : "button button-quiet", actions.askPaper, { disabled: model.busy }, say("paper_key"));
  return model.returned ? [h("p", { class: "pad-advice", "data-tone": "late" }, say("paper_returned")), key] : [key];
}
