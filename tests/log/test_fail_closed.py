"""Trust R21: whatever fails in an append, there is no change without an entry, nor the reverse."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import DatabaseError, connection

from audit.chain import BodyError
from audit.log.errors import AppendError
from audit.log.models import Stream
from audit.log.replay import replay_log
from audit.log.rows import Change, Ref, Row
from audit.log.services import append, lock_stream, service
from audit.log.verify import verify_log
from casino.outbox.services import outbox_row
from casino.people.models import RoleGrant, Staff
from tests.log.people import ADMINISTRATOR, counts, hire
from tests.support.database import CloneDatabase


@service
def everything(staff: Ref, number: str = "S2") -> None:
    """One append with all that an append can hold."""
    lock_stream("people")
    append(
        stream="people",
        action="staff.changed",
        subject=staff.key,
        actor=ADMINISTRATOR,
        facts=[
            Row(RoleGrant, {"staff": staff, "role": role, "revision": 1, "granted": True})
            for role in ("dealer", "auditor")
        ],
        new_heads=[Row(Staff, {"number": number, "badge": number, "name": "Cora Lim"})],
        changes=[Change(Staff, staff, {"name": "Changed"})],
        work=[outbox_row("topic", key=number)],
    )


def state() -> object:
    """All that may change."""
    return counts(), list(Staff.objects.values()), list(Stream.objects.values())


@contextmanager
def failing(clone: CloneDatabase, table: str, moment: str, what: str) -> Iterator[None]:
    """Let the database fail at a moment of the statement: in the row's place, after it, or at the
    commit."""
    timing = {
        "before": f"CREATE TRIGGER zz_fault BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW",
        "after": f"CREATE TRIGGER zz_fault AFTER INSERT OR UPDATE ON {table} FOR EACH ROW",
        "commit": f"CREATE CONSTRAINT TRIGGER zz_fault AFTER INSERT OR UPDATE ON {table}"
        " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW",
    }[moment]
    action = {
        "error": "RAISE EXCEPTION 'injected'",
        "disk": "RAISE EXCEPTION 'injected' USING ERRCODE = 'disk_full'",
        "killed": "PERFORM pg_terminate_backend(pg_backend_pid())",
        "skipped": "RETURN NULL",
    }[what]
    with psycopg.connect(clone.admin_url, autocommit=True) as admin:
        admin.execute(
            "CREATE FUNCTION zz_fault() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
            f" AS $$ BEGIN {action}; RETURN NEW; END $$"
        )
        admin.execute("ALTER FUNCTION zz_fault() OWNER TO postgres")
        admin.execute(f"{timing} EXECUTE FUNCTION zz_fault()")
        try:
            yield
        finally:
            admin.execute("DROP FUNCTION zz_fault() CASCADE")


TABLES = ("log_stream", "log_entry", "people_rolegrant", "people_staff", "outbox_outboxitem")


FAULTS = [
    (moment, what)
    for moment in ("before", "after", "commit")
    for what in ("error", "disk", "killed")
] + [("before", "skipped")]


@pytest.mark.parametrize("table", TABLES)
def test_a_fault_at_any_step_leaves_nothing(clone_db: CloneDatabase, table: str) -> None:
    staff = hire()
    before = state()
    for moment, what in FAULTS:
        with failing(clone_db, table, moment, what), pytest.raises((DatabaseError, AppendError)):
            everything(staff)
        connection.close()
        assert state() == before, f"{moment} {what}"
    everything(staff)
    assert verify_log(place=None).sound
    assert replay_log().sound


@pytest.mark.parametrize("statement", ["lock_stream", "INSERT INTO log_entry", "COMMIT"])
def test_a_connection_that_breaks_at_any_statement_leaves_nothing(
    clone_db: CloneDatabase, statement: str
) -> None:
    staff = hire()
    before = state()

    def break_first(execute: Execute, sql: str, *rest: object) -> object:
        if statement in sql:
            _break_connection(clone_db)
        return execute(sql, *rest)

    @service
    def broken() -> None:
        everything(staff)
        if statement == "COMMIT":
            _break_connection(clone_db)

    with pytest.raises(DatabaseError), connection.execute_wrapper(break_first):
        broken()
    connection.close()
    assert state() == before
    everything(staff)
    assert replay_log().sound


Execute = Callable[..., object]


def _break_connection(clone: CloneDatabase) -> None:
    with psycopg.connect(clone.admin_url, autocommit=True) as admin:
        pid = connection.connection.info.backend_pid
        admin.execute("SELECT pg_terminate_backend(%s, 2000)", [pid])


def test_a_timeout_in_the_statement_leaves_nothing(clone_db: CloneDatabase) -> None:
    staff = hire()
    before = state()
    with psycopg.connect(clone_db.admin_url, autocommit=True) as admin:
        admin.execute(
            "CREATE FUNCTION zz_slow() RETURNS trigger LANGUAGE plpgsql"
            " AS $$ BEGIN PERFORM pg_sleep(5); RETURN NEW; END $$"
        )
        admin.execute(
            "CREATE TRIGGER zz_slow AFTER INSERT ON people_rolegrant FOR EACH ROW"
            " EXECUTE FUNCTION zz_slow()"
        )
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = '100ms'")
        with pytest.raises(DatabaseError, match="statement timeout"):
            everything(staff)
        connection.close()
        admin.execute("DROP FUNCTION zz_slow() CASCADE")
    assert state() == before


def test_what_cannot_be_said_is_not_done(clone_db: CloneDatabase) -> None:
    """The canonical form fails before any statement is sent, and after a change of its own."""
    staff = hire()
    before = state()

    @service
    def unsayable() -> None:
        everything(staff)
        append(
            stream="people",
            action="staff.changed",
            subject="S1",
            actor=ADMINISTRATOR,
            data={"float": 0.5},
        )

    with pytest.raises(BodyError):
        unsayable()
    assert state() == before
