"""What drawing and standing are worth in game C, for every pair of first hands.

The root of every question of policy: in how many deals, weighed with the price, the seat gains when
it stands or draws and the bank stands or draws. From it follow the best answer of one side to a
stated policy of the other (`odds_best_draw`) and the policies that neither side can better
(`odds_draw_solution`). One seat against the bank; all numbers are whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Final, NamedTuple

from tables.games.lucky_9_social import NATURAL
from tables.games.odds_counting import TWO_CARDS, Composition, Hand
from tables.games.odds_elective_draw import DrawPolicy
from tables.games.odds_two_cards import ALL_FIRST, TOTALS, Side, third_cards, total_of

STAND: Final = 0
DRAW: Final = 1
CHOICES: Final = (STAND, DRAW)


class PairValue(NamedTuple):
    """One pair of first hands: its deals, and the seat's gain by the seat's and bank's choice."""

    deals: int
    gains: tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class DrawValues:
    """Deals and the seat's gains over all deals, by first hands of the seat and the bank.

    A gain is counted in deals x `unit`: the profit of a won deal is the price's numerator, a lost
    one costs its denominator `unit`. `open_pairs` are those in which both sides elect; the others
    hold a natural and are settled by it: `natural_gain` is their sum.
    """

    deals: int
    unit: int
    open_pairs: Mapping[tuple[Hand, Hand], PairValue]
    natural_gain: int

    def mean(self, gain: int) -> Fraction:
        """Turn a sum of gains into the expected profit of a seat for a stake of 1."""
        return Fraction(gain, self.deals * self.unit)


def draw_values(composition: Composition, *, odds: tuple[int, int]) -> DrawValues:
    """Weigh every pair of first hands from this composition at this price."""
    weights = _result_weights(odds)
    pairs: dict[tuple[Hand, Hand], PairValue] = {}
    natural_gain = all_deals = 0
    for (seat, bank), thirds in third_cards(composition, seat=ALL_FIRST, bank=ALL_FIRST).items():
        totals = (total_of(seat), total_of(bank))
        deals = sum(thirds)
        all_deals += deals
        if NATURAL in totals:
            natural_gain += deals * _sign_weight(totals[0], totals[1], odds=odds)
            continue
        gain = [sum(map(mul, thirds, weights[*totals, *choice])) for choice in _BOTH]
        pairs[seat, bank] = PairValue(deals, ((gain[0], gain[1]), (gain[2], gain[3])))
    return DrawValues(all_deals, odds[1], pairs, natural_gain)


_BOTH: Final = tuple(product(CHOICES, repeat=2))
_Weights = dict[tuple[int, ...], list[int]]


def _result_weights(odds: tuple[int, int]) -> _Weights:
    """State, by totals and choices, what each pair of third cards is worth to the seat."""
    weights: _Weights = {}
    for totals in product(range(NATURAL), repeat=2):
        for choice in _BOTH:
            seat = Side(totals[0], draws=choice[0] == DRAW)
            bank = Side(totals[1], draws=choice[1] == DRAW)
            weights[*totals, *choice] = [
                _sign_weight(seat.final(mine), bank.final(theirs), odds=odds)
                for mine, theirs in product(range(TOTALS), repeat=2)
            ]
    return weights


def _sign_weight(mine: int, theirs: int, *, odds: tuple[int, int]) -> int:
    if mine == theirs:
        return 0
    return odds[0] if mine > theirs else -odds[1]


SeatGains = Mapping[Hand, tuple[int, int]]
"""By the seat's first hand: its gains over all deals when it stands and when it draws."""
BankGains = Mapping[tuple[Hand, int], tuple[int, int]]
"""By the bank's first hand and the seat's choice: the seat's gains as the bank stands or draws."""


def seat_gains(values: DrawValues, *, policy: DrawPolicy) -> SeatGains:
    """Weigh the seat's choices against this policy of the bank."""
    gains = {hand: (0, 0) for hand in TWO_CARDS if total_of(hand) != NATURAL}
    for (seat, bank), pair in values.open_pairs.items():
        stand, draw = gains[seat]
        gains[seat] = (
            stand + pair.gains[STAND][bank in policy.bank_after_stand],
            draw + pair.gains[DRAW][bank in policy.bank_after_draw],
        )
    return gains


def bank_gains(values: DrawValues, *, policy: DrawPolicy) -> BankGains:
    """Weigh the bank's choices, after a stand and after a draw, against this policy of the seat."""
    elective = [hand for hand in TWO_CARDS if total_of(hand) != NATURAL]
    gains = {(hand, choice): (0, 0) for hand in elective for choice in CHOICES}
    for (seat, bank), pair in values.open_pairs.items():
        choice = int(seat in policy.seat)
        stand, draw = gains[bank, choice]
        row = pair.gains[choice]
        gains[bank, choice] = (stand + row[STAND], draw + row[DRAW])
    return gains
