"""What the second engine reads and writes: columns of rounds, columns of results.

Arrays have the shape (rounds, seats) or (rounds, seats, cards); seat n lies in column n - 1. They
are fastest in Fortran order, where one seat's rounds lie side by side. Knows no rule of play.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import BulkError, Part, Verdict
from settlements.bulk.money import (
    Ledger,
    Prices,
    Verdicts,
    Whole,
    breakage_parts,
    cap_cut_minor,
    commission_parts,
    gain_minor,
)

# Rounds per block: a block's columns stay in the second-level cache (bench of the second engine).
BLOCK: Final = 16384

Faces = NDArray[np.int8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Columns:
    """A batch of rounds under one ruleset.

    `cards` (n, seats, 3) and `bank` (n, 3) hold faces as in `codes.FACES`; `stakes` int64 (n,
    seats) by wager kind, 0 for none. `stage` (n) is `codes.Stage`, left out when no round was
    voided; `touched` (n, seats) says whose first two cards the fault touches. `decisions` and
    `bank_decision` are for game C alone. `taken_out` (n, seats) by kind marks wagers that an
    irregularity took out of play: they have no line, and their seat may hold any cards or none.
    """

    cards: Faces
    bank: Faces
    stakes: Mapping[str, NDArray[np.int64]]
    part: Part = Part.WHOLE
    stage: NDArray[np.int8] | None = None
    touched: Flags | None = None
    decisions: NDArray[np.int8] | None = None
    bank_decision: NDArray[np.int8] | None = None
    taken_out: Mapping[str, Flags] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """Count the rounds."""
        return int(self.cards.shape[0])

    @property
    def seats(self) -> int:
        """Count the seats for which there are columns."""
        return int(self.cards.shape[1])

    def check(self, kinds: tuple[str, ...]) -> None:
        """Raise BulkError unless all shapes agree and every kind belongs to the game."""
        flat = (self.rounds, self.seats)
        expected = {
            "cards": (self.cards.shape, (*flat, 3)),
            "bank": (self.bank.shape, (flat[0], 3)),
        }
        for name, table in (("stakes", self.stakes), ("taken_out", self.taken_out)):
            if unknown := set(table) - set(kinds):
                raise BulkError(f"expected {name} of the kinds {kinds}, got {sorted(unknown)}")
            expected |= {f"{name}.{kind}": (column.shape, flat) for kind, column in table.items()}
        for name, column, shape in (
            ("stage", self.stage, flat[:1]),
            ("touched", self.touched, flat),
            ("decisions", self.decisions, flat),
            ("bank_decision", self.bank_decision, flat[:1]),
        ):
            if column is not None:
                expected[name] = (column.shape, shape)
        for name, (found, wanted) in expected.items():
            if found != wanted:
                raise BulkError(f"expected {name} of the shape {wanted}, got {found}")


@dataclass(frozen=True, slots=True)
class KindResult:
    """The lines of one wager kind, all (n, seats); amounts are worked out when asked for."""

    prices: Prices
    verdict: Verdicts
    stake: NDArray[np.int64]
    stake_counts: bool = True

    def gain_minor(self) -> Whole:
        """Give what each line gains the player: the profit, or less the stake when it is lost."""
        return self._by_block(gain_minor)

    def profit_minor(self) -> Whole:
        """Give the winnings of each line, without the stake."""
        profit: Whole = np.maximum(self.gain_minor(), 0)
        return profit

    def returned_minor(self) -> Whole:
        """Give what goes back to the player, stake included."""
        if not self.stake_counts:
            return self.gain_minor()
        returned: Whole = self.gain_minor() + self.stake * (self.verdict != Verdict.NONE)
        return returned

    def cap_cut_minor(self) -> Whole:
        """Give what the payout cap cut off."""
        return self._by_block(cap_cut_minor)

    def breakage_parts(self) -> Whole:
        """Give exact less rounded profit in parts of `prices.denominator`."""
        return self._by_block(breakage_parts)

    def commission_parts(self) -> Whole:
        """Give the exact commission in parts of `prices.denominator`."""
        return self._by_block(commission_parts)

    def _by_block(self, figure: Callable[..., Whole]) -> Whole:
        ledger = Ledger(self.verdict.shape[::-1])
        for rows in blocks(self.verdict.shape[0]):
            ledger.put(rows, figure(self.prices, self.verdict[rows].T, self.stake[rows].T))
        return ledger.values.T


@dataclass(frozen=True, slots=True)
class Result:
    """The settlement of a batch: lines by kind, what the bank gains (n), and faults (n).

    A round with a fault has no lines and moves no money. `extra_owed` (B13) are lines whose profit
    is owed *to* the bank beyond the stake; None where the ruleset knows none.
    """

    kinds: Mapping[str, KindResult]
    bank_minor: Whole
    fault: NDArray[np.uint8]
    extra_owed: KindResult | None = None


class Lines:
    """The growing lines of one kind, seats first: (seats, rounds)."""

    def __init__(self, prices: Prices, stake: NDArray[np.int64], *, to_player: bool = True) -> None:
        """Make room for every stake; the gain is the player's or the bank's."""
        self.prices = prices
        self.stake = stake
        self.to_player = to_player
        self.verdict: Verdicts = np.empty(stake.shape[::-1], dtype=np.uint8)

    def result(self, *, stake_counts: bool = True) -> KindResult:
        """Close the column."""
        return KindResult(self.prices, self.verdict.T, self.stake, stake_counts)


def blocks(rounds: int) -> list[slice]:
    """Cut the rounds into slices that fit the cache."""
    return [slice(start, min(start + BLOCK, rounds)) for start in range(0, rounds, BLOCK)]


def hand_index(cards: Faces) -> NDArray[np.int16]:
    """Number hands by their three faces in the order dealt, one hexadecimal digit each.

    Takes a block of one hand (m, 3) or of all seats (m, seats, 3); gives (m) or (seats, m).
    """
    first, second, third = cards.T
    index: NDArray[np.int16] = np.left_shift(first, 8, dtype=np.int16)
    index |= np.left_shift(second, 4, dtype=np.int16)
    index |= third
    return index


def bank_gain_minor(lines: Iterable[Lines], rows: slice) -> Whole:
    """Give what the bank gains in each round of a block over all lines."""
    bank: Whole = np.zeros(rows.stop - rows.start, dtype=np.int64)
    for line in lines:
        gain = gain_minor(line.prices, line.verdict[:, rows], line.stake[rows].T)
        bank = bank - gain.sum(axis=0) if line.to_player else bank + gain.sum(axis=0)
    return bank


def clear_faulty(lines: Iterable[Lines], rows: slice, bad: Flags) -> None:
    """Empty the lines of the rounds of a block that cannot be settled as they lie."""
    for line in lines:
        line.verdict[:, rows][:, bad] = Verdict.NONE
