"""What two seats have in common: they meet one bank hand, and take cards from one shoe.

For every hand of the bank, the expected product of two seats' profits is a sum over pairs of their
hands, 455 x 455 of them. It splits: the ordered deals of a second hand after a first are falling
factorials of n - p, and by Vandermonde's identity

    (n - p) falling k  =  sum over j of  C(k, j) x (-p) falling j  x  n falling (k - j).

So the sum over pairs becomes a sum over the 560 multisets of up to three ranks, of one factor from
each seat: exact, and a matter of seconds. Every hand counts as three cards; where a game deals a
third card only sometimes, it is not looked at. Nothing here knows a game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from operator import itemgetter, mul
from typing import Final, NamedTuple

from tables.games.odds_counting import (
    CARDS_NEEDED,
    HAND_CARDS,
    HANDS,
    Composition,
    Hand,
    deal_products,
    deals_of,
    falling,
    hand_key,
    multiset_keys,
    without,
)

Units = Mapping[str, Sequence[int]]
"""By wager, for each of HANDS: the units it brings, added up over the orders of the hand."""
_Pick = Callable[[Sequence[int]], tuple[int, ...]]

_SMALL: Final = [key for keys in multiset_keys(HAND_CARDS) for key in keys]
_PLACE: Final = {key: place for place, key in enumerate(_SMALL)}
_pick_hands: Final[_Pick] = itemgetter(*(_PLACE[hand_key(hand)] for hand in HANDS))


class BankHand(NamedTuple):
    """Cards of the bank as dealt, how many orders of them fare alike, and what seats then get."""

    cards: Hand
    orders: int
    units: Units


class _Share(NamedTuple):
    """The terms of one multiset: which hands enter each seat's factor, and with what weight.

    `rests` picks the deals of what the second seat's hands hold beyond the multiset.
    """

    firsts: _Pick
    first_weights: tuple[int, ...]
    seconds: _Pick
    second_weights: tuple[int, ...]
    rests: _Pick


def seat_products(
    composition: Composition, *, bank: Iterable[BankHand]
) -> dict[tuple[str, str], Fraction]:
    """State the expected product of the units of two seats, for every pair of wagers.

    The bank hands must make up all that the bank can be dealt from the composition, which must hold
    cards for three hands.
    """
    expected: dict[tuple[str, str], Fraction] = {}
    cards = sum(composition)
    for hand in bank:
        deals = hand.orders * deals_of(composition, hand.cards)
        if not deals:
            continue
        drawn = len(hand.cards)
        all_deals = falling(cards, drawn) * falling(cards - drawn, CARDS_NEEDED)
        sums = _pair_sums(without(composition, hand.cards), units=hand.units)
        for wagers, units in sums.items():
            expected[wagers] = expected.get(wagers, Fraction(0)) + Fraction(
                deals * units, all_deals
            )
    return expected


def _pair_sums(composition: Composition, *, units: Units) -> dict[tuple[str, str], int]:
    """Add up deals x units x units over all pairs of hands, for every pair of wagers."""
    small = [deals for by_size in deal_products(composition, size=HAND_CARDS) for deals in by_size]
    hand_deals = _pick_hands(small)
    shares = _shares()
    firsts: dict[str, list[int]] = {}
    seconds: dict[str, list[int]] = {}
    for wager, of_hand in units.items():
        weighed = list(map(mul, of_hand, hand_deals))
        firsts[wager] = [
            sum(map(mul, share.first_weights, share.firsts(weighed))) for share in shares
        ]
        seconds[wager] = [
            sum(
                map(mul, map(mul, share.second_weights, share.seconds(of_hand)), share.rests(small))
            )
            for share in shares
        ]
    return {
        (one, other): sum(map(mul, firsts[one], seconds[other])) for one in units for other in units
    }


@cache
def _shares() -> list[_Share]:
    """List the terms of every multiset of up to three ranks, once."""
    firsts: dict[Hand, list[tuple[int, int]]] = {}
    seconds: dict[Hand, list[tuple[int, int, int]]] = {}
    for place, hand in enumerate(HANDS):
        held = sorted(set(hand))
        for size in range(HAND_CARDS + 1):
            for part in combinations_with_replacement(held, size):
                weight = prod(
                    (-1) ** part.count(rank) * _rising(hand.count(rank), part.count(rank))
                    for rank in set(part)
                )
                firsts.setdefault(part, []).append((place, weight))
            for part in set(combinations(hand, size)):
                weight = prod(comb(hand.count(rank), part.count(rank)) for rank in set(part))
                rest = _PLACE[hand_key(hand) - hand_key(part)]
                seconds.setdefault(part, []).append((place, weight, rest))
    return [_share(firsts[part], seconds[part]) for part in firsts]


def _share(firsts: list[tuple[int, int]], seconds: list[tuple[int, int, int]]) -> _Share:
    """Make the terms of one multiset; a leading term of weight 0 keeps every pick a tuple."""
    return _Share(
        firsts=itemgetter(0, *(place for place, _ in firsts)),
        first_weights=(0, *(weight for _, weight in firsts)),
        seconds=itemgetter(0, *(place for place, _, _ in seconds)),
        second_weights=(0, *(weight for _, weight, _ in seconds)),
        rests=itemgetter(0, *(rest for _, _, rest in seconds)),
    )


def _rising(number: int, count: int) -> int:
    """Multiply `count` factors from `number` upwards."""
    return falling(number + count - 1, count)
