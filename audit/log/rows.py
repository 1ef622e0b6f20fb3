"""What a service hands to the log: who acts, which rows are written, and what comes back.

Values only; nothing here reads or writes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Model


@dataclass(frozen=True, slots=True)
class Ref:
    """A row by its id, for SQL, and by its natural key, for the log."""

    id: int | str
    key: str


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, in which role, from which tablet and in which request.

    `key` is a staff number, or `system:<job>` for a job. Always an argument, never a global.
    """

    key: str
    name: str
    role: str
    device: str | None = None
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row to insert. Keys are field names; a foreign key's value is a Ref or None.

    A field that is left out takes its default, or null where it may be null.
    """

    model: type[Model]
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Change:
    """An update of one head: only the columns that change."""

    model: type[Model]
    ref: Ref
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The stored entry, as a client may keep it; `ids` are those of facts, then of new heads."""

    entry_id: int
    stream: str
    seq: int
    hash: str
    at: datetime
    ids: tuple[int | str, ...]
