"""Around the services on every table of the floor and of settlements: nothing passes (R9, R10).

As the application through raw SQL, psql and the ORM; as the owner; as the superuser too, where a
trigger refuses. What stands behind a refusal is named: a missing right, or the guard's own state.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, models, transaction
from psycopg import sql

from audit.log.models import Entry
from audit.log.registry import Declared, Kind, all_declared
from settlements.models import Payout, Settlement
from tables.models import Card, Round, SeatWagers, TableSession
from tests.db.psql import states
from tests.db.rows import APPS, columns_of, note
from tests.support.floors import FloorClone
from tests.support.records import nothing_recorded

NO_RIGHT = "42501"
NOT_TO_STATE, RECORDED, NO_ENTRY, NO_HEAD_ENTRY = "LG002", "LG003", "LG004", "LG005"


def ours(*kinds: Kind) -> list[Declared]:
    """The declared tables of the two apps."""
    labels = {model for label in APPS for model in apps.get_app_config(label).get_models()}
    return [each for each in all_declared(*kinds) if each.model in labels]


FACTS = ours(Kind.FACT)
HEADS = ours(Kind.HEAD)


def state_of(connection: psycopg.Connection, statement: str) -> str:
    """Try a statement in a savepoint; answer with its SQLSTATE, "" where it went well."""
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(statement)
    except psycopg.Error as error:
        return str(error.sqlstate)
    return ""


def writes(table: Declared) -> dict[str, str]:
    """Statements that would change or remove what is there, all rows or none."""
    column = columns_of(table.model)[0]
    return {
        f"{verb} {rows}": f"{statement}{rows}"
        for verb, statement in {
            "UPDATE": f"UPDATE {table.table} SET {column} = {column}",
            "DELETE": f"DELETE FROM {table.table}",
        }.items()
        for rows in ("", " WHERE false")
    } | {"TRUNCATE": f"TRUNCATE {table.table} CASCADE"}


def test_the_tables_are_all_here() -> None:
    assert {"tables_card", "settlements_payout"} <= {each.table for each in FACTS}
    assert {"tables_round", "tables_tablesession", "tables_shoe"} <= {each.table for each in HEADS}


@pytest.mark.parametrize("table", FACTS, ids=lambda each: each.table)
def test_a_fact_is_neither_changed_nor_removed(played: FloorClone, table: Declared) -> None:
    statements = writes(table)
    with psycopg.connect(played.database.app_url) as app:
        found = {verb: state_of(app, statement) for verb, statement in statements.items()}
        assert set(found.values()) == {NO_RIGHT}, found
    for url in (played.database.owner_url, played.database.admin_url):
        with psycopg.connect(url) as owner:
            found = {verb: state_of(owner, statement) for verb, statement in statements.items()}
            assert set(found.values()) == {RECORDED}, found


@pytest.mark.parametrize("table", HEADS, ids=lambda each: each.table)
def test_a_head_is_not_removed_nor_changed_without_an_entry(
    played: FloorClone, table: Declared
) -> None:
    statements = writes(table)
    kept = {verb: text for verb, text in statements.items() if not verb.startswith("UPDATE")}
    with psycopg.connect(played.database.app_url) as app:
        found = {verb: state_of(app, statement) for verb, statement in kept.items()}
        assert set(found.values()) == {NO_RIGHT}, found
    for url in (played.database.owner_url, played.database.admin_url):
        with psycopg.connect(url) as owner:
            found = {verb: state_of(owner, statement) for verb, statement in kept.items()}
            assert set(found.values()) == {RECORDED}, found
    for url in (played.database.app_url, played.database.owner_url, played.database.admin_url):
        with psycopg.connect(url) as raw:
            rows = raw.execute(
                sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table.table))
            ).fetchone()
            changed = state_of(raw, statements["UPDATE "])
            assert changed == (NO_HEAD_ENTRY if rows and rows[0] else ""), table.table


@pytest.mark.parametrize("table", FACTS, ids=lambda each: each.table)
def test_a_fact_needs_the_entry_of_its_own_transaction(played: FloorClone, table: Declared) -> None:
    """No entry, one that is not there, an old one, and one of a transaction that is still open."""
    with (
        psycopg.connect(played.database.app_url) as app,
        psycopg.connect(played.database.app_url) as other,
    ):
        foreign = note(other, "table/T2")
        old = app.execute("SELECT max(id) FROM log_entry").fetchone()
        assert old is not None
        insert = f"INSERT INTO {table.table} (entry_id) VALUES ({{}})"
        for entry in ("NULL", "0", old[0], foreign):
            assert state_of(app, insert.format(entry)) == NO_ENTRY
        # An entry of a savepoint that was rolled back is gone; the guard is not content with an id.
        with app.transaction(force_rollback=True):
            undone = note(app, "table/T1")
        assert state_of(app, insert.format(undone)) == NO_ENTRY
        other.rollback()


@pytest.mark.parametrize("table", HEADS, ids=lambda each: each.table)
def test_a_head_needs_an_entry_of_its_stream(played: FloorClone, table: Declared) -> None:
    insert = f"INSERT INTO {table.table} (stream) VALUES ('table/T1')"
    with psycopg.connect(played.database.app_url) as app:
        assert state_of(app, insert) == NO_HEAD_ENTRY
        note(app, "table/T2")
        assert state_of(app, insert) == NO_HEAD_ENTRY
        app.rollback()
        app.execute("SELECT lock_stream('table/T1')")
        assert state_of(app, insert) == NO_HEAD_ENTRY


def test_a_round_is_changed_by_an_entry_of_its_table_alone(played: FloorClone) -> None:
    change = "UPDATE tables_round SET stage = stage WHERE key = 'T1/1/1'"
    with psycopg.connect(played.database.app_url) as app:
        note(app, "table/T2")
        assert state_of(app, change) == NO_HEAD_ENTRY
        note(app, "table/T1")
        assert state_of(app, change) == ""
        moved = "UPDATE tables_round SET stream = 'table/T2' WHERE key = 'T1/1/1'"
        assert state_of(app, moved) == NO_HEAD_ENTRY
        app.rollback()


def test_psql_is_a_client_like_another(played: FloorClone) -> None:
    """With the application's password, and with the owner's."""
    tables = [*FACTS, *HEADS]
    removals = [
        statement
        for table in tables
        for verb, statement in writes(table).items()
        if not verb.startswith("UPDATE")
    ]
    updates = [writes(table)["UPDATE "] for table in FACTS]
    inserts = [
        *(f"INSERT INTO {table.table} (entry_id) VALUES (1)" for table in FACTS),
        *(f"INSERT INTO {table.table} (stream) VALUES ('table/T1')" for table in HEADS),
    ]
    refusals = [NO_ENTRY] * len(FACTS) + [NO_HEAD_ENTRY] * len(HEADS)
    streams = [
        "UPDATE log_stream SET seq = seq + 1",
        "UPDATE log_entry SET actor = 'S0'",
        "DELETE FROM log_entry",
    ]
    turned_off = [
        "SET session_replication_role = replica",
        "ALTER TABLE tables_card DISABLE TRIGGER ALL",
    ]
    with nothing_recorded():
        said = states(
            played.database.app_url, [*removals, *updates, *streams, *turned_off, *inserts]
        )
        assert said == [
            *[NO_RIGHT] * (len(removals) + len(updates) + len(streams) + len(turned_off)),
            *refusals,
        ]
        said = states(played.database.owner_url, [*removals, *updates, *streams, *inserts])
        assert said == [
            *[RECORDED] * (len(removals) + len(updates) + len(streams)),
            *refusals,
        ]


def test_an_entry_states_neither_its_place_nor_its_hash_nor_its_time(played: FloorClone) -> None:
    """Through psql and through the ORM; with them left out it is the next one of its stream."""
    entry = (
        "INSERT INTO log_entry (stream, {0}body, action, subject, actor, role, request_id)"
        " VALUES ('table/T1', {1}'{{}}', 'test.noted', 'x', 'S9', 'dealer', '')"
    )
    zeros = bytes(32)
    stated: dict[str, tuple[str, object]] = {
        "seq": ("7", 7),
        "prev_hash": ("'\\x" + zeros.hex() + "'", zeros),
        "hash": ("'\\x" + zeros.hex() + "'", zeros),
        "at": ("'2020-01-01'", datetime(2020, 1, 1, tzinfo=UTC)),
        "xid": ("'1'", "1"),
    }
    statements = [entry.format(f"{name}, ", f"{text}, ") for name, (text, _) in stated.items()]
    last = Entry.objects.filter(stream="table/T1").latest("seq")
    with nothing_recorded():
        for url in (played.database.app_url, played.database.owner_url, played.database.admin_url):
            assert states(url, statements) == [NOT_TO_STATE] * len(stated)
        for name, (_text, value) in stated.items():
            values = {
                field.attname: getattr(last, field.attname)
                for field in Entry._meta.concrete_fields
                if field.attname not in ("id", *stated)
            }
            with pytest.raises(DatabaseError) as caught, transaction.atomic():
                Entry.objects.create(**values, **{**dict.fromkeys(stated), name: value})
            assert getattr(caught.value.__cause__, "sqlstate", "") == NOT_TO_STATE, name
    assert states(played.database.app_url, [f"BEGIN; {entry.format('', '')}; ROLLBACK"]) == [""]


class Attempt:
    """One way of writing through Django's models."""

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model
        self.row = model.objects.latest("pk")  # type: ignore[attr-defined]  # every model has a manager
        self.all = model.objects.all()  # type: ignore[attr-defined]  # as above

    def ways(self) -> Iterator[tuple[str, object]]:
        field = next(
            field
            for field in self.model._meta.concrete_fields
            if field.name in ("revision", "stream")
        )
        value = getattr(self.row, field.name)
        copy = self.model(
            **{
                each.attname: getattr(self.row, each.attname)
                for each in self.model._meta.concrete_fields
                if not each.primary_key
            }
        )
        yield "save", self.row.save
        yield "save of one field", lambda: self.row.save(update_fields=[field.name])
        yield "save of a copy", copy.save
        yield "update", lambda: self.all.update(**{field.name: value})
        yield "bulk_update", lambda: self.all.bulk_update([self.row], [field.name])
        yield "bulk_create", lambda: self.all.bulk_create([copy])
        yield (
            "bulk_create over",
            lambda: self.all.bulk_create(
                [self.row], update_conflicts=True, update_fields=[field.name], unique_fields=["id"]
            ),
        )
        yield "bulk_create beside", lambda: self.all.bulk_create([self.row], ignore_conflicts=True)
        yield "create", lambda: self.all.create(**{field.name: value})
        yield "delete", self.row.delete
        yield "delete of all", self.all.delete
        yield "raw delete", lambda: self.all._raw_delete(using="default")


@pytest.mark.parametrize("model", [Card, SeatWagers, Settlement, Payout, Round, TableSession])
def test_no_way_of_the_orm_passes(played: FloorClone, model: type[models.Model]) -> None:
    passed = []
    with nothing_recorded():
        for name, way in Attempt(model).ways():
            try:
                with transaction.atomic():
                    way()  # type: ignore[operator]  # a call without arguments
                    # A copy with nothing to do may be silent; whatever it was, it is undone.
                    passed.append(name)
                    transaction.set_rollback(True)
            except (DatabaseError, models.ProtectedError):
                continue
    assert passed == []
