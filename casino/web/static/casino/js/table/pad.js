/** The pad: one screen at a time, keys where the thumb is, one obvious action. */

import { askModel, askPad } from "./pad_ask.js";
import { cardsModel, cardsPad, questionPad } from "./pad_cards.js";
import { settleModel, settlePad } from "./pad_settle.js";
import { paperKey, paperModel, paperPad } from "./pad_paper.js";
import { wagersModel, wagersPad } from "./pad_wagers.js";
import { button, h, shape } from "./dom.js";
import { primary, prompt } from "./pad_parts.js";
import { formatSigned } from "./money.js";
import { differenceOf, mispaidOf, nextNumber, screenOf } from "./state.js";
import { handName, say } from "./words.js";

/**
 * @param {import("./state.js").View} view @param {import("./state.js").Local} local @param {string} status
 * @param {{fresh?: boolean, returned?: boolean}} [how]  The screen has just come, so that a second tap on the same
 *   place is not meant for it; the tablet was away.
 */
export function padModel(view, local, status, { fresh = false, returned = false } = {}) {
  const screen = screenOf(view, local);
  const base = { screen, busy: status !== "idle", held: status === "held", number: view.round?.number ?? null };
  switch (screen) {
    case "betting": return { ...base, ...wagersModel(view, local) };
    case "cards": return { ...base, ...cardsModel(view, local) };
    case "ask": return { ...base, ...askModel(view, local) };
    case "question": return { ...base, question: local.question };
    case "settle": return { ...base, ...settleModel(view, local) };
    case "over": return {
      ...base, ...nextModel(view, local), fresh, returned, stage: view.round?.stage, cut: view.shoe?.cut_card_out ?? false,
      ...moneyModel(view, local), exponent: view.currency.exponent,
    };
    case "paper": return { ...base, ...paperModel(view, local) };
    default: return { ...base, ...nextModel(view, local), returned };
  }
}

/** What the bank gained by the part that ended the round, as handed over, and what was handed otherwise than owed. */
function moneyModel(view, local) {
  const owed = view.round?.owed ?? null;
  if (owed === null || owed.bank_minor === null) return { bank: null, difference: 0, swept: false };
  return { bank: owed.bank_minor - differenceOf(owed, local), difference: mispaidOf(owed, local), swept: view.round.swept };
}

/** What opening the next round needs: a shuffled pack, and a seat that holds the bank where players do. */
function nextModel(view, local) {
  const bank = view.bank;
  return {
    next: nextNumber(view),
    ready: view.shoe?.state === "ready",
    pack: view.shoe?.pack ?? false,
    shuffle: view.shoe?.shuffle_due ?? false,
    lot: bank?.players && bank.due === null ? bank.seats : null,
    seat: bank?.players ? bank.due ?? local.bank : null,
  };
}

/** @param {any} model @param {any} actions */
export function drawPad(model, actions) {
  switch (model.screen) {
    case "betting": return wagersPad(model, actions);
    case "cards": return cardsPad(model, actions);
    case "ask": return askPad(model, actions);
    case "question": return questionPad(model, actions);
    case "settle": return settlePad(model, actions);
    case "paper": return paperPad(model, actions);
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
  const ready = say(model.pack ? "screen_between_pack" : "screen_between");
  return [
    model.lot === null ? prompt(ready, say("screen_between_how")) : prompt(say("bank_by_lot"), say("bank_by_lot_how")),
    model.lot === null ? null : h("div", { class: "pad-seats", role: "radiogroup", "aria-label": say("bank_by_lot") },
      ...model.lot.map((/** @type {number} */ seat) => button(`bank-${seat}`, "key", () => actions.pickBank(seat),
        { role: "radio", "aria-checked": String(seat === model.seat), "aria-label": handName(seat) }, String(seat)))),
    h("div", { class: "pad-room" }),
    ...paperKey(model, actions),
    openKey(model, actions),
  ];
}

/** @param {any} model @param {any} actions */
function openKey(model, actions) {
  const label = model.seat === null
    ? say("open_round", { number: model.next }) : say("open_round_bank", { number: model.next, seat: model.seat });
  const unsaid = model.lot !== null && model.seat === null;
  return primary(label, actions.openRound, { disabled: model.busy || model.fresh || unsaid });
}

function overPad(model, actions) {
  const amount = { amount: model.bank === null ? "" : formatSigned(model.bank, model.exponent) };
  const bank = model.bank === null ? "" : model.swept ? say("bank_result_swept", amount) : say("bank_result", amount);
  return [
    prompt(say(`over_${model.stage}`, { number: model.number }), bank),
    model.difference === 0 ? null : h("p", { class: "pad-advice pad-differs" }, shape("late"),
      say("difference_kept", { amount: formatSigned(model.difference, model.exponent) })),
    h("p", { class: "pad-advice" }, say(model.cut ? "cut_card_out" : model.shuffle ? "check_the_pack" : "check_the_felt")),
    h("div", { class: "pad-room" }),
    ...paperKey(model, actions),
    model.cut || model.pack ? null : button("cut-card", "button button-quiet", actions.cutCard, { disabled: model.busy }, say("mark_cut_card")),
    model.shuffle
      ? primary(say("shuffle_pack"), actions.shufflePack, { disabled: model.busy || model.fresh })
      : openKey(model, actions),
  ];
}
