"""Rows as nobody's service writes them: copies of real ones, or made up, with something changed.

All of it happens in one transaction of the application role that is rolled back.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from psycopg import sql
from psycopg.types.json import Jsonb

STREAMS = ("table/T1", "house", "rulesets", "jobs", "audit")
APPS = ("tables", "settlements")
_BODY = (
    '{"action":"test.noted","actor":{"key":"S9","name":"N"},"data":{},"device":null,"facts":[],'
    '"heads":[],"request":"","role":"dealer","subject":"x","v":1}'
)
_ENTRY = (
    "INSERT INTO log_entry (stream, body, action, subject, actor, role, request_id)"
    " VALUES (%s, convert_to(%s, 'UTF8'), 'test.noted', 'x', 'S9', 'dealer', '') RETURNING id"
)
# What a made-up row needs besides the first choice of every field.
_MADE_UP: Mapping[str, Mapping[str, object]] = {
    "tables_irregularity": {"event": 5},
    "tables_departure": {"use": "burned", "hand": None, "nth": None},
    "tables_disputehold": {
        "state": "open",
        "outcome": "",
        "released_at": None,
        "apart_minor": 0,
    },
    "tables_ruledraft": {"kind": "limits", "state": "draft", "stream": "rulesets"},
    "tables_rulestanding": {"state": "published", "reason": ""},
}


class Writer:
    """Writes rows in an open transaction in which every stream has an entry."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        self.entries = {stream: note(connection, stream) for stream in STREAMS}

    def base(self, table: str) -> int:
        """A row of a table: the first real one, or one that is made up."""
        found = self._value(sql.SQL("SELECT min(id) FROM {}"), table)
        return found if found is not None else self._made_up(table)

    def copy(self, table: str, changed: Mapping[str, object], *, like: int | None = None) -> int:
        """Insert a copy of a row with some columns changed."""
        base = self.base(table) if like is None else like
        model = model_of(table)
        values: dict[str, object] = dict(changed)
        if "entry_id" in columns_of(model):
            values.setdefault("entry_id", self.entries["table/T1"])
        names = columns_of(model)
        chosen = [
            sql.Placeholder(name) if name in values else sql.Identifier(name) for name in names
        ]
        statement = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {} WHERE id = {} RETURNING id")
        identifier = sql.Identifier(table)
        row = self.connection.execute(
            statement.format(
                identifier,
                sql.SQL(", ").join(map(sql.Identifier, names)),
                sql.SQL(", ").join(chosen),
                identifier,
                sql.Literal(base),
            ),
            {name: _adapted(value) for name, value in values.items()},
        ).fetchone()
        assert row is not None
        return int(row[0])

    def _made_up(self, table: str) -> int:
        """Insert a row of first choices, ones and empty texts."""
        model = model_of(table)
        values: dict[str, object] = {}
        for field in model._meta.concrete_fields:
            if field.column in columns_of(model):
                values[field.column] = self._first(field)
        values |= _MADE_UP.get(table, {})
        names = list(values)
        statement = sql.SQL("INSERT INTO {} ({}) VALUES ({}) RETURNING id").format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, names)),
            sql.SQL(", ").join(map(sql.Placeholder, names)),
        )
        row = self.connection.execute(
            statement, {name: _adapted(value) for name, value in values.items()}
        ).fetchone()
        assert row is not None
        return int(row[0])

    def _first(self, field: models.Field) -> object:  # type: ignore[type-arg]  # any field of a model
        """The first value that a field would take."""
        if field.column == "entry_id":
            return self.entries["table/T1"]
        if field.column == "stream":
            return "table/T1"
        if isinstance(field, models.ForeignKey):
            related = field.related_model
            assert isinstance(related, type)
            return self.base(related._meta.db_table)
        if field.choices:
            return next(iter(field.choices))[0]
        if isinstance(field, models.JSONField):
            return {}
        if isinstance(field, ArrayField):
            return []
        if isinstance(field, models.BooleanField):
            return False
        if isinstance(field, models.DateTimeField | models.DateField):
            return "2026-03-01"
        if isinstance(field, models.IntegerField):
            return 1
        return "x" * min(field.max_length or 1, 1)

    def _value(self, statement: sql.SQL, table: str) -> int | None:
        row = self.connection.execute(statement.format(sql.Identifier(table))).fetchone()
        return None if row is None or row[0] is None else int(row[0])


@contextmanager
def writing(url: str) -> Iterator[Writer]:
    """A transaction in which each stream has an entry, so that guards are content."""
    with psycopg.connect(url) as connection:
        yield Writer(connection)
        connection.rollback()


def note(connection: psycopg.Connection, stream: str) -> int:
    """Write an entry that says nothing; answer with its id."""
    row = connection.execute(_ENTRY, [stream, _BODY]).fetchone()
    assert row is not None
    return int(row[0])


def model_of(table: str) -> type[models.Model]:
    """The model of a table of the floor or of settlements."""
    for label in ("people", "log", *APPS):
        for model in apps.get_app_config(label).get_models():
            if model._meta.db_table == table:
                return model
    raise LookupError(table)


def columns_of(model: type[models.Model]) -> list[str]:
    """The columns that a writer states: not the id, nothing generated."""
    return [
        str(field.column)
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField | models.GeneratedField)
    ]


def _adapted(value: object) -> object:
    return Jsonb(value) if isinstance(value, dict) else value
