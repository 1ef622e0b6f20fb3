"""What a bank expects from given stakes: at the exact odds, and as coins and caps make it.

One seat with all its chances, or a whole table with its mean and variance. Amounts are in minor
units, seen from the bank: positive when it gains.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tables.games.odds_counting import odds_error
from tables.games.odds_paid import POKER, bank_minor
from tables.games.odds_results import RoundOdds, WagerOdds
from tables.games.poker_options import poker_rules
from tables.games.registry import game_of
from tables.games.values import STAKE_MAX, Ruleset

Stakes = Mapping[str, int]
"""By wager kind, the stake of one seat in minor units."""
SeatCovariance = Mapping[tuple[str, str], Fraction]


@dataclass(frozen=True, slots=True)
class BankResult:
    """What one seat's stakes bring the bank in a round.

    `exact` is the expectation at the exact odds, `paid` the one after rounding and caps; `variance`
    and `chances` (amount and probability, from the greatest loss upwards) are those of `paid`.
    """

    exact: Fraction
    paid: Fraction
    variance: Fraction
    chances: tuple[tuple[int, Fraction], ...]

    @property
    def kept(self) -> Fraction:
        """What rounding and caps are expected to keep for the bank; negative where they give."""
        return self.paid - self.exact


@dataclass(frozen=True, slots=True)
class TableResult:
    """What all seats' stakes bring the bank in a round at the exact odds."""

    expected: Fraction
    variance: Fraction


def bank_result(ruleset: Ruleset, odds: RoundOdds, *, stakes: Stakes) -> BankResult:
    """State what these stakes of one seat bring the bank. Raises OddsError.

    `odds` are those of this ruleset. Refused are unknown wagers, stakes that are not whole and
    positive, and wagers that the rules refuse beside the others (A13, A21).
    """
    _check_stakes(ruleset, stakes)
    kinds = list(odds.wagers)
    chances: dict[int, Fraction] = {}
    for deal in odds.joint:
        amount = sum(
            bank_minor(ruleset, wager, ending=ending, stake_minor=stakes[wager])
            for wager, ending in zip(kinds, deal.endings)
            if wager in stakes
        )
        chances[amount] = chances.get(amount, Fraction(0)) + deal.probability
    paid = sum((amount * chance for amount, chance in chances.items()), Fraction(0))
    square = sum((amount**2 * chance for amount, chance in chances.items()), Fraction(0))
    exact = _exact(odds.wagers, stakes)
    return BankResult(exact, paid, square - paid**2, tuple(sorted(chances.items())))


def table_result(
    ruleset: Ruleset, odds: RoundOdds, *, between: SeatCovariance, seats: Sequence[Stakes]
) -> TableResult:
    """State what all seats' stakes bring the bank; `between` is `seat_covariance` of the ruleset.

    `odds` are those of the full shoe. Raises OddsError.
    """
    for stakes in seats:
        _check_stakes(ruleset, stakes)
    expected = sum((_exact(odds.wagers, stakes) for stakes in seats), Fraction(0))
    variance = Fraction(0)
    for number, mine in enumerate(seats):
        for other_number, theirs in enumerate(seats):
            covariance = odds.covariance if number == other_number else between
            variance += _crossed(mine, theirs, covariance=covariance)
    return TableResult(expected, variance)


def _crossed(mine: Stakes, theirs: Stakes, *, covariance: SeatCovariance) -> Fraction:
    return sum(
        (mine[one] * theirs[other] * covariance[one, other] for one in mine for other in theirs),
        Fraction(0),
    )


def _exact(wagers: Mapping[str, WagerOdds], stakes: Stakes) -> Fraction:
    edges = ((wagers[wager].house_edge, stake) for wager, stake in stakes.items())
    return sum((edge * stake for edge, stake in edges if edge is not None), Fraction(0))


def _check_stakes(ruleset: Ruleset, stakes: Stakes) -> None:
    faults = [*_stake_faults(ruleset, stakes)]
    if faults:
        raise odds_error(*faults)


def _stake_faults(ruleset: Ruleset, stakes: Stakes) -> Iterable[tuple[str, str, str]]:
    game = game_of(ruleset)
    for wager, stake in stakes.items():
        if wager not in game.kinds:
            detail = f"expected one of {', '.join(game.kinds)}, got {wager!r}"
            yield ("odds.unknown_wager", wager, detail)
        elif type(stake) is not int or not 0 < stake <= STAKE_MAX:
            yield ("odds.bad_stake", wager, "expected a stake in whole minor units, from 1")
        elif (refusal := game.refusal(ruleset, stakes, kind=wager)) is not None:
            detail = f"the rules refuse this wager here ({refusal.clause})"
            yield ("odds.refused_wager", wager, detail)
        elif _may_push(ruleset) and not game.has_hand(ruleset, stakes):
            detail = "a seat without a hand of its own cannot tie: add a wager that buys cards"
            yield ("odds.no_hand", wager, detail)


def _may_push(ruleset: Ruleset) -> bool:
    """Whether a jacks wager can come back because the seat ties (A15)."""
    return ruleset.game == POKER and poker_rules(ruleset).jacks_push_on_tie
