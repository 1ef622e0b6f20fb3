"""Settle columns of Poker Lucky 9 rounds by table lookup (rules 1A, 1D, event 26).

Reads columns and tables, returns columns; inside a block arrays are (seats, rounds). Compares no
cards itself: that is in `poker_tables`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import UNKNOWN, Fault, Part, Stage, Verdict
from settlements.bulk.columns import (
    Columns,
    Flags,
    Lines,
    Result,
    bank_gain_minor,
    blocks,
    clear_faulty,
    hand_index,
)
from settlements.bulk.money import Ledger, Verdicts
from settlements.bulk.poker_tables import KINDS, NO_CLASS, PokerTables

PART_KINDS: Final[Mapping[Part, tuple[str, ...]]] = {
    Part.WHOLE: KINDS,
    Part.SWEEP: ("pair",),
    Part.FINAL: ("main", "tie", "jacks"),
}
SHIFT: Final = 9  # STRIDE is 2 ** SHIFT


@dataclass(frozen=True, slots=True)
class _Wagers:
    """The wagers of a block: counting and refused; which seats have a hand, which may have any.

    `whole` are the hands that need all their cards.
    """

    in_play: Mapping[str, Flags]
    rejected: Mapping[str, Flags]
    has_hand: Flags
    whole: Flags
    disturbed: Flags


@dataclass(frozen=True, slots=True)
class _Hands:
    """The hands of a block: their index as dealt and their class, the house's beside them."""

    index: NDArray[np.int16]
    classes: NDArray[np.int16]
    house_index: NDArray[np.int16]
    house: NDArray[np.int16]


def settle_poker(tables: PokerTables, columns: Columns) -> Result:
    """Settle a batch of game A. Raises BulkError when the columns do not fit together."""
    columns.check(KINDS)
    kinds = [kind for kind in PART_KINDS[columns.part] if kind in columns.stakes]
    lines = {kind: Lines(tables.prices[kind], columns.stakes[kind]) for kind in kinds}
    bank = Ledger((columns.rounds,))
    fault = np.zeros(columns.rounds, dtype=np.uint8)
    for rows in blocks(columns.rounds):
        bad = _fill_verdicts(tables, columns, rows, lines)
        if bad.any():
            fault[rows] = _name_faults(columns, rows, bad)
            clear_faulty(lines.values(), rows, bad)
        bank.put(rows, bank_gain_minor(lines.values(), rows))
    results = {kind: line.result() for kind, line in lines.items()}
    return Result(kinds=results, bank_minor=bank.values, fault=fault)


def _fill_verdicts(
    tables: PokerTables, columns: Columns, rows: slice, lines: Mapping[str, Lines]
) -> Flags:
    """Fill in the verdicts of a block; tell which rounds cannot be settled as they lie."""
    wagers = _read_wagers(tables, columns, rows)
    index, house_index = hand_index(columns.cards[rows]), hand_index(columns.bank[rows])
    hands = _Hands(
        index=index,
        classes=tables.classes.take(index, mode="clip"),
        house_index=house_index,
        house=tables.classes.take(house_index, mode="clip"),
    )
    stage = None if columns.stage is None else columns.stage[rows]
    voided = None if stage is None or not stage.any() else stage != Stage.PLAYED
    bad = np.zeros(rows.stop - rows.start, dtype=np.bool_)
    if columns.part != Part.SWEEP:
        bad = _card_faults(wagers, hands)
        if voided is not None:
            bad &= ~voided
    for kind, verdict in _played(tables, wagers, hands, tuple(lines)).items():
        if voided is not None:
            annulled = voided & wagers.in_play[kind]
            if kind == "pair":
                annulled &= ~_stands(tables, columns, rows)
            verdict = np.where(annulled, np.uint8(Verdict.VOID), verdict)
        if kind == "pair":
            bad |= ((verdict == Verdict.NONE) & wagers.in_play[kind]).any(axis=0)
        lines[kind].verdict[:, rows] = verdict
    return bad


def _read_wagers(tables: PokerTables, columns: Columns, rows: slice) -> _Wagers:
    """Tell which wagers of a block count, and which seats they buy a hand (A13, A21).

    A main wager that was taken out of play was there when the side wagers were laid (event 9).
    """
    placed = {kind: column[rows].T > 0 for kind, column in columns.stakes.items()}
    nothing = np.zeros((columns.seats, rows.stop - rows.start), dtype=np.bool_)
    disturbed = nothing
    main = placed.get("main", nothing)
    in_play, rejected = {}, {}
    for kind, laid in placed.items():
        if kind in columns.taken_out:
            taken = columns.taken_out[kind][rows].T
            laid, disturbed = laid & ~taken, disturbed | taken
        counts = laid
        if kind == "tie" and not tables.tie_open:
            counts = nothing
        elif kind != "main" and tables.side_requires_main:
            counts = laid & main
        rejected[kind] = nothing if counts is laid else laid ^ counts
        in_play[kind] = counts
    has_hand = in_play.get("main", nothing)
    whole = has_hand
    if not tables.side_requires_main:
        has_hand = whole = has_hand | in_play.get("tie", nothing)
        if "pair" in in_play:
            # A dead hand may keep the pair wager that was settled before, and gets no more cards.
            has_hand = has_hand | in_play["pair"]
            whole = whole | (in_play["pair"] & ~disturbed)
    return _Wagers(in_play, rejected, has_hand, whole, disturbed)


def _card_faults(wagers: _Wagers, hands: _Hands) -> Flags:
    """Tell where a hand is needed and not whole, or lies where none was bought (A11, A28)."""
    wrong: Flags = (hands.index != 0) & ~wagers.has_hand & ~wagers.disturbed
    wrong |= (hands.classes == NO_CLASS) & wagers.whole
    unfinished: Flags = hands.house == NO_CLASS
    if unfinished.any():
        needed = np.logical_or(wagers.has_hand, hands.house_index != 0)
        if "jacks" in wagers.in_play:
            needed = needed | wagers.in_play["jacks"]
        wrong |= unfinished & needed
    bad: Flags = np.logical_or.reduce(wrong, axis=0)
    return bad


def _played(
    tables: PokerTables, wagers: _Wagers, hands: _Hands, kinds: tuple[str, ...]
) -> dict[str, Verdicts]:
    """Look up the verdicts of a block, by kind, as if no round were void."""
    versus = np.left_shift(hands.classes, SHIFT, dtype=np.int32)
    versus |= hands.house
    main = tables.main.take(versus, mode="clip")
    found: dict[str, Verdicts] = {}
    for kind in kinds:
        if kind == "main":
            verdict = main
        elif kind == "tie":
            verdict = tables.tie.take(main, mode="clip")
        elif kind == "pair":
            verdict = tables.pair.take(hands.index >> 4, mode="clip")
        else:
            verdict = tables.jacks.take(hands.house, mode="clip")
            if tables.push_jacks_on_tie:
                tied = (main == Verdict.PUSH) & wagers.has_hand
                verdict = np.where(tied, np.uint8(Verdict.PUSH), verdict)
        verdict = verdict * wagers.in_play[kind]
        if wagers.rejected[kind].any():
            verdict += wagers.rejected[kind] * np.uint8(Verdict.REJECTED)
        found[kind] = verdict
    return found


def _stands(tables: PokerTables, columns: Columns, rows: slice) -> Flags:
    """Tell which settled pair wagers of voided rounds stand (A20)."""
    if columns.stage is None or not tables.pair_stands_on_void:
        return np.zeros(rows.stop - rows.start, dtype=np.bool_)
    settled: Flags = columns.stage[rows] >= Stage.PAIR_SETTLED
    return settled if columns.touched is None else settled & ~columns.touched[rows].T


def _name_faults(columns: Columns, rows: slice, bad: Flags) -> NDArray[np.uint8]:
    """Say of the rounds that cannot be settled whether a face is unknown or the count is wrong."""
    unknown = (columns.cards[rows] == UNKNOWN).any(axis=(1, 2))
    unknown |= (columns.bank[rows] == UNKNOWN).any(axis=1)
    named = np.where(unknown, Fault.FACE_UNKNOWN, Fault.CARD_COUNT)
    return np.where(bad, named, Fault.SOUND).astype(np.uint8)
