"""The odds of Lucky 9 with the fixed draw (game B, rules 1B), one seat against the banker.

The draw is a rule, so nothing is elected and every other seat may be left out: its cards come from
the same shoe, whichever they are, and change neither hand's chances. Who draws and who wins is what
the engine says of such hands. The bonus line of a lost Colon (B10) and what a banker's Colon takes
beyond the stake (B13) count as part of the main wager here.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tables.games.lucky_9 import draws
from tables.games.lucky_9_lines import meet
from tables.games.lucky_9_options import LuckyRules
from tables.games.lucky_hands import LuckyHand
from tables.games.odds_counting import Hand
from tables.games.odds_results import PUSH, Ending, Profits
from tables.games.odds_two_cards import COLON, COLON_NINE, First, Side, colon_of, total_of

EVEN: Final = "even"
COLONS: Final = (COLON, COLON_NINE)


@dataclass(frozen=True, slots=True)
class FixedDraw:
    """How a round of game B goes on from two first hands."""

    rules: LuckyRules

    def seat_first(self, hand: Hand) -> First:
        """Describe a first hand; who must draw is the same for both sides (B1, B16)."""
        total = total_of(hand)
        must = self.rules.must_draw(total)
        return First(total, colon_of(hand) if self.rules.colon else "", must, must)

    bank_first = seat_first

    def sides(self, seat: First, bank: First) -> tuple[Side, Side]:
        """Say who draws when these two are alone (B4, B5).

        That the banker draws for other seats' sake changes nothing for a seat that is decided.
        """
        seats_draw, bank_draws = draws(self.rules, bank=bank.total, seats=[seat.total])
        return Side(seat.total, seats_draw[0]), Side(bank.total, bank_draws)

    def ending(self, seat: First, bank: First, *, finals: tuple[int, int]) -> Ending:
        """Say how the main wager ends, and which Colon moves money (B2, B3, B9 to B14)."""
        result = meet(self.rules, _hand(seat, finals[0]), _hand(bank, finals[1])).result
        if result == 0:
            return PUSH
        if result > 0:
            return Ending("win", seat.colon or EVEN)
        if bank.colon:
            return Ending("lose", _owed(bank.colon) if self.rules.bank_colon_multiple else "")
        return Ending("lose", _bonus(seat.colon) if self.rules.bonus_on_loss else "")


def _hand(first: First, total: int) -> LuckyHand:
    return LuckyHand(total=total, first_two=first.total, pair="", label="")


def _owed(colon: str) -> str:
    """Name a wager lost to a banker's Colon that takes more than the stake (B13)."""
    return f"banker_{colon}" if colon else ""


def _bonus(colon: str) -> str:
    """Name a lost wager whose Colon is still paid its extra (B10)."""
    return f"bonus_{colon}" if colon else ""


def colon_extras(rules: LuckyRules) -> dict[str, Fraction]:
    """State by kind of lost ending what moves beside the stake, per 1 staked, seen by the seat."""
    extras = {"": Fraction(0)}
    for colon, odds in zip(COLONS, (rules.colon_odds, rules.nine_odds)):
        extra = max(Fraction(*odds) - 1, Fraction(0))
        extras[_bonus(colon)] = extra
        extras[_owed(colon)] = -extra
    return extras


def fixed_draw_profits(rules: LuckyRules) -> Profits:
    """State the profit for a stake of 1 of each ending of the main wager (B9, B10, B13, B23)."""
    kept = 1 - Fraction(*rules.commission)
    prices = {
        EVEN: Fraction(1),
        COLON: Fraction(*rules.colon_odds),
        COLON_NINE: Fraction(*rules.nine_odds),
    }
    main: dict[Ending, Fraction | None] = {
        Ending("win", name): price * kept for name, price in prices.items()
    }
    main[PUSH] = Fraction(0)
    for name, extra in colon_extras(rules).items():
        main[Ending("lose", name)] = extra - 1
    return {"main": main}
