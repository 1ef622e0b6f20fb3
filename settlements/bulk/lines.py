"""The lines of a few rounds, read back from the second engine's columns to be compared.

Turns numbers into names and exact fractions; works nothing out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from settlements.bulk.codes import FAULTS, OUTCOMES, Verdict
from settlements.bulk.columns import KindResult, Result
from settlements.bulk.money import Whole

LINE_KINDS: Final = ("main", "tie", "pair", "jacks", "colon_bonus")


@dataclass(frozen=True, slots=True)
class Line:
    """What one wager came to; amounts in minor units, `breakage` and `commission` exact.

    `breakage` is what rounding brought the bank, on winnings and on what is owed beyond the stake.
    """

    seat: int
    kind: str
    stake_minor: int
    outcome: str
    odds: tuple[int, int] | None
    profit_minor: int
    returned_minor: int
    extra_owed_minor: int
    cap_cut_minor: int
    breakage: Fraction
    commission: Fraction


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The lines of one round in seat order, what the bank gains, or what stopped it."""

    lines: tuple[Line, ...]
    bank_minor: int
    fault: str


@dataclass(frozen=True, slots=True)
class _Figures:
    """The columns of one kind, worked out once for a batch."""

    lines: KindResult
    profit: Whole
    returned: Whole
    cap_cut: Whole
    breakage: Whole
    commission: Whole
    extra: Whole | None
    extra_breakage: Whole | None
    extra_denominator: int


def read_lines(result: Result, *, seats: Sequence[Sequence[int]]) -> Iterator[Recomputed]:
    """Read the rounds of a batch back, each with its seats in the given order."""
    kinds = [kind for kind in LINE_KINDS if kind in result.kinds]
    figures = {kind: _work_out(result, kind) for kind in kinds}
    for row, order in enumerate(seats):
        lines = tuple(
            _line(column, row=row, seat=seat, kind=kind)
            for seat in order
            for kind, column in figures.items()
            if column.lines.verdict[row, seat - 1] != Verdict.NONE
        )
        yield Recomputed(lines, int(result.bank_minor[row]), FAULTS[int(result.fault[row])])


def _work_out(result: Result, kind: str) -> _Figures:
    """Work out every column of one kind."""
    lines = result.kinds[kind]
    extra = result.extra_owed if kind == "main" else None
    return _Figures(
        lines=lines,
        profit=lines.profit_minor(),
        returned=lines.returned_minor(),
        cap_cut=lines.cap_cut_minor(),
        breakage=lines.breakage_parts(),
        commission=lines.commission_parts(),
        extra=None if extra is None else extra.gain_minor(),
        extra_breakage=None if extra is None else extra.breakage_parts(),
        extra_denominator=1 if extra is None else extra.prices.denominator,
    )


def _line(column: _Figures, *, row: int, seat: int, kind: str) -> Line:
    """Read one line."""
    place = (row, seat - 1)
    prices, verdict = column.lines.prices, int(column.lines.verdict[place])
    won = verdict >= Verdict.WIN
    breakage = Fraction(int(column.breakage[place]), prices.denominator)
    if column.extra_breakage is not None:
        # Here the bank is the one that is paid: what is cut off it does not get (B13).
        breakage -= Fraction(int(column.extra_breakage[place]), column.extra_denominator)
    return Line(
        seat=seat,
        kind=kind,
        stake_minor=int(column.lines.stake[place]) if column.lines.stake_counts else 0,
        outcome=OUTCOMES[min(verdict, Verdict.WIN)],
        odds=prices.odds[verdict - Verdict.WIN] if won else None,
        profit_minor=int(column.profit[place]),
        returned_minor=int(column.returned[place]),
        extra_owed_minor=0 if column.extra is None else int(column.extra[place]),
        cap_cut_minor=int(column.cap_cut[place]),
        breakage=breakage,
        commission=Fraction(int(column.commission[place]), prices.denominator),
    )
