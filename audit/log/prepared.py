"""Statements that every tap runs: parsed and planned once a connection, not once a tap.

Django writes parameters into the text, so that PostgreSQL plans each execution anew: most of what
the read of a round costs. A cursor of this module sends the parameters apart, and the statement
stays on the server (`prepare_threshold` in `casino.config`). PostgreSQL plans it anew by itself
when a table or its statistics change. For a few fixed texts, never for one that is built for each
call.
"""

from typing import Any  # parameters are whatever the statement takes

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorDebugWrapper, CursorWrapper
from psycopg import Cursor
from psycopg.types.numeric import Int8Dumper


def prepared_cursor() -> CursorWrapper:
    """Return a cursor of the default connection whose statements stay prepared on the server."""
    database = connections[DEFAULT_DB_ALIAS]
    database.close_if_health_check_failed()
    database.ensure_connection()
    wrapper = _LoggedCursor if database.queries_logged else CursorWrapper
    return wrapper(Cursor(database.connection), database)


def send_numbers_as_bigint(connection: BaseDatabaseWrapper, **_signal: object) -> None:
    """Give a new connection one type for all numbers (`connection_created`).

    The driver's own choice is as wide as the number: the same statement would be prepared once for
    each width.
    """
    connection.connection.adapters.register_dumper(int, Int8Dumper)


class _LoggedCursor(CursorDebugWrapper):
    """For Django's list of queries: the driver does not keep the text of a prepared statement."""

    def execute(self, sql: Any, params: Any = None) -> Any:
        with self.debug_sql(sql, params):
            return CursorWrapper.execute(self, sql, params)
