"""Column types that Django does not have."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

if TYPE_CHECKING:
    _Base = models.Field[int, int]
else:
    _Base = models.Field


class Xid8Field(_Base):
    """A PostgreSQL 64-bit transaction id; set by trigger, never by us."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """The SQL type."""
        return "xid8"

    def from_db_value(
        self, value: object, expression: object, connection: BaseDatabaseWrapper
    ) -> int | None:
        """The driver hands an unknown type over as text."""
        return None if value is None else int(str(value))
