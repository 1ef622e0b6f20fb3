"""The odds of Lucky 9 with the fixed draw (game B, `rules.md` 1B), one seat against the banker.

The draw is a rule, so nothing is elected and every other seat may be left out: its cards come from
the same shoe, whichever they are, and change neither hand's chances. The bonus line of a lost Colon
(B10) and what a banker's Colon takes beyond the stake (B13) count as part of the main wager here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from tables.games.odds_counting import Hand
from tables.games.odds_results import PUSH, Ending, Profits
from tables.games.odds_two_cards import COLON, COLON_NINE, First, Side, colon_of, total_of
from tables.games.options import read_map, read_odds

EVEN: Final = "even"
_DRAWS_TO: Final = {"off": 5, "to_7": 7, "all": 9}
_NATURAL_FROM: Final = 8
_NINE: Final = 9


@dataclass(frozen=True, slots=True)
class FixedDraw:
    """Who draws, who wins and what kind of win it is, by the options of game B."""

    draws_to: int
    natural_priority: str
    banker_natural_stops: bool
    colon: bool
    bonus_on_loss: bool
    banker_collects_colon: bool

    @classmethod
    def of(cls, options: Mapping[str, object]) -> "FixedDraw":
        """Read the options (`round-document`, game B)."""
        colon = read_map(options["colon"])
        enabled = colon["enabled"] is True
        return cls(
            draws_to=_DRAWS_TO[str(options["forced_draw"])],
            natural_priority=str(options["natural_priority"]),
            banker_natural_stops=options["banker_natural_stops_draws"] is True,
            colon=enabled,
            bonus_on_loss=enabled and colon["on_loss"] == "bonus_part",
            banker_collects_colon=enabled and options["banker_colon_collects"] == "multiple",
        )

    def seat_first(self, hand: Hand) -> First:
        """Describe a first hand; who must draw is the same for both sides (B1, B16)."""
        total = total_of(hand)
        draws = total <= self.draws_to
        return First(total, colon_of(hand) if self.colon else "", draws, draws)

    bank_first = seat_first

    def sides(self, seat: First, bank: First) -> tuple[Side, Side]:
        """Say who draws: a banker's natural may leave the seat with two cards (B4).

        Whether the banker still draws against a hand that is decided (B5) changes no money.
        """
        stopped = self.banker_natural_stops and _is_natural(bank)
        return Side(seat.total, seat.draws and not stopped), Side(bank.total, bank.draws)

    def ending(self, seat: First, bank: First, *, finals: tuple[int, int]) -> Ending:
        """Say how the main wager ends (B2, B3, B10 to B14)."""
        mine = (self._priority(seat), finals[0])
        theirs = (self._priority(bank), finals[1])
        if mine == theirs:
            return PUSH
        if mine > theirs:
            return Ending("win", seat.colon or EVEN)
        bonus = seat.colon if self.bonus_on_loss else ""
        owed = bank.colon if self.banker_collects_colon else ""
        return Ending("lose", lost_price(bonus, owed))

    def _priority(self, first: First) -> bool:
        """Whether this first hand stands above every drawn hand, as B3 is chosen."""
        if self.natural_priority == "outranks_drawn":
            return _is_natural(first)
        return self.natural_priority == "nine_only" and _is_natural(first) and first.total == _NINE


def _is_natural(first: First) -> bool:
    """Whether the hand is an 8 or 9 that stands; one that is forced to draw (B16) is none."""
    return first.total >= _NATURAL_FROM and not first.draws


def colon_rates(options: Mapping[str, object]) -> dict[str, Fraction]:
    """State the profit of a won wager by the kind of win, before commission (B9)."""
    colon = read_map(options["colon"])
    return {
        EVEN: Fraction(1),
        COLON: Fraction(*read_odds(colon["odds"])),
        COLON_NINE: Fraction(*read_odds(colon["nine_odds"])),
    }


def lost_price(seat_colon: str, bank_colon: str) -> str:
    """Name a lost wager by the Colons that still move money (B10, B13)."""
    parts = [f"bonus_{seat_colon}"] if seat_colon else []
    parts += [f"banker_{bank_colon}"] if bank_colon else []
    return "+".join(parts)


def fixed_draw_profits(options: Mapping[str, object]) -> Profits:
    """State the profit for a stake of 1 of each ending of the main wager (B9, B10, B13, B23)."""
    rates = colon_rates(options)
    kept = 1 - Fraction(*read_odds(options["commission"]))
    main: dict[Ending, Fraction | None] = {
        Ending("win", price): rate * kept for price, rate in rates.items()
    }
    main[PUSH] = Fraction(0)
    for mine, theirs in product(("", COLON, COLON_NINE), repeat=2):
        extra = rates[mine or EVEN] - rates[theirs or EVEN]
        main[Ending("lose", lost_price(mine, theirs))] = extra - 1
    return {"main": main}
