"""Every way of writing past the services is refused, or stands in the log (trust R9, R10).

As the application role through the ORM, bulk calls, raw SQL, COPY and the shell; as the owner in a
data migration. What the triggers cannot judge, replay names: nothing is silent.
"""

from collections.abc import Callable

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, transaction

from audit.log.models import Checkpoint, Entry, Stream
from audit.log.replay import replay_log
from audit.log.rows import Ref
from audit.log.services import append
from audit.log.verify import verify_log
from casino.people.models import RoleGrant, Staff
from tests.log.people import ADMINISTRATOR, counts, with_one_role
from tests.log.refusals import FACT, GUARDED, HEAD, INSERT_ENTRY, refused
from tests.support.database import CloneDatabase


@pytest.fixture
def staff(clone_db: CloneDatabase) -> Ref:
    """One person with one role: two entries, a head and a fact."""
    return with_one_role()


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
