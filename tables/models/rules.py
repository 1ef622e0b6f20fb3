"""Rulesets, procedures and limits: content named by its hash, published once, never changed."""

from typing import ClassVar

from django.db import models

from tables.models.base import Fact, RevisedFact
from tables.models.house import Table


class Ruleset(Fact):
    """A game and all its options; decides money from cards (rules 1E)."""

    NATURAL: ClassVar[str] = "hash"

    hash = models.CharField(max_length=64, unique=True)
    game = models.TextField()
    name = models.TextField()
    options = models.JSONField()

    def __str__(self) -> str:
        return f"{self.name} ({self.hash[:8]})"


class Procedures(Fact):
    """What is done at the table: house policy, pinned to the shoe (rules 1E)."""

    NATURAL: ClassVar[str] = "hash"

    hash = models.CharField(max_length=64, unique=True)
    game = models.TextField()
    options = models.JSONField()

    def __str__(self) -> str:
        return f"procedures {self.hash[:8]}"


class Limits(Fact):
    """Which wagers are taken: pinned to the round when betting closes (rules 1E, A24)."""

    NATURAL: ClassVar[str] = "hash"

    hash = models.CharField(max_length=64, unique=True)
    game = models.TextField()
    options = models.JSONField()

    def __str__(self) -> str:
        return f"limits {self.hash[:8]}"


class TableTerms(RevisedFact):
    """What a table deals under from this revision on: ruleset and procedures take effect with
    the next shoe, limits with the next round."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="terms")
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="+")
    procedures = models.ForeignKey(Procedures, on_delete=models.PROTECT, related_name="+")
    limits = models.ForeignKey(Limits, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "revision"], name="table_terms_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"terms of table {self.table_id}, revision {self.revision}"
