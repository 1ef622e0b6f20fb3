/** The pad: one screen at a time, keys where the thumb is, one obvious action. */

import { cardsModel, cardsPad, questionPad } from "./pad_cards.js";
import { settleModel, settlePad } from "./pad_settle.js";
import { wagersModel, wagersPad } from "./pad_wagers.js";
import { button, h } from "./dom.js";
import { primary, prompt } from "./pad_parts.js";
import { formatSigned } from "./money.js";
import { screenOf } from "./state.js";
import { say } from "./words.js";

/**
 * @param {import("./state.js").View} view @param {import("./state.js").Local} local @param {string} status
 * @param {boolean} fresh  The screen has just come: a second tap on the same place is not meant for it.
 */
export function padModel(view, local, status, fresh = false) {
  const screen = screenOf(view, local);
  const base = { screen, busy: status !== "idle", held: status === "held", number: view.round?.number ?? null };
  switch (screen) {
    case "betting": return { ...base, ...wagersModel(view, local) };
    case "cards": return { ...base, ...cardsModel(view, local) };
    case "question": return { ...base, question: local.question };
    case "settle": return { ...base, ...settleModel(view, local) };
    case "over": return {
      ...base, fresh, stage: view.round?.stage, cut: view.shoe?.cut_card_out ?? false, next: nextNumber(view),
      bank: view.round?.owed?.bank_minor ?? null, exponent: view.currency.exponent,
    };
    default: return { ...base, next: nextNumber(view) };
  }
}

function nextNumber(view) {
  return view.round === null ? 1 : view.round.number + 1;
}

/** @param {any} model @param {any} actions */
export function drawPad(model, actions) {
  switch (model.screen) {
    case "betting": return wagersPad(model, actions);
    case "cards": return cardsPad(model, actions);
    case "question": return questionPad(model, actions);
    case "settle": return settlePad(model, actions);
    case "between": return betweenPad(model, actions);
    case "over": return overPad(model, actions);
    default: return standPad(model, actions);
  }
}

/** Nothing to key here: what is waited for, and the way to the count when that is the dealer's part. */
function standPad(model, actions) {
  const counts = (model.screen === "closed" || model.screen === "counting") && actions.countUrl !== "";
  return [
    prompt(say(`screen_${model.screen}`), say(`screen_${model.screen}_how`)),
    h("div", { class: "pad-room" }),
    counts ? h("a", { class: "button button-primary pad-primary", href: actions.countUrl, "data-key": "count" }, say("count_tray")) : null,
  ];
}

function betweenPad(model, actions) {
  return [
    prompt(say("screen_between"), say("screen_between_how")),
    h("div", { class: "pad-room" }),
    primary(say("open_round", { number: model.next }), actions.openRound, { disabled: model.busy || model.fresh }),
  ];
}

function overPad(model, actions) {
  const bank = model.bank === null ? "" : say("bank_result", { amount: formatSigned(model.bank, model.exponent) });
  return [
    prompt(say(`over_${model.stage}`, { number: model.number }), bank),
    h("p", { class: "pad-advice" }, say(model.cut ? "cut_card_out" : "check_the_felt")),
    h("div", { class: "pad-room" }),
    model.cut ? null : button("cut-card", "button button-quiet", actions.cutCard, { disabled: model.busy }, say("cut_card")),
    primary(say("open_round", { number: model.next }), actions.openRound, { disabled: model.busy || model.fresh }),
  ];
}
