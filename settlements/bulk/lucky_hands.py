"""A block of Lucky 9 rounds looked up, and what is wrong with how its cards lie (rules 1B, 1C).

The draw rule of game B, the decisions of game C, what must be known before a natural is settled.
Inside a block arrays are (seats, rounds). Settles nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import UNKNOWN, Decision, Fault
from settlements.bulk.columns import Columns, Flags, hand_index
from settlements.bulk.lucky_tables import SIDE_BITS, SIDE_MASK, LuckyTables, Mark

Entries = NDArray[np.uint16]
Faults = NDArray[np.uint8]

# Takes the third card off a hand's index.
FIRST_TWO = 0xFF0


@dataclass(frozen=True, slots=True)
class Hands:
    """The entries of a block, as the hands lie or as they opened: seats (seats, m) and bank (m)."""

    seats: Entries
    bank: Entries

    def versus(self) -> Entries:
        """Number the meetings of each seat's side with the bank's."""
        met: Entries = np.left_shift(self.seats & SIDE_MASK, SIDE_BITS) | self.bank & SIDE_MASK
        return met

    def unknown(self) -> Flags:
        """Tell which meetings lack a hand of known cards."""
        return ~(has(self.seats, Mark.WHOLE) & has(self.bank, Mark.WHOLE))

    def natural(self) -> Flags:
        """Tell which meetings have a natural on either side."""
        return has(self.seats, Mark.NATURAL) | has(self.bank, Mark.NATURAL)


@dataclass(frozen=True, slots=True)
class Block:
    """The hands of a block; which seats play, and where cards lie though nothing was bet.

    `left` (m) marks rounds of which a wager was taken out of play: the bank may have acted before.
    """

    final: Hands
    opening: Hands
    live: Flags
    spare: Flags
    left: Flags

    @property
    def early(self) -> Flags:
        """Tell which comparisons of game C a natural decided before anyone drew (C2, C3)."""
        return self.live & self.opening.natural()


def has(entries: Entries, mark: Mark) -> Flags:
    """Tell which entries carry a mark."""
    marked: Flags = (entries & np.uint16(mark)) != 0
    return marked


def read_block(tables: LuckyTables, columns: Columns, rows: slice) -> Block:
    """Look a block up."""
    index, bank_index = hand_index(columns.cards[rows]), hand_index(columns.bank[rows])
    placed = columns.stakes["main"][rows].T > 0
    taken = columns.taken_out.get("main")
    final, opening = (
        Hands(
            tables.hands.take(index & mask, mode="clip"),
            tables.hands.take(bank_index & mask, mode="clip"),
        )
        for mask in (0xFFF, FIRST_TWO)
    )
    live: Flags = placed if taken is None else placed & ~taken[rows].T
    left: Flags = np.logical_or.reduce(placed & ~live, axis=0)
    return Block(
        final=final,
        opening=opening,
        live=live,
        spare=(index != 0) & ~placed,
        left=left,
    )


def fixed_faults(tables: LuckyTables, block: Block) -> Faults:
    """Find draws that the rule forbids, and those it demands (B1, B4, B5, event 30)."""
    seats, bank, live = block.final.seats, block.final.bank, block.live
    wrong = block.spare | (block.final.unknown() & live)
    expected = has(seats, Mark.MUST_DRAW)
    if tables.natural_stops_draws:
        expected &= ~has(bank, Mark.NATURAL)
    wrong |= (has(seats, Mark.DREW) != expected) & live
    # The banker draws only while a comparison is open.
    still_open = (live & ~has(seats, Mark.OUTRIGHT)).any(axis=0)
    bank_expected = has(bank, Mark.MUST_DRAW) & still_open
    # Where wagers went back it may have drawn while they were open.
    bank_expected |= block.left & has(bank, Mark.MUST_DRAW) & has(bank, Mark.DREW)
    bad = wrong.any(axis=0) | ((has(bank, Mark.DREW) != bank_expected) & live.any(axis=0))
    return np.where(bad, np.uint8(Fault.CARD_COUNT), np.uint8(Fault.SOUND))


def elective_faults(
    tables: LuckyTables, columns: Columns, rows: slice, block: Block
) -> tuple[Faults, Flags]:
    """Find decisions not asked for or not given, and cards that do not follow them (C2 to C6).

    Also tells which wagers are void because their seat decided nothing (C6).
    """
    decisions, bank_decision = _decisions(columns, rows, block)
    asked = block.live & ~block.early
    quiet = asked & (decisions == Decision.NO_DECISION)
    void = quiet if tables.undecided_is_void else np.zeros_like(quiet)
    bank_asked = (asked & ~void).any(axis=0)
    # Where wagers went back the bank may have decided while they were open.
    bank_asked |= block.left & ~_silent(bank_decision)
    dealt = block.live.any(axis=0)

    strange = (_strange(decisions, asked=asked) & block.live).any(axis=0)
    strange |= _strange(bank_decision, asked=bank_asked) & dealt
    wrong = block.spare | (block.final.unknown() & block.live)
    drew = has(block.final.seats, Mark.DREW)
    wrong |= (drew != (asked & (decisions == Decision.HIT))) & block.live
    bank_hit = bank_asked & (bank_decision == Decision.HIT)
    bad = wrong.any(axis=0) | ((has(block.final.bank, Mark.DREW) != bank_hit) & dealt)
    named = np.where(strange, Fault.DECISION, Fault.SOUND)
    return np.where(bad, Fault.CARD_COUNT, named).astype(np.uint8), void


def _decisions(
    columns: Columns, rows: slice, block: Block
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Take the decisions of seats and bank; where there is no column nobody decided anything."""
    seats = np.zeros(block.live.shape, dtype=np.int8)
    bank = np.zeros(block.live.shape[1], dtype=np.int8)
    return (
        seats if columns.decisions is None else columns.decisions[rows].T,
        bank if columns.bank_decision is None else columns.bank_decision[rows],
    )


def _strange(decisions: NDArray[np.int8], *, asked: Flags) -> Flags:
    """Tell which decisions are missing though asked for, or given though nobody asked."""
    strange: Flags = _silent(decisions) == asked
    return strange


def _silent(decisions: NDArray[np.int8]) -> Flags:
    """Tell who said nothing, or that there was nothing to say."""
    silent: Flags = (decisions == Decision.UNSET) | (decisions == Decision.NONE)
    return silent


def opening_faults(block: Block, *, judged: Flags) -> Faults:
    """Find seats whose first two cards, or the bank's, must be known and are not (C2)."""
    bad = (judged & block.opening.unknown()).any(axis=0)
    return np.where(bad, np.uint8(Fault.CARD_COUNT), np.uint8(Fault.SOUND))


def name_counts(columns: Columns, rows: slice, fault: Faults) -> Faults:
    """Say where a hand does not fit because a face is unknown, and not its count."""
    unknown = (columns.cards[rows] == UNKNOWN).any(axis=(1, 2))
    unknown |= (columns.bank[rows] == UNKNOWN).any(axis=1)
    return np.where((fault == Fault.CARD_COUNT) & unknown, np.uint8(Fault.FACE_UNKNOWN), fault)
