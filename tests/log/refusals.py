"""Statements that must fail, and the tables that they are aimed at."""

import psycopg
import pytest

FACT = "people_rolegrant"
HEAD = "people_staff"
GUARDED = (FACT, "log_entry", "log_checkpoint", "log_stream", HEAD)

INSERT_FACT = (
    f"INSERT INTO {FACT} (staff_id, role, revision, granted, entry_id)"
    " VALUES ({staff}, 'auditor', 1, true, {entry})"
)
INSERT_ENTRY = (
    "INSERT INTO log_entry (stream, body, action, subject, actor, role, request_id)"
    " VALUES ('people', '{{}}', 'test.noted', 'x', 'S9', 'dealer', '')"
)


def refused(url: str, statement: str) -> str:
    """Run a statement of its own transaction; it must fail. Returns what the server said."""
    with psycopg.connect(url) as raw:
        with pytest.raises(psycopg.Error) as caught:
            raw.execute(statement)
        # Refused, not misspelt.
        assert caught.value.sqlstate not in ("42601", "42P01", "42703", "42883")
        return str(caught.value)
