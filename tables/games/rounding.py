"""From exact winnings to coins: one rounding for each wager, never for a seat's total (A25).

What rounding, a cap and a commission take away is kept as figures of its own, so that
stake x odds = profit + cap_cut + commission + breakage holds exactly.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from tables.games.values import Odds

ZERO: Final = Fraction(0)
NO_COMMISSION: Final[Odds] = (0, 1)

RoundingMode = Literal["down", "half_up", "up"]


class Rounding(NamedTuple):
    """The unit in minor units to which winnings are rounded, and which way."""

    unit_minor: int
    mode: RoundingMode


class Pay(NamedTuple):
    """What a won wager brings beyond its stake, in minor units, and what was taken from it."""

    profit_minor: int
    breakage: Fraction
    cap_cut_minor: int
    commission: Fraction


def read_rounding(options: Mapping[str, object]) -> Rounding:
    """Return the typed form of the validated option `rounding`."""
    unit, mode = options["unit_minor"], options["mode"]
    assert isinstance(unit, int)
    assert mode == "down" or mode == "half_up" or mode == "up"
    return Rounding(unit, mode)


def round_exact(numerator: int, denominator: int, *, rounding: Rounding) -> int:
    """Round numerator/denominator, not negative, to a multiple of the unit.

    `down` cuts, `up` goes to the next unit, `half_up` to the nearest, a half going up.
    """
    unit, mode = rounding
    whole, rest = divmod(numerator, denominator * unit)
    if rest and (mode == "up" or (mode == "half_up" and 2 * rest >= denominator * unit)):
        whole += 1
    return whole * unit


def pay(
    stake_minor: int,
    *,
    odds: Odds,
    rounding: Rounding,
    cap_minor: int | None = None,
    commission: Odds = NO_COMMISSION,
) -> Pay:
    """Return the winnings of a stake at `odds` to one: commission off, rounded once, then capped.

    `commission` is a share of the exact winnings (B23); `cap_minor` is the posted maximum (A24).
    """
    numerator, denominator = stake_minor * odds[0], odds[1]
    taken = ZERO
    if commission[0]:
        denominator *= commission[1]
        taken = Fraction(numerator * commission[0], denominator)
        numerator *= commission[1] - commission[0]
    rounded = round_exact(numerator, denominator, rounding=rounding)
    rest = numerator - rounded * denominator
    breakage = Fraction(rest, denominator) if rest else ZERO
    if cap_minor is not None and rounded > cap_minor:
        return Pay(cap_minor, breakage, rounded - cap_minor, taken)
    return Pay(rounded, breakage, 0, taken)
