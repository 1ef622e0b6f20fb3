"""What each guard refuses, to whom, and that it stands alone; the roles and the declarations."""

import psycopg
import pytest
from django.db import transaction
from psycopg import sql

from audit.log.models import Entry, Stream
from audit.log.registry import Kind, all_declared
from audit.log.rows import Ref, Row
from audit.log.services import append, create_stream
from audit.log.verify import verify_log
from casino.people.models import RoleGrant, Staff
from tests.log.databases import ROLES
from tests.log.people import ADMINISTRATOR, with_one_role
from tests.log.refusals import FACT, GUARDED, HEAD, INSERT_ENTRY, INSERT_FACT, refused
from tests.support.database import CloneDatabase

HASH = "\\x" + "00" * 32


@pytest.fixture
def staff(clone_db: CloneDatabase) -> Ref:
    """One person with one role: two entries, a head and a fact."""
    return with_one_role()


@pytest.mark.parametrize("table", GUARDED)
@pytest.mark.parametrize("rows", ["", " WHERE false"])
def test_the_owner_is_refused_by_row_and_by_statement(
    staff: Ref, clone_db: CloneDatabase, table: str, rows: str
) -> None:
    statements = [f"DELETE FROM {table}{rows}", f"TRUNCATE {table} CASCADE"]
    if table not in (HEAD, "log_stream"):
        column = "hash" if table == "log_checkpoint" else "id"
        statements.append(f"UPDATE {table} SET {column} = {column}{rows}")
    for statement in statements:
        assert "is refused" in refused(clone_db.owner_url, statement)
        assert "is refused" in refused(clone_db.admin_url, statement)
        assert "is refused" in refused(
            clone_db.admin_url, f"SET session_replication_role = replica; {statement}"
        )


def test_the_row_guard_stands_alone(staff: Ref, clone_db: CloneDatabase) -> None:
    """With the statement's trigger gone, the row's still refuses, and the other way round."""
    for dropped in ("log_refuse_statement", "log_refuse_row"):
        with psycopg.connect(clone_db.owner_url) as raw:
            raw.execute(f"DROP TRIGGER {dropped} ON {FACT}")
            for statement in (f"UPDATE {FACT} SET granted = false", f"DELETE FROM {FACT}"):
                with pytest.raises(psycopg.Error, match="is refused"), raw.transaction():
                    raw.execute(statement)
            raw.rollback()


def test_a_fact_needs_the_entry_of_its_own_transaction(staff: Ref, clone_db: CloneDatabase) -> None:
    old = Entry.objects.latest("id").pk
    for entry in ("NULL", "0", str(old)):
        refused(clone_db.app_url, INSERT_FACT.format(staff=staff.id, entry=entry))
        refused(clone_db.owner_url, INSERT_FACT.format(staff=staff.id, entry=entry))
    with psycopg.connect(clone_db.app_url) as raw:
        made = raw.execute(INSERT_ENTRY.format() + " RETURNING id").fetchone()
        assert made is not None
        raw.commit()
        with pytest.raises(psycopg.Error, match="entry of its own transaction"):
            raw.execute(INSERT_FACT.format(staff=staff.id, entry=made[0]))


def test_another_open_transactions_entry_does_not_serve(
    staff: Ref, clone_db: CloneDatabase
) -> None:
    with psycopg.connect(clone_db.app_url) as one, psycopg.connect(clone_db.app_url) as two:
        made = one.execute(INSERT_ENTRY.format() + " RETURNING id").fetchone()
        assert made is not None
        with pytest.raises(psycopg.Error, match="entry of its own transaction"):
            two.execute(INSERT_FACT.format(staff=staff.id, entry=made[0]))


def test_entry_fact_and_head_in_one_statement(staff: Ref, clone_db: CloneDatabase) -> None:
    """The guards see what the same statement wrote before."""
    with psycopg.connect(clone_db.app_url) as raw:
        raw.execute(
            f"WITH e AS ({INSERT_ENTRY.format()} RETURNING id),"
            f" f AS (INSERT INTO {FACT} (staff_id, role, revision, granted, entry_id)"
            f"   SELECT {staff.id}, 'auditor', 1, true, e.id FROM e RETURNING id)"
            f" UPDATE {HEAD} SET name = 'Another' FROM e WHERE {HEAD}.id = {staff.id}"
        )
    assert RoleGrant.objects.count() == 2
    assert Staff.objects.get().name == "Another"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seq", "1"),
        ("seq", "4"),
        ("seq", "99"),
        ("prev_hash", f"'{HASH}'"),
        ("hash", f"'{HASH}'"),
        ("at", "now()"),
        ("at", "'2020-01-01'"),
        ("at", "'infinity'"),
        ("xid", "'1'"),
    ],
)
def test_an_entry_that_states_what_is_not_its_to_state_is_refused(
    staff: Ref, clone_db: CloneDatabase, column: str, value: str
) -> None:
    statement = INSERT_ENTRY.format().replace("(stream,", f"(stream, {column},", 1)
    statement = statement.replace("('people',", f"('people', {value},", 1)
    for url in (clone_db.app_url, clone_db.owner_url, clone_db.admin_url):
        assert "not the client's to state" in refused(url, statement)
    assert Entry.objects.count() == 2


def test_the_right_number_and_hash_before_may_be_stated(
    staff: Ref, clone_db: CloneDatabase
) -> None:
    head = Stream.objects.get(name="people")
    statement = INSERT_ENTRY.format().replace("(stream,", "(stream, seq, prev_hash,", 1)
    statement = statement.replace(
        "('people',", f"('people', {head.seq + 1}, '\\x{bytes(head.hash).hex()}',", 1
    )
    with psycopg.connect(clone_db.app_url) as raw:
        raw.execute(statement)
    assert Stream.objects.get(name="people").seq == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log_stream SET seq = 7 WHERE name = 'people'",
        f"UPDATE log_stream SET hash = '{HASH}'",
        "UPDATE log_stream SET seq = seq + 1 WHERE name = 'people'",
        "UPDATE log_stream SET name = 'other' WHERE name = 'people'",
        f"INSERT INTO log_stream VALUES ('table/X', 5, '{HASH}', now(), '0')",
        f"INSERT INTO log_stream VALUES ('table/X', 0, '\\x{'01' * 32}', now(), '0')",
        f"INSERT INTO log_stream VALUES ('table/X', 0, '{HASH}', now(), pg_current_xact_id())",
        "SELECT 1 FROM log_stream WHERE name = 'people' FOR UPDATE",
    ],
)
def test_a_stream_moves_by_its_entries_alone(
    staff: Ref, clone_db: CloneDatabase, statement: str
) -> None:
    refused(clone_db.app_url, statement)
    if not statement.startswith("SELECT"):
        assert "is refused" in refused(clone_db.owner_url, statement)
        assert "is refused" in refused(clone_db.admin_url, statement)


def test_the_functions_of_the_guards_serve_nobody_else(staff: Ref, clone_db: CloneDatabase) -> None:
    """A trigger of one's own with the chain's function would move a stream without an entry."""
    for statement in (
        "CREATE TABLE mine (LIKE log_entry)",
        "CREATE TEMPORARY TABLE mine (stream text)",
        f"SELECT log_unguard('{FACT}')",
        f"SELECT log_guard_fact('{FACT}')",
        f"SELECT log_declare_working('{FACT}')",
        "SELECT log_entry_chain()",
    ):
        refused(clone_db.app_url, statement)
    with psycopg.connect(clone_db.owner_url) as owner:
        owner.execute("CREATE SCHEMA side")
        owner.execute("CREATE TABLE side.log_entry (LIKE log_entry)")
        owner.execute(
            "CREATE TRIGGER chain BEFORE INSERT ON side.log_entry FOR EACH ROW"
            " EXECUTE FUNCTION log_entry_chain()"
        )
        with pytest.raises(psycopg.Error, match="belongs to log_entry alone"):
            owner.execute("INSERT INTO side.log_entry (stream, body) VALUES ('people', '{}')")


def test_a_head_changes_only_with_an_entry_of_its_stream(
    staff: Ref, clone_db: CloneDatabase
) -> None:
    change = f"UPDATE {HEAD} SET name = 'Quiet' WHERE id = {staff.id}"
    insert = (
        f"INSERT INTO {HEAD} (stream, number, badge, name, active, pin_hash, password_hash)"
        " VALUES ('people', 'S2', 'B2', 'Quiet', true, '', '')"
    )
    elsewhere = INSERT_ENTRY.format().replace("'people'", "'house'")
    new_stream = "SELECT create_stream('table/NEW')"
    for statement in (change, insert):
        for url in (clone_db.app_url, clone_db.owner_url, clone_db.admin_url):
            assert "needs an entry" in refused(url, statement)
            assert "needs an entry" in refused(url, f"{elsewhere}; {statement}")
            assert "needs an entry" in refused(url, f"{new_stream}; {statement}")
    moved = f"{INSERT_ENTRY.format()}; UPDATE {HEAD} SET stream = 'house'"
    assert "does not change its stream" in refused(clone_db.app_url, moved)
    assert Staff.objects.get().name == "Ben Cruz"


def test_an_entry_of_a_savepoint_that_was_rolled_back_does_not_serve(
    staff: Ref, clone_db: CloneDatabase
) -> None:
    with psycopg.connect(clone_db.app_url) as raw:
        raw.execute("SAVEPOINT a")
        raw.execute(INSERT_ENTRY.format())
        raw.execute("ROLLBACK TO a")
        with pytest.raises(psycopg.Error, match="needs an entry"):
            raw.execute(f"UPDATE {HEAD} SET name = 'Quiet'")


def test_every_table_is_declared_and_says_so(clone_db: CloneDatabase) -> None:
    with psycopg.connect(clone_db.app_url) as raw:
        rows = raw.execute(
            "SELECT relname, obj_description(oid, 'pg_class') FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        ).fetchall()
    silent = {name for name, comment in rows if comment not in ("fact", "head", "working")}
    assert silent == {"django_migrations"}


def test_the_roles_file_may_run_again(staff: Ref, clone_db: CloneDatabase) -> None:
    with psycopg.connect(clone_db.admin_url, autocommit=True) as admin:
        admin.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO casino_app, PUBLIC")
        assert not verify_log(place=None).sound
        admin.execute(sql.SQL(ROLES.read_text(encoding="utf-8")))
        assert verify_log(place=None).sound
    create_stream("table/LATER")
    with transaction.atomic():
        append(
            stream="people",
            action="role.granted",
            subject="S1",
            actor=ADMINISTRATOR,
            facts=[
                Row(RoleGrant, {"staff": staff, "role": "auditor", "revision": 1, "granted": True})
            ],
        )


def test_from_an_entry_to_its_facts_there_is_an_index(clone_db: CloneDatabase) -> None:
    with psycopg.connect(clone_db.app_url) as raw:
        for item in all_declared(Kind.FACT):
            leading = raw.execute(
                "SELECT a.attname FROM pg_index i JOIN pg_attribute a"
                " ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
                " WHERE i.indrelid = %s::regclass",
                [item.table],
            ).fetchall()
            assert ("entry_id",) in leading, item.table
