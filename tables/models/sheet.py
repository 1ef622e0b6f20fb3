"""Rounds from paper: each sheet is keyed twice, by two people who do not see each other's."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.base import RevisedFact
from tables.models.round import Round


class SheetKeying(RevisedFact):
    """One person's keying of an awaited round's sheet, whole, as a document.

    Keying "first" and "second" are two people on paper; "device" is the copy that a tablet held;
    "agreed" is what a supervisor signed where they differ, or where one of them was kept.
    """

    class Copy(models.TextChoices):
        FIRST = "first", _("first keying")
        SECOND = "second", _("second keying")
        DEVICE = "device", _("held on device")
        AGREED = "agreed", _("agreed")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="sheets")
    copy = models.CharField(max_length=6, choices=Copy.choices)
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    document = models.JSONField()
    dealt_at = models.DateTimeField()  # the time on the sheet: when it was dealt, not keyed

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "copy", "revision"], name="sheet_keying_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"{self.copy} of round {self.round_id}, revision {self.revision}"
