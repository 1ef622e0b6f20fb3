/** Paying: what each seat is owed, seat by seat from the dealer's right (A31), then one confirmation. */

import { button, h, shape } from "./dom.js";
import { formatMinor, formatSigned, oddsNumber } from "./money.js";
import { digits, primary, prompt } from "./pad_parts.js";
import { handedOf, linesBySeat, mispaidOf, partName, toHand, undoable } from "./state.js";
import { faceName, handName, placeName, say } from "./words.js";

const MANY = 5; // more seats than this stand closer

/** @param {import("./state.js").View} view @param {import("./state.js").Local} local */
export function settleModel(view, local) {
  const owed = view.round?.owed ?? null;
  const last = undoable(view, local);
  const seats = owed === null ? [] : linesBySeat(owed).map(({ seat, lines }) => ({
    seat, lines: lines.map((line) => ({ ...line, handed: handedOf(line, local) })),
  }));
  const all = seats.flatMap((seat) => seat.lines);
  return {
    part: partName(view), seats, exponent: view.currency.exponent,
    difference: owed === null ? 0 : mispaidOf(owed, local),
    differs: all.some((line) => line.handed !== toHand(line)),
    look: local.look, entry: local.entry, digits: local.digits,
    faults: (owed?.faults ?? []).map((fault) => fault.detail ?? ""),
    undo: last && { place: placeName(last.hand, last.lap), card: faceName(last.face) },
  };
}

/** @param {any} model @param {any} actions */
export function settlePad(model, actions) {
  const seat = model.seats.find((/** @type {any} */ one) => one.seat === model.look);
  return seat ? seatPad(seat, model, actions) : listPad(model, actions);
}

function listPad(model, actions) {
  if (model.faults.length > 0) return unsettledPad(model, actions);
  const confirm = model.differs
    ? say("paid_as_entered", { amount: formatSigned(model.difference, model.exponent) })
    : say("paid_as_shown");
  return [
    prompt(say(`settle_${model.part}`), say(`settle_${model.part}_how`)),
    h("div", { class: "pad-due", "data-many": model.seats.length > MANY }, ...model.seats.map((/** @type {any} */ seat) => seatRow(seat, model, actions))),
    h("div", { class: "pad-room" }),
    undoButton(model, actions),
    primary(confirm, actions.settle, { disabled: model.busy }),
  ];
}

/** Nothing is owed yet: a face is not known, or the hands are not what the rules say. */
function unsettledPad(model, actions) {
  return [
    prompt(say("unsettled"), say("unsettled_how")),
    h("ul", { class: "pad-places" }, ...model.faults.map((/** @type {string} */ detail) => h("li", {}, detail))),
    h("div", { class: "pad-room" }),
    undoButton(model, actions),
  ];
}

/** A card keyed wrongly is often seen only now. @param {any} model @param {any} actions */
function undoButton(model, actions) {
  if (model.undo === null) return null;
  return button("undo", "button", actions.undo, { disabled: model.busy }, shape("undo"), say("undo_card", model.undo));
}

function seatRow(seat, model, actions) {
  const total = seat.lines.reduce((/** @type {number} */ sum, /** @type {any} */ line) => sum + line.handed, 0);
  const differs = seat.lines.some((/** @type {any} */ line) => line.handed !== toHand(line));
  return button(`due-${seat.seat}`, "pad-due-row", () => actions.lookAt(seat.seat), { "data-differs": differs },
    h("b", { class: "felt-number", "aria-hidden": "true" }, String(seat.seat)),
    h("span", { class: "out-of-sight" }, handName(seat.seat)),
    h("span", { class: "pad-due-lines" }, ...seat.lines.map((/** @type {any} */ line) =>
      h("span", { class: "outcome", "data-tone": line.held ? "held" : line.outcome }, shape(line.held ? "held" : line.outcome), say(`wager_${line.wager}`),
        line.held ? ` ${say("wager_held")}` : h("span", { class: "out-of-sight" }, ` ${say(`outcome_${line.outcome}`)}`)))),
    h("b", { class: "pad-due-total", "data-nothing": total === 0 }, formatMinor(total, model.exponent)));
}

/** One seat: its lines with the reason and the clause; touch one to enter what was in fact handed over. */
function seatPad(seat, model, actions) {
  const entering = seat.lines.find((/** @type {any} */ line) => `${line.seat}/${line.wager}` === model.entry);
  return [
    prompt(handName(seat.seat), entering ? say("key_handed", { wager: say(`wager_${entering.wager}`) }) : say("touch_a_line")),
    h("div", { class: "pad-lines" }, ...(entering ? [entering] : seat.lines).map((/** @type {any} */ line) => lineRow(line, model, actions))),
    entering ? digits(actions) : null,
    h("div", { class: "pad-room" }),
    entering
      ? primary(say("keep_amount"), actions.keepAmount)
      : primary(say("back_to_seats"), () => actions.lookAt(null)),
  ];
}

function lineRow(line, model, actions) {
  const key = `${line.seat}/${line.wager}`;
  const entering = model.entry === key;
  const shown = entering && model.digits !== "" ? formatMinor(Number(model.digits) * 10 ** model.exponent, model.exponent) : formatMinor(line.handed, model.exponent);
  const price = line.odds ? say("odds_to_one", { odds: oddsNumber(line.odds) }) : "";
  return button(`line-${key}`, "pad-line", () => actions.enterHanded(key), { "aria-pressed": String(entering) },
    h("span", { class: "pad-line-head" },
      h("span", { class: "outcome", "data-tone": line.outcome }, shape(line.outcome), h("b", {}, say(`wager_${line.wager}`)), say(`outcome_${line.outcome}`)),
      h("span", {}, price)),
    h("span", { class: "pad-line-why" }, `${line.why} \u00b7 ${line.clause}`),
    h("span", { class: "pad-line-sum" },
      h("span", {}, say("owed"), " ", h("b", {}, formatMinor(line.owed_minor, model.exponent))),
      line.held && h("span", { class: "outcome", "data-tone": "held" }, shape("held"), say("wager_held")),
      h("span", { "data-differs": line.handed !== toHand(line) }, say("handed"), " ", h("b", {}, shown))),
    line.extra_owed_minor ? h("span", { class: "pad-line-extra" },
      say("owes_more", { amount: formatMinor(line.extra_owed_minor, model.exponent) })) : null);
}
