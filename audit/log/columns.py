"""How a column's value is written to SQL and to the log, by type of field.

Every column has exactly one form in the log, so that replay can compare text with text.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from psycopg.types.json import Jsonb

from audit.log.errors import AppendError, RegistryError
from audit.log.reading import DAY_SQL, INSTANT_SQL
from audit.log.rows import Ref
from casino.kernel.clock import format_instant

Convert = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a registered table.

    `cast` is the SQL type of its parameter. `output` is the SQL by which it is read back and
    `stored` brings that into the log's form. `natural` is the related table, its key and its
    natural column where it is a foreign key. `batched` says whether many rows go in as one array.
    """

    name: str
    column: str
    cast: str
    to_sql: Convert
    to_log: Convert
    output: str
    stored: Convert
    natural: tuple[str, str, str] | None
    batched: bool
    default: Callable[[], object] | None

    def missing(self) -> object:
        """The value of a field that the caller left out."""
        if self.default is None:
            raise AppendError(f"{self.name} must be given")
        return self.default()


def build_column(field: "models.Field[object, object]", *, loose: bool) -> Column:
    """Describe a field. `loose` (working rows) lets a foreign key be a plain id.

    Raises RegistryError for a type that has no form in the log.
    """
    natural = None
    if isinstance(field, models.ForeignKey):
        to_sql: Convert = _loose_ref_id if loose else _ref_id
        to_log: Convert = _ref_key
        if not loose:
            natural = _natural(field)
    else:
        to_sql, to_log = _converters(field)
    return Column(
        name=field.name,
        column=column_of(field),
        cast=_cast(field),
        to_sql=_nullable(to_sql) if field.null else to_sql,
        to_log=_nullable(to_log) if field.null else to_log,
        output=_output(field),
        stored=_stored(field, to_log),
        natural=natural,
        batched=not isinstance(field, ArrayField),
        default=_default(field),
    )


def column_of(field: "models.Field[object, object]") -> str:
    """The column of a concrete field."""
    if field.column is None:
        raise RegistryError(f"{field} has no column")
    return field.column


def _default(field: "models.Field[object, object]") -> Callable[[], object] | None:
    if field.has_default():
        return field.get_default
    return (lambda: None) if field.null else None


def _natural(field: "models.ForeignKey[object, object]") -> tuple[str, str, str]:
    related = field.remote_field.model
    natural = getattr(related, "NATURAL", None)
    if natural is None:
        raise RegistryError(f"{related.__name__} needs NATURAL: {field} is logged by it")
    meta = related._meta
    named = next(field for field in meta.concrete_fields if field.name == natural)
    return meta.db_table, column_of(meta.pk), column_of(named)


def _cast(field: "models.Field[object, object]") -> str:
    """The SQL type of a parameter; never varchar(n), whose explicit cast cuts text silently."""
    sql_type = field.db_type(connection)
    if sql_type is None:
        raise RegistryError(f"{field} has no column")
    return "text" if sql_type.startswith("varchar") else sql_type


def _converters(field: "models.Field[object, object]") -> tuple[Convert, Convert]:
    if isinstance(field, ArrayField):
        base_sql, base_log = _converters(field.base_field)
        return _each(base_sql), _each(base_log)
    for kind, converters in _BY_TYPE:
        if isinstance(field, kind):
            return converters
    raise RegistryError(f"{field}: {type(field).__name__} has no form in the log")


def _output(field: "models.Field[object, object]") -> str:
    """SQL around a column: times as text, because not each has a value in Python.

    One that has no text in the log comes as the database spells it, and so equals none there.
    """
    if isinstance(field, models.DateTimeField):
        return f"coalesce({INSTANT_SQL}, {{0}}::text)"
    if isinstance(field, models.DateField):
        return f"coalesce({DAY_SQL}, {{0}}::text)"
    return "{0}"


def _stored(field: "models.Field[object, object]", to_log: Convert) -> Convert:
    """From what the query gives to the log's form; the driver leaves JSON as text."""
    if isinstance(field, models.ForeignKey | models.DateField):
        return _same
    if isinstance(field, models.JSONField):
        return lambda value: json.loads(value) if isinstance(value, str) else value
    return _nullable(to_log)


def _nullable(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _each(convert: Convert) -> Convert:
    def convert_all(value: object) -> object:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise AppendError(f"expected a list, not {value!r}")
        return [convert(item) for item in value]

    return convert_all


def _ref_id(value: object) -> object:
    if not isinstance(value, Ref):
        raise AppendError(f"expected a Ref, not {value!r}")
    return value.id


def _loose_ref_id(value: object) -> object:
    return value.id if isinstance(value, Ref) else value


def _ref_key(value: object) -> object:
    if not isinstance(value, Ref):
        raise AppendError(f"expected a Ref, not {value!r}")
    return value.key


def _integer(value: object) -> object:
    if not isinstance(value, int) or isinstance(value, bool):
        raise AppendError(f"expected an integer, not {value!r}")
    return int(value)


def _boolean(value: object) -> object:
    if not isinstance(value, bool):
        raise AppendError(f"expected true or false, not {value!r}")
    return value


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise AppendError(f"expected text, not {value!r}")
    return str(value)


def _instant(value: object) -> datetime:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise AppendError(f"expected an aware datetime, not {value!r}")
    return value


def _day(value: object) -> date:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise AppendError(f"expected a date, not {value!r}")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise AppendError(f"expected bytes, not {value!r}")
    return bytes(value)


def _uuid(value: object) -> object:
    if not isinstance(value, UUID):
        raise AppendError(f"expected a UUID, not {value!r}")
    return value


def _same(value: object) -> object:
    return value


# DateTimeField is a DateField, so it comes first.
_BY_TYPE: tuple[tuple[type["models.Field[object, object]"], tuple[Convert, Convert]], ...] = (
    (models.DateTimeField, (_instant, lambda value: format_instant(_instant(value)))),
    (models.DateField, (_day, lambda value: _day(value).isoformat())),
    (models.BooleanField, (_boolean, _boolean)),
    (models.IntegerField, (_integer, _integer)),
    (models.CharField, (_text, _text)),
    (models.TextField, (_text, _text)),
    (models.BinaryField, (_bytes, lambda value: _bytes(value).hex())),
    (models.JSONField, (Jsonb, _same)),
    (models.UUIDField, (_uuid, str)),
)
