"""The two kinds of rows that the floor keeps; the guards themselves are triggers (log format)."""

from typing import ClassVar

from django.db import models


class Fact(models.Model):
    """A row that is only ever inserted, in the transaction of the entry that explains it."""

    entry = models.ForeignKey(
        "log.Entry", on_delete=models.PROTECT, related_name="+", db_index=False
    )

    class Meta:
        abstract = True


class RevisedFact(Fact):
    """A fact that a later revision of the same natural key supersedes; none is overwritten.

    A generated column `previous` and a foreign key to the same table (in the migration) make
    every chain linear: revision n exists only where n - 1 does.
    """

    revision = models.PositiveSmallIntegerField()

    class Meta:
        abstract = True


class Head(models.Model):
    """Current state; inserted and changed only in a transaction that wrote to its stream."""

    NATURAL: ClassVar[str] = "key"

    stream = models.TextField()

    class Meta:
        abstract = True
