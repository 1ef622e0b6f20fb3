/**
 * What the dealer's glass knows and what it asks for next: pure functions over two values.
 *
 * `view` is what the server says of the table; every answer of the API carries it anew and it replaces
 * the one before. `local` is what is only on this glass: keyed cards that have no receipt yet, wagers
 * being edited, the chosen seat. Nothing here knows a rule of play: which card comes next, what is owed
 * and why comes from the server.
 *
 * GET /api/v1/tables/{code}/round gives the view. Amounts are integers in minor units.
 *
 * @typedef {{num: number, den: number}|[number, number]} Odds
 * @typedef {{stream: string, seq: number, hash: string, at: string}} Receipt
 *
 * @typedef {object} Place        One place that the deal plan gives to a hand, dealt or not.
 * @property {number} draw        The n-th card of the round.
 * @property {number} lap         1, 2 or 3.
 * @property {string|null} face   "KS", "K" (rank alone), "?" (not known), null while nothing is keyed.
 * @property {number} revision    Of the latest card fact of this draw; 0 when there is none.
 * @property {boolean} known      A face is recorded.
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {number} revision                 Of the latest wagers fact; 0 when there is none.
 * @property {Object<string, number>} wagers   By kind; a kind that is not there has no stake.
 * @property {Place[]} hand                    Every place of the plan; empty when the seat is not live.
 * @property {string[]} swept                  The kinds that a sweep settled: they lie on the felt no more.
 *
 * @typedef {object} Line
 * @property {number} seat
 * @property {string} wager
 * @property {number} stake_minor
 * @property {string} outcome                  win, lose, push, void, rejected
 * @property {[number, number]|null} odds
 * @property {number} profit_minor
 * @property {number} owed_minor               What goes back to the player, stake included.
 * @property {number} [handed_minor]           Of a settled part: what was handed over.
 * @property {boolean} [held]                  It lies under a dispute hold: it is owed and not handed over.
 * @property {number} [extra_owed_minor]       What the player owes the bank beyond the stake.
 * @property {string} clause
 * @property {string} why                      A sentence.
 *
 * @typedef {object} Owed                      The part that is due now, or the last one that was settled.
 * @property {"sweep"|"final"} part
 * @property {number} revision                 The revision to settle under; of a settled part, its own.
 * @property {Line[]} lines
 * @property {number|null} bank_minor          What the bank gains by the whole part; null with faults.
 * @property {{detail: string}[]} [faults]     Why nothing can be settled, for example a face not known.
 *
 * @typedef {object} Next
 * @property {"bet"|"deal"|"ask"|"sweep"|"settle"|"done"} kind
 * @property {number|null} draw
 * @property {number|null} hand                0 is the House.
 * @property {number|null} lap
 * @property {number[]} open_draws             Draws that may be keyed now, in any order.
 * @property {string[]} [choices]              Of "ask": hit, stand, no_decision, as far as they are allowed.
 *
 * @typedef {object} Round
 * @property {string} key
 * @property {number} number
 * @property {string} stage
 * @property {Seat[]} seats                    Every seat of the table, live or not.
 * @property {Place[]} house
 * @property {Next} next
 * @property {number|null} [bank_seat]         The seat that holds the bank; its cards are `house`.
 * @property {{hand: number, choice: string|null, revision: number}[]} [decisions]
 *                                              In the order in which hands are asked, the bank (0) last.
 * @property {boolean} swept                   A sweep was settled in this round.
 * @property {Owed|null} owed
 *
 * @typedef {object} View
 * @property {{code: string, game: string, name: string}} table
 * @property {{key: string, gaming_day: string, state: string}|null} session
 *                                              opening, open or closing; null while the table is closed.
 * @property {{number: number, key: string, state: string, rounds?: number, cards_out: number, cards_loaded: number,
 *             cut_card_out: boolean, pack?: boolean, shuffle_due?: boolean, burn_cards?: number}|null} shoe
 *                                              A pack goes back after each round and is shuffled anew.
 *                                              `rounds` counts those on paper, too, that wait for their sheets.
 * @property {{players: boolean, seat: number|null, due: number|null, rotation: string, seats: number[]}} [bank]
 *                                              Who banks the round, and the next one; null: nobody yet, or the House.
 * @property {string[]} [stages]                Of a round of this game, in order.
 * @property {{hash: string, card_detail: "rank_suit"|"rank", sweep?: "pair"|"natural"|null,
 *             wagers: {kind: string, odds: [number, number]|null}[]}|null} ruleset
 * @property {Object<string, {min: number|null, max: number|null, step: number|null}>} limits
 * @property {Round|null} round                The round in play, else the last one of the shoe.
 * @property {Object<string, Object<string, number>>} [previous_wagers]  By seat, of the round before.
 * @property {Receipt|null} [last_receipt]
 * @property {{name: string}|null} dealer
 * @property {{code: string, exponent: number}} currency
 *
 * @typedef {object} Keyed                     A card on this glass without a receipt.
 * @property {number} draw
 * @property {number} hand
 * @property {number} lap
 * @property {number} revision
 * @property {string|null} face                null takes the card back.
 * @property {boolean} as_seen
 * @property {boolean} sent                    Under way to the server.
 *
 * @typedef {object} Local
 * @property {number|null} seat                The seat whose wagers are on the pad.
 * @property {string} kind                     The kind of wager that chips go to.
 * @property {Object<string, Object<string, number>>} drafts  Wagers by seat that have no receipt.
 * @property {boolean} dealing                 "No more bets" was called; the first card closes betting.
 * @property {string|null} rank                Keyed, waits for its suit.
 * @property {number|null} target              The open draw that was chosen.
 * @property {Keyed[]} keyed
 * @property {{draw: number, face: string, places: object[]}|null} question
 * @property {Object<string, number>} handed   By "seat/wager", where it is not what is owed.
 * @property {number|null} look                The seat whose lines are shown.
 * @property {string|null} entry               The line whose handed amount is being keyed.
 * @property {string} digits
 * @property {number|null} bank                The seat that drew the first bank, chosen and not yet opened with.
 * @property {boolean} confirming              "Call off" was pressed once.
 * @property {boolean} paper                   How many rounds were dealt on paper is being keyed, in `digits`.
 */

export const OVER = ["settled", "voided", "called_off"];
const CHIPS = [100, 500, 1000, 5000]; // in whole units of the currency
export const STAGES = [
  "betting", "first_lap", "second_lap", "sweep", "third_lap", "showdown", "settled",
];

/** @returns {Local} */
export function freshLocal() {
  return {
    seat: null, kind: "main", drafts: {}, dealing: false, rank: null, target: null, keyed: [],
    question: null, handed: {}, look: null, entry: null, digits: "", bank: null,
    confirming: false, paper: false,
  };
}

/**
 * Which screen the pad shows: exactly one thing asks for attention.
 *
 * @param {View} view @param {Local} local
 * @returns {"closed"|"counting"|"no_shoe"|"shoe_over"|"paper"|"between"|"betting"|"cards"|"ask"|"question"|"settle"|"over"|"wait"}
 */
export function screenOf(view, local) {
  if (local.question) return "question";
  const round = view.round;
  const over = round === null || OVER.includes(round.stage);
  if (over && view.session === null) return "closed";
  if (over && view.session?.state !== "open") return "counting";
  if (!over) return playing(view, local);
  if (view.shoe === null || view.shoe.state === "preparing") return "no_shoe";
  if (view.shoe.state !== "ready") return "shoe_over";
  if (local.paper) return "paper";
  return round === null ? "between" : "over";
}

/** @param {View} view @param {Local} local */
function playing(view, local) {
  const round = /** @type {Round} */ (view.round);
  if (round.stage === "betting" && !local.dealing && local.keyed.length === 0) return "betting";
  if (local.keyed.some((card) => !card.sent) || local.keyed.length > 0) return "cards";
  if (round.next.kind === "sweep" || round.next.kind === "settle") return "settle";
  if (round.next.kind === "ask") return "ask";
  if (round.next.kind === "deal" || round.stage === "betting") return "cards";
  return "wait";
}

/** The number that the next round of the shoe gets: behind those on paper. @param {View} view */
export function nextNumber(view) {
  return (view.shoe?.rounds ?? view.round?.number ?? 0) + 1;
}

/** The seats that bet: all but the one that holds the bank. @param {View} view */
export function puntersOf(view) {
  const round = view.round;
  return round === null ? [] : round.seats.filter((seat) => seat.seat !== (round.bank_seat ?? null));
}

/** Which part is due, as it is called: a game may sweep naturals instead of pairs. @param {View} view */
export function partName(view) {
  const part = view.round?.owed?.part ?? "final";
  return part === "sweep" && view.ruleset?.sweep === "natural" ? "natural" : part;
}

/** What a hand decided, "" where it has not. @param {Round} round @param {number} hand */
export function decisionOf(round, hand) {
  return round.decisions?.find((decision) => decision.hand === hand)?.choice ?? "";
}

/** The decision that "undo" takes back: the last one, while no third card lies by it. @param {View} view @param {Local} local */
export function lastDecision(view, local) {
  const round = view.round;
  if (round === null || OVER.includes(round.stage) || local.keyed.length > 0) return null;
  if (placesOf(round).some((place) => place.lap === 3 && place.face !== null)) return null;
  return round.decisions?.filter((decision) => decision.choice !== null).at(-1) ?? null;
}

/** Every place of the round with its hand, in the order of the draws. @param {Round} round */
export function placesOf(round) {
  const places = round.seats.flatMap((seat) => seat.hand.map((place) => ({ ...place, hand: seat.seat })));
  places.push(...round.house.map((place) => ({ ...place, hand: 0 })));
  return places.sort((a, b) => a.draw - b.draw);
}

/**
 * The draws that can be keyed now: open on the server and not already keyed on this glass. First and
 * second lap run on ahead of the receipts; the third waits for the server, because a sweep may come first.
 *
 * @param {View} view @param {Local} local
 */
export function openPlaces(view, local) {
  const round = view.round;
  if (round === null || OVER.includes(round.stage)) return [];
  // Who gets a hand is known only when every wager has its receipt.
  if (round.stage === "betting" && Object.keys(local.drafts).length > 0) return [];
  const held = new Set(local.keyed.map((card) => card.draw));
  const places = placesOf(round);
  const open = (places.length > 0 ? places : firstPlace(round.next)).filter((place) => place.face === null && !held.has(place.draw));
  const lap = round.next.kind === "deal" && round.next.lap !== null ? round.next.lap : 1;
  if (round.next.kind !== "deal" && round.stage !== "betting") return [];
  if (lap < 3) return open.filter((place) => place.lap < 3);
  return open.filter((place) => round.next.open_draws.includes(place.draw));
}

/** Before the first card the plan may not be laid out yet; where that card goes is known. @param {Next} next */
function firstPlace(next) {
  if (next.kind !== "deal" || next.draw === null || next.hand === null) return [];
  return [{ draw: next.draw, hand: next.hand, lap: next.lap ?? 1, face: null, revision: 0, known: false }];
}

/** The place that the next keyed card goes to, or null. @param {View} view @param {Local} local */
export function targetOf(view, local) {
  const open = openPlaces(view, local);
  return open.find((place) => place.draw === local.target) ?? open[0] ?? null;
}

/** The card that "undo" takes back: keyed here last, else the last draw the server knows. */
export function undoable(/** @type {View} */ view, /** @type {Local} */ local) {
  const unsent = local.keyed.filter((card) => !card.sent).at(-1);
  if (unsent) return { ...unsent, here: true };
  const round = view.round;
  if (local.keyed.length > 0 || round === null || OVER.includes(round.stage)) return null;
  const dealt = placesOf(round).filter((place) => place.face !== null);
  const last = dealt.at(-1);
  // After the sweep a card of the first two laps changes only by a correction; decisions go before their cards.
  if (!last || (last.lap < 3 && (round.swept || lastDecision(view, local) !== null))) return null;
  return { ...last, here: false };
}

/**
 * The wagers of a seat that lie on the felt, in the order of the ruleset; swept ones are gone from it.
 *
 * @param {View} view @param {Seat} seat @param {Local} local @returns {[string, number][]}
 */
export function stakesOf(view, seat, local) {
  const kinds = (view.ruleset?.wagers ?? []).map(({ kind }) => kind);
  return Object.entries(wagersOf(seat, local).wagers)
    .filter(([kind, stake]) => stake > 0 && !seat.swept.includes(kind))
    .sort(([a], [b]) => kinds.indexOf(a) - kinds.indexOf(b));
}

/** A seat's wagers as they stand on the glass, and whether the server has them. */
export function wagersOf(/** @type {Seat} */ seat, /** @type {Local} */ local) {
  const draft = local.drafts[seat.seat];
  return { wagers: draft ?? seat.wagers, held: draft !== undefined };
}

/** Whether two sets of wagers say the same. */
export function sameWagers(/** @type {Object<string, number>} */ a, /** @type {Object<string, number>} */ b) {
  const kinds = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...kinds].every((kind) => (a[kind] ?? 0) === (b[kind] ?? 0));
}

/** The chips that the pad offers, smallest first, in minor units. @param {View} view */
export function chipsOf(view) {
  return CHIPS.map((chip) => chip * 10 ** view.currency.exponent);
}

/** Seats that would get a hand if betting closed now. @param {View} view @param {Local} local */
export function seatsWithWagers(view, local) {
  return puntersOf(view).filter((seat) => Object.values(wagersOf(seat, local).wagers).some((stake) => stake > 0));
}

/** What is wrong with a stake by the limits, as a word, or null. The server decides; this is early. */
export function limitFault(/** @type {View} */ view, /** @type {string} */ kind, /** @type {number} */ stake) {
  const limit = view.limits?.[kind];
  if (!limit || stake === 0) return null;
  if (limit.min !== null && stake < limit.min) return "under";
  if (limit.max !== null && stake > limit.max) return "over";
  if (limit.step && stake % limit.step !== 0) return "off_step";
  return null;
}

/** Lines by seat, from the dealer's right back to the left (A31). @param {Owed} owed */
export function linesBySeat(owed) {
  /** @type {Map<number, Line[]>} */
  const seats = new Map();
  for (const line of owed.lines) seats.set(line.seat, [...(seats.get(line.seat) ?? []), line]);
  return [...seats.entries()].sort(([a], [b]) => b - a).map(([seat, lines]) => ({ seat, lines }));
}

/** What is handed over for a line: what was keyed, else what was recorded, else what is owed. */
export function handedOf(/** @type {Line} */ line, /** @type {Local} */ local) {
  return local.handed[`${line.seat}/${line.wager}`] ?? line.handed_minor ?? line.owed_minor;
}

/** What is to be handed over for a line: nothing of a bet under a dispute hold. @param {Line} line */
export function toHand(line) {
  return line.held ? 0 : line.owed_minor;
}

/** How much more is handed over than is to be; what lies under a hold is no difference. @param {Owed} owed @param {Local} local */
export function mispaidOf(owed, local) {
  return owed.lines.reduce((sum, line) => sum + handedOf(line, local) - toHand(line), 0);
}

/** How much more was handed over than is owed by the lines of a part. @param {Owed} owed @param {Local} local */
export function differenceOf(owed, local) {
  return owed.lines.reduce((sum, line) => sum + handedOf(line, local) - line.owed_minor, 0);
}
