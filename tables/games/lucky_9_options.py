"""The options of Lucky 9 (rules 1B, 1D): their forms and defaults, and their typed reading."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tables.games.lucky_hands import LuckyHand
from tables.games.options import (
    ROUNDING,
    Choice,
    Fixed,
    Flag,
    Form,
    Group,
    Price,
    Whole,
    read_map,
    read_odds,
)
from tables.games.rounding import Rounding, read_rounding
from tables.games.values import Odds, Ruleset

COLON_ODDS: Final[Odds] = (2, 1)
NINE_ODDS: Final[Odds] = (3, 1)
_COLON: Final[Form] = Group(
    {
        "enabled": Flag(True),
        "odds": Price(COLON_ODDS),
        "nine_odds": Price(NINE_ODDS),
        "on_loss": Choice(("none", "bonus_part")),
    }
)
SCHEMA: Final = Group(
    {
        "decks": Whole(1, low=1, high=8),
        "draw_rule": Fixed("fixed_0_5"),
        "forced_draw": Choice(("off", "to_7", "all")),
        "natural_priority": Choice(("outranks_drawn", "nine_only", "total_only")),
        "banker_natural_stops_draws": Flag(True),
        "colon": _COLON,
        "banker_colon_collects": Choice(("stake", "multiple")),
        "commission": Price((0, 100), share=True),
        "tie": Fixed("push"),
        "rounding": ROUNDING,
    },
    unknown="unknown_option",
)


@dataclass(frozen=True, slots=True)
class LuckyRules:
    """The options of a Lucky 9 ruleset, typed. `draws_to` is the highest total that draws."""

    decks: int
    draws_to: int
    naturals: bool
    priority: str
    bank_natural_stops: bool
    colon: bool
    colon_odds: Odds
    nine_odds: Odds
    bonus_on_loss: bool
    bank_colon_multiple: bool
    commission: Odds
    rounding: Rounding

    def is_natural(self, first_two: int) -> bool:
        """Tell whether a first-two total stands as a natural; none does where all must draw."""
        return self.naturals and first_two >= 8

    def is_decided_early(self, first_two: int) -> bool:
        """Tell whether a punter's natural is above whatever a bank may still draw (B3, B5)."""
        if not self.is_natural(first_two) or self.priority == "total_only":
            return False
        return first_two == 9 or self.priority == "outranks_drawn"

    def must_draw(self, first_two: int) -> bool:
        """Tell whether the draw rule demands a third card on a first-two total (B1, B16)."""
        return first_two <= self.draws_to

    def rate(self, hand: LuckyHand) -> Odds | None:
        """Return the price of a hand's Colon, None if it has none (B8, B9, B14)."""
        if not self.colon or not hand.pair:
            return None
        return self.nine_odds if hand.pair == "9" else self.colon_odds


def lucky_rules(ruleset: Ruleset) -> LuckyRules:
    """Return the typed options of a ruleset of this game."""
    assert isinstance(ruleset.rules, LuckyRules)
    return ruleset.rules


def read_options(options: Mapping[str, object]) -> LuckyRules:
    """Return the typed form of validated options."""
    decks, forced, colon = options["decks"], options["forced_draw"], read_map(options["colon"])
    assert isinstance(decks, int)
    return LuckyRules(
        decks=decks,
        draws_to={"off": 5, "to_7": 7}.get(str(forced), 9),
        naturals=forced != "all",
        priority=str(options["natural_priority"]),
        bank_natural_stops=options["banker_natural_stops_draws"] is True,
        colon=colon["enabled"] is True,
        colon_odds=read_odds(colon["odds"]),
        nine_odds=read_odds(colon["nine_odds"]),
        bonus_on_loss=colon["on_loss"] == "bonus_part",
        bank_colon_multiple=options["banker_colon_collects"] == "multiple",
        commission=read_odds(options["commission"]),
        rounding=read_rounding(read_map(options["rounding"])),
    )
