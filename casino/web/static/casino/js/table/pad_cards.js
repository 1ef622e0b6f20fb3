/** Keying cards: rank, then suit; two taps a card. One copy too many is a question, never a wall. */

import { RANKS, SUITS, rankLabel } from "./cards.js";
import { button, h, shape } from "./dom.js";
import { primary, prompt } from "./pad_parts.js";
import { lastDecision, openPlaces, targetOf, undoable } from "./state.js";
import { faceName, handName, placeName, say } from "./words.js";

/** @param {import("./state.js").View} view @param {import("./state.js").Local} local */
export function cardsModel(view, local) {
  const target = targetOf(view, local);
  const last = undoable(view, local);
  const decided = lastDecision(view, local);
  const round = view.round;
  return {
    target: target && { draw: target.draw, hand: target.hand, lap: target.lap },
    others: target !== null && target.lap === 3 ? openPlaces(view, local).length - 1 : 0,
    rank: local.rank,
    rankOnly: view.ruleset?.card_detail === "rank",
    undo: last && { place: placeName(last.hand, last.lap), face: last.face },
    decided: decided && { hand: handName(decided.hand), choice: say(`decision_${decided.choice}`) },
    pack: view.shoe?.pack ?? false,
    confirming: local.confirming,
    cutCardOut: view.shoe?.cut_card_out ?? false,
    firstCard: round !== null && round.stage === "betting" && local.keyed.length === 0,
  };
}

/** @param {any} model @param {any} actions */
export function cardsPad(model, actions) {
  if (model.target === null) return [prompt(say("saving_cards"), say("saving_cards_how"))];
  const note = model.confirming ? say("face_not_known_how") : model.rank
    ? say("now_suit", { rank: say(`rank_${model.rank}`) })
    : model.others > 0 ? say("any_order") : say("cards_note", { number: model.number, draw: model.target.draw });
  return [
    prompt(placeName(model.target.hand, model.target.lap), note),
    h("div", { class: "pad-ranks" },
      ...RANKS.map((rank) =>
        button(`rank-${rank}`, "key", () => actions.keyRank(rank), { "aria-pressed": String(model.rank === rank), "aria-label": say(`rank_${rank}`) },
          rankLabel(rank))),
      undoKey(model, actions)),
    model.rankOnly ? null : h("div", { class: "pad-suits" }, ...SUITS.map((suit) =>
      button(`suit-${suit}`, "key key-suit", () => actions.keySuit(suit), { "data-suit": suit, disabled: model.rank === null, "aria-label": say(`suit_${suit}`) },
        shape(suit)))),
    h("div", { class: "pad-room" }),
    h("div", { class: "pad-row" },
      model.firstCard
        ? button("reopen", "button button-quiet", actions.reopenBets, {}, say("back_to_wagers"))
        : model.pack ? null : button("cut-card", "button button-quiet", actions.cutCard, { disabled: model.cutCardOut || model.busy }, say("mark_cut_card")),
      button("unknown", model.confirming ? "button button-grave" : "button button-quiet", actions.keyUnknown, {},
        say(model.confirming ? "face_not_known_sure" : "face_not_known_key"))),
  ];
}

function undoKey(model, actions) {
  const what = model.decided ? say("undo_decision", model.decided)
    : model.undo ? say("undo_card", { card: faceName(model.undo.face), place: model.undo.place }) : say("undo");
  const nothing = model.rank === null && model.undo === null && model.decided === null;
  return button("undo", "key key-undo", actions.undo, { disabled: nothing, "aria-label": model.rank ? say("undo_rank") : what },
    shape("undo"), h("span", {}, say("undo")));
}

/** Where the other copies lay, and two answers. @param {any} model @param {any} actions */
export function questionPad(model, actions) {
  const { face, places } = model.question;
  return [
    h("div", { class: "pad-prompt", "aria-live": "assertive" },
      h("p", { class: "pad-title pad-title-held" }, shape("held"), say("one_too_many", { card: faceName(face) })),
      h("p", { class: "pad-note" }, say("one_too_many_how"))),
    places.length === 0 ? h("p", { class: "pad-advice" }, say("one_too_many_burned")) : h("ol", { class: "pad-places" }, ...places.map((place) =>
      h("li", {}, h("b", {}, say("round", { number: place.number })),
        h("span", {}, place.hand === null ? handName(null) : placeName(place.hand, place.lap)), h("span", {}, place.dealer ?? "")))),
    h("div", { class: "pad-room" }),
    button("as-seen", "button pad-second", actions.asSeen, { disabled: model.busy }, say("as_seen", { card: faceName(face) })),
    primary(say("key_again"), actions.keyAgain),
  ];
}
