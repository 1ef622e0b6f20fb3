"""The house, its pits and its tables: reference data that is dated, never rewritten."""

from typing import ClassVar

from django.db import models

from tables.models.base import Head, RevisedFact


class HouseSettings(RevisedFact):
    """The house's name, currency, zone, cut-over hour and chips, from `effective_at` on.

    The gaming day of a session is computed once from the settings in force and then stored.
    """

    name = models.TextField()
    currency_code = models.CharField(max_length=3)
    currency_exponent = models.PositiveSmallIntegerField()
    zone = models.TextField()
    cut_over_hour = models.PositiveSmallIntegerField()
    denominations = models.JSONField()  # minor units, largest first
    effective_at = models.DateTimeField()

    class Meta:
        db_table = "tables_housesettings"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["revision"], name="house_settings_one_per_revision"),
            models.CheckConstraint(
                condition=models.Q(cut_over_hour__lt=24), name="house_settings_cut_over_hour"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, revision {self.revision}"


class Pit(Head):
    """A group of tables under one supervisor."""

    NATURAL = "code"

    code = models.CharField(max_length=16, unique=True)
    name = models.TextField()

    def __str__(self) -> str:
        return self.name


class Table(Head):
    """A place where one game is dealt; its code names its stream and is never reused."""

    NATURAL = "code"

    code = models.CharField(max_length=16, unique=True)
    name = models.TextField()
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    seats = models.PositiveSmallIntegerField(default=5)

    class Meta:
        ordering: ClassVar = ["code"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(seats__gte=1, seats__lte=9), name="table_seats_range"
            )
        ]

    def __str__(self) -> str:
        return self.code
