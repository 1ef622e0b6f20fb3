"""Hands of Poker Lucky 9 and how two of them compare (rules A1 to A11).

Some options have no total order (A1 `by_count`, A8 `points`), so pairs of hands are compared and
there is no key. This module must not know stakes or prices.
"""

from functools import cache
from typing import Final, Literal, NamedTuple

from tables.games.cards import POINTS, RANK_LABELS, RANK_ORDER

Kind = Literal["lucky9", "pair", "trio"]

JACK: Final = RANK_ORDER["J"]


class PokerHand(NamedTuple):
    """Three cards read: suits and the order of dealing decide nothing (A7, A8).

    `high` are the ranks from the highest; `pair_rank` and `kicker` are 0 where there is none.
    """

    kind: Kind
    high: tuple[int, int, int]
    lucky_count: int
    points: tuple[int, int, int]
    pair_rank: int
    kicker: int
    kicker_points: int
    label: str
    sum_label: str


class Comparison(NamedTuple):
    """How the first of two hands fares: above 0 it wins, 0 is a tie; clause and code say why."""

    result: int
    clause: str
    code: str


class OrderRules(NamedTuple):
    """The four options that decide the order of hands."""

    by_count: bool
    kicker_by_points: bool
    high_card_only: bool
    tie_by_points: bool


@cache  # 2,197 hands at most
def read_hand(ranks: str) -> PokerHand:
    """Read three rank letters in dealing order."""
    first, second, third = sorted((RANK_ORDER[rank] for rank in ranks), reverse=True)
    points = sorted((POINTS[rank] for rank in ranks), reverse=True)
    total = sum(points)
    shown = [RANK_LABELS[rank] for rank in sorted(ranks, key=RANK_ORDER.__getitem__, reverse=True)]
    kind: Kind = "lucky9"
    pair_rank = kicker = kicker_points = 0
    if first == third:
        kind, pair_rank = "trio", first
    elif second in (first, third):
        kind, pair_rank = "pair", second
        kicker = third if first == second else first
        kicker_points = next(POINTS[rank] for rank in ranks if RANK_ORDER[rank] == kicker)
        if kicker == first:
            shown.append(shown.pop(0))
    sum_label = "+".join(str(POINTS[rank]) for rank in ranks) + f" = {total}"
    if total > 9:
        sum_label += f", so {total % 10}"
    return PokerHand(
        kind=kind,
        high=(first, second, third),
        lucky_count=total % 10,
        points=(points[0], points[1], points[2]),
        pair_rank=pair_rank,
        kicker=kicker,
        kicker_points=kicker_points,
        label="-".join(shown),
        sum_label=sum_label,
    )


def compare_hands(own: PokerHand, house: PokerHand, *, rules: OrderRules) -> Comparison:
    """Compare a seat's hand with the House's: who wins, or a tie, with the clause that decided."""
    own_poker, house_poker = own.kind != "lucky9", house.kind != "lucky9"
    if own_poker and house_poker:
        return _compare_poker(own, house, rules)
    if own_poker != house_poker and not rules.by_count:
        return Comparison(1 if own_poker else -1, "A1", "poker_over_count")
    if own.lucky_count != house.lucky_count:
        return Comparison(own.lucky_count - house.lucky_count, "A2", "count")
    return _compare_equal_counts(own, house, rules)


def _compare_poker(own: PokerHand, house: PokerHand, rules: OrderRules) -> Comparison:
    """Compare two hands of the list of 26: any trio above any pair, then by rank, then kicker."""
    if own.kind != house.kind:
        return Comparison(1 if own.kind == "trio" else -1, "A4", "hand_order")
    if own.pair_rank != house.pair_rank:
        clause = "A5" if own.kind == "trio" else "A4"
        return Comparison(own.pair_rank - house.pair_rank, clause, "hand_order")
    if own.kind == "trio":
        return Comparison(0, "A5", "same_ranks")
    if rules.kicker_by_points and own.kicker_points != house.kicker_points:
        return Comparison(own.kicker_points - house.kicker_points, "A6", "kicker_points")
    if own.kicker != house.kicker:
        return Comparison(own.kicker - house.kicker, "A6", "kicker")
    return Comparison(0, "A7", "same_ranks")


def _compare_equal_counts(own: PokerHand, house: PokerHand, rules: OrderRules) -> Comparison:
    """Equal counts: a tie only if all three cards are worth the same, else cards decide (A8, A9).

    Cards are always compared by rank; under `tie_by_points` only the tie is judged by points.
    """
    if rules.tie_by_points and own.points == house.points:
        return Comparison(0, "A8", "same_points")
    if own.high == house.high:
        return Comparison(0, "A8", "same_ranks")
    if own.high[0] != house.high[0]:
        return Comparison(own.high[0] - house.high[0], "A9", "first_card")
    if rules.high_card_only:
        return Comparison(0, "A9", "same_high_card")
    if own.high[1] != house.high[1]:
        return Comparison(own.high[1] - house.high[1], "A9", "second_card")
    return Comparison(own.high[2] - house.high[2], "A9", "third_card")


def jacks_bet_wins(house: PokerHand, *, scope: str) -> bool:
    """Tell whether the House holds a Pair of Jacks or Higher under option `jacks_scope` (A16).

    `hand_order`: J-J and everything above it in the order, so any trio too; `same_rank_trio`: pair
    or trio of J, Q, K, A; `pair_only`: a pair of these and no trio.
    """
    if house.kind == "trio":
        return scope == "hand_order" or (scope == "same_rank_trio" and house.pair_rank >= JACK)
    return house.kind == "pair" and house.pair_rank >= JACK
