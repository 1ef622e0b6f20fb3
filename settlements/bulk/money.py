"""Prices, rounding and exactness of the second engine (A22, A25, B23).

Works on whole columns of stakes. Every figure is exact: as long as nothing can overflow the
arithmetic runs in int64, else the same statements run on Python integers. Knows no cards.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import BulkError, Verdict

Whole = NDArray[np.int64] | NDArray[np.object_]
Verdicts = NDArray[np.uint8]

# A line's figures stay below this in int64, so that forty lines of a round can be added up.
LINE_BOUND: Final = 2**57
INT64_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Prices:
    """What the wins of one wager kind pay.

    `odds` are as the ruleset writes them, by price index. `gains` are what a stake of one gains the
    player by verdict, net of commission, and `commissions` what the bank keeps of a win, both in
    parts of `denominator`. No step overflows int64 for stakes up to `stake_bound`; 0 when even a
    stake of one might.
    """

    odds: tuple[tuple[int, int], ...]
    gains: tuple[int, ...]
    commissions: tuple[int, ...]
    denominator: int
    unit_minor: int
    mode: str
    cap_minor: int | None
    stake_bound: int


def read_odds(value: object) -> tuple[int, int]:
    """Read odds as the ruleset writes them."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BulkError(f"expected odds as two integers, got {value!r}")
    return int(value[0]), int(value[1])


def make_prices(
    odds: Sequence[tuple[int, int]],
    *,
    rounding: Mapping[str, object],
    cap_minor: int | None = None,
    commission: Fraction = Fraction(0),
) -> Prices:
    """Compile the odds of one wager kind; the commission is a part of the profit (B23)."""
    unit, mode = rounding["unit_minor"], rounding["mode"]
    if not isinstance(unit, int) or unit < 1 or mode not in ("down", "half_up", "up"):
        raise BulkError(f"expected a rounding unit from 1 and a known mode, got {rounding!r}")
    gross = [Fraction(*pair) for pair in odds]
    kept = [rate * commission for rate in gross]
    common = lcm(*(part.denominator for part in [*gross, *kept]))
    gains = [0] * Verdict.WIN
    gains[Verdict.LOSE] = -common
    commissions = [0] * Verdict.WIN + [int(part * common) for part in kept]
    gains += [int((rate - part) * common) for rate, part in zip(gross, kept, strict=True)]
    room = LINE_BOUND - 4 * common * unit
    highest = max(map(abs, gains + commissions))
    return Prices(
        odds=tuple(odds),
        gains=tuple(gains),
        commissions=tuple(commissions),
        denominator=common,
        unit_minor=unit,
        mode=str(mode),
        cap_minor=cap_minor,
        stake_bound=max(0, room // (2 * highest)),
    )


def gain_minor(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    """Give what each line gains the player: rounded and capped profit, or less the stake lost."""
    return _exactly(_gain_minor, prices, verdict, stake)


def cap_cut_minor(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    """Give what the payout cap took from each line's rounded winnings (A24)."""
    return _exactly(_cap_cut_minor, prices, verdict, stake)


def breakage_parts(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    """Give exact less rounded winnings of each line, in parts of `prices.denominator`."""
    return _exactly(_breakage_parts, prices, verdict, stake)


def commission_parts(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    """Give the exact commission on each line, in parts of `prices.denominator` (B23)."""
    return _exactly(_commission_parts, prices, verdict, stake)


Figure = Callable[[Prices, Verdicts, Whole], Whole]


def _exactly(figure: Figure, prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    """Work a figure out in int64, and on Python integers for the stakes that are too large.

    The answer is a column of Python integers only if it holds one that is too large to be added up.
    """
    if stake.max(initial=0) <= prices.stake_bound:
        return figure(prices, verdict, stake)
    large = stake > prices.stake_bound
    values: Whole = np.zeros(stake.shape, dtype=np.int64)
    if prices.stake_bound:
        values = figure(prices, verdict, stake * ~large)
    exact = figure(prices, verdict[large], stake[large].astype(np.object_))
    if max(abs(int(value)) for value in exact) > LINE_BOUND:
        values = values.astype(np.object_)
    values[large] = exact
    return values


def _weighted(table: tuple[int, ...], verdict: Verdicts, stake: Whole) -> Whole:
    """Multiply each stake with its verdict's entry of the table."""
    if stake.dtype == np.object_:
        parts: Whole = np.array(table, dtype=np.object_).take(verdict, mode="clip")
    else:
        parts = np.array(table, dtype=np.int64).take(verdict, mode="clip")
    parts *= stake
    return parts


def _rounded(prices: Prices, parts: Whole) -> Whole:
    """Round parts of the denominator to whole units, each bet by itself (A25), before any cap."""
    unit, step = prices.unit_minor, prices.unit_minor * prices.denominator
    if prices.mode == "half_up":
        units: Whole = (2 * parts + step) // (2 * step)
    elif prices.mode == "up":
        units = (parts + (step - 1)) // step
    elif step > 1:
        units = parts // step
    else:
        units = parts
    return units if unit == 1 else units * unit


def _capped(prices: Prices, gain: Whole) -> Whole:
    """Cut winnings at the posted cap, after rounding (A24)."""
    cap = prices.cap_minor
    if cap is None or (cap > LINE_BOUND and gain.dtype != np.object_):
        return gain
    capped: Whole = np.minimum(gain, cap)
    return capped


def _won_parts(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    """Give the exact winnings, net of commission, in parts of the denominator; 0 for no win."""
    won: Whole = np.maximum(_weighted(prices.gains, verdict, stake), 0)
    return won


def _gain_minor(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    gain = _rounded(prices, _weighted(prices.gains, verdict, stake))
    if prices.unit_minor > 1:
        # A lost stake is no price: it is not rounded.
        gain = np.where(verdict == Verdict.LOSE, -stake, gain)
    return _capped(prices, gain)


def _cap_cut_minor(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    rounded = _rounded(prices, _won_parts(prices, verdict, stake))
    cut: Whole = rounded - _capped(prices, rounded)
    return cut


def _breakage_parts(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    won = _won_parts(prices, verdict, stake)
    broken: Whole = won - _rounded(prices, won) * prices.denominator
    return broken


def _commission_parts(prices: Prices, verdict: Verdicts, stake: Whole) -> Whole:
    return _weighted(prices.commissions, verdict, stake)


class Ledger:
    """Figures of all rounds, filled block by block; turns to Python integers past int64."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """Make room; the rounds are the last axis, and every block is put once."""
        self.values: Whole = np.empty(shape, dtype=np.int64)

    def put(self, rows: slice, values: Whole) -> None:
        """Store the figures of one block."""
        if values.dtype == np.object_ and any(abs(int(value)) > INT64_MAX for value in values.flat):
            self.values = self.values.astype(np.object_)
        self.values[..., rows] = values
