"""Count the deals of games B and C: two first hands, and the third cards that may follow.

A third card matters only by its points, the first two also by their ranks (a pair is a Colon). So
the six cards of a seat and the bank are counted as (first two, first two) x (points, points). The
91 x 91 first hands are walked once; the third cards follow from how many cards of each point value
those four have taken away, which enters each number in the first and second power only. A third
card that is not drawn is counted as dealt and not looked at, which changes no probability.
"""

from collections.abc import Hashable, Iterator, Mapping
from itertools import product
from typing import Final, NamedTuple, Protocol, TypeVar

from tables.games.odds_counting import (
    HANDS,
    POINTS,
    TWO_CARDS,
    Composition,
    Hand,
    deals_of,
    without,
)
from tables.games.odds_results import Ending
from tables.games.odds_seats import BankHand

TOTALS: Final = 10
"""Totals of a hand run from 0 to 9."""
COLON: Final = "colon"
COLON_NINE: Final = "colon_nine"

Thirds = list[int]
"""Ordered deals by the points of the seat's and the bank's third card: 100 numbers, seat first."""

SeatGroup = TypeVar("SeatGroup", bound=Hashable)
BankGroup = TypeVar("BankGroup", bound=Hashable)


def total_of(hand: Hand) -> int:
    """Add up the points of these ranks; only the last digit counts."""
    return sum(POINTS[rank] for rank in hand) % TOTALS


def colon_of(hand: Hand) -> str:
    """Name the bonus hand of two ranks: `colon`, `colon_nine`, or empty (B8, B14)."""
    if hand[0] != hand[1]:
        return ""
    return COLON_NINE if POINTS[hand[0]] == TOTALS - 1 else COLON


def points_left(composition: Composition) -> list[int]:
    """Count the cards of each point value, 0 to 9."""
    left = [0] * TOTALS
    for rank, cards in enumerate(composition):
        left[POINTS[rank]] += cards
    return left


def third_cards(
    composition: Composition,
    *,
    seat: Mapping[Hand, SeatGroup],
    bank: Mapping[Hand, BankGroup],
) -> dict[tuple[SeatGroup, BankGroup], Thirds]:
    """Count the ordered deals of six cards by the groups of the first hands and the third points.

    `seat` and `bank` say which group each first hand belongs to; a hand left out is not counted.
    """
    taken: dict[tuple[SeatGroup, BankGroup], list[int]] = {}
    for mine, seat_group in seat.items():
        seat_deals = deals_of(composition, mine) * _orders(mine)
        if not seat_deals:
            continue
        left = without(composition, mine)
        for theirs, bank_group in bank.items():
            deals = seat_deals * deals_of(left, theirs) * _orders(theirs)
            if deals:
                sums = taken.setdefault((seat_group, bank_group), [0] * (1 + TOTALS + TOTALS**2))
                _take_away(sums, deals=deals, points=[POINTS[rank] for rank in mine + theirs])
    points = points_left(composition)
    return {groups: _thirds_from(sums, points=points) for groups, sums in taken.items()}


def _orders(hand: Hand) -> int:
    return 1 if hand[0] == hand[1] else 2


def _take_away(sums: list[int], *, deals: int, points: list[int]) -> None:
    """Add these deals to the sums: as they are, times the cards taken, times their products."""
    sums[0] += deals
    for one in points:
        sums[1 + one] += deals
        row = 1 + TOTALS + TOTALS * one
        for other in points:
            sums[row + other] += deals


def _thirds_from(sums: list[int], *, points: list[int]) -> Thirds:
    """Multiply out (left - taken) x (left - taken), one card less where both have equal points."""
    deals, first, second = sums[0], sums[1 : 1 + TOTALS], sums[1 + TOTALS :]
    thirds = []
    for mine, theirs in product(range(TOTALS), repeat=2):
        ways = (
            points[mine] * points[theirs] * deals
            - points[mine] * first[theirs]
            - points[theirs] * first[mine]
            + second[TOTALS * mine + theirs]
        )
        if mine == theirs:
            ways -= points[mine] * deals - first[mine]
        thirds.append(ways)
    return thirds


class First(NamedTuple):
    """What is known of a first hand: its total, its bonus hand, and the draws chosen for it.

    `draws` is the seat's election, or the bank's after a seat that draws; `draws_on_stand` the
    bank's after a seat that stands. Where nothing is elected both are the rule's.
    """

    total: int
    colon: str = ""
    draws: bool = False
    draws_on_stand: bool = False


class Side(NamedTuple):
    """A first hand's total and whether a third card is drawn to it."""

    total: int
    draws: bool

    def final(self, points: int) -> int:
        """Total the hand with, or without, a third card of these points."""
        return (self.total + points) % TOTALS if self.draws else self.total


class Play(Protocol):
    """How a two-card game goes on from two first hands, for one seat and the bank."""

    def seat_first(self, hand: Hand) -> First:
        """Describe a seat's first two cards."""

    def bank_first(self, hand: Hand) -> First:
        """Describe the bank's first two cards."""

    def sides(self, seat: First, bank: First) -> tuple[Side, Side]:
        """Say who draws."""

    def ending(self, seat: First, bank: First, *, finals: tuple[int, int]) -> Ending:
        """Say how the main wager ends when the hands have come to these totals."""


def final_totals(thirds: Thirds, *, seat: Side, bank: Side) -> dict[tuple[int, int], int]:
    """Sort the deals by the final totals of the seat and the bank."""
    ways: dict[tuple[int, int], int] = {}
    for (mine, theirs), deals in zip(product(range(TOTALS), repeat=2), thirds):
        finals = (seat.final(mine), bank.final(theirs))
        ways[finals] = ways.get(finals, 0) + deals
    return ways


def ending_counts(play: Play, *, composition: Composition) -> dict[tuple[Ending, ...], int]:
    """Count the ordered deals by the ending of the main wager; together all deals of six cards."""
    groups = third_cards(
        composition,
        seat={hand: play.seat_first(hand) for hand in TWO_CARDS},
        bank={hand: play.bank_first(hand) for hand in TWO_CARDS},
    )
    counts: dict[tuple[Ending, ...], int] = {}
    for (seat, bank), thirds in groups.items():
        mine, theirs = play.sides(seat, bank)
        for finals, deals in final_totals(thirds, seat=mine, bank=theirs).items():
            ending = (play.ending(seat, bank, finals=finals),)
            counts[ending] = counts.get(ending, 0) + deals
    return counts


def bank_hands(play: Play, *, units: Mapping[Ending, int]) -> Iterator[BankHand]:
    """Go through the bank's hands, drawn card and all, and what seats get against each.

    The bank's draw must not depend on the seat's.
    """
    seen: dict[tuple[First, int], list[int]] = {}
    for hand in TWO_CARDS:
        bank = play.bank_first(hand)
        thirds: list[Hand] = [(rank,) for rank in range(len(POINTS))] if bank.draws else [()]
        for third in thirds:
            points = total_of(third)
            if (bank, points) not in seen:
                seen[bank, points] = _units_against(play, bank, points=points, units=units)
            yield BankHand(hand + third, _orders(hand), {"main": seen[bank, points]})


def _units_against(
    play: Play, bank: First, *, points: int, units: Mapping[Ending, int]
) -> list[int]:
    """Add up, over the orders of each of HANDS, what it brings against this bank hand."""
    sums = []
    for hand in HANDS:
        gained = 0
        for third in set(hand):
            first = list(hand)
            first.remove(third)
            seat = play.seat_first(tuple(first))
            mine, theirs = play.sides(seat, bank)
            finals = (mine.final(POINTS[third]), theirs.final(points))
            gained += _orders(tuple(first)) * units[play.ending(seat, bank, finals=finals)]
        sums.append(gained)
    return sums


ALL_FIRST: Final[Mapping[Hand, Hand]] = {hand: hand for hand in TWO_CARDS}
"""Each first hand a group of its own."""
