"""A round: its head, the wagers of each seat, and its cards by draw and revision."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.base import Head, RevisedFact
from tables.models.house import Table
from tables.models.rules import Limits, Ruleset
from tables.models.session import TableSession
from tables.models.shoe import Shoe


class Round(Head):
    """One round of play; (table, shoe, round) names it for ever and its key says so."""

    class Stage(models.TextChoices):
        AWAITED = "awaited", _("awaited")
        BETTING = "betting", _("betting")
        FIRST_LAP = "first_lap", _("first lap")
        SECOND_LAP = "second_lap", _("second lap")
        SWEEP = "sweep", _("sweep")
        THIRD_LAP = "third_lap", _("third lap")
        SHOWDOWN = "showdown", _("showdown")
        SETTLED = "settled", _("settled")
        VOIDED = "voided", _("voided")
        CALLED_OFF = "called_off", _("called off")

    class Source(models.TextChoices):
        LIVE = "live", _("live")
        HELD = "held", _("held on device")
        PAPER = "paper", _("paper")

    key = models.CharField(max_length=40, unique=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rounds")
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="rounds")
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="played_rounds")
    number = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=10, choices=Stage.choices)
    source = models.CharField(max_length=5, choices=Source.choices, default=Source.LIVE)
    gaming_day = models.DateField()
    dealer = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="+")
    limits = models.ForeignKey(Limits, on_delete=models.PROTECT, related_name="+", null=True)
    bank_seat = models.PositiveSmallIntegerField(null=True)  # null: the house banks
    live_seats = ArrayField(models.PositiveSmallIntegerField(), default=list)
    sweep_revision = models.PositiveSmallIntegerField(default=0)
    final_revision = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["shoe", "number"], name="round_number_per_shoe"),
            models.UniqueConstraint(
                fields=["table"],
                condition=~models.Q(stage__in=["awaited", "settled", "voided", "called_off"]),
                name="one_round_in_play_per_table",
            ),
            models.CheckConstraint(
                condition=models.Q(stage__in=["awaited", "betting", "called_off"])
                | models.Q(limits__isnull=False),
                name="round_dealt_has_limits",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["session", "number"], name="round_of_session"),
            models.Index(
                fields=["table"], condition=models.Q(stage="awaited"), name="round_awaited"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class SeatWagers(RevisedFact):
    """A seat's whole set of wagers in minor units, as one call stated it.

    A kind that was left out is null: cleared. An empty revision clears the seat.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seat_wagers")
    seat = models.PositiveSmallIntegerField()
    main_minor = models.BigIntegerField(null=True)
    tie_minor = models.BigIntegerField(null=True)
    pair_minor = models.BigIntegerField(null=True)
    jacks_minor = models.BigIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "seat", "revision"], name="seat_wagers_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(seat__gte=1, seat__lte=9), name="seat_wagers_seat_range"
            ),
            *[
                models.CheckConstraint(
                    condition=models.Q(**{f"{kind}_minor__isnull": True})
                    | models.Q(**{f"{kind}_minor__gte": 1, f"{kind}_minor__lte": 2**53 - 1}),
                    name=f"seat_wagers_{kind}_positive",
                )
                for kind in ("main", "tie", "pair", "jacks")
            ],
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of round {self.round_id}, revision {self.revision}"


class Card(RevisedFact):
    """One draw of a round: rank and suit, rank alone, "?" (never known), or "" (undone).

    Which hand a draw belongs to follows from the deal plan. `shoe` repeats the round's, so that
    the copies of a face in a shoe are found by one index.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="cards")
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="+", db_index=False)
    draw = models.PositiveSmallIntegerField()
    face = models.CharField(max_length=2)
    as_seen = models.BooleanField(default=False)
    claimed_at = models.DateTimeField(null=True)  # the device's clock: a claim, not a time

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "draw", "revision"], name="card_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(face__regex=r"^([A23456789TJQK][SHDC]?|\?)?$"),
                name="card_face_known_form",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["shoe", "face"], name="card_copies_in_shoe")]

    def __str__(self) -> str:
        return f"draw {self.draw} of round {self.round_id}: {self.face or 'undone'}"


class Decision(RevisedFact):
    """What a hand decided where the rules ask (C4, C5): hit, stand, or no decision (C6).

    Hand 0 is the bank's. An empty revision ("") takes the signal back, which counts until the
    third card lies (C7).
    """

    class Choice(models.TextChoices):
        HIT = "hit", _("draw")
        STAND = "stand", _("stand")
        NO_DECISION = "no_decision", _("no decision")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="decisions")
    hand = models.PositiveSmallIntegerField()
    choice = models.CharField(max_length=11, choices=Choice.choices, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "hand", "revision"], name="decision_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"hand {self.hand} of round {self.round_id}: {self.choice or 'taken back'}"
