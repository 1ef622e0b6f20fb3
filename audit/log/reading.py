"""Reading the log from end to end: one snapshot, server-side cursors, 2,000 rows at once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any  # rows and parameters are whatever the query says

from django.db import connection, transaction
from psycopg import sql

ROWS_PER_FETCH = 2000
# A time and a day as the text that is hashed; null for one that has no such text. Without the era
# a year before Christ would be spelt as the same year after.
_WITHIN = "CASE WHEN {0} >= '0001-01-01' AND {0} < 'infinity' THEN to_char("
INSTANT_SQL = _WITHIN + "{0} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') END"
DAY_SQL = _WITHIN + "{0}, 'YYYY-MM-DD') END"


def instant_sql(column: str) -> sql.Composed:
    """Return the expression that gives a column's time as the text that is hashed, or null."""
    return sql.SQL(INSTANT_SQL).format(sql.Identifier(column))


@contextmanager
def snapshot() -> Iterator[None]:
    """Read everything as of one instant, while others write.

    Inside somebody's transaction, that one's view is used instead.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            # A check that reads for an hour is no reason to give up.
            cursor.execute("SET LOCAL statement_timeout = 0")
        yield


def stream_rows(query: sql.Composable | str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
    """Yield the rows of a query, a few thousand at a time; needs a transaction."""
    text = query if isinstance(query, str) else query.as_string(connection.connection)
    with connection.chunked_cursor() as cursor:
        cursor.execute(text, parameters)
        while rows := cursor.fetchmany(ROWS_PER_FETCH):
            yield from rows


def fetch_all(query: str, parameters: Any = ()) -> list[Any]:
    """All rows of a short query."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows


def instant_text(moment: datetime) -> str:
    """An instant that the database gave in UTC, in the log's form; quick, because it is hot."""
    return f"{moment.isoformat(timespec='microseconds')[:26]}Z"
