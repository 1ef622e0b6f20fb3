/** What a touch does: changes what is on the glass, and pushes what must be saved. */

import * as calls from "./calls.js";
import {
  OVER, chipsOf, freshLocal, handedOf, lastDecision, nextNumber, openPlaces, partName, puntersOf, sameWagers, screenOf, targetOf,
  undoable, wagersOf,
} from "./state.js";
import { faceName, handName, placeName, say } from "./words.js";

/**
 * @typedef {object} Store
 * @property {string} code
 * @property {import("./state.js").View} view
 * @property {import("./state.js").Local} local
 * @property {import("./sender.js").Sender} sender
 * @property {boolean} returned                         The tablet was away, and nobody has said what was dealt on paper.
 * @property {() => void} draw
 * @property {(view: any) => void} take                 Take a new view of the table.
 * @property {() => Promise<void>} ask                Read the table again.
 * @property {(label: string, receipt: any) => void} receipt
 * @property {(label: string, problem: any) => void} refuse
 */

/** @param {Store} store */
export function actionsFor(store) {
  return {
    ...wagerActions(store), ...cardActions(store), ...askActions(store), ...payActions(store), ...roundActions(store),
    ...paperActions(store),
  };
}

/** Change what is on the glass and draw it. @param {Store} store @param {Partial<import("./state.js").Local>} change */
function set(store, change) {
  Object.assign(store.local, change);
  store.draw();
}

/**
 * Save something: the call is made when its turn comes.
 *
 * @param {Store} store @param {string} label @param {() => any} freeze
 * @param {{saved?: () => void, refused?: (problem: any) => boolean}} [then]
 */
function save(store, label, freeze, then = {}) {
  const intent = {
    label,
    freeze: () => {
      const call = freeze();
      if (call?.label) intent.label = call.label;
      return call;
    },
    saved: (/** @type {any} */ answer) => {
      then.saved?.();
      store.receipt(intent.label, answer.receipt);
      store.take(answer.view);
    },
    refused: (/** @type {any} */ problem) => {
      if (!then.refused?.(problem)) store.refuse(intent.label, problem);
    },
  };
  store.sender.push(intent);
}

/** @param {Store} store */
function seatNow(store) {
  return store.view.round?.seats.find((seat) => seat.seat === store.local.seat) ?? null;
}

/** @param {Store} store @param {number} seat @param {Object<string, number>} wagers */
function draft(store, seat, wagers) {
  set(store, { drafts: { ...store.local.drafts, [seat]: wagers }, confirming: false });
}

/** Push the wagers of a seat if they differ from what the server has. @param {Store} store @param {number|null} number */
function saveSeat(store, number) {
  const seat = store.view.round?.seats.find((one) => one.seat === number);
  const wagers = number === null ? undefined : store.local.drafts[number];
  if (!seat || wagers === undefined) return;
  if (sameWagers(wagers, seat.wagers)) {
    dropDraft(store, seat.seat);
    return;
  }
  let sent = wagers;
  save(store, say("wagers_label", { seat: handName(seat.seat) }), () => {
    const now = store.view.round?.seats.find((one) => one.seat === seat.seat);
    const standing = store.local.drafts[seat.seat];
    if (!now || standing === undefined) return null;
    if (sameWagers(standing, now.wagers)) {
      dropDraft(store, seat.seat);
      return null;
    }
    sent = standing;
    return calls.placeWagers(store.code, store.view, { seat: seat.seat, revision: now.revision + 1, wagers: sent });
  }, {
    saved: () => { if (store.local.drafts[seat.seat] === sent) dropDraft(store, seat.seat); },
    // What was refused is set right before a card is dealt.
    refused: () => { set(store, { dealing: false, seat: seat.seat, kind: "main" }); return false; },
  });
}

/** @param {Store} store @param {number} seat */
function dropDraft(store, seat) {
  const { [seat]: _gone, ...drafts } = store.local.drafts;
  store.local.drafts = drafts;
}

/** @param {Store} store */
function wagerActions(store) {
  const change = (/** @type {(wagers: Object<string, number>) => Object<string, number>} */ next) => {
    const seat = seatNow(store);
    if (seat) draft(store, seat.seat, next({ ...wagersOf(seat, store.local).wagers }));
  };
  const previous = (/** @type {number} */ seat) => store.view.previous_wagers?.[String(seat)] ?? {};
  return {
    pickSeat: (/** @type {number} */ seat) => pickSeat(store, seat),
    pickKind: (/** @type {string} */ kind) => {
      if (store.view.ruleset?.wagers.some((wager) => wager.kind === kind)) set(store, { kind });
    },
    addChip: (/** @type {number} */ minor) =>
      change((wagers) => ({ ...wagers, [store.local.kind]: (wagers[store.local.kind] ?? 0) + minor })),
    addNthChip: (/** @type {number} */ nth) => {
      const chip = chipsOf(store.view)[nth];
      if (chip !== undefined) change((wagers) => ({ ...wagers, [store.local.kind]: (wagers[store.local.kind] ?? 0) + chip }));
    },
    clearSeat: () => change(() => ({})),
    sameAgain: () => change(() => ({ ...previous(store.local.seat ?? 0) })),
    allAgain: () => {
      const seats = puntersOf(store.view).filter((seat) => Object.keys(previous(seat.seat)).length > 0);
      for (const seat of seats) store.local.drafts = { ...store.local.drafts, [seat.seat]: { ...previous(seat.seat) } };
      for (const seat of seats) saveSeat(store, seat.seat);
      store.draw();
    },
    saveSeat: () => {
      const seat = store.local.seat;
      saveSeat(store, seat);
      const next = puntersOf(store.view).find((one) => one.seat > (seat ?? 0));
      set(store, { seat: next ? next.seat : seat, kind: "main" });
    },
    noMoreBets: () => {
      for (const seat of Object.keys(store.local.drafts)) saveSeat(store, Number(seat));
      set(store, { dealing: true, rank: null, confirming: false });
    },
    reopenBets: () => set(store, { dealing: false, rank: null }),
  };
}

/** A touch on a seat: chooses its wagers, its third card, or its lines. @param {Store} store @param {number} seat */
function pickSeat(store, seat) {
  const { view, local } = store;
  const screen = screenOf(view, local);
  if (screen === "betting") {
    if (!puntersOf(view).some((one) => one.seat === seat)) return;
    if (local.seat !== seat) saveSeat(store, local.seat);
    set(store, { seat, kind: "main", confirming: false });
  } else if (screen === "cards") {
    const open = openPlaces(view, local).find((place) => place.hand === seat && place.lap === 3);
    if (open) set(store, { target: open.draw, rank: null });
  } else if (screen === "settle" && view.round?.owed?.lines.some((line) => line.seat === seat)) {
    set(store, { look: seat, entry: null, digits: "" });
  }
}

/** @param {Store} store */
function cardActions(store) {
  const rankOnly = () => store.view.ruleset?.card_detail === "rank";
  return {
    keyRank: (/** @type {string} */ rank) => {
      if (targetOf(store.view, store.local) === null) return;
      store.local.confirming = false;
      if (rankOnly()) keyFace(store, rank);
      else set(store, { rank });
    },
    keySuit: (/** @type {string} */ suit) => {
      if (store.local.rank !== null && !rankOnly()) keyFace(store, store.local.rank + suit);
    },
    keyUnknown: () => {
      if (store.local.confirming) keyFace(store, "?", { as_seen: true });
      else if (targetOf(store.view, store.local) !== null) set(store, { confirming: true, rank: null });
    },
    undo: () => undo(store),
    asSeen: () => {
      const draw = store.local.question?.draw;
      set(store, {
        question: null,
        keyed: store.local.keyed.map((card) => (card.draw === draw ? { ...card, as_seen: true } : card)),
      });
      saveCards(store);
    },
    keyAgain: () => {
      const from = store.local.question?.draw ?? 0;
      set(store, { question: null, rank: null, keyed: store.local.keyed.filter((card) => card.draw < from) });
      saveCards(store);
    },
  };
}

/**
 * A face that nobody saw is keyed as seen at once: the pad has asked.
 *
 * @param {Store} store @param {string} face @param {{as_seen: boolean}} [how]
 */
function keyFace(store, face, { as_seen } = { as_seen: false }) {
  const place = targetOf(store.view, store.local);
  if (place === null) return;
  const card = { draw: place.draw, hand: place.hand, lap: place.lap, revision: place.revision + 1, face, as_seen, sent: false };
  set(store, { rank: null, target: null, confirming: false, keyed: [...store.local.keyed, card] });
  saveCards(store);
}

/** Take back the rank just keyed, a card that is only on this glass, or the last one the server has. */
function undo(/** @type {Store} */ store) {
  if (store.local.rank !== null || store.local.confirming) {
    set(store, { rank: null, confirming: false });
    return;
  }
  const decided = lastDecision(store.view, store.local);
  if (decided !== null) {
    saveDecision(store, decided.hand, null);
    return;
  }
  const last = undoable(store.view, store.local);
  if (last === null) return;
  if (last.here) {
    set(store, { keyed: store.local.keyed.filter((card) => card.draw !== last.draw || card.sent) });
    return;
  }
  const card = { draw: last.draw, hand: last.hand, lap: last.lap, revision: last.revision + 1, face: null, as_seen: false, sent: false };
  set(store, { keyed: [...store.local.keyed, card], target: null });
  saveCards(store);
}

/** Push every keyed card that is not under way, in one call. @param {Store} store */
export function saveCards(store) {
  if (!store.local.keyed.some((card) => !card.sent)) return;
  /** @type {Set<number>} */
  let under_way = new Set();
  save(store, cardsLabel(store.local.keyed), () => {
    const cards = store.local.keyed.filter((card) => !card.sent);
    if (cards.length === 0) return null;
    under_way = new Set(cards.map((card) => card.draw));
    store.local.keyed = store.local.keyed.map((card) => ({ ...card, sent: true }));
    return { ...calls.dealCards(store.code, store.view, cards), label: cardsLabel(cards) };
  }, {
    saved: () => { store.local.keyed = store.local.keyed.filter((card) => !under_way.has(card.draw)); },
    refused: (problem) => refusedCards(store, problem),
  });
}

/** @param {import("./state.js").Keyed[]} cards */
function cardsLabel(cards) {
  const last = cards[cards.length - 1];
  const place = placeName(last.hand, last.lap);
  if (cards.length > 1) return say("cards_label", { count: cards.length, place });
  return last.face === null ? say("undo_label", { place }) : say("card_label", { place, card: faceName(last.face) });
}

/** One copy too many is a question about one card, an ended sign-on none at all; any other fault drops what was keyed. */
function refusedCards(/** @type {Store} */ store, /** @type {any} */ problem) {
  const fault = (problem.faults ?? []).find((/** @type {any} */ one) => one.code === "card.one_too_many")
    ?? (problem.code === "card.one_too_many" ? problem : null);
  const sent = store.local.keyed.filter((card) => card.sent);
  if (problem.status === 401) {
    // Nobody looked at the cards: they are sent again after the next sign-on.
    store.local.keyed = store.local.keyed.map((one) => ({ ...one, sent: false }));
    return false;
  }
  if (fault === null || sent.length === 0) {
    store.local.keyed = [];
    return false;
  }
  const card = sent.find((one) => one.draw === fault.draw) ?? sent.find((one) => one.face === fault.face) ?? sent[0];
  const places = problem.data?.places ?? [];
  set(store, {
    keyed: store.local.keyed.map((one) => ({ ...one, sent: false })),
    question: { draw: card.draw, face: card.face ?? "?", places },
  });
  return true;
}

/** @param {Store} store */
function askActions(store) {
  return {
    decide: (/** @type {string} */ choice) => {
      const next = store.view.round?.next;
      if (store.sender.status !== "idle" || next?.kind !== "ask" || next.hand === null) return;
      if (next.choices?.includes(choice)) saveDecision(store, next.hand, choice);
    },
  };
}

/** Save what a hand decided, or null to take it back. @param {Store} store @param {number} hand @param {string|null} choice */
function saveDecision(store, hand, choice) {
  const stands = store.view.round?.decisions?.find((decision) => decision.hand === hand);
  const decision = { hand, revision: (stands?.revision ?? 0) + 1, choice };
  const said = choice === null ? say("decision_back") : say(`decision_${choice}`);
  const label = say("decision_label", { hand: handName(hand), choice: said });
  save(store, label, () => calls.decide(store.code, store.view, decision));
}

/** @param {Store} store */
function payActions(store) {
  return {
    lookAt: (/** @type {number|null} */ look) => set(store, { look, entry: null, digits: "" }),
    enterHanded: (/** @type {string} */ key) => {
      if (store.local.entry !== key) set(store, { entry: key, digits: "" });
    },
    keyDigit: (/** @type {string} */ digit) => {
      const digits = digit === "back" ? store.local.digits.slice(0, -1) : `${store.local.digits}${digit}`.replace(/^0+/, "");
      set(store, { digits: digits.slice(0, store.local.paper ? 2 : 10) });
    },
    keepAmount: () => {
      const { entry, digits, handed } = store.local;
      const minor = Number(digits || "0") * 10 ** store.view.currency.exponent;
      set(store, { handed: entry === null || digits === "" ? handed : { ...handed, [entry]: minor }, look: null, entry: null, digits: "" });
    },
    settle: () => {
      const owed = store.view.round?.owed;
      if (!owed || store.sender.status !== "idle") return;
      const handed = owed.lines.map((line) => ({ seat: line.seat, wager: line.wager, handed_minor: handedOf(line, store.local) }));
      save(store, say(`settle_label_${partName(store.view)}`), () => calls.settle(store.code, store.view, owed, handed), {
        saved: () => Object.assign(store.local, { handed: {}, look: null, entry: null, digits: "" }),
      });
    },
  };
}

/**
 * A call without a natural key may be refused because it was done before its answer got lost: look at the
 * table before saying so.
 *
 * @param {Store} store @param {string} label @param {() => boolean} isDone
 */
function unless(store, label, isDone) {
  return (/** @type {any} */ problem) => {
    void store.ask().then(() => { if (!isDone()) store.refuse(label, problem); });
    return true;
  };
}

/** @param {Store} store */
function roundActions(store) {
  return {
    openRound: () => {
      const round = store.view.round;
      if (store.sender.status !== "idle" || (round !== null && !OVER.includes(round.stage))) return;
      const number = nextNumber(store.view);
      store.returned = false;
      save(store, say("open_label", { number }), () => calls.openRound(store.code, store.view, store.local.bank), {
        refused: unless(store, say("open_label", { number }), () => store.view.round?.number === number),
      });
    },
    pickBank: (/** @type {number} */ seat) => {
      const bank = store.view.bank;
      if (bank?.players && bank.due === null && bank.seats.includes(seat)) set(store, { bank: seat });
    },
    shufflePack: () => {
      const number = store.view.shoe?.number ?? 0;
      if (store.sender.status !== "idle" || !store.view.shoe?.pack) return;
      save(store, say("shuffle_label"), () => calls.shufflePack(store.code, store.view), {
        refused: unless(store, say("shuffle_label"), () => (store.view.shoe?.number ?? 0) > number),
      });
    },
    cutCard: () => save(store, say("cut_card"), () => calls.markCutCard(store.code, store.view), {
      refused: unless(store, say("cut_card"), () => store.view.shoe?.cut_card_out === true),
    }),
    askCallOff: () => set(store, { confirming: true }),
    keepRound: () => set(store, { confirming: false }),
    callOff: () =>
      save(store, say("call_off_label", { number: store.view.round?.number ?? 0 }), () => calls.callOff(store.code, store.view), {
        saved: () => Object.assign(store.local, freshLocal()),
      }),
  };
}

/** A tablet that was away says how many rounds were dealt on paper; their numbers are kept. @param {Store} store */
function paperActions(store) {
  return {
    askPaper: () => set(store, { paper: true, digits: "" }),
    leavePaper: () => {
      store.returned = false;
      set(store, { paper: false, digits: "" });
    },
    keepForPaper: () => {
      const rounds = Number(store.local.digits || "0");
      if (rounds === 0 || store.sender.status !== "idle") return;
      save(store, say("paper_label", { count: rounds }), () => calls.keepForPaper(store.code, store.view, rounds), {
        saved: () => {
          store.returned = false;
          Object.assign(store.local, { paper: false, digits: "" });
        },
      });
    },
  };
}
