"""The odds of Poker Lucky 9 (game A, rules 1A): every deal of a seat's and the House's cards.

A ruleset is read once: all 455 x 455 pairs of hands are compared, as the engine compares them, and
sorted by how the four wagers of the seat end. What remains for a composition of the shoe is
counting (`odds_counting`). The order of hands may not be total (A1, A8), so pairs of hands are
compared and there are no keys. The seat is taken to have a main wager, and so a hand (A21).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from tables.games.cards import RANKS
from tables.games.odds_counting import HANDS, DealTable, Hand, hand_key, orders_of
from tables.games.odds_results import LOSE, PUSH, Ending, Profits
from tables.games.odds_seats import BankHand
from tables.games.poker_hands import (
    OrderRules,
    PokerHand,
    compare_hands,
    jacks_bet_wins,
    read_hand,
)
from tables.games.poker_options import KINDS, PokerRules
from tables.games.values import Odds

WAGERS: Final = KINDS
TRIO: Final = "trio"
PAIR: Final = "pair"
LUCKY9: Final = "lucky9"
JACKS: Final = "jacks"
TIE: Final = "tie"

Endings = tuple[Ending, ...]
"""How the wagers of one seat end, in the order of WAGERS: main, tie, pair, jacks."""


@dataclass(frozen=True, slots=True)
class PokerReading:
    """What decides the results of game A; prices, caps and rounding do not."""

    order: OrderRules
    jacks_scope: str
    jacks_push_on_tie: bool

    @classmethod
    def of(cls, rules: PokerRules) -> "PokerReading":
        """Take the deciding options out of a ruleset's."""
        return cls(rules.order, rules.jacks_scope, rules.jacks_push_on_tie)


def read_ranks(hand: Hand) -> PokerHand:
    """Read three ranks, given by number, as the engine reads them."""
    return read_hand("".join(RANKS[rank] for rank in hand))


@lru_cache(maxsize=16)
def compared(order: OrderRules) -> tuple[tuple[int, ...], ...]:
    """Compare every hand with every House hand: 1 where it wins, 0 at a tie, -1 where it loses."""
    hands = [read_ranks(hand) for hand in HANDS]
    rows = []
    for own in hands:
        results = [compare_hands(own, house, rules=order).result for house in hands]
        rows.append(tuple((result > 0) - (result < 0) for result in results))
    return tuple(rows)


def seat_endings(
    own: PokerHand, *, result: int, first_two_pair: bool, jacks: bool, reading: PokerReading
) -> Endings:
    """Say how the four wagers end against a House hand that this one beats, ties or loses to."""
    main = {1: Ending("win", own.kind), 0: PUSH, -1: LOSE}[result]
    tie = Ending("win", TIE) if result == 0 else LOSE
    pair = Ending("win", PAIR) if first_two_pair else LOSE
    jacks_ending = Ending("win", JACKS) if jacks else LOSE
    if result == 0 and reading.jacks_push_on_tie:
        jacks_ending = PUSH
    return (main, tie, pair, jacks_ending)


def pair_orders(own: PokerHand) -> tuple[tuple[bool, int], ...]:
    """Count the orders of a hand by whether its first two cards are a pair (A18)."""
    return {
        TRIO: ((True, 1),),
        PAIR: ((True, 1), (False, 2)),
        LUCKY9: ((False, 6),),
    }[own.kind]


@lru_cache(maxsize=16)
def deal_table(reading: PokerReading) -> DealTable[Endings]:
    """Sort all deals of a seat's and the House's hand by how the seat's four wagers end."""
    signs = compared(reading.order)
    hands = [(read_ranks(hand), hand_key(hand), orders_of(hand)) for hand in HANDS]
    jacks = [jacks_bet_wins(hand, scope=reading.jacks_scope) for hand, _, _ in hands]
    orders: dict[Endings, dict[int, int]] = {}
    for (own, own_key, _), row in zip(hands, signs):
        for first_two_pair, own_orders in pair_orders(own):
            by_result = _by_result(own, first_two_pair=first_two_pair, reading=reading)
            for (_, key, house_orders), result, jack in zip(hands, row, jacks):
                by_key = orders.setdefault(by_result[result, jack], {})
                both = own_key + key
                by_key[both] = by_key.get(both, 0) + own_orders * house_orders
    return DealTable(orders)


def _by_result(
    own: PokerHand, *, first_two_pair: bool, reading: PokerReading
) -> dict[tuple[int, bool], Endings]:
    return {
        (result, jacks): seat_endings(
            own, result=result, first_two_pair=first_two_pair, jacks=jacks, reading=reading
        )
        for result in (1, 0, -1)
        for jacks in (True, False)
    }


def poker_profits(rules: PokerRules) -> Profits:
    """State the profit for a stake of 1 of each ending; a closed tie wager has no price (A13)."""
    lost, back = Fraction(-1), Fraction(0)
    main: dict[Ending, Fraction | None] = {
        Ending("win", kind): Fraction(*rules.main_odds[kind]) for kind in (TRIO, PAIR, LUCKY9)
    }
    return {
        "main": main | {PUSH: back, LOSE: lost},
        "tie": {Ending("win", TIE): _price(rules.tie_odds), LOSE: lost},
        "pair": {Ending("win", PAIR): _price(rules.pair_odds), LOSE: lost},
        "jacks": {Ending("win", JACKS): _price(rules.jacks_odds), PUSH: back, LOSE: lost},
    }


def _price(odds: Odds | None) -> Fraction | None:
    return None if odds is None else Fraction(*odds)


def profits_against(
    reading: PokerReading, *, house: int, units: Mapping[str, Mapping[Ending, int]]
) -> dict[str, list[int]]:
    """Add up, over the orders of each hand, the units that a wager brings against a House hand.

    `house` is the number of that hand; the lists run parallel to HANDS, one for each wager.
    """
    jacks = jacks_bet_wins(read_ranks(HANDS[house]), scope=reading.jacks_scope)
    signs = compared(reading.order)
    sums: dict[str, list[int]] = {wager: [] for wager in units}
    for hand, row in zip(HANDS, signs):
        own = read_ranks(hand)
        gained = dict.fromkeys(units, 0)
        for first_two_pair, orders in pair_orders(own):
            endings = seat_endings(
                own, result=row[house], first_two_pair=first_two_pair, jacks=jacks, reading=reading
            )
            for wager, ending in zip(WAGERS, endings):
                if wager in units:
                    gained[wager] += orders * units[wager][ending]
        for wager, gain in gained.items():
            sums[wager].append(gain)
    return sums


def house_hands(
    reading: PokerReading, *, units: Mapping[str, Mapping[Ending, int]]
) -> Iterator[BankHand]:
    """Go through the House's 455 hands and what seats get against each."""
    for number, hand in enumerate(HANDS):
        yield BankHand(hand, orders_of(hand), profits_against(reading, house=number, units=units))
