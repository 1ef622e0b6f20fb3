"""What a wager's ending moves in coins: the exact profit of the odds, rounded and capped.

The bridge from the odds, which are exact for a stake of 1, to the engine's arithmetic of money.
"""

from fractions import Fraction
from typing import Final

from tables.games.odds_elective_draw import elective_draw_profits
from tables.games.odds_fixed_draw import (
    EVEN,
    colon_rates,
    fixed_draw_profits,
    lost_price,
)
from tables.games.odds_poker import poker_profits
from tables.games.odds_results import Ending, Profits
from tables.games.odds_two_cards import COLON, COLON_NINE
from tables.games.options import read_map
from tables.games.poker_lucky_9 import poker_rules
from tables.games.rounding import Rounding, pay, read_rounding
from tables.games.values import Ruleset

POKER: Final = "poker-lucky-9"
FIXED: Final = "lucky-9"
ELECTIVE: Final = "lucky-9-social"

_COLONS: Final = {
    lost_price(mine, theirs): (mine, theirs)
    for mine in ("", COLON, COLON_NINE)
    for theirs in ("", COLON, COLON_NINE)
}


def ruleset_profits(ruleset: Ruleset) -> Profits:
    """State the profit for a stake of 1 of each ending of each wager under this ruleset."""
    if ruleset.game == POKER:
        return poker_profits(poker_rules(ruleset))
    if ruleset.game == FIXED:
        return fixed_draw_profits(ruleset.options)
    return elective_draw_profits(ruleset.options)


def bank_minor(ruleset: Ruleset, wager: str, *, ending: Ending, stake_minor: int) -> int:
    """State what the bank gains, in minor units, when a wager of this stake ends so.

    The wager is open. Winnings are rounded once, a commission off before, and capped (A24, A25,
    B23); the extra of a lost Colon and what a banker's Colon takes are amounts of their own (B10,
    B13).
    """
    rounding = read_rounding(read_map(ruleset.options["rounding"]))
    if ending.outcome == "push":
        return 0
    if ending.outcome == "win":
        profit = ruleset_profits(ruleset)[wager][ending]
        cap = poker_rules(ruleset).caps_minor.get(wager) if ruleset.game == POKER else None
        return -_coins(profit or Fraction(0), stake_minor, rounding=rounding, cap_minor=cap)
    if ruleset.game != FIXED:
        return stake_minor
    mine, theirs = _COLONS[ending.price]
    rates = colon_rates(ruleset.options)
    bonus = _coins(rates[mine or EVEN] - 1, stake_minor, rounding=rounding)
    owed = _coins(rates[theirs or EVEN] - 1, stake_minor, rounding=rounding)
    return stake_minor - bonus + owed


def _coins(
    profit: Fraction, stake_minor: int, *, rounding: Rounding, cap_minor: int | None = None
) -> int:
    odds = (profit.numerator, profit.denominator)
    return pay(stake_minor, odds=odds, rounding=rounding, cap_minor=cap_minor).profit_minor
