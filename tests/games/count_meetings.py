"""How often two counts meet in game A, and which card then decides (rules A8, A9).

A second way to the figures that `tie_break` and `tie_value` move; they do not depend on these.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tables.games.odds_counting import HANDS, DealTable, full_composition, hand_key, orders_of
from tables.games.odds_poker import LUCKY9, read_ranks

_OTHER = "other"
_FIRST = "first"
_SECOND = "second"
_THIRD = "third"
_NONE = "none"


@dataclass(frozen=True, slots=True)
class CountMeetings:
    """Probabilities of a seat's and the House's hands without pair or trio, from the wide inwards.

    `equal_counts` holds `same_top_card`, which holds `same_two_cards`, which holds `identical`.
    """

    equal_counts: Fraction
    same_top_card: Fraction
    same_two_cards: Fraction
    identical: Fraction

    @property
    def cascade_decides(self) -> Fraction:
        """The second or third card decides: where `tie_break` matters."""
        return self.same_top_card - self.identical

    @property
    def third_card_decides(self) -> Fraction:
        """Only the lowest card differs."""
        return self.same_two_cards - self.identical


def count_meetings(decks: int) -> CountMeetings:
    """State how often counts meet when two hands are dealt from full decks."""
    counts = _table().count(full_composition(decks))
    deals = sum(counts.values())
    identical = counts[_NONE]
    same_two = identical + counts[_THIRD]
    same_top = same_two + counts[_SECOND]
    equal = same_top + counts[_FIRST]
    return CountMeetings(
        *(Fraction(count, deals) for count in (equal, same_top, same_two, identical))
    )


@cache
def _table() -> DealTable[str]:
    """Sort all deals of two hands by the card that decides between equal counts."""
    hands = [(read_ranks(hand), hand_key(hand), orders_of(hand)) for hand in HANDS]
    orders: dict[str, dict[int, int]] = {}
    for own, own_key, own_orders in hands:
        for house, house_key, house_orders in hands:
            decides = _OTHER
            if own.kind == house.kind == LUCKY9 and own.lucky_count == house.lucky_count:
                decides = _deciding_card(own.high, house.high)
            by_key = orders.setdefault(decides, {})
            both = own_key + house_key
            by_key[both] = by_key.get(both, 0) + own_orders * house_orders
    return DealTable(orders)


def _deciding_card(own: tuple[int, ...], house: tuple[int, ...]) -> str:
    for name, mine, theirs in zip((_FIRST, _SECOND, _THIRD), own, house):
        if mine != theirs:
            return name
    return _NONE
