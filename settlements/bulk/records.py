"""Rounds as plain records for the second engine: in as faces and stakes, out as lines to compare.

For the check of a few rounds at a time, and for tests. Builds columns, settles them, and hands
the lines back. Decides nothing itself.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np

from settlements.bulk.codes import (
    DECISIONS,
    FACES,
    POKER,
    SOCIAL,
    STAGES,
    BulkError,
    Decision,
    Part,
    Stage,
)
from settlements.bulk.columns import Columns
from settlements.bulk.compiled import Compiled, compile_ruleset, settle_columns
from settlements.bulk.lines import Recomputed, read_lines
from settlements.bulk.poker_tables import KINDS

Member = TypeVar("Member", Stage, Decision)

SEATS: Final[Mapping[str, int]] = {POKER: 5}
SEATS_LUCKY: Final = 8
PARTS: Final[Mapping[str, Part]] = {"sweep": Part.SWEEP, "final": Part.FINAL, "void": Part.WHOLE}


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round, or one part of it, as it lay.

    `part` is `sweep` (pair wagers), `final` (all others), `whole`, or `void` (all, under `stage`
    and `touches_first_two`: all seats, none, or some). `wagers` are stakes in minor units by seat
    and kind; `hands` faces in the order dealt by hand number, the bank's under 0; `decisions` the
    same for game C. `taken_out` names the wagers that an irregularity took out of play
    whole, (seat, kind) or (seat, "all"): they have no line. Of one taken out in part, `wagers`
    states the stake that counts.
    """

    game: str
    options: Mapping[str, object]
    wagers: Mapping[int, Mapping[str, int]]
    hands: Mapping[int, Sequence[str | None]]
    part: str = "whole"
    decisions: Mapping[int, str] = field(default_factory=dict)
    stage: str = ""
    touches_first_two: bool | Collection[int] = False
    taken_out: Collection[tuple[int, str]] = ()


def recompute(records: Sequence[RoundRecord]) -> tuple[Recomputed, ...]:
    """Settle records of any games and rulesets; answers come in their order.

    Raises BulkError for a face, wager kind, seat, stage, decision, part or option that is not
    known.
    """
    batches: dict[tuple[str, str, Part], list[int]] = {}
    for place, record in enumerate(records):
        batches.setdefault(_batch_key(record), []).append(place)
    answers: dict[int, Recomputed] = {}
    for (game, options, part), places in batches.items():
        compiled = _compiled(game, options)
        batch = [records[place] for place in places]
        columns = build_columns(game, batch, part=part)
        result = settle_columns(compiled, columns)
        found = read_lines(result, seats=[tuple(record.wagers) for record in batch])
        answers.update(zip(places, found, strict=True))
    return tuple(answers[place] for place in range(len(records)))


def settle_one(record: RoundRecord) -> Recomputed:
    """Settle one record; see `recompute`."""
    return recompute([record])[0]


def _batch_key(record: RoundRecord) -> tuple[str, str, Part]:
    """Group what can be settled in one batch: one ruleset, one part."""
    part = Part.WHOLE if record.part == "whole" else PARTS.get(record.part)
    if part is None:
        raise BulkError(f"expected a part of {['whole', *PARTS]}, got {record.part!r}")
    if (record.part == "void") != bool(record.stage):
        raise BulkError("expected a stage for the part void, and for no other")
    return record.game, json.dumps(record.options, sort_keys=True), part


@lru_cache(maxsize=256)
def _compiled(game: str, options: str) -> Compiled:
    """Compile a ruleset once."""
    return compile_ruleset(game, json.loads(options))


def build_columns(game: str, records: Sequence[RoundRecord], *, part: Part) -> Columns:
    """Lay records of one game out as columns. Raises BulkError for what is not known."""
    count, seats = len(records), SEATS.get(game, SEATS_LUCKY)
    kinds, asks = KINDS if game == POKER else KINDS[:1], game == SOCIAL
    columns = Columns(
        cards=np.zeros((count, seats, 3), dtype=np.int8, order="F"),
        bank=np.zeros((count, 3), dtype=np.int8, order="F"),
        stakes={kind: np.zeros((count, seats), dtype=np.int64, order="F") for kind in kinds},
        part=part,
        stage=np.zeros(count, dtype=np.int8),
        touched=np.zeros((count, seats), dtype=np.bool_, order="F"),
        decisions=np.zeros((count, seats), dtype=np.int8, order="F") if asks else None,
        bank_decision=np.zeros(count, dtype=np.int8) if asks else None,
        taken_out={kind: np.zeros((count, seats), dtype=np.bool_, order="F") for kind in kinds},
    )
    for row, record in enumerate(records):
        _lay(columns, row, record)
    return columns


def _lay(columns: Columns, row: int, record: RoundRecord) -> None:
    """Lay one record into its row."""
    seats, kinds = columns.seats, tuple(columns.stakes)
    for hand, faces in record.hands.items():
        codes = [_face(face) for face in faces]
        if len(codes) > 3:
            raise BulkError(f"expected at most three cards in hand {hand}, got {len(codes)}")
        target = columns.bank[row] if hand == 0 else columns.cards[row, _place(hand, seats)]
        target[: len(codes)] = codes
    for seat, stakes in record.wagers.items():
        for kind, stake in stakes.items():
            if kind not in kinds:
                raise BulkError(f"expected a wager of {kinds}, got {kind!r}")
            columns.stakes[kind][row, _place(seat, seats)] = stake
    for hand, name in record.decisions.items():
        decision = _known(DECISIONS, name, "decision")
        if columns.decisions is None or columns.bank_decision is None:
            raise BulkError(f"expected no decision of hand {hand}: nobody decides in this game")
        if hand == 0:
            columns.bank_decision[row] = decision
        else:
            columns.decisions[row, _place(hand, seats)] = decision
    for seat, kind in record.taken_out:
        for each in kinds if kind == "all" else (kind,):
            columns.taken_out[each][row, _place(seat, seats)] = True
    if record.part == "void":
        _lay_void(columns, row, record)


def _lay_void(columns: Columns, row: int, record: RoundRecord) -> None:
    """Lay the stage of a void, and the seats whose first two cards it touches."""
    assert columns.stage is not None
    assert columns.touched is not None
    columns.stage[row] = _known(STAGES, record.stage, "stage")
    if isinstance(record.touches_first_two, bool):
        columns.touched[row] = record.touches_first_two
    else:
        for seat in record.touches_first_two:
            columns.touched[row, _place(seat, columns.seats)] = True


def _known(table: Mapping[str, Member], name: str, what: str) -> Member:
    """Look a name up. Raises BulkError when it is not known."""
    if name not in table:
        raise BulkError(f"expected a {what} of {sorted(table)}, got {name!r}")
    return table[name]


def _face(face: str | None) -> int:
    """Read a face: rank and suit, rank alone, `?` for one never known, None for no card."""
    if face is None:
        return 0
    if face[:1] not in FACES or face[1:] not in ("", "S", "H", "D", "C"):
        raise BulkError(f"expected a card, got {face!r}")
    return FACES[face[0]]


def _place(seat: int, seats: int) -> int:
    """Find a seat's column."""
    if not 1 <= seat <= seats:
        raise BulkError(f"expected a seat from 1 to {seats}, got {seat}")
    return seat - 1
