"""Settle columns of Lucky 9 rounds by table lookup (rules 1B, 1C, 1D, event 26).

Reads columns and tables, returns columns; inside a block arrays are (seats, rounds). Checks that
the cards lie as the draw rule or the decisions demand. What a hand is worth is in `lucky_tables`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import UNKNOWN, Decision, Fault, Part, Stage, Verdict
from settlements.bulk.columns import (
    Columns,
    Flags,
    Lines,
    Result,
    blocks,
    clear_faulty,
    fill_money,
    hand_index,
)
from settlements.bulk.lucky_tables import KINDS, SIDE_BITS, SIDE_MASK, LuckyTables, Mark
from settlements.bulk.money import Ledger, Verdicts

Entries = NDArray[np.uint16]
Faults = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Block:
    """The entries of a block, seats (seats, m) and bank (m).

    `live` are the seats that play, `spare` those where cards lie though nothing was bet.
    """

    seats: Entries
    bank: Entries
    live: Flags
    spare: Flags


def settle_lucky(tables: LuckyTables, columns: Columns) -> Result:
    """Settle a batch of game B or C. Raises BulkError when the columns do not fit together."""
    columns.check(KINDS)
    bank, fault = Ledger((columns.rounds,)), np.zeros(columns.rounds, dtype=np.uint8)
    lines = {} if columns.part == Part.SWEEP else _make_lines(tables, columns)
    for rows in blocks(columns.rounds):
        if lines:
            fault[rows] = _fill_verdicts(tables, columns, rows, lines)
            if fault[rows].any():
                clear_faulty(lines.values(), rows, fault[rows] != Fault.SOUND)
        bank.put(rows, fill_money(lines.values(), rows))
    results = {
        kind: line.result(stake_counts=kind == "main")
        for kind, line in lines.items()
        if kind != "extra_owed"
    }
    owed = lines["extra_owed"].result(stake_counts=False) if "extra_owed" in lines else None
    return Result(kinds=results, bank_minor=bank.values, fault=fault, extra_owed=owed)


def _make_lines(tables: LuckyTables, columns: Columns) -> dict[str, Lines]:
    """Make the columns that this ruleset can fill; all are priced on the main stake (B10, B13)."""
    stake = columns.stakes["main"]
    lines = {"main": Lines(tables.prices["main"], stake)}
    if tables.bonus is not None:
        lines["colon_bonus"] = Lines(tables.prices["colon_bonus"], stake)
    if tables.extra is not None:
        lines["extra_owed"] = Lines(tables.prices["extra_owed"], stake, to_player=False)
    return lines


def _fill_verdicts(
    tables: LuckyTables, columns: Columns, rows: slice, lines: dict[str, Lines]
) -> Faults:
    """Fill in the verdicts of a block; tell which rounds cannot be settled as they lie, and why."""
    index, bank_index = hand_index(columns.cards[rows]), hand_index(columns.bank[rows])
    placed = columns.stakes["main"][rows].T > 0
    taken = columns.taken_out.get("main")
    live = placed if taken is None else placed & ~taken[rows].T
    block = _Block(
        seats=tables.hands.take(index, mode="clip"),
        bank=tables.hands.take(bank_index, mode="clip"),
        live=live,
        spare=(index != 0) & ~placed,
    )
    void_undecided = None
    if tables.elective:
        fault, void_undecided = _elective_faults(tables, columns, rows, block)
    else:
        fault = _fixed_faults(tables, block)
    fault = np.where(fault == Fault.CARD_COUNT, _name_count(columns, rows), fault)
    versus = np.left_shift(block.seats & SIDE_MASK, SIDE_BITS) | block.bank & SIDE_MASK
    verdicts = {"main": tables.main.take(versus, mode="clip") * live}
    if tables.bonus is not None:
        verdicts["colon_bonus"] = tables.bonus.take(versus, mode="clip") * live
    if tables.extra is not None:
        verdicts["extra_owed"] = tables.extra.take(versus, mode="clip") * live
    if void_undecided is not None:
        verdicts["main"] = np.where(void_undecided, np.uint8(Verdict.VOID), verdicts["main"])
    if columns.stage is not None and columns.stage[rows].any():
        fault = _annul(tables, columns, rows, block, fault=fault, verdicts=verdicts)
    for kind, verdict in verdicts.items():
        lines[kind].verdict[:, rows] = verdict
    return fault


def _has(entries: Entries, mark: Mark) -> Flags:
    """Tell which entries carry a mark."""
    marked: Flags = (entries & np.uint16(mark)) != 0
    return marked


def _common_faults(block: _Block) -> Flags:
    """Tell where a live seat or its bank has no hand, or a hand lies where none was bought."""
    missing = ~_has(block.seats, Mark.WHOLE) & block.live
    bankless = ~_has(block.bank, Mark.WHOLE) & block.live
    wrong: Flags = block.spare | missing | bankless
    return wrong


def _fixed_faults(tables: LuckyTables, block: _Block) -> Faults:
    """Find draws that the rule forbids, and those it demands (B1, B4, B5, event 30)."""
    seats, bank, live = block.seats, block.bank, block.live
    wrong = _common_faults(block)
    expected = _has(seats, Mark.MUST_DRAW)
    if tables.natural_stops_draws:
        expected &= ~_has(bank, Mark.NATURAL)
    wrong |= (_has(seats, Mark.DREW) != expected) & live
    bad = wrong.any(axis=0)
    # The banker draws only while a comparison is open.
    still_open = (live & ~_has(seats, Mark.OUTRIGHT)).any(axis=0)
    bank_expected = _has(bank, Mark.MUST_DRAW) & still_open
    bad |= (_has(bank, Mark.DREW) != bank_expected) & live.any(axis=0)
    return np.where(bad, np.uint8(Fault.CARD_COUNT), np.uint8(Fault.SOUND))


def _elective_faults(
    tables: LuckyTables, columns: Columns, rows: slice, block: _Block
) -> tuple[Faults, Flags]:
    """Find decisions not asked for or not given, and cards that do not follow them (C2 to C6).

    Also tells which wagers are void because their seat decided nothing (C6).
    """
    count, size = block.seats.shape
    decisions = np.zeros((count, size), dtype=np.int8)
    if columns.decisions is not None:
        decisions = columns.decisions[rows].T
    bank_decision = np.zeros(size, dtype=np.int8)
    if columns.bank_decision is not None:
        bank_decision = columns.bank_decision[rows]
    natural, bank_natural = _has(block.seats, Mark.NATURAL), _has(block.bank, Mark.NATURAL)
    undecided = block.live & ~(natural | bank_natural)
    quiet = undecided & (decisions == Decision.NO_DECISION)
    void = quiet if tables.undecided_is_void else np.zeros_like(quiet)
    bank_acts = (undecided & ~void).any(axis=0)

    strange = _strange(decisions, asked=undecided) & block.live
    strange_bank = _strange(bank_decision, asked=bank_acts) & block.live.any(axis=0)
    wrong = _common_faults(block)
    drew = _has(block.seats, Mark.DREW)
    wrong |= (drew != (undecided & (decisions == Decision.HIT))) & block.live
    bad = wrong.any(axis=0)
    bank_hit = bank_acts & (bank_decision == Decision.HIT)
    bad |= (_has(block.bank, Mark.DREW) != bank_hit) & block.live.any(axis=0)
    named = np.where(strange.any(axis=0) | strange_bank, Fault.DECISION, Fault.SOUND)
    return np.where(bad, Fault.CARD_COUNT, named).astype(np.uint8), void


def _strange(decisions: NDArray[np.int8], *, asked: Flags) -> Flags:
    """Tell which decisions are missing though asked for, or given though nobody asked."""
    silent = (decisions == Decision.UNSET) | (decisions == Decision.NONE)
    strange: Flags = silent == asked
    return strange


def _annul(
    tables: LuckyTables,
    columns: Columns,
    rows: slice,
    block: _Block,
    *,
    fault: Faults,
    verdicts: dict[str, Verdicts],
) -> Faults:
    """Turn the open wagers of voided rounds to void, in place; give the faults that remain.

    In game C a comparison that a natural decided was settled before any third card, and stands when
    the round is voided later, unless the fault touches those cards (C3). In game B nothing is
    settled early.
    """
    assert columns.stage is not None
    stage = columns.stage[rows]
    voided = stage != Stage.PLAYED
    fault = np.where(voided, np.uint8(Fault.SOUND), fault)
    stands = np.zeros_like(block.live)
    if tables.elective:
        opening = tables.hands.take(hand_index(columns.cards[rows]) & 0xFF0, mode="clip")
        bank_opening = tables.hands.take(hand_index(columns.bank[rows]) & 0xFF0, mode="clip")
        settled = block.live & (stage >= Stage.PAIR_SETTLED)
        if columns.touched is not None:
            settled &= ~columns.touched[rows].T
        unknown = ~(_has(opening, Mark.WHOLE) & _has(bank_opening, Mark.WHOLE))
        lost = _name_count(columns, rows)
        fault = np.where((settled & unknown).any(axis=0), lost, fault)
        stands = settled & (_has(opening, Mark.NATURAL) | _has(bank_opening, Mark.NATURAL))
        versus = np.left_shift(opening & SIDE_MASK, SIDE_BITS) | bank_opening & SIDE_MASK
        standing = tables.main.take(versus, mode="clip")
        verdicts["main"] = np.where(stands, standing, verdicts["main"])
    annulled = voided & block.live & ~stands
    verdicts["main"] = np.where(annulled, np.uint8(Verdict.VOID), verdicts["main"])
    for kind in set(verdicts) - {"main"}:
        verdicts[kind] = np.where(annulled, np.uint8(Verdict.NONE), verdicts[kind])
    return fault


def _name_count(columns: Columns, rows: slice) -> Faults:
    """Say of each round whether a face in it is unknown; else a hand has a wrong count."""
    unknown = (columns.cards[rows] == UNKNOWN).any(axis=(1, 2))
    unknown |= (columns.bank[rows] == UNKNOWN).any(axis=1)
    return np.where(unknown, Fault.FACE_UNKNOWN, Fault.CARD_COUNT).astype(np.uint8)
