"""What the odds of a ruleset are made of: endings of wagers, their probabilities, what follows.

All figures are exact fractions for one unit of stake, seen from the seat: a profit is positive when
the seat gains. Rounding to chips and caps on a profit depend on the stake and are left out here
(`odds.house_results` prices them for given stakes). Nothing here knows a game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from tables.games.odds_counting import Composition

Price = tuple[int, int]


class Ending(NamedTuple):
    """How a wager ends: `win`, `lose` or `push`, and the class that sets its price.

    `price` is `trio`, `pair`, `lucky9` (game A, main), `even`, `colon`, `colon_nine` (B), the
    wager's own name where it has one price, `bonus_colon` and the like where a lost wager still
    moves more or less than its stake, else empty.
    """

    outcome: str
    price: str = ""


LOSE = Ending("lose")
PUSH = Ending("push")


@dataclass(frozen=True, slots=True)
class OutcomeOdds:
    """One ending of a wager: profit for a stake of 1 (None where the ruleset names no price)."""

    ending: Ending
    probability: Fraction
    profit: Fraction | None


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The odds of one wager kind; edge, expectation and variance are None while it is closed.

    `fair_odds` is the average profit of a win, to 1, at which the house would have no edge; None
    where the wager cannot win. `hit_rate` is the probability of a win.
    """

    wager: str
    outcomes: tuple[OutcomeOdds, ...]
    hit_rate: Fraction
    push_rate: Fraction
    fair_odds: Fraction | None
    expected: Fraction | None
    house_edge: Fraction | None
    variance: Fraction | None

    def probability(self, outcome: str, price: str | None = None) -> Fraction:
        """Add up the endings of this outcome, of all price classes or of one."""
        return sum(
            (
                one.probability
                for one in self.outcomes
                if one.ending.outcome == outcome and price in (None, one.ending.price)
            ),
            Fraction(0),
        )


@dataclass(frozen=True, slots=True)
class JointOutcome:
    """One combination of endings, in the order of the wagers, and its probability."""

    endings: tuple[Ending, ...]
    probability: Fraction


@dataclass(frozen=True, slots=True)
class RoundOdds:
    """The odds of one seat for one round under a ruleset, from one composition of the shoe.

    `covariance` holds every ordered pair of open wagers, for a stake of 1 each; a wager with itself
    is its variance. `policy` says by which elective draws the figures hold, in words of
    `odds_policy`; empty where nothing is elected.
    """

    game: str
    ruleset: str
    composition: Composition
    policy: Mapping[str, str]
    wagers: Mapping[str, WagerOdds]
    joint: tuple[JointOutcome, ...]
    covariance: Mapping[tuple[str, str], Fraction]


Profits = Mapping[str, Mapping[Ending, Fraction | None]]
"""By wager and ending, in reading order: the seat's profit for 1 staked, None without a price."""


def joint_outcomes(counts: Mapping[tuple[Ending, ...], int]) -> tuple[JointOutcome, ...]:
    """Turn counted deals into probabilities, the endings in a stable order, none that cannot be."""
    deals = sum(counts.values())
    return tuple(
        JointOutcome(endings, Fraction(count, deals))
        for endings, count in sorted(counts.items())
        if count
    )


def wager_odds(
    wager: str, *, place: int, joint: Iterable[JointOutcome], profits: Profits
) -> WagerOdds:
    """State the odds of the wager at this place of the joint outcomes."""
    chances: dict[Ending, Fraction] = {}
    for one in joint:
        ending = one.endings[place]
        chances[ending] = chances.get(ending, Fraction(0)) + one.probability
    rows = tuple(
        OutcomeOdds(ending, chances[ending], profit)
        for ending, profit in profits[wager].items()
        if ending in chances
    )
    hit = sum((row.probability for row in rows if row.ending.outcome == "win"), Fraction(0))
    push = sum((row.probability for row in rows if row.ending.outcome == "push"), Fraction(0))
    given_up = -_moment((row for row in rows if row.ending.outcome == "lose"), power=1)
    if all(row.profit is not None for row in rows):
        expected = _moment(rows, power=1)
        variance = _moment(rows, power=2) - expected**2
        return WagerOdds(
            wager, rows, hit, push, given_up / hit if hit else None, expected, -expected, variance
        )
    return WagerOdds(wager, rows, hit, push, given_up / hit if hit else None, None, None, None)


def _moment(rows: Iterable[OutcomeOdds], *, power: int) -> Fraction:
    return sum((row.probability * (row.profit or 0) ** power for row in rows), Fraction(0))


def covariances(
    joint: Iterable[JointOutcome], *, wagers: Mapping[str, WagerOdds], profits: Profits
) -> dict[tuple[str, str], Fraction]:
    """State the covariance of the profits of every ordered pair of open wagers."""
    means = {name: odds.expected for name, odds in wagers.items() if odds.expected is not None}
    place = {name: number for number, name in enumerate(wagers)}
    found = {(one, other): -means[one] * means[other] for one in means for other in means}
    for deal in joint:
        profit = {name: profits[name][deal.endings[place[name]]] or 0 for name in means}
        for one, other in found:
            found[one, other] += deal.probability * profit[one] * profit[other]
    return found


def in_units(profits: Profits) -> tuple[dict[str, int], dict[str, dict[Ending, int]]]:
    """Write the profits of the open wagers as whole numbers of a unit of each wager's own.

    Returns how many units one staked is, and the profits in units.
    """
    staked: dict[str, int] = {}
    units: dict[str, dict[Ending, int]] = {}
    for wager, by_ending in profits.items():
        known = {ending: profit for ending, profit in by_ending.items() if profit is not None}
        if len(known) == len(by_ending):
            staked[wager] = lcm(*(profit.denominator for profit in known.values()))
            units[wager] = {ending: int(profit * staked[wager]) for ending, profit in known.items()}
    return staked, units
