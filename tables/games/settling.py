"""What is owed in a round as it stands: settled in two parts, or voided (A19, A20, event 26).

A wager that an irregularity took out of play has no line: what went back for it is that
irregularity's fact. Only what was settled in the sweep before keeps one there, void (A20). Lines
come from the dealer's right back to the left (A31).
"""

from collections.abc import Sequence
from dataclasses import replace

from tables.games.dealing import hands, next_step, places, stakes_in_play
from tables.games.errors import StageError, UnsettledError
from tables.games.game import STAGES, VoidCause, unknown_face_faults
from tables.games.lines import line_back
from tables.games.registry import game_of
from tables.games.rulesets import fault_documents
from tables.games.values import (
    BANK,
    Fault,
    Line,
    Part,
    Play,
    RoundState,
    Ruleset,
    SeatPlay,
    Settlement,
)


def settle(ruleset: Ruleset, state: RoundState, part: Part) -> Settlement:
    """Return what is owed for one part of a round.

    "sweep" needs the first two laps, "final" complete hands. Raises UnsettledError with every fault
    while cards or decisions are missing, too many or unknown in a hand that counts.
    """
    game = game_of(ruleset)
    sweeping = part == "sweep"
    play = play_of(ruleset, state, without_settled=not sweeping)
    faults = game.sweep_faults(ruleset, play) if sweeping else _unfinished(ruleset, state, play)
    if faults:
        raise UnsettledError(faults=fault_documents(faults))
    if sweeping:
        return settlement(with_taken_back(ruleset, state, game.sweep_lines(ruleset, play)))
    return settlement([line for line in game.lines(ruleset, play) if line.part == part])


def with_taken_back(ruleset: Ruleset, state: RoundState, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines of a sweep with those of wagers that went back with their dead hand (A20).

    What counted of the stake is returned, and nothing is won or lost.
    """
    back = {taken.seat: taken.reverses for taken in state.taken_out if taken.reverses}
    if not back:
        return tuple(lines)
    clause, why = game_of(ruleset).taken_back
    alive = tuple(taken for taken in state.taken_out if taken.wager is not None)
    stakes = stakes_in_play(replace(state, taken_out=alive))
    void_lines = [
        line_back(
            SeatPlay(f"seats.{seat}", seat, stakes[seat], ()),
            kind=kind,
            outcome="void",
            clause=clause,
            why=why,
            part="sweep",
        )
        for seat, kinds in back.items()
        for kind in kinds
        if kind in stakes.get(seat, {})
    ]
    order = state.live[::-1]
    return tuple(sorted((*lines, *void_lines), key=lambda line: order.index(line.seat)))


def void(
    ruleset: Ruleset, state: RoundState, stage: str, affects_first_two: bool | Sequence[int]
) -> Settlement:
    """Return what is owed in a round voided at `stage` (the round document's words).

    `affects_first_two`: whether the fault touches the first two cards, of all seats, of none, or of
    those listed. Lines of part "sweep" are what was settled early: it stands, or is reversed
    (A20), but for what went back with its hand before (`with_taken_back`); the rest is part
    "final". Raises StageError; UnsettledError where cards that decide a
    wager that stands are missing.
    """
    if stage not in STAGES:
        raise StageError(stage=str(stage), expected=", ".join(STAGES))
    if isinstance(affects_first_two, bool):
        cause = VoidCause(stage, None if affects_first_two else frozenset())
    else:
        cause = VoidCause(stage, frozenset(affects_first_two))
    game = game_of(ruleset)
    play = play_of(ruleset, state)
    faults = game.void_faults(ruleset, play, cause=cause)
    if faults:
        raise UnsettledError(faults=fault_documents(faults))
    return settlement(game.void_lines(ruleset, play, cause=cause))


def as_voided(ruleset: Ruleset, state: RoundState, stage: str) -> RoundState:
    """Return a round as it is voided: third cards that came before the sweep count for nothing.

    Its pair wagers were not settled, so they go back with the rest (event 19).
    """
    if stage != "second_lap":
        return state
    third = {place.draw for place in places(ruleset, state) if place.lap == 3}
    return replace(state, cards={d: face for d, face in state.cards.items() if d not in third})


def _unfinished(ruleset: Ruleset, state: RoundState, play: Play) -> list[Fault]:
    """Return what a round still waits for: cards of hands that count, decisions, known faces."""
    game = game_of(ruleset)
    counted = {seat.seat for seat in play.seats if game.has_hand(ruleset, seat.bets)}
    if game.in_play(ruleset, {seat.seat: seat.bought for seat in play.seats}):
        counted.add(BANK)
    faults = [
        Fault("card_missing", f"draw {place.draw}", "expected its card before the settlement")
        for place in places(ruleset, state)
        if place.draw not in state.cards and place.hand in counted
    ]
    for hand in (*play.seats, play.bank):
        faults += unknown_face_faults(hand.where, hand.faces)
    step = next_step(ruleset, state)
    if step.kind == "ask":
        where = f"seats.{step.hand}" if step.hand else play.bank.where
        faults.append(Fault("decision_missing", where, "expected its decision: hit or stand"))
    return faults


def settlement(lines: Sequence[Line]) -> Settlement:
    """Return lines with what the bank gains over all of them."""
    return Settlement(tuple(lines), sum(line.bank_minor for line in lines))


def play_of(ruleset: Ruleset, state: RoundState, *, without_settled: bool = False) -> Play:
    """Return the round as it lies on the table, without what was taken out of play.

    `without_settled` also leaves out what stands of a hand that was taken out (A20).
    """
    game = game_of(ruleset)
    stakes = stakes_in_play(state)
    if without_settled:
        for taken in state.taken_out:
            for kind in taken.stands:
                stakes.get(taken.seat, {}).pop(kind, None)
        stakes = {seat: bets for seat, bets in stakes.items() if bets}
    laid = hands(ruleset, state)
    order = [seat for seat in state.live if seat in stakes][::-1]
    order += sorted((seat for seat in stakes if seat not in state.live), reverse=True)
    seats = []
    for seat in order:
        placed = state.wagers[seat]
        kept = game.has_hand(ruleset, placed)
        seats.append(
            SeatPlay(
                f"seats.{seat}",
                seat,
                stakes[seat],
                _faces(laid.get(seat, ())) if kept else (),
                state.decisions.get(seat),
                None if placed == stakes[seat] else placed,
            )
        )
    bank = SeatPlay(game.bank, BANK, {}, _faces(laid[BANK]), state.decisions.get(BANK))
    return Play(tuple(seats), bank)


def _faces(cards: Sequence[str | None]) -> tuple[str, ...]:
    """Return the cards that lie there; a card not yet known is as good as not dealt."""
    return tuple(card for card in cards if card is not None)
