"""Table sessions, and the counts by two people that open and close them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.base import Head, RevisedFact
from tables.models.house import Table


class TableSession(Head):
    """From opening (opener counted) to closing (closer counted).

    `rounds_settled`, `handle_minor` and the two bank results are sums over the session's
    settlements, kept so that a pit board need not add them up; a selector adds them up anew.
    Two sums say what of the bank's result does not lie in this tray: `disputed_minor` lies apart
    under dispute holds, and `moved_late_minor` is what corrections moved after the session of
    their round closed: positive at that session, whose tray did not pay it, negative at the one
    that paid it meanwhile.
    """

    class State(models.TextChoices):
        OPENING = "opening", _("opening")
        OPEN = "open", _("open")
        CLOSING = "closing", _("closing")
        CLOSED = "closed", _("closed")

    key = models.CharField(max_length=32, unique=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices)
    gaming_day = models.DateField()
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    opener_minor = models.BigIntegerField(null=True)
    closer_minor = models.BigIntegerField(null=True)
    rounds_settled = models.PositiveIntegerField(default=0)
    handle_minor = models.BigIntegerField(default=0)
    bank_owed_minor = models.BigIntegerField(default=0)
    bank_handed_minor = models.BigIntegerField(default=0)
    disputed_minor = models.BigIntegerField(default=0)
    moved_late_minor = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="session_number_per_table"),
            models.UniqueConstraint(
                fields=["table"],
                condition=~models.Q(state="closed"),
                name="one_open_session_per_table",
            ),
            models.CheckConstraint(
                condition=~models.Q(state__in=["open", "closing", "closed"])
                | models.Q(opener_minor__isnull=False),
                name="session_open_needs_opener",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="closed") | models.Q(closer_minor__isnull=False),
                name="session_closed_needs_closer",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Count(RevisedFact):
    """Chips by denomination as one person counted them, blind to the other's (control 1.5)."""

    class Kind(models.TextChoices):
        OPENER = "opener", _("opener")
        CLOSER = "closer", _("closer")

    class Side(models.TextChoices):
        DEALER = "dealer", _("dealer")
        SUPERVISOR = "supervisor", _("supervisor")

    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="counts")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    side = models.CharField(max_length=10, choices=Side.choices)
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    pieces = models.JSONField()  # denomination in minor units (text) -> pieces
    total_minor = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "kind", "side", "revision"], name="count_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(total_minor__gte=0), name="count_total_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.side}, revision {self.revision}"
