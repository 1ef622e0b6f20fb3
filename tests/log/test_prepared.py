"""Statements of every tap are planned once a connection, and stay right when something changes."""

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from audit.log.models import Entry
from audit.log.prepared import prepared_cursor
from audit.log.services import service
from tests.log.people import note
from tests.support.database import CloneDatabase

SCOPE = "SELECT count(*), max(seq) FROM log_stream WHERE seq >= %s"


def prepared(text: str) -> int:
    """How many prepared statements of this connection hold a text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE strpos(statement, %s) > 0", [text]
        )
        found: int = cursor.fetchone()[0]
        return found


def scope(least: int = 0) -> tuple[int, int]:
    """How many streams there are, and the highest number in any."""
    with prepared_cursor() as cursor:
        cursor.execute(SCOPE, [least])
        streams, highest = cursor.fetchone()
        return streams, highest


@service
def write() -> None:
    """Append an entry."""
    note("people")


def test_one_statement_stands_for_numbers_of_every_width(clone_db: CloneDatabase) -> None:
    for least in (0, 40_000, 5_000_000_000):
        scope(least)
    assert prepared("max(seq) FROM log_stream") == 1


def test_lock_and_append_stay_prepared_over_transactions(clone_db: CloneDatabase) -> None:
    for _ in range(3):
        write()
    assert prepared("INSERT INTO log_entry") == 1
    assert Entry.objects.count() == 3


def test_one_plan_serves_whatever_the_parameters(clone_db: CloneDatabase) -> None:
    for least in (0, 1, 5_000_000_000):
        scope(least)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements"
            " WHERE strpos(statement, 'max(seq) FROM log_stream') > 0"
        )
        assert cursor.fetchall() == [(3, 0)]


def test_it_stays_right_after_a_rollback(clone_db: CloneDatabase) -> None:
    scope()

    @service
    def fail() -> None:
        note("people")
        raise RuntimeError("after the entry")

    with pytest.raises(RuntimeError):
        fail()
    with transaction.atomic():
        point = transaction.savepoint()
        note("people")
        transaction.savepoint_rollback(point)
    write()
    assert Entry.objects.count() == scope()[1] == 1


def test_an_error_leaves_the_statement_usable(clone_db: CloneDatabase) -> None:
    text = "SELECT 100 / %s"
    for divisor, quotient in ((5, 20), (0, None), (4, 25)):
        with prepared_cursor() as cursor:
            if quotient is None:
                with pytest.raises(DatabaseError):
                    cursor.execute(text, [divisor])
                continue
            cursor.execute(text, [divisor])
            assert cursor.fetchone() == (quotient,)


def test_a_changed_table_is_planned_anew(clone_db: CloneDatabase) -> None:
    for _ in range(7):  # Beyond the five after which PostgreSQL keeps one plan.
        before = scope()
    with psycopg.connect(clone_db.owner_url) as owner:
        owner.execute("ALTER TABLE log_stream ADD COLUMN more int NOT NULL DEFAULT 0")
        owner.execute("CREATE INDEX log_stream_by_number ON log_stream (seq)")
    assert scope() == before
    write()
    assert scope()[1] == before[1] + 1


def test_a_connection_that_died_is_replaced(
    clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope()
    assert connection.connection is not None
    with psycopg.connect(clone_db.admin_url) as admin:
        pid = connection.connection.info.backend_pid
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    # What Django does when a request begins.
    monkeypatch.setattr(connection, "health_check_enabled", True)
    monkeypatch.setattr(connection, "health_check_done", False)
    assert scope()[0] >= 1
    assert connection.connection.info.backend_pid != pid
