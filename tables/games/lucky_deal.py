"""The deal that both Lucky 9 games share: two laps to every hand, the bank last in each."""

from collections.abc import Sequence
from functools import lru_cache

from tables.games.cards import UNKNOWN
from tables.games.game import expected_cards_fault, unknown_face_faults
from tables.games.lucky_hands import read_lucky
from tables.games.values import BANK, UNREAD, Fault, Place, Play, RoundState, SeatPlay


@lru_cache(maxsize=256)
def first_laps(live: tuple[int, ...]) -> tuple[Place, ...]:
    """Return the places of the first two laps, the live seats in dealing order (B18, C10)."""
    hands = (*live, BANK)
    return tuple(
        Place(draw=(lap - 1) * len(hands) + turn, hand=hand, nth=lap, lap=lap)
        for lap in (1, 2)
        for turn, hand in enumerate(hands, start=1)
    )


def laid_first_two(state: RoundState) -> tuple[int, tuple[int | None, ...]] | None:
    """Return the first-two totals of the bank and of the live seats in order.

    None while a card of the first two laps is missing, or for good if one of the bank's was never
    known. A seat's total is None where one of its own was never known: nobody can draw on that.
    """
    size = len(state.live) + 1
    if any(draw not in state.cards for draw in range(1, 2 * size + 1)):
        return None
    totals = [_total(state.cards[n], state.cards[n + size]) for n in range(1, size + 1)]
    bank = totals[-1]
    return None if bank is None else (bank, tuple(totals[:-1]))


def _total(first: str, second: str) -> int | None:
    if UNKNOWN in (first, second):
        return None
    return read_lucky(first[0] + second[0]).first_two


def seats_playing(state: RoundState) -> tuple[list[int], set[int]]:
    """Return the seats whose hands are alive, in dealing order, and those that can win or lose.

    A hand that an irregularity took out whole gets no more cards. One whose wager alone was
    returned is dealt to the end, but nothing is compared with it (events 9, 23).
    """
    dead = {taken.seat for taken in state.taken_out if taken.wager is None}
    alive = [seat for seat in state.live if seat not in dead]
    return alive, {seat for seat in alive if seat in state.wagers}


def next_place(places: Sequence[Place], state: RoundState) -> Place | None:
    """Return the first place whose card is not there yet."""
    return next((place for place in places if place.draw not in state.cards), None)


def size_faults(play: Play) -> list[Fault]:
    """Return the faults of hands that have not two or three known cards."""
    faults: list[Fault] = []
    for hand in (*play.seats, play.bank):
        faults += unknown_face_faults(hand.where, hand.faces)
        if len(hand.faces) not in (2, 3) and hand.faces != UNREAD:
            found = len(hand.faces)
            faults.append(expected_cards_fault(hand.where, expected="2 or 3 cards", found=found))
    return faults


def draw_faults(hand: SeatPlay, *, demanded: bool, reason: str) -> list[Fault]:
    """Return the fault of a third card that is missing, or that the rule forbids (event 30)."""
    if len(hand.faces) == 2 and demanded:
        detail = f"expected a third card: {reason}"
        return [Fault("draw_missing", f"{hand.where}.cards", detail)]
    if len(hand.faces) == 3 and not demanded:
        detail = f"expected no third card: {reason}"
        return [Fault("draw_forbidden", f"{hand.where}.cards", detail)]
    return []
