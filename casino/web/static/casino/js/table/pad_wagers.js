/** Keying wagers: the seat, the kind, the chips. A seat is saved when another is touched. */

import { button, h } from "./dom.js";
import { formatMinor, oddsNumber } from "./money.js";
import { primary, prompt } from "./pad_parts.js";
import { chipsOf, limitFault, sameWagers, seatsWithWagers, wagersOf } from "./state.js";
import { handName, say } from "./words.js";

const CHIP_KEYS = "QWER"; // above the digits that choose the seat

/** @param {import("./state.js").View} view @param {import("./state.js").Local} local */
export function wagersModel(view, local) {
  const seats = view.round?.seats ?? [];
  const seat = seats.find((one) => one.seat === local.seat) ?? null;
  const now = seat ? wagersOf(seat, local) : { wagers: {}, held: false };
  const previous = view.previous_wagers ?? {};
  return {
    seat: seat?.seat ?? null,
    kind: local.kind,
    held: seat ? now.held && !sameWagers(now.wagers, seat.wagers) : false,
    kinds: (view.ruleset?.wagers ?? []).map(({ kind, odds }) => ({
      kind, odds, stake: now.wagers[kind] ?? 0, fault: limitFault(view, kind, now.wagers[kind] ?? 0),
      limit: view.limits?.[kind] ?? null,
    })),
    chips: chipsOf(view),
    exponent: view.currency.exponent,
    sameAgain: seat !== null && Object.keys(previous[String(seat.seat)] ?? {}).length > 0,
    allAgain: Object.keys(previous).length > 0 && seatsWithWagers(view, local).length === 0,
    live: seatsWithWagers(view, local).length,
    confirming: local.confirming,
  };
}

/** @param {any} model @param {any} actions */
export function wagersPad(model, actions) {
  const title = model.seat === null ? say("touch_a_seat") : say("wagers_of", { seat: handName(model.seat) });
  return [
    prompt(title, say("betting_note", { number: model.number })),
    h("div", { class: "pad-kinds", role: "radiogroup", "aria-label": say("kinds") },
      ...model.kinds.map((kind) => kindRow(kind, model, actions))),
    h("div", { class: "pad-chips" }, ...model.chips.map((chip, nth) =>
      button(`chip-${chip}`, "key key-chip", () => actions.addChip(chip), { disabled: model.seat === null, "aria-keyshortcuts": CHIP_KEYS[nth] },
        h("span", {}, "+"), h("b", {}, formatMinor(chip, model.exponent))))),
    h("div", { class: "pad-row" },
      button("clear", "button", actions.clearSeat, { disabled: model.seat === null }, say("clear")),
      model.allAgain
        ? button("all-again", "button", actions.allAgain, {}, say("all_again"))
        : button("same-again", "button", actions.sameAgain, { disabled: !model.sameAgain }, say("same_again")),
      button("save-seat", "button", actions.saveSeat, { disabled: !model.held }, say("save"))),
    h("div", { class: "pad-room" }),
    model.live === 0 ? callOff(model, actions) : null,
    primary(say("no_more_bets"), actions.noMoreBets, { disabled: model.live === 0 }),
  ];
}

function kindRow(kind, model, actions) {
  const on = kind.kind === model.kind;
  return button(`kind-${kind.kind}`, "pad-kind", () => actions.pickKind(kind.kind),
    { role: "radio", "aria-checked": String(on), disabled: model.seat === null },
    h("span", { class: "pad-kind-name" }, h("b", {}, say(`wager_${kind.kind}`)),
      h("small", { class: kind.fault ? "pad-fault" : "" }, noteFor(kind, model.exponent))),
    h("b", { class: "pad-stake", "data-nothing": kind.stake === 0 }, formatMinor(kind.stake, model.exponent)));
}

/** The price, or what is wrong with the stake. */
function noteFor({ odds, fault, limit }, exponent) {
  const amount = (/** @type {number|null} */ minor) => (minor === null ? "" : formatMinor(minor, exponent));
  if (fault === "under") return say("limit_under", { amount: amount(limit.min) });
  if (fault === "over") return say("limit_over", { amount: amount(limit.max) });
  if (fault === "off_step") return say("limit_step", { amount: amount(limit.step) });
  if (odds) return say("odds_to_one", { odds: oddsNumber(odds) });
  return limit && limit.min !== null && limit.max !== null
    ? say("limit_range", { min: amount(limit.min), max: amount(limit.max) }) : "";
}

/** A round without cards is called off by the dealer alone; two presses, so that a slip does nothing. */
function callOff(model, actions) {
  return model.confirming
    ? h("div", { class: "pad-row" },
        button("keep", "button", actions.keepRound, {}, say("keep_round")),
        button("call-off", "button button-grave", actions.callOff, {}, say("call_off_now", { number: model.number })))
    : h("div", { class: "pad-row" },
        button("call-off-ask", "button button-quiet", actions.askCallOff, {}, say("call_off")));
}
