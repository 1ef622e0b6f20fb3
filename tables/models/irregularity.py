"""What went wrong at a table, what was ruled, and what that took out of play (rules part 2).

An irregularity is a fact with its effects beside it: draws that went elsewhere than the deal plan
says, and wagers or hands that no longer count. A dispute hold is a head: it is opened and released.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.base import Head, RevisedFact
from tables.models.house import Table
from tables.models.round import Round
from tables.models.shoe import Shoe


class Irregularity(RevisedFact):
    """One event of the list, as it was seen and as it was ruled (rules 2.1).

    `number` is gapless per table. A later revision amends what is on record of it; effects stay.
    `details` hold what the case said of cards, wagers and counts; `signed_hash` is what was signed.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="irregularities")
    number = models.PositiveIntegerField()
    event = models.PositiveSmallIntegerField()
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="+", null=True)
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, related_name="irregularities", null=True
    )
    stage = models.CharField(max_length=10)
    seats = models.JSONField(default=list)
    draws = models.JSONField(default=list)
    procedure = models.CharField(max_length=40)  # the option applied, such as "next_card"
    ruling = models.TextField()
    seen = models.TextField()
    chips_moved = models.TextField(default="")
    patrons_told = models.TextField(default="")
    regulator_told = models.TextField(default="")
    details = models.JSONField(default=dict)
    signed_hash = models.CharField(max_length=64, default="")
    happened_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "number", "revision"], name="irregularity_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(event__gte=1, event__lte=33), name="irregularity_event_known"
            ),
        ]

    def __str__(self) -> str:
        return f"event {self.event} at table {self.table_id}"


class Departure(RevisedFact):
    """A draw that did not go where the deal plan sends it.

    To a hand's n-th card, or (hand null) into no hand: burned, set aside, or to a ghost seat.
    An empty revision (`use` undone) puts the plan back in force.
    """

    class Use(models.TextChoices):
        HAND = "hand", _("to a hand")
        BURNED = "burned", _("burned")
        SET_ASIDE = "set_aside", _("set aside")
        GHOST = "ghost", _("to a ghost seat")
        NEXT_ROUND = "next_round", _("first card of the next round")
        UNDONE = "undone", _("as planned")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="departures")
    draw = models.PositiveSmallIntegerField()
    use = models.CharField(max_length=10, choices=Use.choices)
    hand = models.PositiveSmallIntegerField(null=True)
    nth = models.PositiveSmallIntegerField(null=True)
    irregularity_number = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "draw", "revision"], name="departure_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(use="hand", hand__isnull=False, nth__isnull=False)
                | (~models.Q(use="hand") & models.Q(hand__isnull=True, nth__isnull=True)),
                name="departure_hand_has_place",
            ),
        ]

    def __str__(self) -> str:
        return f"draw {self.draw} of round {self.round_id}: {self.use}"


class TakenOut(RevisedFact):
    """A wager, or a seat's whole hand (wager ""), taken out of play by an irregularity.

    `returned_minor` null means the whole stake went back; `in_play` false is the normal case, true
    an empty revision that puts it back. Of a hand, `stands` lists wagers that were settled before
    and stay so, `reverses` those that are taken back with it: void in the sweep (A20).
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="taken_out")
    seat = models.PositiveSmallIntegerField()
    wager = models.CharField(max_length=12)
    event = models.PositiveSmallIntegerField()
    returned_minor = models.BigIntegerField(null=True)
    in_play = models.BooleanField(default=False)
    stands = models.JSONField(default=list)
    reverses = models.JSONField(default=list)
    irregularity_number = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "seat", "wager", "revision"], name="taken_out_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} {self.wager or 'hand'} of round {self.round_id}"


class DisputeHold(Head):
    """A dispute's block on a wager or a round; its amount is kept apart from the tray's win.

    The round settles around it; the table closes with the amount on record here (event 25).
    `in_result` says that the settlements count the amount as the bank's though it does not lie in
    the tray; else it is a stake out of play, or what a void gives back. `apart_minor` is what of
    the sum is the house's and came out of the tray of the session: less than the sum while the
    chips lie on the felt, and where a seat holds the bank at most the commission. Null is a row
    from before it was kept: all of the sum, once the round was over. `moved_at` is when the chips
    left the table because it closed.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        RELEASED = "released", _("released")

    class Outcome(models.TextChoices):
        HOUSE = "house", _("for the house")
        PATRON = "patron", _("for the player")

    key = models.CharField(max_length=32, unique=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="disputes")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="disputes")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    wager = models.CharField(max_length=12, default="")
    disputed_minor = models.BigIntegerField()
    apart_minor = models.BigIntegerField(null=True, default=None)
    in_result = models.BooleanField(default=True)
    irregularity_number = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices)
    opened_at = models.DateTimeField()
    moved_at = models.DateTimeField(null=True)
    released_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=6, choices=Outcome.choices, default="")
    ruling = models.TextField(default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="dispute_number_per_table"),
            models.CheckConstraint(
                condition=models.Q(disputed_minor__gte=0), name="dispute_amount_not_negative"
            ),
            models.CheckConstraint(
                condition=models.Q(apart_minor__isnull=True)
                | (
                    models.Q(apart_minor__gte=0)
                    & (models.Q(in_result=True) | models.Q(apart_minor=0))
                ),
                name="dispute_apart_of_result",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", outcome="", released_at__isnull=True)
                | models.Q(state="released", outcome__in=["house", "patron"]),
                name="dispute_released_has_outcome",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class DisputeFile(RevisedFact):
    """What control 5.13 asks for, amended by revisions; the round's facts are frozen with it."""

    dispute = models.ForeignKey(DisputeHold, on_delete=models.PROTECT, related_name="files")
    patron = models.TextField()
    contact = models.TextField()
    narrative = models.TextField()
    staff_involved = models.JSONField(default=list)
    witnesses = models.TextField(default="")
    house_action = models.TextField(default="")
    patron_informed = models.TextField(default="")
    camera_reference = models.TextField(default="")
    evidence = models.JSONField(default=dict)  # cards, wagers and payouts as they stood

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dispute", "revision"], name="dispute_file_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"file of dispute {self.dispute_id}, revision {self.revision}"
