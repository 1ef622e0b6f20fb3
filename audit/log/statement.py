"""The one SQL statement of an append, built once per shape and kept.

A shape is the list of tables and columns written, not the values: many rows of one table travel as
one array per column, so their number changes nothing. Every part selects from the entry's own row:
the entry exists before the guards of facts and heads look for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db import connection
from psycopg import sql

from audit.log.registry import Declared


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table in a statement: an insert of one or of many rows, or an update of one."""

    table: Declared
    columns: tuple[str, ...]
    update: bool = False
    many: bool = False

    def __hash__(self) -> int:
        """By table and columns; the declaration is one object per table."""
        return hash((id(self.table), self.columns, self.update, self.many))


@lru_cache(maxsize=512)
def append_sql(parts: tuple[Part, ...]) -> str:
    """Return the statement for a shape.

    It answers one row: id, number, hash and time of the entry, then for each part the ids inserted
    in order (null where the caller stated them) or the number of rows updated.
    """
    names = [sql.Identifier(f"p{number}") for number in range(len(parts))]
    bodies = [_ENTRY, *(_part(part, name) for part, name in zip(parts, names, strict=True))]
    answers = [_ANSWER, *(_result(part, name) for part, name in zip(parts, names, strict=True))]
    statement = sql.SQL("WITH {} SELECT {} FROM e").format(
        sql.SQL(", ").join(bodies), sql.SQL(", ").join(answers)
    )
    return statement.as_string(connection.connection)


_ENTRY = sql.SQL(
    "e AS (INSERT INTO log_entry"
    " (stream, body, action, subject, actor, role, device, request_id)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING id, stream, seq, hash, at)"
)
_ANSWER = sql.SQL("e.id, e.seq, e.hash, e.at")


def _part(part: Part, name: sql.Identifier) -> sql.Composable:
    if part.update:
        return _update(part, name)
    insert = _insert_many if part.many else _insert_one
    return insert(part, name)


def _placeholders(part: Part) -> list[sql.Composable]:
    suffix = "[]" if part.many else ""
    return [
        sql.SQL("%s::{}{}").format(_sql_type(part, column), sql.SQL(suffix))
        for column in part.columns
    ]


def _sql_type(part: Part, column: str) -> sql.SQL:
    # From Django's own description of the field, never from a caller.
    return sql.SQL(part.table.columns[column].cast)


def _targets(part: Part, *, entry: bool) -> sql.Composable:
    """The columns of an insert, with the entry's id or stream for facts and heads."""
    names = [part.table.columns[column].column for column in part.columns]
    tied = {"fact": ["entry_id"], "head": ["stream"], "working": []}[part.table.kind.value]
    return sql.SQL(", ").join(map(sql.Identifier, [*names, *(tied if entry else [])]))


def _tied(part: Part) -> list[sql.Composable]:
    source = {"fact": ["e.id"], "head": ["e.stream"], "working": []}[part.table.kind.value]
    return [sql.SQL(text) for text in source]


def _returning(part: Part) -> sql.Composable:
    if part.table.given_key is not None:
        return sql.SQL("")
    return sql.SQL(" RETURNING {}").format(sql.Identifier(part.table.key_column))


def _insert_one(part: Part, name: sql.Identifier) -> sql.Composable:
    return sql.SQL("{} AS (INSERT INTO {} ({}) SELECT {} FROM e{})").format(
        name,
        sql.Identifier(part.table.table),
        _targets(part, entry=True),
        sql.SQL(", ").join([*_placeholders(part), *_tied(part)]),
        _returning(part),
    )


def _insert_many(part: Part, name: sql.Identifier) -> sql.Composable:
    """Ids are given in the order of the rows, because the rows are sorted before they go in."""
    values = sql.SQL(", ").join(
        sql.SQL("v.{}").format(sql.Identifier(f"c{number}")) for number in range(len(part.columns))
    )
    aliases = sql.SQL(", ").join(
        sql.Identifier(f"c{number}") for number in range(len(part.columns))
    )
    return sql.SQL(
        "{} AS (INSERT INTO {} ({}) SELECT {} FROM e,"
        " unnest({}) WITH ORDINALITY AS v({}, n) ORDER BY v.n{})"
    ).format(
        name,
        sql.Identifier(part.table.table),
        _targets(part, entry=True),
        sql.SQL(", ").join([values, *_tied(part)]),
        sql.SQL(", ").join(_placeholders(part)),
        aliases,
        _returning(part),
    )


def _update(part: Part, name: sql.Identifier) -> sql.Composable:
    columns = [sql.Identifier(part.table.columns[column].column) for column in part.columns]
    settings = sql.SQL(", ").join(
        sql.SQL("{} = {}").format(column, value)
        for column, value in zip(columns, _placeholders(part), strict=True)
    )
    return sql.SQL(
        "{} AS (UPDATE {} AS t SET {} FROM e WHERE t.{} = %s AND t.stream = e.stream RETURNING 1)"
    ).format(
        name, sql.Identifier(part.table.table), settings, sql.Identifier(part.table.key_column)
    )


def _result(part: Part, name: sql.Identifier) -> sql.Composable:
    if part.update:
        return sql.SQL("(SELECT count(*) FROM {})").format(name)
    if part.table.given_key is not None:
        return sql.SQL("NULL")
    key = sql.Identifier(part.table.key_column)
    order = sql.SQL(" ORDER BY {}").format(key) if part.many else sql.SQL("")
    return sql.SQL("ARRAY(SELECT {} FROM {}{})").format(key, name, order)


def parameters(part: Part, rows: Sequence[Sequence[object]]) -> list[object]:
    """The parameters of a part: row by row when it is one row, column by column when many."""
    if not part.many:
        return list(rows[0])
    return [list(column) for column in zip(*rows, strict=True)]
