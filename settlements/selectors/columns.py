"""The facts of many settled rounds as columns, in four statements whatever their number.

Each statement is a binary COPY of integers, so that NumPy reads it without a loop. It must not
judge anything: `settlements.reaudit` compares.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import pq, sql
from psycopg.errors import error_from_result

from settlements.bulk.codes import OUTCOMES
from settlements.bulk.poker_tables import KINDS

Ints = NDArray[np.int64]
Table = NDArray[np.void]

PARTS: Final = ("sweep", "final")

_HEADER_BYTES, _TRAILER_BYTES = 19, 2
_TYPES: Final = {"int8": ">i8", "int4": ">i4", "int2": ">i2", "bool": "?"}


@dataclass(frozen=True, slots=True)
class Query:
    """One statement: its columns, as (name, SQL type, SQL), and where they come from.

    Every column must be of a fixed width and never null.
    """

    columns: tuple[tuple[str, str, str], ...]
    source: str

    @property
    def sql(self) -> str:
        """The COPY; its one parameter is the list of round ids."""
        outputs = ", ".join(f"({text})::{kind}" for _, kind, text in self.columns)
        return f"COPY (SELECT {outputs} {self.source}) TO STDOUT (FORMAT BINARY)"

    @property
    def row(self) -> "np.dtype[np.void]":
        """How a row lies in the stream: a count, then a length before each value."""
        fields: list[tuple[str, str]] = [("count", ">i2")]
        for name, kind, _ in self.columns:
            fields += [(f"{name}_bytes", ">i4"), (name, _TYPES[kind])]
        return np.dtype(fields)


def _code(column: str, names: Sequence[str]) -> str:
    """SQL for the place of a text in a list; -1 for what is not in it."""
    cases = " ".join(f"WHEN '{name}' THEN {place}" for place, name in enumerate(names) if name)
    return f"CASE {column} {cases} ELSE -1 END"


_PLAIN = (
    "s.kind = 'settled' AND s.void_stage = '' AND s.given_back = '' AND s.revision = 1"
    " AND r.sweep_revision <= 1 AND r.final_revision <= 1 AND r.bank_seat IS NULL"
    " AND cardinality(r.live_seats) <= 5"
    " AND NOT EXISTS (SELECT FROM tables_departure d WHERE d.round_id = r.id)"
    " AND NOT EXISTS (SELECT FROM tables_takenout d WHERE d.round_id = r.id)"
    " AND NOT EXISTS (SELECT FROM settlements_shoevoidround v WHERE v.round_id = r.id"
    " AND v.decision NOT IN ('open', 'stand'))"
)
_PLACED = (
    "s.ruleset_id = r.ruleset_id AND s.ruleset_id = h.ruleset_id"
    " AND h.table_id = t.id AND n.table_id = t.id AND r.gaming_day = n.gaming_day"
    " AND r.key = t.code || '/' || h.number || '/' || r.number"
    " AND coalesce(e.stream = 'table/' || t.code, false)"
)
_NO_ODDS = "odds_numerator IS NULL OR odds_denominator IS NULL"

# A round is plain when nothing of it was corrected, voided, taken out, dealt otherwise than planned
# or decided after its shoe was void, and the house banks. `placed` says that all records name one
# place and one day.
SETTLEMENTS = Query(
    (
        ("round", "int8", "s.round_id"),
        ("part", "int2", _code("s.part", PARTS)),
        ("revision", "int2", "s.revision"),
        ("entry", "int8", "s.entry_id"),
        ("handle", "int8", "s.handle_minor"),
        ("owed", "int8", "s.bank_owed_minor"),
        ("handed", "int8", "s.bank_handed_minor"),
        ("ruleset", "int8", "s.ruleset_id"),
        ("procedures", "int8", "h.procedures_id"),
        ("live", "int8", "coalesce(nullif(array_to_string(r.live_seats, ''), ''), '0')"),
        ("plain", "bool", _PLAIN),
        ("placed", "bool", _PLACED),
    ),
    "FROM settlements_settlement s JOIN tables_round r ON r.id = s.round_id"
    " JOIN tables_shoe h ON h.id = r.shoe_id JOIN tables_tablesession n ON n.id = r.session_id"
    " JOIN tables_table t ON t.id = r.table_id LEFT JOIN log_entry e ON e.id = s.entry_id"
    " WHERE s.round_id = ANY({})",
)
WAGERS = Query(
    (
        ("round", "int8", "round_id"),
        ("seat", "int2", "seat"),
        ("revision", "int2", "revision"),
        ("entry", "int8", "entry_id"),
        *((kind, "int8", f"coalesce({kind}_minor, 0)") for kind in KINDS),
    ),
    "FROM tables_seatwagers WHERE round_id = ANY({})",
)
CARDS = Query(
    (
        ("round", "int8", "round_id"),
        ("draw", "int2", "draw"),
        ("revision", "int2", "revision"),
        ("entry", "int8", "entry_id"),
        ("face", "int2", "ascii(face)"),
    ),
    "FROM tables_card WHERE round_id = ANY({})",
)
PAYOUTS = Query(
    (
        ("round", "int8", "round_id"),
        ("part", "int2", _code("part", PARTS)),
        ("seat", "int2", "seat"),
        ("wager", "int2", _code("wager", KINDS)),
        ("outcome", "int2", _code("outcome", OUTCOMES)),
        ("house", "bool", "bank = 'house'"),
        ("stake", "int8", "stake_minor"),
        ("numerator", "int8", f"CASE WHEN {_NO_ODDS} THEN -1 ELSE odds_numerator END"),
        ("denominator", "int8", f"CASE WHEN {_NO_ODDS} THEN -1 ELSE odds_denominator END"),
        ("profit", "int8", "profit_minor"),
        ("owed", "int8", "owed_minor"),
        ("handed", "int8", "handed_minor"),
        ("breakage", "int8", "breakage_numerator"),
        ("breakage_of", "int8", "breakage_denominator"),
        ("cap_cut", "int8", "cap_cut_minor"),
        ("commission", "int8", "commission_minor"),
        ("extra_owed", "int8", "extra_owed_minor"),
        ("bank", "int8", "bank_minor"),
    ),
    "FROM settlements_payout WHERE round_id = ANY({}) AND revision = 1",
)


def read_columns(query: Query, round_ids: Sequence[int]) -> Table:
    """Return the rows of these rounds as a record array, in no order."""
    stream = copy_out(query.sql, round_ids)
    row = query.row
    body = memoryview(stream)[_HEADER_BYTES : len(stream) - _TRAILER_BYTES]
    table: Table = np.frombuffer(body, dtype=row)
    if len(table) and not (table["count"] == len(query.columns)).all():
        raise ValueError("a column of a COPY is null or not of its width")
    return table


def copy_out(command: str, round_ids: Sequence[int]) -> bytes:
    """Return all that a COPY sends; its one parameter is a list of ids.

    The driver's own loop costs ten times what a row of a few integers does, so the rows are taken
    from the library below it.
    """
    with connection.cursor() as cursor:
        raw = cursor.connection.pgconn
        composed = sql.SQL(command).format(sql.Literal(list(round_ids)))
        answer = raw.exec_(composed.as_bytes(cursor.connection))
        if answer.status != pq.ExecStatus.COPY_OUT:
            raise error_from_result(answer)
        pieces: list[bytes] = []
        size, data = raw.get_copy_data(0)
        while size > 0:
            pieces.append(data)
            size, data = raw.get_copy_data(0)
        while (answer := raw.get_result()) is not None:
            if answer.status != pq.ExecStatus.COMMAND_OK:
                raise error_from_result(answer)
    return b"".join(pieces)


def column(table: Table, name: str) -> Ints:
    """Return one column as integers of the machine."""
    return table[name].astype(np.int64)
