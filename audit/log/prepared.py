"""Statements that every tap runs: parsed and planned once a connection, not once a tap.

Django writes parameters into the text, so that PostgreSQL plans each execution anew: most of what
the read of a round costs. A cursor of this module sends the parameters apart, and the statement
stays on the server (`prepare_threshold` in `casino.config`). PostgreSQL plans it anew by itself
when a table or its statistics change. For a few fixed texts, never for one that is built for each
call.
"""

from typing import Any  # parameters are whatever the statement takes

from django.db import connection
from django.db.backends.utils import CursorDebugWrapper, CursorWrapper
from psycopg import Cursor
from psycopg.types.numeric import Int8Dumper


def prepared_cursor() -> CursorWrapper:
    """Return a cursor of the default connection whose statements stay prepared on the server."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    cursor = Cursor(connection.connection)
    # Else a number's type is as wide as the number, and each width another statement.
    cursor.adapters.register_dumper(int, Int8Dumper)
    wrapper = _LoggedCursor if connection.queries_logged else CursorWrapper
    return wrapper(cursor, connection)


class _LoggedCursor(CursorDebugWrapper):
    """For Django's list of queries: the driver does not keep the text of a prepared statement."""

    def execute(self, sql: Any, params: Any = None) -> Any:
        with self.debug_sql(sql, params):
            return CursorWrapper.execute(self, sql, params)
