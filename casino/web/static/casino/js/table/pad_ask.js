/** A hand decides: draw or stand. One touch, and what was said may be taken back until a card lies by it. */

import { button, h, shape } from "./dom.js";
import { primary, prompt } from "./pad_parts.js";
import { lastDecision } from "./state.js";
import { handName, say } from "./words.js";

const KEYS = { hit: "D", stand: "S", no_decision: "N" };

/** @param {import("./state.js").View} view @param {import("./state.js").Local} local */
export function askModel(view, local) {
  const next = view.round?.next;
  const last = lastDecision(view, local);
  return {
    hand: next?.hand ?? 0,
    choices: next?.choices ?? [],
    last: last && { hand: handName(last.hand), choice: say(`decision_${last.choice}`) },
  };
}

/** @param {any} model @param {any} actions */
export function askPad(model, actions) {
  // A staffed bank has no choice: its rule says what comes.
  const bound = model.choices.length === 1;
  const big = model.choices.filter((/** @type {string} */ choice) => choice !== "no_decision");
  return [
    prompt(say("ask_title", { hand: handName(model.hand) }), say(bound ? "ask_bound" : "ask_note")),
    bound ? null : h("div", { class: "pad-choices" }, ...big.map((/** @type {keyof typeof KEYS} */ choice) =>
      button(`choice-${choice}`, "key key-choice", () => actions.decide(choice),
        { disabled: model.busy, "aria-keyshortcuts": KEYS[choice] }, say(`choice_${choice}`)))),
    h("div", { class: "pad-room" }),
    model.last === null ? null : button("undo", "button", actions.undo, { disabled: model.busy },
      shape("undo"), say("undo_decision", model.last)),
    bound
      ? primary(say(`choice_${model.choices[0]}`), () => actions.decide(model.choices[0]), { disabled: model.busy })
      : silence(model, actions),
  ];
}

/** Who says nothing stands, or is out, as the ruleset has it (C6). */
function silence(model, actions) {
  if (!model.choices.includes("no_decision")) return null;
  return button("choice-no_decision", "button button-quiet", () => actions.decide("no_decision"),
    { disabled: model.busy, "aria-keyshortcuts": KEYS.no_decision }, say("choice_no_decision"));
}
