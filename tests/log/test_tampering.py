"""As the superuser, one thing changed at a time: `verify_log` or `replay_log` names it first.

Every change is made and looked at in one transaction of the superuser and rolled back.
"""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from audit.log.replay import replay_log
from audit.log.verify import verify_log
from tests.log.databases import REHASH
from tests.log.people import populate
from tests.support.database import DatabaseServer, default_database

TABLES = ("log_entry", "log_stream", "people_rolegrant", "people_staff")


@pytest.fixture(scope="module")
def _broken(test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A small log of this module's own, and Django connected to it as the superuser."""
    with test_server.clone() as clone, django_db_blocker.unblock():
        with default_database(clone.app_url):
            populate()
        with default_database(clone.admin_url):
            yield


@pytest.fixture
def superuser(_broken: None) -> Iterator["Superuser"]:
    """The superuser's transaction, rolled back at the end."""
    with transaction.atomic():
        yield Superuser()
        transaction.set_rollback(True)


class Superuser:
    """Changes what nobody may change."""

    def execute(self, statement: str) -> int:
        """Run a statement and say how many rows it touched."""
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return int(cursor.rowcount)

    def change(self, statements: str) -> None:
        """Change rows past all triggers, which are back as they were afterwards."""
        for table in TABLES:
            self.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        for statement in statements.split("; "):
            assert self.execute(statement)
        for table in TABLES:
            self.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
            self.execute(
                "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tgname FROM pg_trigger"
                f" WHERE tgrelid = '{table}'::regclass AND NOT tgisinternal LOOP EXECUTE"
                f" format('ALTER TABLE {table} ENABLE ALWAYS TRIGGER %I', name); END LOOP; END $$"
            )


def first(code_and_where: str) -> None:
    """Expect this as the first thing that is wrong, whichever of the two commands sees it."""
    report = verify_log(place=None)
    problems = report.problems or replay_log().problems
    assert problems, "nobody noticed"
    assert f"{problems[0].code} {problems[0].where}" == code_and_where
    assert not report.problems or not report.complete


def test_an_untouched_log_is_sound(superuser: Superuser) -> None:
    superuser.change("UPDATE log_entry SET actor = actor")
    assert verify_log(place=None).sound
    assert replay_log().sound


# The same digits, some four thousand years before.
BEFORE_CHRIST = (
    "(to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00 BC')::timestamptz"
)
ENTRY = "WHERE stream = 'people' AND seq = 3"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # One byte of a body, at its start, in the middle, in a letter of a name.
        ("UPDATE log_entry SET body = set_byte(body, 0, 91) {e}", "entry.hash entry people 3"),
        ("UPDATE log_entry SET body = set_byte(body, 40, 64) {e}", "entry.hash entry people 3"),
        (
            "UPDATE log_entry SET hash = sha256(hash) {e}",
            "entry.hash entry people 3",
        ),
        (
            "UPDATE log_entry SET prev_hash = sha256(prev_hash) {e}",
            "entry.previous entry people 3",
        ),
        ("UPDATE log_entry SET at = at + interval '1 us' {e}", "entry.hash entry people 3"),
        ("UPDATE log_entry SET at = 'infinity' {e}", "entry.hash entry people 3"),
        (
            f"UPDATE log_entry SET at = {BEFORE_CHRIST.format('at')} {{e}}",
            "entry.hash entry people 3",
        ),
        ("UPDATE log_entry SET action = 'staff.fired' {e}", "entry.copy entry people 3"),
        ("UPDATE log_entry SET subject = 'S9' {e}", "entry.copy entry people 3"),
        ("UPDATE log_entry SET actor = 'S0' {e}", "entry.copy entry people 3"),
        ("UPDATE log_entry SET role = 'dealer' {e}", "entry.copy entry people 3"),
        ("UPDATE log_entry SET device = 'D1' {e}", "entry.copy entry people 3"),
        ("UPDATE log_entry SET request_id = '' {e}", "entry.copy entry people 3"),
        ("DELETE FROM log_entry {e}", "entry.missing entry people 3"),
        ("DELETE FROM log_entry WHERE seq = 1", "entry.missing entry people 1"),
        ("DELETE FROM log_entry WHERE stream = 'people' AND seq > 4", "stream.head stream people"),
        ("DELETE FROM log_entry WHERE stream = 'table/T1'", "stream.head stream table/T1"),
        ("UPDATE log_entry SET seq = 30 {e}", "entry.missing entry people 3"),
        ("UPDATE log_entry SET seq = 0 {e}", "entry.number entry people 0"),
        ("UPDATE log_entry SET stream = 'table/T2', seq = 1 {e}", "entry.missing entry people 3"),
        (
            "UPDATE log_entry SET stream = 'table/T3' WHERE stream = 'table/T1'",
            "entry.hash entry table/T3 1",
        ),
        ("UPDATE log_stream SET seq = 7 WHERE name = 'people'", "stream.head stream people"),
        (
            "UPDATE log_stream SET hash = sha256(hash) WHERE name = 'people'",
            "stream.head stream people",
        ),
        (
            "UPDATE log_stream SET last_at = last_at + interval '1 us' WHERE name = 'people'",
            "stream.head stream people",
        ),
        (
            "UPDATE log_stream SET last_at = 'infinity' WHERE name = 'people'",
            "stream.head stream people",
        ),
        (
            (
                "UPDATE log_stream SET last_at = "
                f"{BEFORE_CHRIST.format('last_at')} WHERE name = 'people'"
            ),
            "stream.head stream people",
        ),
        ("DELETE FROM log_stream WHERE name = 'people'", "stream.missing stream people"),
        ("UPDATE log_stream SET seq = 1 WHERE name = 'table/T2'", "stream.head stream table/T2"),
        # Facts and heads: the chain is whole, replay sees it.
        (
            "UPDATE people_rolegrant SET granted = false WHERE role = 'cashier'",
            "fact.differs entry people 5",
        ),
        (
            "UPDATE people_rolegrant SET staff_id = 3 - staff_id WHERE role = 'cashier'",
            "fact.differs entry people 5",
        ),
        ("DELETE FROM people_rolegrant WHERE role = 'dealer'", "fact.missing entry people 2"),
        (
            (
                "INSERT INTO people_rolegrant (staff_id, role, revision, granted, entry_id)"
                " SELECT staff_id, 'manager', 1, true, entry_id FROM people_rolegrant"
                " WHERE role = 'cashier'"
            ),
            "fact.extra role_grant 4",
        ),
        (
            "UPDATE people_rolegrant SET entry_id = 1 WHERE role = 'dealer'",
            "fact.extra role_grant 1",
        ),
        (
            "UPDATE people_rolegrant SET entry_id = 4 WHERE role = 'dealer'",
            "fact.missing entry people 2",
        ),
        ("UPDATE people_staff SET name = 'X' WHERE number = 'S2'", "head.differs staff S2"),
        ("UPDATE people_staff SET active = false WHERE number = 'S1'", "head.differs staff S1"),
        (
            "UPDATE people_staff SET number = 'S3' WHERE number = 'S2'",
            "fact.differs entry people 5",
        ),
        (
            (
                "INSERT INTO people_staff"
                " (stream, number, badge, name, active, pin_hash, password_hash)"
                " VALUES ('people', 'S15', 'B', 'Ghost', true, '', '')"
            ),
            "head.extra staff S15",
        ),
        (
            "DELETE FROM people_rolegrant; DELETE FROM people_staff",
            "fact.missing entry people 2",
        ),
    ],
)
def test_one_change_by_the_superuser_is_named_first(
    superuser: Superuser, change: str, expected: str
) -> None:
    superuser.change(change.format(e=ENTRY))
    first(expected)


def test_swapped_entries_are_named(superuser: Superuser) -> None:
    superuser.change(
        "; ".join(
            f"UPDATE log_entry SET seq = {new} WHERE stream = 'people' AND seq = {old}"
            for old, new in ((3, 900), (4, 3), (900, 4))
        )
    )
    first("entry.previous entry people 3")


def test_a_chain_computed_anew_with_a_changed_body_breaks_at_the_next(superuser: Superuser) -> None:
    """Re-hashing one entry correctly moves the break to the entry after it."""
    superuser.change(
        "UPDATE log_entry SET body = convert_to("
        " replace(convert_from(body, 'UTF8'), 'Ben', 'Bob'), 'UTF8')"
        " WHERE stream = 'people' AND seq = 1; " + REHASH.format(stream="people", seq=1)
    )
    first("entry.previous entry people 2")


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ("DROP TRIGGER log_refuse_row ON people_rolegrant", "trigger_missing", "people_rolegrant"),
        (
            "ALTER TABLE people_rolegrant DISABLE TRIGGER log_fact_insert",
            "trigger_off",
            "people_rolegrant",
        ),
        (
            "ALTER TABLE people_staff ENABLE TRIGGER log_head_write",
            "trigger_off",
            "people_staff",
        ),
        ("ALTER TABLE log_entry DISABLE TRIGGER log_entry_chain", "trigger_off", "log_entry"),
        ("ALTER TABLE log_entry DISABLE TRIGGER ALL", "trigger_off", "log_entry"),
        (
            (
                "ALTER TABLE people_rolegrant DISABLE TRIGGER ALL;"
                "ALTER TABLE people_rolegrant ENABLE ALWAYS TRIGGER log_fact_insert,"
                " ENABLE ALWAYS TRIGGER log_refuse_row, ENABLE ALWAYS TRIGGER log_refuse_statement"
            ),
            "foreign_key_off",
            "people_rolegrant",
        ),
        (
            (
                "DROP TRIGGER log_stream_move ON log_stream;"
                "CREATE TRIGGER log_stream_move BEFORE UPDATE ON log_stream FOR EACH ROW"
                " WHEN (NEW.seq < OLD.seq) EXECUTE FUNCTION log_refuse('stream');"
                "ALTER TABLE log_stream ENABLE ALWAYS TRIGGER log_stream_move"
            ),
            "trigger_changed",
            "log_stream",
        ),
        (
            (
                "CREATE TRIGGER a_quiet BEFORE INSERT ON log_entry FOR EACH ROW"
                " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
            ),
            "trigger_unknown",
            "log_entry",
        ),
        ("COMMENT ON TABLE people_rolegrant IS 'working'", "comment", "people_rolegrant"),
        (
            "CREATE RULE quiet AS ON DELETE TO people_staff DO ALSO NOTHING",
            "table_shape",
            "people_staff",
        ),
        ("ALTER TABLE people_staff ENABLE ROW LEVEL SECURITY", "table_shape", "people_staff"),
        ("CREATE TABLE child () INHERITS (people_staff)", "table_shape", "people_staff"),
        ("GRANT UPDATE ON log_entry TO casino_app", "grants", "log_entry"),
        ("GRANT UPDATE (actor) ON log_entry TO casino_app", "grants", "log_entry"),
        ("GRANT TRUNCATE ON people_staff TO PUBLIC", "grants", "people_staff"),
        ("REVOKE INSERT ON log_checkpoint FROM casino_app", "grants", "log_checkpoint"),
        (
            "CREATE TABLE extra (id int); GRANT INSERT ON extra TO casino_app",
            "table_undeclared",
            "extra",
        ),
        (
            "ALTER SEQUENCE log_entry_id_seq RESTART; SELECT nextval('log_entry_id_seq')",
            "sequence_behind",
            "log_entry",
        ),
        (
            ("ALTER SEQUENCE people_staff_id_seq RESTART;SELECT nextval('people_staff_id_seq')"),
            "sequence_behind",
            "people_staff",
        ),
    ],
)
def test_a_guard_that_was_touched_is_named_first(
    superuser: Superuser, change: str, code: str, where: str
) -> None:
    superuser.execute(change)
    problem = verify_log(place=None).problems[0]
    assert (problem.code, problem.where) == (f"guard.{code}", f"table {where}")


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (
            (
                "CREATE OR REPLACE FUNCTION log_refuse() RETURNS trigger LANGUAGE plpgsql"
                " SET search_path = pg_catalog, pg_temp AS 'BEGIN RETURN NEW; END'"
            ),
            "function_text",
            "function log_refuse",
        ),
        (
            "ALTER FUNCTION log_entry_chain() SECURITY INVOKER",
            "function_rights",
            "function log_entry_chain",
        ),
        (
            "ALTER FUNCTION log_fact_insert() RESET search_path",
            "function_rights",
            "function log_fact_insert",
        ),
        (
            "ALTER FUNCTION log_fact_insert() OWNER TO postgres",
            "function_rights",
            "function log_fact_insert",
        ),
        (
            "GRANT EXECUTE ON FUNCTION log_entry_chain() TO PUBLIC",
            "function_grant",
            "function log_entry_chain",
        ),
        (
            "REVOKE EXECUTE ON FUNCTION lock_stream(text) FROM casino_app",
            "function_grant",
            "function lock_stream",
        ),
        ("DROP FUNCTION log_unguard(text)", "function_missing", "function log_unguard"),
        (
            "CREATE FUNCTION lock_stream(varchar) RETURNS void LANGUAGE sql AS ''",
            "function_unknown",
            "function lock_stream(character varying)",
        ),
        (
            (
                "CREATE FUNCTION tidy() RETURNS void LANGUAGE sql SECURITY DEFINER"
                " AS 'DELETE FROM log_entry'"
            ),
            "function_unknown",
            "function tidy()",
        ),
        (
            (
                "CREATE SCHEMA side; GRANT USAGE ON SCHEMA side TO casino_app;"
                "CREATE FUNCTION side.tidy(n int) RETURNS void LANGUAGE sql AS ''"
            ),
            "function_unknown",
            "function side.tidy(n integer)",
        ),
        ("ALTER ROLE casino_app BYPASSRLS", "role_powers", "role casino_app"),
        ("GRANT pg_write_all_data TO casino_app", "grants", "table log_entry"),
        ("GRANT CREATE ON SCHEMA public TO casino_app", "role_owns", "role casino_app"),
    ],
)
def test_a_function_or_role_that_was_touched_is_named(
    superuser: Superuser, change: str, code: str, where: str
) -> None:
    superuser.execute(change)
    problem = verify_log(place=None).problems[0]
    assert (problem.code, problem.where) == (f"guard.{code}", where)


@pytest.mark.parametrize(
    "change",
    [
        # Out of the application's reach, or with no more rights than its own.
        (
            "CREATE FUNCTION tidy() RETURNS void LANGUAGE sql SECURITY DEFINER AS '';"
            "REVOKE ALL ON FUNCTION tidy() FROM PUBLIC"
        ),
        "CREATE SCHEMA side; CREATE FUNCTION side.tidy() RETURNS void LANGUAGE sql AS ''",
        "CREATE EXTENSION hstore",
    ],
)
def test_a_function_that_the_application_cannot_misuse_is_not_named(
    superuser: Superuser, change: str
) -> None:
    superuser.execute(change)
    assert verify_log(place=None).problems == []


def test_a_missing_table_of_the_log_is_named_and_ends_the_check(superuser: Superuser) -> None:
    superuser.execute("DROP TABLE log_checkpoint CASCADE")
    report = verify_log(place=None, limit=50)
    assert ("guard.table_missing", "table log_checkpoint") in {
        (problem.code, problem.where) for problem in report.problems
    }
    assert report.entries == 0
