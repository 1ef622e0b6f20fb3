"""Settle columns of Lucky 9 rounds by table lookup (rules 1B, 1C, 1D, event 26).

Reads columns and tables, returns columns; inside a block arrays are (seats, rounds). What a hand is
worth is in `lucky_tables`, whether it lies as it should in `lucky_hands`.
"""

import numpy as np

from settlements.bulk.codes import Fault, Part, Stage, Verdict
from settlements.bulk.columns import (
    Columns,
    Flags,
    Lines,
    Result,
    bank_gain_minor,
    blocks,
    clear_faulty,
)
from settlements.bulk.lucky_hands import (
    Block,
    Faults,
    elective_faults,
    fixed_faults,
    name_counts,
    opening_faults,
    read_block,
)
from settlements.bulk.lucky_tables import KINDS, LuckyTables
from settlements.bulk.money import Ledger, Verdicts


def settle_lucky(tables: LuckyTables, columns: Columns) -> Result:
    """Settle a batch of game B or C. Raises BulkError when the columns do not fit together.

    In game C the part `SWEEP` is the comparisons that a natural decides before anyone draws (C3);
    in game B nothing is settled early.
    """
    columns.check(KINDS)
    bank, fault = Ledger((columns.rounds,)), np.zeros(columns.rounds, dtype=np.uint8)
    lines = _make_lines(tables, columns)
    for rows in blocks(columns.rounds):
        fault[rows] = _fill_verdicts(tables, columns, rows, lines)
        if fault[rows].any():
            clear_faulty(lines.values(), rows, fault[rows] != Fault.SOUND)
        bank.put(rows, bank_gain_minor(lines.values(), rows))
    results = {
        kind: line.result(stake_counts=kind == "main")
        for kind, line in lines.items()
        if kind != "extra_owed"
    }
    owed = lines["extra_owed"].result(stake_counts=False) if "extra_owed" in lines else None
    return Result(kinds=results, bank_minor=bank.values, fault=fault, extra_owed=owed)


def _make_lines(tables: LuckyTables, columns: Columns) -> dict[str, Lines]:
    """Make the columns that this ruleset can fill; all are priced on the main stake (B10, B13)."""
    if columns.part == Part.SWEEP and not tables.elective:
        return {}
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
    """Fill in the verdicts of a block; tell which rounds cannot be settled, and why."""
    block = read_block(tables, columns, rows)
    if tables.elective:
        fault, verdicts = _elective(tables, columns, rows, block)
    else:
        fault, verdicts = _fixed(tables, block)
    if columns.stage is not None and columns.stage[rows].any():
        fault = _annul(tables, columns, rows, block, fault=fault, verdicts=verdicts)
    if tables.elective and columns.part != Part.WHOLE:
        chosen = block.early if columns.part == Part.SWEEP else ~block.early
        verdicts["main"] = verdicts["main"] * chosen
    for kind, line in lines.items():
        line.verdict[:, rows] = verdicts[kind]
    return name_counts(columns, rows, fault)


def _fixed(tables: LuckyTables, block: Block) -> tuple[Faults, dict[str, Verdicts]]:
    """Look up the verdicts of game B, as if no round were void."""
    versus = block.final.versus()
    verdicts = {
        kind: table.take(versus, mode="clip") * block.live
        for kind, table in (
            ("main", tables.main),
            ("colon_bonus", tables.bonus),
            ("extra_owed", tables.extra),
        )
        if table is not None
    }
    return fixed_faults(tables, block), verdicts


def _elective(
    tables: LuckyTables, columns: Columns, rows: slice, block: Block
) -> tuple[Faults, dict[str, Verdicts]]:
    """Look up the verdicts of game C, as if no round were void; the sweep needs no third card."""
    if columns.part == Part.SWEEP:
        verdict = tables.main.take(block.opening.versus(), mode="clip")
        return opening_faults(block, judged=block.live), {"main": verdict * block.live}
    fault, void = elective_faults(tables, columns, rows, block)
    verdict = tables.main.take(block.final.versus(), mode="clip") * block.live
    return fault, {"main": np.where(void, np.uint8(Verdict.VOID), verdict)}


def _annul(
    tables: LuckyTables,
    columns: Columns,
    rows: slice,
    block: Block,
    *,
    fault: Faults,
    verdicts: dict[str, Verdicts],
) -> Faults:
    """Turn the open wagers of voided rounds to void, in place; give the faults that remain.

    What a natural decided in game C stands when the round is voided after that, unless the fault
    touches those cards (C3).
    """
    assert columns.stage is not None
    stage = columns.stage[rows]
    voided = stage != Stage.PLAYED
    fault = np.where(voided, np.uint8(Fault.SOUND), fault)
    stands: Flags = np.zeros_like(block.live)
    if tables.elective:
        untouched = block.live & (stage >= Stage.PAIR_SETTLED)
        if columns.touched is not None:
            untouched &= ~columns.touched[rows].T
        fault = np.maximum(fault, opening_faults(block, judged=untouched))
        stands = untouched & block.opening.natural()
        standing = tables.main.take(block.opening.versus(), mode="clip")
        verdicts["main"] = np.where(stands, standing, verdicts["main"])
    annulled = voided & block.live & ~stands
    for kind, verdict in verdicts.items():
        instead = Verdict.VOID if kind == "main" else Verdict.NONE
        verdicts[kind] = np.where(annulled, np.uint8(instead), verdict)
    return fault
