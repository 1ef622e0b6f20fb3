"""What a wager's ending moves in coins: the exact profit of the odds, rounded and capped.

The bridge from the odds, which are exact for a stake of 1, to the engine's arithmetic of money.
"""

from fractions import Fraction
from typing import Final

from tables.games.lucky_9 import Lucky9
from tables.games.lucky_9_options import lucky_rules
from tables.games.lucky_9_social import Lucky9Social, social_rules
from tables.games.odds_elective_draw import elective_draw_profits
from tables.games.odds_fixed_draw import colon_extras, fixed_draw_profits
from tables.games.odds_poker import poker_profits
from tables.games.odds_results import Ending, Profits
from tables.games.options import read_map
from tables.games.poker_lucky_9 import PokerLucky9
from tables.games.poker_options import poker_rules
from tables.games.rounding import Rounding, pay, read_rounding
from tables.games.values import Ruleset

POKER: Final = PokerLucky9.code
FIXED: Final = Lucky9.code
ELECTIVE: Final = Lucky9Social.code


def ruleset_profits(ruleset: Ruleset) -> Profits:
    """State the profit for a stake of 1 of each ending of each wager under this ruleset."""
    if ruleset.game == POKER:
        return poker_profits(poker_rules(ruleset))
    if ruleset.game == FIXED:
        return fixed_draw_profits(lucky_rules(ruleset))
    return elective_draw_profits(social_rules(ruleset).odds)


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
        profit = ruleset_profits(ruleset)[wager][ending] or Fraction(0)
        cap = poker_rules(ruleset).caps_minor.get(wager) if ruleset.game == POKER else None
        return -_coins(profit, stake_minor, rounding=rounding, cap_minor=cap)
    if ruleset.game != FIXED:
        return stake_minor
    extra = colon_extras(lucky_rules(ruleset))[ending.price]
    coins = _coins(abs(extra), stake_minor, rounding=rounding)
    return stake_minor - coins if extra > 0 else stake_minor + coins


def _coins(
    profit: Fraction, stake_minor: int, *, rounding: Rounding, cap_minor: int | None = None
) -> int:
    odds = (profit.numerator, profit.denominator)
    return pay(stake_minor, odds=odds, rounding=rounding, cap_minor=cap_minor).profit_minor
