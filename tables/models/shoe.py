"""A shoe from shuffle to end, and the cards that left it without being played."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.base import Head, RevisedFact
from tables.models.house import Table
from tables.models.rules import Procedures, Ruleset
from tables.models.session import TableSession


class Shoe(Head):
    """One load of the dealing device; pinned to the ruleset and procedures of its table.

    `cards_dealt` counts the cards of ended rounds, `cards_burned` the burned and set-aside ones;
    the round in play adds its own. `cards_reshuffled` are discards that went in again to complete
    a round (event 18): they count as loaded a second time. A stopped shoe takes no more rounds and
    is counted or judged later.
    """

    class State(models.TextChoices):
        PREPARING = "preparing", _("preparing")
        READY = "ready", _("ready")
        STOPPED = "stopped", _("stopped")
        ENDED = "ended", _("ended")
        VOIDED = "voided", _("voided")

    key = models.CharField(max_length=32, unique=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="shoes")
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="shoes")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="+")
    procedures = models.ForeignKey(Procedures, on_delete=models.PROTECT, related_name="+")
    cards_loaded = models.PositiveSmallIntegerField()
    cards_dealt = models.PositiveSmallIntegerField(default=0)
    cards_burned = models.PositiveSmallIntegerField(default=0)
    cards_reshuffled = models.PositiveSmallIntegerField(default=0)
    rounds = models.PositiveSmallIntegerField(default=0)
    # The last round that the cut card lets start under `after_cut` finish_round (event 17).
    cut_card_round = models.PositiveSmallIntegerField(null=True)
    prepared_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="shoe_number_per_table"),
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(state__in=["preparing", "ready"]),
                name="one_shoe_in_use_per_table",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class ShoeStep(RevisedFact):
    """One signed step of a shoe's preparation (control 4.6); the burn is the last."""

    class Step(models.TextChoices):
        SHUFFLE = "shuffle", _("shuffled")
        CHECK = "check", _("checked")
        CUT = "cut", _("cut")
        BURN = "burn", _("burned")

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="steps")
    step = models.CharField(max_length=8, choices=Step.choices)
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    done_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["shoe", "step", "revision"], name="shoe_step_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"{self.step} of shoe {self.shoe_id}"


class BurnedCard(RevisedFact):
    """A card taken from the shoe and not played: the n-th of one burn event."""

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="burned_cards")
    event = models.PositiveSmallIntegerField()
    n = models.PositiveSmallIntegerField()
    face = models.CharField(max_length=2)  # "?" is a face never known, "" an empty revision
    reason = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["shoe", "event", "n", "revision"], name="burned_card_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"burn {self.event}.{self.n} of shoe {self.shoe_id}"


class StubCount(RevisedFact):
    """The cards left in the shoe at its end, counted, not dealt (control 4.17)."""

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="stub_counts")
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    cards = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["shoe", "revision"], name="stub_count_one_per_revision")
        ]

    def __str__(self) -> str:
        return f"stub of shoe {self.shoe_id}: {self.cards}"


class ShoeStatement(RevisedFact):
    """The two statements at the end of a shoe: *counted* and *composed* (design 5).

    `over` maps a face to the copies above what the decks hold. While `awaited` rounds have not come
    in from paper the count waits for them: the next revision states it anew.
    """

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="statements")
    dealt = models.PositiveSmallIntegerField()
    burned = models.PositiveSmallIntegerField()
    stub = models.PositiveSmallIntegerField()
    awaited = models.PositiveSmallIntegerField(default=0)
    counted_closes = models.BooleanField()
    unknown_faces = models.PositiveSmallIntegerField()
    over = models.JSONField()
    composed_holds = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["shoe", "revision"], name="shoe_statement_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"statement of shoe {self.shoe_id}"
