"""The rows of a table as the log would have written them, in an order that replay can follow.

Foreign keys come back as natural keys, so that a row is compared with its entry text by text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import connection
from psycopg import sql

from audit.log.reading import fetch_all, stream_rows
from audit.log.registry import Declared


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact with the id of its entry."""

    entry_id: int
    id: int | str
    row: dict[str, object]


@dataclass(frozen=True, slots=True)
class StoredHead:
    """A head by its natural key; `row` without that key and without private columns."""

    key: str
    stream: str
    row: dict[str, object]


def stored_facts(table: Declared) -> Iterator[StoredFact]:
    """All facts of a table, in the order of their entries; needs a transaction."""
    columns = list(table.logged.items())
    query = _select(
        table, sql.SQL("t.entry_id, t.{}").format(sql.Identifier(table.key_column))
    ) + sql.SQL(" ORDER BY t.entry_id, t.{}").format(sql.Identifier(table.key_column))
    for entry_id, key, *values in stream_rows(query):
        row = {
            name: column.stored(value)
            for (name, column), value in zip(columns, values, strict=True)
        }
        yield StoredFact(entry_id, key, row)


def facts_of_entries(table: Declared, entry_ids: Sequence[int]) -> list[StoredFact]:
    """The facts of a table that came with the given entries, in the order of the entries."""
    columns = list(table.logged.items())
    key = sql.Identifier(table.key_column)
    query = _select(table, sql.SQL("t.entry_id, t.{}").format(key)) + sql.SQL(
        " WHERE t.entry_id = ANY(%s) ORDER BY t.entry_id, t.{}"
    ).format(key)
    return [
        StoredFact(
            entry_id,
            id_,
            {
                name: column.stored(value)
                for (name, column), value in zip(columns, values, strict=True)
            },
        )
        for entry_id, id_, *values in fetch_all(
            query.as_string(connection.connection), [list(entry_ids)]
        )
    ]


def stored_heads(table: Declared) -> Iterator[StoredHead]:
    """All heads of a table, in the byte order of their natural keys; needs a transaction."""
    columns = list(table.logged.items())
    natural = sql.Identifier(table.columns[table.natural].column)
    query = _select(table, sql.SQL("t.stream, t.{}").format(natural)) + sql.SQL(
        ' ORDER BY t.{}::text COLLATE "C"'
    ).format(natural)
    for stream, key, *values in stream_rows(query):
        row = {
            name: column.stored(value)
            for (name, column), value in zip(columns, values, strict=True)
            if name != table.natural
        }
        yield StoredHead(str(key), stream, row)


def _select(table: Declared, first: sql.Composable) -> sql.Composable:
    """Select `first`, then every logged column, foreign keys as the natural key they point at."""
    outputs: list[sql.Composable] = [first]
    joins: list[sql.Composable] = []
    for number, column in enumerate(table.logged.values()):
        name = sql.Identifier(column.column)
        if column.natural is None:
            # The template is a constant of the column's type.
            outputs.append(sql.SQL(column.output).format(sql.SQL("t.{}").format(name)))
            continue
        related, key, natural = (sql.Identifier(part) for part in column.natural)
        alias = sql.Identifier(f"r{number}")
        outputs.append(sql.SQL("{}.{}").format(alias, natural))
        joins.append(
            sql.SQL(" LEFT JOIN {} AS {} ON {}.{} = t.{}").format(related, alias, alias, key, name)
        )
    return sql.SQL("SELECT {} FROM {} AS t").format(
        sql.SQL(", ").join(outputs), sql.Identifier(table.table)
    ) + sql.SQL("").join(joins)
