"""What comes next, where cards go, and what is wrong with cards about to be keyed.

The questions are asked of any game through its ruleset. Seats 1 is the dealer's left (A27).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tables.games.cards import UNKNOWN, copies_max, is_face
from tables.games.departures import apart_first, lay, renumbered, renumbered_step
from tables.games.game import Game
from tables.games.options import show
from tables.games.procedures import Procedures
from tables.games.registry import game_of
from tables.games.values import Bets, Fault, NewCard, Place, RoundState, Ruleset, Step


def live_seats(
    ruleset: Ruleset,
    wagers: Mapping[int, Bets],
    *,
    procedures: Procedures | None = None,
    bank_seat: int | None = None,
) -> tuple[int, ...]:
    """Return the seats that get a hand, in dealing order (A21, A27, A28, B18, C10).

    Clockwise means rising seat numbers. The order begins after `bank_seat` when the bank is held at
    a seat, else at the dealer's hand. Without `procedures` the game's own direction is taken.
    """
    game = game_of(ruleset)
    direction = procedures.deal_direction if procedures else game.deal_direction
    backwards = direction == "anticlockwise"
    seats = sorted((seat for seat, bets in wagers.items() if bets), reverse=backwards)
    if bank_seat is not None:
        before = [s for s in seats if (s > bank_seat if backwards else s < bank_seat)]
        after = [s for s in seats if (s < bank_seat if backwards else s > bank_seat)]
        seats = after + before
    return tuple(seat for seat in seats if game.has_hand(ruleset, wagers[seat]))


def places(ruleset: Ruleset, state: RoundState) -> tuple[Place, ...]:
    """Return the places that are certain given the cards and decisions so far."""
    game = game_of(ruleset)
    laid = lay(game, ruleset, _in_play(state))
    return renumbered(game.places(ruleset, laid.state), laid)


def cards_needed(live: tuple[int, ...]) -> int:
    """Return the cards that a round can take at most; fewer in the shoe refuse it (event 18)."""
    return 3 * (len(live) + 1)


def hands(ruleset: Ruleset, state: RoundState) -> dict[int, tuple[str | None, ...]]:
    """Return each hand's faces in dealing order, None where not yet known; the bank's is hand 0."""
    found: dict[int, list[str | None]] = {hand: [] for hand in (*state.live, 0)}
    for place in places(ruleset, state):
        found[place.hand].append(state.cards.get(place.draw))
    return {hand: tuple(faces) for hand, faces in found.items()}


def stakes_in_play(state: RoundState) -> dict[int, dict[str, int]]:
    """Return the stakes that count: what irregularities took out of play is left out."""
    stakes = {seat: dict(bets) for seat, bets in state.wagers.items()}
    for taken in state.taken_out:
        bets = stakes.get(taken.seat, {})
        whole_hand = [kind for kind in bets if kind not in taken.stands]
        for kind in whole_hand if taken.wager is None else [taken.wager]:
            rest = bets.get(kind, 0) - (taken.returned_minor or 0)
            if taken.wager is None or taken.returned_minor is None or rest <= 0:
                bets.pop(kind, None)
            else:
                bets[kind] = rest
    return {seat: bets for seat, bets in stakes.items() if bets}


def _in_play(state: RoundState) -> RoundState:
    """Return the round as games see it: the stakes that count, and the hands taken out whole."""
    if not state.taken_out:
        return state
    dead = tuple(taken for taken in state.taken_out if taken.wager is None)
    return replace(state, wagers=stakes_in_play(state), taken_out=dead)


def next_step(ruleset: Ruleset, state: RoundState) -> Step:
    """Return what comes next: bet, deal, ask, sweep, settle, done.

    "sweep" comes only when something can be settled after the second lap; "settle" when all hands
    are complete. Only `settled` makes a round "done". A card that goes into no hand is dealt to
    hand None. Third cards that were handed out before the sweep are open beside it (event 19).
    """
    if state.settled:
        return Step("done")
    game = game_of(ruleset)
    playing = _in_play(state)
    if not state.cards and not state.live and not game.in_play(ruleset, playing.wagers):
        return Step("bet")
    live = state.live or live_seats(ruleset, playing.wagers)
    laid = lay(game, ruleset, replace(playing, live=live))
    step = renumbered_step(game.next_step(ruleset, laid.state), laid)
    if state.departures:
        step = apart_first(step, state, renumbered(game.places(ruleset, laid.state), laid))
    if step.kind == "sweep" and state.sweep_late:
        after = next_step(ruleset, replace(state, swept=True))
        step = replace(step, open_draws=after.open_draws)
    return step


def card_faults(
    ruleset: Ruleset,
    procedures: Procedures,
    state: RoundState,
    seen: Mapping[str, int],
    new: Sequence[NewCard],
) -> list[Fault]:
    """Return everything that is wrong with cards about to be keyed together.

    `seen` counts the faces that the shoe has shown so far, those in `state` included and those of
    `new` not. A new card that equals the one in `state` at its draw counts as done.

    Codes: card.unknown, card.detail, card.twice, card.already_keyed, card.no_such_draw,
    card.after_end, card.out_of_turn, card.ask_first, card.sweep_first, card.empty_seat,
    card.wrong_hand. Two are questions that `as_seen` answers: card.one_too_many (event 13) and
    card.face_unknown.
    """
    game = game_of(ruleset)
    if not state.live:
        live = live_seats(ruleset, stakes_in_play(state), procedures=procedures)
        state = replace(state, live=live)
    faults: list[Fault] = []
    fresh: list[tuple[int, NewCard]] = []
    for index, card in enumerate(new):
        known = state.cards.get(card.draw)
        if known is None:
            fresh.append((index, card))
        elif known != card.face:
            detail = f"expected draw {card.draw} to stay {known}, which is keyed already"
            data = {"draw": card.draw, "stored": known, "keyed": show_face(card.face)}
            faults.append(Fault("card.already_keyed", f"cards[{index}]", detail, data))
    faults += _face_faults(game.decks(ruleset), procedures, seen, fresh)
    faults += _turn_faults(ruleset, state, fresh)
    return faults


def show_face(face: object) -> str:
    """Return a face from outside as it may stand in a message."""
    return str(face) if is_face(face) else show(face)


def _face_faults(
    decks: int,
    procedures: Procedures,
    seen: Mapping[str, int],
    fresh: Sequence[tuple[int, NewCard]],
) -> list[Fault]:
    """Check spelling, detail and copies of each face."""
    faults: list[Fault] = []
    shown = dict(seen)
    length = 2 if procedures.card_detail == "rank_suit" else 1
    wanted = 'rank and suit, e.g. "AS"' if length == 2 else 'a rank alone, e.g. "A"'
    for index, card in fresh:
        where, data = f"cards[{index}]", {"draw": card.draw, "face": show_face(card.face)}
        if not is_face(card.face):
            detail = f"expected a card as {wanted}, not {show(card.face)}"
            faults.append(Fault("card.unknown", where, detail, data))
        elif card.face == UNKNOWN:
            if not card.as_seen:
                detail = "expected a face; one that nobody saw is keyed as seen, and voids its hand"
                faults.append(Fault("card.face_unknown", where, detail, data))
        elif len(card.face) != length:
            detail = f"expected a card as {wanted}, not {card.face}"
            faults.append(Fault("card.detail", where, detail, data))
        else:
            copies = _copies(shown, card.face)
            most = copies_max(card.face, decks=decks)
            shown[card.face] = shown.get(card.face, 0) + 1
            if copies >= most and not card.as_seen:
                detail = f"expected at most {most} of {card.face} in {decks} decks; key it anew"
                detail += ", or confirm it as seen"
                data |= {"copies": copies + 1, "copies_max": most}
                faults.append(Fault("card.one_too_many", where, detail, data))
    return faults


def _copies(shown: Mapping[str, int], face: str) -> int:
    """Return how many copies of a face were shown; a rank alone also stands for its suits."""
    if len(face) == 2:
        return shown.get(face, 0)
    return sum(count for other, count in shown.items() if other[0] == face)


def _turn_faults(
    ruleset: Ruleset, state: RoundState, fresh: Sequence[tuple[int, NewCard]]
) -> list[Fault]:
    """Check that each card goes where the deal has got to; cards count in the order of draws."""
    faults: list[Fault] = []
    so_far = state
    keyed: set[int] = set()
    for index, card in sorted(fresh, key=lambda item: item[1].draw):
        where = f"cards[{index}]"
        if card.draw in keyed:
            detail = f"expected draw {card.draw} once in a call"
            faults.append(Fault("card.twice", where, detail, {"draw": card.draw}))
            continue
        keyed.add(card.draw)
        step = next_step(ruleset, so_far)
        if card.draw not in step.open_draws:
            faults.append(_turn_fault(ruleset, so_far, step, where=where, draw=card.draw))
            continue
        faults += _hand_faults(ruleset, so_far, where, card)
        face = card.face if is_face(card.face) else UNKNOWN
        so_far = replace(so_far, cards={**so_far.cards, card.draw: face})
    return faults


def _turn_fault(ruleset: Ruleset, state: RoundState, step: Step, *, where: str, draw: int) -> Fault:
    """Say why a draw cannot be keyed now, and which one is expected instead."""
    game: Game = game_of(ruleset)
    known = {place.draw for place in places(ruleset, state)}
    known |= {draw for draw, place in state.departures.items() if place is None}
    data: dict[str, object] = {
        "draw": draw,
        "expected_step": step.kind,
        "expected_draw": step.draw,
        "expected_hand": step.hand,
    }
    if step.kind in ("bet", "settle", "done"):
        need = "a wager first" if step.kind == "bet" else "no more cards: all hands are complete"
        code = "card.no_such_draw" if step.kind == "bet" else "card.after_end"
        return Fault(code, where, f"expected {need}", data)
    if step.kind == "sweep" and draw in known:
        detail = "expected the pair wagers to be settled before the first third card (A19)"
        return Fault("card.sweep_first", where, detail, data)
    if draw in known:
        turn = f"draw {step.draw} for {hand_name(game, step.hand)}"
        return Fault("card.out_of_turn", where, f"expected {turn} next", data)
    if step.kind == "ask":
        detail = f"expected the decision of {hand_name(game, step.hand)} first"
        return Fault("card.ask_first", where, detail, data)
    detail = f"expected a draw of this round, 1 to {max(known, default=0)}"
    return Fault("card.no_such_draw", where, detail, data)


def _hand_faults(ruleset: Ruleset, state: RoundState, where: str, card: NewCard) -> list[Fault]:
    """Check the hand that the client believes a draw goes to."""
    game = game_of(ruleset)
    hand = next((p.hand for p in places(ruleset, state) if p.draw == card.draw), None)
    if card.hand is None or card.hand == hand:
        return []
    code = "card.wrong_hand" if card.hand in (0, *state.live) else "card.empty_seat"
    detail = f"expected draw {card.draw} to go to {hand_name(game, hand)}"
    data = {"draw": card.draw, "hand": card.hand, "expected_hand": hand}
    return [Fault(code, where, detail, data)]


def hand_name(game: Game, hand: int | None) -> str:
    """Return how messages call a hand."""
    if hand is None:
        return "no hand"
    return f"seat {hand}" if hand else f"the {game.bank}"
