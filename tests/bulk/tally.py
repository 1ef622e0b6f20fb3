"""What rounds of Lucky 9 came to under the second engine, counted, and laid beside stated odds.

A wager's ending is its outcome, the price that a win took, and what the seat gained of one staked.
Sentences say what is more than five standard errors off; the errors follow from the stated odds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from settlements.bulk import Columns, Compiled, settle_columns
from settlements.bulk.codes import OUTCOMES, Verdict
from tables.games.odds_results import WagerOdds
from tests.bulk.shoes import STAKE, Ways

PRICES: Final = ("even", "colon", "colon_nine")
ERRORS_MAX: Final = 5
_GAIN_BITS: Final = 24


class Ended(NamedTuple):
    """How one main wager ended: `gain` is what the seat gained of one staked."""

    outcome: str
    price: str
    gain: Fraction


@dataclass
class Tally:
    """How many deals ended how, the seats of a round together."""

    counts: Counter[tuple[Ended, ...]] = field(default_factory=Counter)

    @property
    def deals(self) -> int:
        """Count the deals."""
        return self.counts.total()

    def seat(self, place: int) -> dict[Ended, int]:
        """Count one seat's endings."""
        counts: Counter[Ended] = Counter()
        for ended, deals in self.counts.items():
            counts[ended[place]] += deals
        return counts


def tally_columns(compiled: Compiled, columns: Columns, *, ways: Ways | None = None) -> Tally:
    """Settle rounds by the second engine and count their endings, each in so many ways."""
    result = settle_columns(compiled, columns)
    assert not result.fault.any()
    lines = result.kinds["main"]
    verdict, gain = lines.verdict.astype(np.int64), lines.gain_minor().astype(np.int64)
    if "colon_bonus" in result.kinds:
        gain = gain + result.kinds["colon_bonus"].gain_minor().astype(np.int64)
    if result.extra_owed is not None:
        gain = gain - result.extra_owed.gain_minor().astype(np.int64)
    assert (result.bank_minor == -gain.sum(axis=1)).all()
    codes = verdict << _GAIN_BITS | gain + (1 << _GAIN_BITS - 1)
    kinds, place = np.unique(codes, return_inverse=True)
    numbers = place.reshape(codes.shape) @ len(kinds) ** np.arange(columns.seats)
    found: Tally = Tally()
    for number in np.unique(numbers).tolist():
        chosen = numbers == number
        deals = np.count_nonzero(chosen) if ways is None else ways[chosen].sum()
        row = codes[int(np.argmax(chosen))].tolist()
        found.counts[tuple(_ended(code) for code in row)] += int(deals)
    return found


def _ended(code: int) -> Ended:
    verdict = code >> _GAIN_BITS
    gain = (code & (1 << _GAIN_BITS) - 1) - (1 << _GAIN_BITS - 1)
    price = PRICES[verdict - Verdict.WIN] if verdict >= Verdict.WIN else ""
    return Ended(OUTCOMES[min(verdict, Verdict.WIN)], price, Fraction(gain, STAKE))


def stated(odds: WagerOdds) -> dict[Ended, Fraction]:
    """Read the stated probability of every ending."""
    chances: dict[Ended, Fraction] = {}
    for row in odds.outcomes:
        assert row.profit is not None
        price = row.ending.price if row.ending.outcome == "win" else ""
        ended = Ended(row.ending.outcome, price, row.profit)
        chances[ended] = chances.get(ended, Fraction(0)) + row.probability
    return chances


def moment(chances: Mapping[Ended, Fraction], *, about: Fraction, power: int) -> Fraction:
    """Average a power of the gain's distance from a value."""
    parts = ((ended.gain - about) ** power * chance for ended, chance in chances.items())
    return sum(parts, Fraction(0))


def deviations(found: Tally, odds: WagerOdds, *, place: int = 0) -> list[str]:
    """Say which figures of one seat's wager are further from the stated odds than chance allows."""
    exact, deals = stated(odds), found.deals
    seen = {ended: Fraction(count, deals) for ended, count in found.seat(place).items()}
    assert odds.expected is not None
    assert odds.variance is not None
    mean, variance = moment(seen, about=Fraction(0), power=1), odds.variance
    fourth = moment(exact, about=odds.expected, power=4)
    rates = {
        name: sum((chance for ended, chance in seen.items() if ended.outcome == name), Fraction(0))
        for name in ("win", "push")
    }
    figures = [
        *_chances({str(ended): exact.get(ended, Fraction(0)) for ended in {**exact, **seen}}, seen),
        ("hit rate", rates["win"], odds.hit_rate, odds.hit_rate * (1 - odds.hit_rate)),
        ("push rate", rates["push"], odds.push_rate, odds.push_rate * (1 - odds.push_rate)),
        ("mean", mean, odds.expected, variance),
        ("variance", moment(seen, about=mean, power=2), variance, fourth - variance**2),
    ]
    return [
        sentence
        for name, value, expected, spread in figures
        for sentence in beyond(name, value, expected, error=sqrt(spread / deals))
    ]


Figure = tuple[str, Fraction, Fraction, Fraction]


def _chances(exact: Mapping[str, Fraction], seen: Mapping[Ended, Fraction]) -> Iterator[Figure]:
    """Lay the share of every ending beside its probability."""
    shares = {str(ended): share for ended, share in seen.items()}
    for name, chance in exact.items():
        yield name, shares.get(name, Fraction(0)), chance, chance * (1 - chance)


def covariance_deviation(found: Tally, exact: Fraction) -> list[str]:
    """Say whether the covariance of two seats is off; the error is taken from the tally itself."""
    means = [moment(_shares(found, place), about=Fraction(0), power=1) for place in (0, 1)]
    products = [
        ((one.gain - means[0]) * (other.gain - means[1]), Fraction(count, found.deals))
        for (one, other), count in found.counts.items()
    ]
    covariance = sum((product * share for product, share in products), Fraction(0))
    square = sum((product**2 * share for product, share in products), Fraction(0))
    error = sqrt((square - covariance**2) / found.deals)
    return list(beyond("covariance of two seats", covariance, exact, error=error))


def _shares(found: Tally, place: int) -> dict[Ended, Fraction]:
    return {ended: Fraction(count, found.deals) for ended, count in found.seat(place).items()}


def beyond(name: str, found: Fraction, exact: Fraction, *, error: float) -> Iterator[str]:
    """Say it where a figure is more than five standard errors off; without error it must be it."""
    if abs(found - exact) > ERRORS_MAX * error:
        yield f"{name}: {float(found):.6f}, stated {float(exact):.6f}, standard error {error:.6f}"
