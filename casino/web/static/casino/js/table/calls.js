/**
 * The calls of the dealer's page: where each is sent and what it says. Cards and wagers carry the revision
 * they mean, so that the same call may be sent twice; opening and calling off a round have a key of their own.
 */

import { onceKey } from "./api.js";
import { nextNumber } from "./state.js";

/** @param {string} code */
export function tablePath(code) {
  return `/api/v1/tables/${encodeURIComponent(code)}`;
}

/** @param {string} code @param {import("./state.js").View} view */
function roundPath(code, view) {
  return `${tablePath(code)}/shoes/${view.shoe?.number}/rounds/${view.round?.number}`;
}

/** Asked again and again by itself: the sign-on does not live on it. @param {string} code */
export function readTable(code) {
  return { method: "GET", url: `${tablePath(code)}/round`, background: true };
}

/** @param {string} code @param {import("./state.js").View} view @param {number|null} bank  The seat that drew the first bank. */
export function openRound(code, view, bank) {
  const body = bank === null ? {} : { bank_seat: bank };
  return { method: "POST", url: `${tablePath(code)}/shoes/${view.shoe?.number}/rounds`, body, once: onceKey() };
}

/** The pack is shuffled and cut; a card burned after it is not seen. @param {string} code @param {import("./state.js").View} view */
export function shufflePack(code, view) {
  const burned = Array.from({ length: view.shoe?.burn_cards ?? 0 }, () => "?");
  return { method: "POST", url: `${tablePath(code)}/shoes/${view.shoe?.number}/shuffle`, body: { burned }, once: onceKey() };
}

/**
 * @param {string} code @param {import("./state.js").View} view
 * @param {{hand: number, revision: number, choice: string|null}} decision  null takes it back.
 */
export function decide(code, view, decision) {
  return { method: "POST", url: `${roundPath(code, view)}/decisions`, body: decision };
}

/**
 * Keep the next numbers for rounds that were dealt on paper. What the shoe has so far goes with it, so that
 * the same call again keeps nothing twice.
 *
 * @param {string} code @param {import("./state.js").View} view @param {number} rounds
 */
export function keepForPaper(code, view, rounds) {
  return { method: "POST", url: `${tablePath(code)}/shoes/${view.shoe?.number}/awaited`, body: { rounds, after: nextNumber(view) - 1 } };
}

/** @param {string} code @param {import("./state.js").View} view */
export function callOff(code, view) {
  return { method: "POST", url: `${roundPath(code, view)}/call-off`, body: {}, once: onceKey() };
}

/** @param {string} code @param {import("./state.js").View} view */
export function markCutCard(code, view) {
  return { method: "POST", url: `${tablePath(code)}/shoes/${view.shoe?.number}/cut-card`, body: {}, once: onceKey() };
}

/**
 * @param {string} code @param {import("./state.js").View} view
 * @param {{seat: number, revision: number, wagers: Object<string, number>}} set
 */
export function placeWagers(code, view, { seat, revision, wagers }) {
  const stakes = Object.fromEntries(Object.entries(wagers).filter(([, stake]) => stake > 0));
  return { method: "PUT", url: `${roundPath(code, view)}/seats/${seat}/wagers`, body: { revision, wagers: stakes } };
}

/** @param {string} code @param {import("./state.js").View} view @param {import("./state.js").Keyed[]} keyed */
export function dealCards(code, view, keyed) {
  // The hand is where the dealer saw the card go; the server checks it against the deal plan.
  const cards = keyed.map(({ draw, revision, face, as_seen, hand }) => ({ draw, revision, face, as_seen, hand }));
  return { method: "POST", url: `${roundPath(code, view)}/cards`, body: { cards } };
}

/**
 * @param {string} code @param {import("./state.js").View} view
 * @param {import("./state.js").Owed} owed @param {{seat: number, wager: string, handed_minor: number}[]} handed
 */
export function settle(code, view, owed, handed) {
  return { method: "POST", url: `${roundPath(code, view)}/settlements`, body: { part: owed.part, revision: owed.revision, handed } };
}
