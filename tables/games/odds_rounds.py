"""What the same stakes bring a house over many rounds: exact mean and variance, normal shape.

Rounds are taken as independent. The shape alone is an approximation, so that it may be counted in
floats; nothing of it is money that anybody is owed.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tables.games.odds_counting import odds_error
from tables.games.odds_document import bank_result_document, figure
from tables.games.odds_results import RoundOdds
from tables.games.odds_stakes import BankResult, SeatCovariance, bank_result, table_result
from tables.games.registry import game_of
from tables.games.values import Ruleset

ROUNDS_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class HouseResult:
    """What the same stakes on every seat bring the house over a number of rounds, minor units.

    `expected` and `variance` are of one round at the exact odds; `of_seat` says what one seat's
    stakes bring as coins. `seats` is how many are counted: one while the covariance of two seats
    is missing.
    """

    rounds: int
    seats: int
    expected: Fraction
    variance: Fraction
    of_seat: BankResult

    @property
    def mean_minor(self) -> float:
        """The mean over all rounds."""
        return float(self.expected * self.rounds)

    @property
    def deviation_minor(self) -> float:
        """The standard deviation over all rounds, the rounds taken as independent."""
        return math.sqrt(self.variance * self.rounds)

    @property
    def behind(self) -> float:
        """The probability that the house is behind, by the normal approximation."""
        if not self.deviation_minor:
            return 0.0 if self.mean_minor >= 0 else 1.0
        return normal_below(-self.mean_minor / self.deviation_minor)

    @property
    def curve(self) -> tuple[tuple[int, float, float], ...]:
        """Deviations from the mean, the amount there, the probability of less."""
        return tuple(
            (n, self.mean_minor + n * self.deviation_minor, normal_below(n)) for n in range(-3, 4)
        )


def normal_below(deviations: float) -> float:
    """Return the probability that a normal value lies below so many standard deviations."""
    return (1 + math.erf(deviations / math.sqrt(2))) / 2


def result_over_rounds(
    ruleset: Ruleset,
    odds: RoundOdds,
    *,
    stakes: Mapping[str, int],
    seats: int,
    rounds: int,
    between: SeatCovariance | None,
) -> HouseResult:
    """State what these stakes on each of so many seats bring in so many rounds.

    `odds` are those of the full shoe. Without the covariance of two seats it is stated for one
    seat. Raises OddsError for stakes that the ruleset does not take, and for seats it has not.
    """
    most = game_of(ruleset).seats_max
    if not 1 <= seats <= most:
        raise odds_error(("odds.bad_number", "seats", f"expected 1 to {most} seats"))
    of_seat = bank_result(ruleset, odds, stakes=stakes)
    counted = seats if between is not None else 1
    table = table_result(ruleset, odds, between=between or {}, seats=[stakes] * counted)
    return HouseResult(
        rounds=rounds,
        seats=counted,
        expected=table.expected,
        variance=table.variance,
        of_seat=of_seat,
    )


def rounds_document(result: HouseResult) -> dict[str, object]:
    """Write the result over many rounds, amounts in minor units; what is approximate is text."""
    return {
        "rounds": result.rounds,
        "seats": result.seats,
        "expected": figure(result.expected),
        "variance": figure(result.variance),
        "of_seat": bank_result_document(result.of_seat),
        "mean_minor": f"{result.mean_minor:.2f}",
        "deviation_minor": f"{result.deviation_minor:.2f}",
        "behind": f"{result.behind:.6f}",
        "curve": [
            {"deviations": n, "bank_minor": f"{amount:.2f}", "below": f"{below:.6f}"}
            for n, amount, below in result.curve
        ],
    }
