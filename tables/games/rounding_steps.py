"""What the steps of a wager do to its price: whether stakes leave fractions, how often, how much.

Every stake within limits is a multiple of the step. Winnings are exact when price x stake is a
multiple of the rounding unit; what is over goes round in a cycle of multiples of the step, so that
everything is said by one greatest common divisor and nothing needs to be tried out (A25).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd


@dataclass(frozen=True, slots=True)
class StepBreakage:
    """Fractions that a price leaves on stakes in steps; amounts in minor units.

    `share` is the part of all stakes that leave one. `worst` is the largest difference between
    exact and rounded winnings: positive where the bank keeps it, negative where it gives it.
    `clean_step_minor` is the smallest step that leaves none.
    """

    share: Fraction
    worst: Fraction
    clean_step_minor: int


def step_breakage(
    price: Fraction, *, step_minor: int, unit_minor: int, mode: str
) -> StepBreakage | None:
    """State the fractions of a price, to 1, for stakes in steps; None where there are none.

    `mode` is that of the option `rounding`. Precondition: step and unit are at least 1.
    """
    # In units of 1/denominator of a minor unit winnings are step x numerator x n, and the rounding
    # unit is `whole`; so what is over is a multiple of `smallest`.
    numerator, denominator = price.numerator, price.denominator
    whole = denominator * unit_minor
    smallest = gcd(step_minor * numerator, whole)
    if smallest == whole:
        return None
    return StepBreakage(
        share=1 - Fraction(smallest, whole),
        worst=Fraction(_worst(whole, smallest, mode=mode), denominator),
        clean_step_minor=whole // gcd(numerator, whole),
    )


def _worst(whole: int, smallest: int, *, mode: str) -> int:
    """Return the largest rest that is cut, or (negative) the largest that is added."""
    if mode == "down":
        return whole - smallest
    if mode == "up":
        return smallest - whole
    # The largest multiple below a half is cut; the smallest from a half on is filled up.
    below = (whole - 1) // 2 // smallest * smallest
    above = whole - (below + smallest)
    return below if below >= above else -above
