/** The felt as the dealer sees it: seat 1 at the dealer's left hand, the bank's cards in front of the dealer. */

import { cardFace } from "./cards.js";
import { h, shape } from "./dom.js";
import { formatMinor, sizeFor } from "./money.js";
import { OVER, decisionOf, differenceOf, handedOf, linesBySeat, puntersOf, screenOf, stakesOf, targetOf, toHand, wagersOf } from "./state.js";
import { handName, say } from "./words.js";

const MANY = 5; // more seats than this stand closer

/**
 * What the felt shows, as plain values.
 *
 * @param {import("./state.js").View} view @param {import("./state.js").Local} local
 */
export function feltModel(view, local) {
  const screen = screenOf(view, local);
  const round = view.round;
  const target = screen === "cards" ? targetOf(view, local) : null;
  const owed = round !== null && (screen === "settle" || screen === "over") ? round.owed : null;
  const bySeat = new Map(owed ? linesBySeat(owed).map(({ seat, lines }) => [seat, lines]) : []);
  const hand = (/** @type {import("./state.js").Place[]} */ places, /** @type {number} */ number) =>
    places.map((place) => cardModel(place, number, { round, local, target }));
  return {
    exponent: view.currency.exponent,
    screen,
    seats: puntersOf(view).map((seat) => ({
      seat: seat.seat,
      decision: round === null ? "" : decisionOf(round, seat.seat),
      ...wagersOf(seat, local),
      stakes: stakesOf(view, seat, local),
      swept: seat.swept.length > 0,
      chosen: chosen(screen, seat.seat, { local, target, asked: round?.next.hand ?? null }),
      hand: hand(seat.hand, seat.seat),
      lines: bySeat.get(seat.seat) ?? null,
      differs: (bySeat.get(seat.seat) ?? []).some((line) => handedOf(line, local) !== toHand(line)),
      owed: (bySeat.get(seat.seat) ?? []).reduce((sum, line) => sum + toHand(line), 0),
      total: bySeat.has(seat.seat)
        ? (bySeat.get(seat.seat) ?? []).reduce((sum, line) => sum + handedOf(line, local), 0)
        : null,
    })),
    house: round === null ? [] : hand(round.house, 0),
    houseChosen: target?.hand === 0 || (screen === "ask" && round?.next.hand === 0),
    houseDecision: round === null ? "" : decisionOf(round, 0),
    bankSeat: round?.bank_seat ?? null,
    bank: owed === null || owed.bank_minor === null ? null : owed.bank_minor - differenceOf(owed, local),
    part: owed?.part ?? null,
  };
}

/**
 * @param {import("./state.js").Place} place @param {number} hand
 * @param {{round: import("./state.js").Round|null, local: import("./state.js").Local, target: any}} of
 */
function cardModel(place, hand, { round, local, target }) {
  const keyed = local.keyed.find((card) => card.draw === place.draw);
  const third = round !== null && ["third_lap", "showdown"].includes(round.stage) && place.lap === 3;
  const isTarget = target !== null && target.draw === place.draw && target.hand === hand;
  return {
    face: keyed ? keyed.face ?? place.face : isTarget && local.rank ? local.rank : place.face,
    held: keyed !== undefined || (isTarget && local.rank !== null),
    down: third && place.face === null,
    target: isTarget,
  };
}

/** Which seat the pad speaks of. */
function chosen(screen, seat, { local, target, asked }) {
  if (screen === "betting") return local.seat === seat;
  if (screen === "ask") return asked === seat;
  if (screen === "cards") return target?.hand === seat;
  return local.look === seat;
}

/**
 * Draw the felt.
 *
 * @param {ReturnType<typeof feltModel>} model @param {{pickSeat: (seat: number) => void}} actions
 */
export function drawFelt(model, actions) {
  if (model.seats.length === 0) return [h("div", { class: "felt-bare" }, shape("mark"))];
  return [
    h("div", { class: "felt-seats", "data-many": model.seats.length > MANY }, ...model.seats.map((seat) => seatPanel(seat, model, actions))),
    housePanel(model),
  ];
}

function seatPanel(seat, model, actions) {
  const { stakes } = seat;
  // Whose wagers all went in the sweep (a natural) is through with the round, and not an empty seat.
  const through = seat.swept && stakes.length === 0 && !seat.lines;
  const state = seat.lines ? "due" : through ? "saved" : stakes.length === 0 ? "empty" : seat.held ? "held" : "saved";
  return h(
    "button",
    {
      type: "button", class: "felt-seat", "data-key": `seat-${seat.seat}`, "data-seat": seat.seat,
      "data-state": state, "data-differs": seat.differs, "aria-pressed": String(seat.chosen), on: { click: () => actions.pickSeat(seat.seat) },
    },
    h("span", { class: "felt-seat-head" },
      h("b", { class: "felt-number", "aria-hidden": "true" }, String(seat.seat)),
      h("span", { class: "out-of-sight" }, handName(seat.seat)),
      through ? h("span", { class: "felt-decision" }, say("seat_through")) : decided(seat.decision),
      state === "held" && h("span", { class: "felt-held" }, shape("held"), say("not_saved"))),
    seat.hand.length > 0 && h("span", { class: "hand" }, ...seat.hand.map(cardFace)),
    seat.lines && dueOf(seat, model.exponent),
    wagersList(seat.lines ? stakes.filter(([kind]) => stillLies(kind, seat, model)) : stakes, model.exponent),
  );
}

/** What a hand decided, in a word. @param {string} choice */
function decided(choice) {
  return choice === "" ? null : h("span", { class: "felt-decision" }, say(`decision_${choice}`));
}

/** At the sweep the other wagers still lie on the felt. */
function stillLies(kind, seat, model) {
  return model.part === "sweep" && !seat.lines.some((/** @type {any} */ line) => line.wager === kind);
}

function wagersList(stakes, exponent) {
  if (stakes.length === 0) return null;
  return h("span", { class: "felt-wagers" }, ...stakes.map(([kind, stake]) =>
    h("span", { class: `felt-wager felt-wager-${kind}` },
      h("span", {}, say(`wager_${kind}`)), h("b", {}, formatMinor(stake, exponent)))));
}

/** What goes back to the seat: the largest thing on the glass, with each wager's outcome under it. */
function dueOf(seat, exponent) {
  const total = formatMinor(seat.total, exponent);
  return h("span", { class: "felt-due" },
    h("b", { class: "felt-total", "data-size": sizeFor(total), "data-nothing": seat.total === 0 }, total),
    seat.differs && h("span", { class: "felt-owed" }, h("span", {}, say("owed")), h("b", {}, formatMinor(seat.owed, exponent))),
    ...seat.lines.map((line) =>
      h("span", { class: "felt-line", "data-tone": line.held ? "held" : line.outcome },
        shape(line.held ? "held" : line.outcome),
        h("span", {}, say(`wager_${line.wager}`)),
        h("b", {}, line.held ? say("wager_held") : line.extra_owed_minor ? say("owes_more", { amount: formatMinor(line.extra_owed_minor, exponent) }) : line.outcome === "win" ? `+${formatMinor(line.profit_minor, exponent)}` : say(`outcome_${line.outcome}`)))));
}

function housePanel(model) {
  return h("div", { class: "felt-house", "data-chosen": model.houseChosen },
    h("span", { class: "felt-house-name", "data-seat": model.bankSeat }, handName(0), decided(model.houseDecision)),
    h("span", { class: "hand" }, ...model.house.map(cardFace)),
    model.bank !== null && h("span", { class: "felt-bank" }, say("bank"),
      h("b", {}, `${model.bank > 0 ? "+" : ""}${formatMinor(model.bank, model.exponent)}`)));
}

/** The stages of a round as steps; one is now. */
export function stepsModel(/** @type {import("./state.js").View} */ view, /** @type {string[]} */ stages) {
  const stage = view.round?.stage ?? null;
  const at = stage === null ? -1 : stages.indexOf(stage);
  return {
    ended: stage !== null && OVER.includes(stage) && at < 0 ? stage : null,
    // Without a round there is no stage to be in.
    steps: (stage === null ? [] : stages).map((name, index) => ({ name: stageName(view, name), state: index < at ? "done" : index === at ? "now" : "later" })),
  };
}

/** A game may sweep naturals where another sweeps pair wagers. */
function stageName(/** @type {import("./state.js").View} */ view, /** @type {string} */ name) {
  return name === "sweep" && view.ruleset?.sweep === "natural" ? "natural" : name;
}

/** @param {ReturnType<typeof stepsModel>} model */
export function drawSteps({ ended, steps }) {
  if (ended !== null) return [h("li", { "data-state": "now" }, shape(ended === "voided" ? "void" : "rejected"), say(`stage_${ended}`))];
  return steps.map((step) =>
    h("li", { "data-state": step.state, "aria-current": step.state === "now" ? "step" : null }, say(`stage_${step.name}`)));
}
