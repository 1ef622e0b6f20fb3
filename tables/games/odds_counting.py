"""Count deals exactly: in how many ways hands come from any composition of a shoe.

A composition is the number of cards left of each rank, deuce first and Ace last (the scale of
rules 1A). Suits never decide anything in the three games, so thirteen numbers say all. The
number of ordered deals that give certain ranks is a product of falling factorials,
`n (n - 1) ... (n - k + 1)` for k cards of a rank that has n left: a polynomial in the thirteen
numbers. A `DealTable` keeps that polynomial for every label of a table of deals, so that a ruleset
is read once and any composition is then a matter of multiplying and adding whole numbers.

Nothing here knows a game, a price or a probability, and nothing here rounds or simulates.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, repeat
from operator import add, itemgetter, mul
from typing import Final, Generic, TypeVar

from casino.kernel.errors import Invalid
from tables.games.cards import FULL_FACES, RANKS, SUITS, copies_max
from tables.games.cards import POINTS as POINTS_BY_RANK
from tables.games.options import show

HAND_CARDS: Final = 3
CARDS_NEEDED: Final = 2 * HAND_CARDS
POINTS: Final = tuple(POINTS_BY_RANK[rank] for rank in RANKS)
"""Lucky 9 points by the number of the rank, 0 for the deuce to 12 for the Ace."""

Composition = tuple[int, ...]
Hand = tuple[int, ...]
Label = TypeVar("Label", bound=Hashable)

HANDS: Final[tuple[Hand, ...]] = tuple(combinations_with_replacement(range(13), HAND_CARDS))
"""The 455 hands of three ranks, suits and order apart."""
TWO_CARDS: Final[tuple[Hand, ...]] = tuple(combinations_with_replacement(range(13), 2))
"""The 91 first-two hands, order apart."""

_DIGIT: Final = CARDS_NEEDED + 1


class OddsError(Invalid):
    """The odds that were asked for do not exist: `faults` says why, everything at once.

    Codes of the faults: `odds.unknown_card`, `odds.bad_count`, `odds.too_many_copies`,
    `odds.too_few_cards`, `odds.bad_policy`, `odds.not_elective`, `odds.full_shoe_only`,
    `odds.unknown_wager`, `odds.bad_stake`, `odds.refused_wager`, `odds.no_hand`, `odds.wrong_game`,
    `odds.not_an_object`.
    """

    code = "odds.invalid"
    message = "The odds cannot be stated."


def odds_error(*faults: tuple[str, str, str]) -> OddsError:
    """Make the error of these faults, each a code, a place and a sentence."""
    named = [{"code": code, "where": where, "detail": detail} for code, where, detail in faults]
    return OddsError(faults=named)


def full_composition(decks: int) -> Composition:
    """State the composition of so many whole decks."""
    return (len(SUITS) * decks,) * len(RANKS)


def composition_of(remaining: Mapping[str, int] | None, *, decks: int) -> Composition:
    """Turn cards left by rank (`"A"`) or by identity (`"AS"`) into a composition; None is full.

    What is not named has no card left. Raises OddsError with every fault at once: a name that is no
    card (the unknown face `?` too: what is unknown has no composition), a count that is not a whole
    number from 0, more copies than the decks hold, fewer than the six cards that a seat and the
    bank may need.
    """
    if remaining is None:
        return full_composition(decks)
    counts = [0] * len(RANKS)
    faults: list[tuple[str, str, str]] = []
    for name, count in remaining.items():
        copies = copies_max(name, decks=decks)
        if name not in FULL_FACES and name not in POINTS_BY_RANK:
            faults.append(("odds.unknown_card", name, f"{name!r} is neither a rank nor a card"))
        elif type(count) is not int or count < 0:
            detail = f"expected a whole number from 0, got {show(count)}"
            faults.append(("odds.bad_count", name, detail))
        elif count > copies:
            detail = f"{decks} decks hold {copies} of {name}, not {count}"
            faults.append(("odds.too_many_copies", name, detail))
        else:
            counts[RANKS.index(name[0])] += count
    for rank, count in zip(RANKS, counts):
        if count > decks * len(SUITS) and rank in remaining:
            detail = f"{decks} decks hold {decks * len(SUITS)} of {rank}, not {count}"
            faults.append(("odds.too_many_copies", rank, detail))
    if not faults and sum(counts) < CARDS_NEEDED:
        detail = f"a seat and the bank may need {CARDS_NEEDED} cards, {sum(counts)} are left"
        faults.append(("odds.too_few_cards", "remaining", detail))
    if faults:
        raise odds_error(*faults)
    return tuple(counts)


def falling(number: int, count: int) -> int:
    """Multiply `count` factors from `number` downwards: the ordered ways to draw so many."""
    product = 1
    for step in range(count):
        product *= number - step
    return product


def without(composition: Composition, cards: Iterable[int]) -> Composition:
    """Take these ranks out of the composition; a count may fall below nothing and then weighs 0."""
    left = list(composition)
    for rank in cards:
        left[rank] -= 1
    return tuple(left)


def deals_of(composition: Composition, cards: Hand) -> int:
    """Count the ordered deals of these ranks in this order."""
    ways = 1
    left = list(composition)
    for rank in cards:
        ways *= left[rank]
        left[rank] -= 1
    return ways


def hand_key(cards: Iterable[int]) -> int:
    """Name a multiset of up to six ranks by one number; two hands together have the sum."""
    return sum(_DIGIT**rank for rank in cards)


def orders_of(hand: Hand) -> int:
    """Count the orders in which three ranks can be dealt: 1 for a trio, 3 for a pair, else 6."""
    return {1: 1, 2: 3, 3: 6}[len(set(hand))]


def _fold(
    values: Sequence[Sequence[int]], *, size: int, join: Callable[[int, int], int], unit: int
) -> list[list[int]]:
    """Join one value per rank over all multisets of 0 to `size` ranks, always in the same order."""
    by_size: list[list[int]] = [[unit], *([] for _ in range(size))]
    for value in values:
        by_size = [
            list(
                chain.from_iterable(
                    map(join, by_size[total - copies], repeat(value[copies]))
                    for copies in range(total + 1)
                )
            )
            for total in range(size + 1)
        ]
    return by_size


def multiset_keys(size: int) -> list[list[int]]:
    """Name all multisets of 0 to `size` ranks by their keys, a list for each size."""
    powers = [[_DIGIT**rank * copies for copies in range(size + 1)] for rank in range(len(RANKS))]
    return _fold(powers, size=size, join=add, unit=0)


def deal_products(composition: Composition, *, size: int) -> list[list[int]]:
    """Count the ordered deals of every multiset in one fixed order of its cards.

    The lists run parallel to those of `multiset_keys`.
    """
    factors = [[falling(count, copies) for copies in range(size + 1)] for count in composition]
    return _fold(factors, size=size, join=mul, unit=1)


_PLACE: Final = {key: place for place, key in enumerate(multiset_keys(CARDS_NEEDED)[CARDS_NEEDED])}


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of one label: where the products lie and how often each counts."""

    pick: Callable[[Sequence[int]], tuple[int, ...]]
    coefficients: tuple[int, ...]


class DealTable(Generic[Label]):
    """The ordered deals of a seat's and the bank's three cards, sorted by label.

    Give it once, per label, the keys of the six ranks and the orders that lead there; `count` then
    answers for any composition.
    """

    __slots__ = ("_terms",)

    def __init__(self, orders: Mapping[Label, Mapping[int, int]]) -> None:
        self._terms: dict[Label, _Terms] = {}
        for label, by_key in orders.items():
            places = [_PLACE[key] for key in by_key]
            # A single place would make itemgetter answer a bare number: the first is added with 0.
            pick = itemgetter(0, *places)
            self._terms[label] = _Terms(pick=pick, coefficients=(0, *by_key.values()))

    def count(self, composition: Composition) -> dict[Label, int]:
        """Count the ordered deals under each label; together they are all deals of six cards."""
        products = deal_products(composition, size=CARDS_NEEDED)[CARDS_NEEDED]
        return {
            label: sum(map(mul, terms.coefficients, terms.pick(products)))
            for label, terms in self._terms.items()
        }
