"""Around the services: every way of writing is refused, or stands in the log (trust R9, R10).

As the application role through the ORM, bulk calls, raw SQL, COPY and the shell; as the owner in a
data migration. What the triggers cannot judge, replay names: nothing is silent.
"""

from collections.abc import Callable

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, transaction
from psycopg import sql

from audit.log.models import Checkpoint, Entry, Stream
from audit.log.replay import replay_log
from audit.log.rows import Ref, Row
from audit.log.services import append, create_stream
from audit.log.verify import verify_log
from casino.people.models import RoleGrant, Staff
from tests.log.databases import ROLES
from tests.log.people import ADMINISTRATOR, counts, grant, hire
from tests.support.database import CloneDatabase

HASH = "\\x" + "00" * 32


@pytest.fixture
def staff(clone_db: CloneDatabase) -> Ref:
    """One person with one role: two entries, a head and a fact."""
    ref = hire()
    grant(ref, "dealer")
    return ref


def refused(url: str, statement: str) -> str:
    """Run a statement of its own transaction; it must fail. Returns what the server said."""
    with psycopg.connect(url) as raw:
        with pytest.raises(psycopg.Error) as caught:
            raw.execute(statement)
        # Refused, not misspelt.
        assert caught.value.sqlstate not in ("42601", "42P01", "42703", "42883")
        return str(caught.value)


FACT = "people_rolegrant"
HEAD = "people_staff"
GUARDED = (FACT, "log_entry", "log_checkpoint", "log_stream", HEAD)


# Trust R9: twelve ways to get at what was recorded.
ATTACKS = {
    "update": [f"UPDATE {FACT} SET granted = false", "UPDATE log_entry SET actor = 'S0'"],
    "delete": [f"DELETE FROM {table}" for table in GUARDED],
    "truncate": [f"TRUNCATE {table} CASCADE" for table in GUARDED],
    "alter": [
        f"ALTER TABLE {FACT} ALTER entry_id DROP NOT NULL",
        f"ALTER TABLE {FACT} OWNER TO casino_app",
        "ALTER FUNCTION lock_stream(text) SECURITY INVOKER",
        "COMMENT ON TABLE people_rolegrant IS 'working'",
    ],
    "drop": [
        f"DROP TABLE {FACT} CASCADE",
        f"DROP TRIGGER log_refuse_row ON {FACT}",
        "DROP FUNCTION log_refuse() CASCADE",
    ],
    "disable trigger": [
        f"ALTER TABLE {FACT} DISABLE TRIGGER log_refuse_row",
        "ALTER TABLE log_entry DISABLE TRIGGER ALL",
    ],
    "session_replication_role": [
        "SET session_replication_role = replica",
        "SELECT set_config('session_replication_role', 'replica', false)",
    ],
    "set_config": [
        (
            "SELECT set_config('pgtrigger.ignore', 'people_rolegrant:log_refuse_row', false),"
            " set_config('log.off', 'on', false), set_config('log.skip', 'true', false);"
            f"UPDATE {FACT} SET granted = false"
        ),
    ],
    "set role": [
        "SET ROLE casino_owner",
        "SET SESSION AUTHORIZATION casino_owner",
        "GRANT casino_owner TO casino_app",
        "GRANT UPDATE ON log_entry TO casino_app; UPDATE log_entry SET actor = 'S0'",
    ],
    "copy over existing keys": [
        f"INSERT INTO {FACT} SELECT * FROM {FACT} ON CONFLICT DO NOTHING",
        (
            f"INSERT INTO {FACT} (id, staff_id, role, revision, granted, entry_id)"
            f" SELECT id, staff_id, role, revision, false, entry_id FROM {FACT}"
            " ON CONFLICT (id) DO UPDATE SET granted = false"
        ),
    ],
    "rule": [
        f"CREATE RULE quiet AS ON INSERT TO {FACT} DO INSTEAD NOTHING",
        f"CREATE POLICY hide ON {FACT} USING (false)",
        (
            f"CREATE TRIGGER quiet BEFORE INSERT ON {FACT} FOR EACH ROW"
            " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
        ),
        f"CREATE TABLE child () INHERITS ({FACT})",
    ],
    "view": [
        f"CREATE VIEW window_on AS SELECT * FROM {FACT}",
        f"CREATE TEMPORARY VIEW window_on AS SELECT * FROM {FACT}",
        "CREATE TEMPORARY TABLE log_entry (id bigint)",
        "CREATE SCHEMA other",
        (
            f"MERGE INTO {FACT} USING (SELECT 1) AS one ON true WHEN MATCHED THEN UPDATE"
            " SET granted = false"
        ),
    ],
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_twelve_of_twelve_attacks_of_the_application_are_refused(
    staff: Ref, clone_db: CloneDatabase, attack: str
) -> None:
    before = list(RoleGrant.objects.values()), list(Entry.objects.values())
    for statement in ATTACKS[attack]:
        refused(clone_db.app_url, statement)
    assert (list(RoleGrant.objects.values()), list(Entry.objects.values())) == before
    assert verify_log(place=None).sound
    assert replay_log().sound


def test_copy_over_existing_keys_is_refused(staff: Ref, clone_db: CloneDatabase) -> None:
    row = RoleGrant.objects.get()
    entry = Entry.objects.latest("id")
    for table, line in (
        (FACT, f"{row.pk}\t{row.staff_id}\tdealer\t1\tf\t{row.entry_id}\n"),
        (FACT, f"{row.pk + 1}\t{row.staff_id}\tauditor\t1\tt\t{row.entry_id}\n"),
        ("log_entry", f"{entry.pk}\tpeople\t{entry.seq}\t{{}}\n"),
    ):
        columns = (
            "id, stream, seq, body"
            if table == "log_entry"
            else "id, staff_id, role, revision, granted, entry_id"
        )
        with psycopg.connect(clone_db.app_url) as raw, raw.cursor() as cursor:
            with (
                pytest.raises(psycopg.Error),
                cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy,
            ):
                copy.write(line)
            raw.rollback()
    assert RoleGrant.objects.count() == 1


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


INSERT_FACT = (
    f"INSERT INTO {FACT} (staff_id, role, revision, granted, entry_id)"
    " VALUES ({staff}, 'auditor', 1, true, {entry})"
)
INSERT_ENTRY = (
    "INSERT INTO log_entry (stream, body, action, subject, actor, role, request_id)"
    " VALUES ('people', '{{}}', 'test.noted', 'x', 'S9', 'dealer', '')"
)


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


def _orm_paths(staff: Ref) -> dict[str, Callable[[], object]]:
    """Trust R10: the ways that an ORM offers, on facts, heads, entries, streams, checkpoints."""
    fact, head = RoleGrant.objects.get(), Staff.objects.get()
    entry, stream = Entry.objects.latest("id"), Stream.objects.get(name="people")
    head.name = "Quiet"
    fact.granted = False
    entry.actor = "S0"
    stream.seq = 77
    fresh = RoleGrant(
        staff_id=staff.id, role="auditor", revision=1, granted=True, entry_id=entry.pk
    )
    note = b"x"
    return {
        "fact save": fact.save,
        "fact save new": fresh.save,
        "fact delete": fact.delete,
        "fact bulk_create": lambda: RoleGrant.objects.bulk_create([fresh]),
        "fact bulk_create over": lambda: RoleGrant.objects.bulk_create(
            [fact], update_conflicts=True, update_fields=["granted"], unique_fields=["id"]
        ),
        "fact update": lambda: RoleGrant.objects.update(granted=False),
        "fact bulk_update": lambda: RoleGrant.objects.bulk_update([fact], ["granted"]),
        "fact queryset delete": lambda: RoleGrant.objects.all().delete(),
        "fact raw delete": lambda: RoleGrant.objects.all()._raw_delete("default"),
        "head save": head.save,
        "head save new": Staff(number="S2", badge="B2", name="Quiet").save,
        "head delete": head.delete,
        "head bulk_create": lambda: Staff.objects.bulk_create(
            [Staff(number="S2", badge="B2", name="Quiet")]
        ),
        "head update": lambda: Staff.objects.update(name="Quiet"),
        "head bulk_update": lambda: Staff.objects.bulk_update([head], ["name"]),
        "head queryset delete": lambda: Staff.objects.filter(number="S1").delete(),
        "entry save": entry.save,
        "entry delete": entry.delete,
        "entry update": lambda: Entry.objects.update(actor="S0"),
        "entry bulk_update": lambda: Entry.objects.bulk_update([entry], ["actor"]),
        "entry queryset delete": lambda: Entry.objects.all().delete(),
        "stream save": stream.save,
        "stream update": lambda: Stream.objects.update(seq=77),
        "stream delete": stream.delete,
        "stream create": lambda: Stream.objects.create(name="table/Q", seq=0, xid=0),
        "checkpoint update": lambda: Checkpoint.objects.update(note=note),
        "checkpoint delete": lambda: Checkpoint.objects.all()._raw_delete("default"),
        "checkpoint out of line": lambda: Checkpoint.objects.create(
            number=5, at=entry.at, entries=1, previous_hash=bytes(32), hash=bytes(32), note=note
        ),
    }


def test_every_path_of_the_orm_is_refused(staff: Ref, clone_db: CloneDatabase) -> None:
    paths = _orm_paths(staff)
    assert len(paths) == 28
    before = counts(), list(Stream.objects.values()), list(Staff.objects.values())
    for name, path in paths.items():
        try:
            with transaction.atomic():
                path()
        except DatabaseError:
            continue
        pytest.fail(f"{name} was neither refused nor recorded")
    assert (counts(), list(Stream.objects.values()), list(Staff.objects.values())) == before
    assert verify_log(place=None).sound
    assert replay_log().sound


def test_the_shell_has_no_more_rights(staff: Ref, clone_db: CloneDatabase) -> None:
    code = "from casino.people.models import Staff; Staff.objects.update(name='Quiet')"
    with pytest.raises(DatabaseError):
        call_command("shell", command=code, no_imports=True)
    assert Staff.objects.get().name == "Ben Cruz"


def test_there_is_no_admin_that_writes() -> None:
    assert not apps.is_installed("django.contrib.admin")


def test_a_data_migration_is_refused(staff: Ref, clone_db: CloneDatabase) -> None:
    """The owner's role is for the schema: its rows are guarded like everybody's."""
    with psycopg.connect(clone_db.owner_url) as owner:
        for statement in (
            f"UPDATE {FACT} SET granted = NOT granted",
            f"UPDATE {HEAD} SET name = upper(name)",
            (
                f"INSERT INTO {FACT} (staff_id, role, revision, granted, entry_id)"
                f" SELECT staff_id, 'auditor', 1, granted, entry_id FROM {FACT}"
            ),
        ):
            with pytest.raises(psycopg.Error, match=r"refused|needs an entry"), owner.transaction():
                owner.execute(statement)


def test_what_an_entry_does_not_say_is_recorded_and_named(
    staff: Ref, clone_db: CloneDatabase
) -> None:
    """A lie with an entry passes the triggers: the entry stands in its author's name for ever."""
    with transaction.atomic():
        receipt = append(stream="people", action="test.noted", subject="x", actor=ADMINISTRATOR)
        Staff.objects.filter(pk=staff.id).update(name="Quiet")
        RoleGrant.objects.create(
            staff_id=staff.id, role="auditor", revision=1, granted=True, entry_id=receipt.entry_id
        )
    assert verify_log(place=None).sound
    named = {(problem.code, problem.where) for problem in replay_log(limit=10).problems}
    grant_id = RoleGrant.objects.latest("id").pk
    assert named == {("fact.extra", f"role_grant {grant_id}"), ("head.differs", "staff S1")}


def test_a_fact_by_copy_with_its_entry_is_recorded(staff: Ref, clone_db: CloneDatabase) -> None:
    with psycopg.connect(clone_db.app_url) as raw, raw.cursor() as cursor:
        made = cursor.execute(INSERT_ENTRY.format() + " RETURNING id").fetchone()
        assert made is not None
        with cursor.copy(
            f"COPY {FACT} (staff_id, role, revision, granted, entry_id) FROM STDIN"
        ) as copy:
            copy.write_row((staff.id, "auditor", 1, True, made[0]))
    assert [problem.code for problem in verify_log(place=None).problems] == ["entry.layout"]
    assert [problem.code for problem in replay_log().problems] == ["fact.extra"]


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
