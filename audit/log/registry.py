"""Which tables are facts, heads and working rows, and how each row is named in the log.

Every app declares its tables here in `AppConfig.ready`; the log imports none of them. What is
declared is what `append` writes, `replay_log` rebuilds and `verify_log` expects of the database.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from django.db import models

from audit.log.columns import Column, build_column, column_of
from audit.log.errors import RegistryError


class Kind(Enum):
    """The three declarations; the value is the table's comment in the database."""

    FACT = "fact"
    HEAD = "head"
    WORKING = "working"


@dataclass(frozen=True)
class Declared:
    """A declared table. `name` is its kind in bodies; `private` columns are never logged."""

    model: type[models.Model]
    kind: Kind
    name: str
    private: frozenset[str] = frozenset()

    @property
    def table(self) -> str:
        """The table's name in the database."""
        return self.model._meta.db_table

    @cached_property
    def natural(self) -> str:
        """The field that names a head; empty for facts and working rows."""
        return str(self.model.NATURAL) if self.kind is Kind.HEAD else ""  # type: ignore[attr-defined]  # checked when declared

    @cached_property
    def key_column(self) -> str:
        """The primary key's column."""
        return column_of(self.model._meta.pk)

    @cached_property
    def given_key(self) -> str | None:
        """The field of a primary key that the caller states; None where the database gives it."""
        key = self.model._meta.pk
        return None if isinstance(key, models.AutoField) else key.name

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All columns that a caller may state, by field name, in the model's order."""
        automatic = {Kind.FACT: {"entry"}, Kind.HEAD: {"stream"}, Kind.WORKING: set()}[self.kind]
        return {
            field.name: build_column(field, loose=self.kind is Kind.WORKING)
            for field in self.model._meta.concrete_fields
            if not isinstance(field, models.AutoField | models.GeneratedField)
            and field.name not in automatic
        }

    @cached_property
    def logged(self) -> dict[str, Column]:
        """The columns that stand in the log."""
        return {name: column for name, column in self.columns.items() if name not in self.private}


_by_model: dict[type[models.Model], Declared] = {}
_by_name: dict[tuple[Kind, str], Declared] = {}


def register_fact(model: type[models.Model], kind: str) -> None:
    """Declare a table of facts; `kind` names its rows in bodies for ever."""
    _require_field(model, "entry")
    _register(Declared(model, Kind.FACT, kind))


def register_head(
    model: type[models.Model], kind: str, private: Iterable[str] = frozenset()
) -> None:
    """Declare a table of heads; the model names its natural key in NATURAL.

    `private` columns (secrets' hashes) are written but never logged, so replay does not know them.
    """
    _require_field(model, "stream")
    natural = getattr(model, "NATURAL", None)
    if natural is None:
        raise RegistryError(f"{model.__name__} needs NATURAL")
    for name in (natural, *private):
        _require_field(model, name)
    _register(Declared(model, Kind.HEAD, kind, frozenset(private)))


def register_working(model: type[models.Model]) -> None:
    """Declare a table of working rows; they are not logged."""
    _register(Declared(model, Kind.WORKING, model._meta.db_table))


def declared(model: type[models.Model]) -> Declared:
    """The declaration of a model. Raises RegistryError where there is none."""
    try:
        return _by_model[model]
    except KeyError:
        raise RegistryError(f"{model.__name__} is not declared to the log") from None


def find(kind: Kind, name: str) -> Declared | None:
    """The declaration that a body means by a kind's name."""
    return _by_name.get((kind, name))


def all_declared(*kinds: Kind) -> Iterator[Declared]:
    """The declarations of these kinds (all when none is named), by table."""
    for item in sorted(_by_model.values(), key=lambda item: item.table):
        if not kinds or item.kind in kinds:
            yield item


def _require_field(model: type[models.Model], name: str) -> None:
    if name not in {field.name for field in model._meta.concrete_fields}:
        raise RegistryError(f"{model.__name__} has no field {name}")


def _register(item: Declared) -> None:
    if item.model in _by_model or (item.kind, item.name) in _by_name:
        raise RegistryError(f"{item.model.__name__} or its kind {item.name} is declared already")
    _by_model[item.model] = item
    _by_name[item.kind, item.name] = item
