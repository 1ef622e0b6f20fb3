"""Settlements and payouts: what was owed, what was handed over, and what the checks said.

A day's reconciliation is a head with its plan; what each of its chunks found is a fact.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from settlements.lines import GivenBack
from tables.models.base import Fact, Head, RevisedFact
from tables.models.round import Round
from tables.models.rules import Ruleset
from tables.models.shoe import Shoe


class Part(models.TextChoices):
    """The two parts of a round's settlement (rules A19)."""

    SWEEP = "sweep", _("sweep")
    FINAL = "final", _("final")


class Settlement(RevisedFact):
    """The payouts of one part of a round, in one revision; sums in minor units.

    The bank results are what the bank gains: as owed by the rules, and as handed over.
    """

    class Kind(models.TextChoices):
        SETTLED = "settled", _("settled")
        VOIDED = "voided", _("voided")
        CORRECTED = "corrected", _("corrected")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="settlements")
    part = models.CharField(max_length=5, choices=Part.choices)
    kind = models.CharField(max_length=9, choices=Kind.choices)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="+")
    handle_minor = models.BigIntegerField()
    bank_owed_minor = models.BigIntegerField()
    bank_handed_minor = models.BigIntegerField()
    # Of a void: where the round stood and whose first two cards the fault touched (A20).
    void_stage = models.CharField(max_length=12, default="")
    void_seats = models.JSONField(default=list)
    # Of a round whose shoe was voided later: which wagers were decided to go back (event 27).
    given_back = models.CharField(
        max_length=6,
        choices=[
            (GivenBack.NONE.value, _("nothing given back")),
            (GivenBack.LOSERS.value, _("losers refunded")),
            (GivenBack.ALL.value, _("all given back")),
        ],
        default=GivenBack.NONE.value,
    )
    signed_hash = models.CharField(max_length=64, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "part", "revision"], name="settlement_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(given_back__in=[each.value for each in GivenBack]),
                name="settlement_given_back_known",
            ),
            models.CheckConstraint(
                condition=models.Q(handle_minor__gte=0), name="settlement_handle_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.part} of round {self.round_id}, revision {self.revision}"


class Payout(Fact):
    """One wager's line: stake, owed, handed, and where every minor unit went.

    `owed_minor` and `handed_minor` go back to the player, stake included; bank, player and
    commission sum to zero. Breakage is exact less rounded profit, as a fraction.
    """

    class Outcome(models.TextChoices):
        WIN = "win", _("win")
        LOSE = "lose", _("lose")
        PUSH = "push", _("push")
        VOID = "void", _("void")
        REJECTED = "rejected", _("rejected")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="payouts")
    part = models.CharField(max_length=5, choices=Part.choices)
    revision = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    wager = models.CharField(max_length=12)
    stake_minor = models.BigIntegerField()
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    odds_numerator = models.BigIntegerField(null=True)
    odds_denominator = models.BigIntegerField(null=True)
    profit_minor = models.BigIntegerField()
    owed_minor = models.BigIntegerField()
    handed_minor = models.BigIntegerField()
    breakage_numerator = models.BigIntegerField(default=0)
    breakage_denominator = models.BigIntegerField(default=1)
    cap_cut_minor = models.BigIntegerField(default=0)
    commission_minor = models.BigIntegerField(default=0)
    extra_owed_minor = models.BigIntegerField(default=0)
    bank_minor = models.BigIntegerField()
    bank = models.CharField(max_length=8, default="house")  # "house", or the banker's seat
    clause = models.CharField(max_length=12)
    why = models.JSONField()  # code and parameters; the sentence is made at the edge

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "part", "revision", "seat", "wager"],
                name="payout_one_per_wager",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    bank_minor=models.F("stake_minor")
                    - models.F("owed_minor")
                    - models.F("commission_minor")
                    + models.F("extra_owed_minor")
                ),
                name="payout_money_conserved",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    stake_minor__gte=0, profit_minor__gte=0, owed_minor__gte=0, handed_minor__gte=0
                ),
                name="payout_amounts_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    breakage_denominator__gte=1, cap_cut_minor__gte=0, commission_minor__gte=0
                ),
                name="payout_cuts_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    outcome="win",
                    odds_numerator__isnull=False,
                    odds_denominator__isnull=False,
                    odds_denominator__gte=1,
                )
                | (
                    ~models.Q(outcome="win")
                    & models.Q(odds_numerator__isnull=True, odds_denominator__isnull=True)
                ),
                name="payout_odds_only_when_won",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} {self.wager} of round {self.round_id}: {self.outcome}"


class CheckResult(Fact):
    """What a check said of one part and revision of a round, once per engine version."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="check_results")
    part = models.CharField(max_length=5, choices=Part.choices)
    revision = models.PositiveSmallIntegerField()
    check_name = models.CharField(max_length=32)
    engine_version = models.CharField(max_length=32)
    agrees = models.BooleanField()
    lines = models.PositiveSmallIntegerField()
    differences = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "part", "revision", "check_name", "engine_version"],
                name="check_result_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.check_name} of round {self.round_id}, {self.part}: {self.agrees}"


class DayRun(Head):
    """One reconciliation of a gaming day, in the stream `jobs`.

    `plan` lists what is checked, a chunk an item: [check, subject]. `problems` counts what the
    chunks found so far.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")

    key = models.CharField(max_length=24, unique=True)
    day = models.DateField()
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State.choices)
    plan = models.JSONField()
    chunks_done = models.PositiveIntegerField(default=0)
    problems = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()
    started_by = models.TextField()
    finished_at = models.DateTimeField(null=True)
    manifest_sha256 = models.CharField(max_length=64, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "number"], name="day_run_number_per_day"),
            models.UniqueConstraint(
                fields=["day"], condition=models.Q(state="running"), name="one_day_run_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class DayCheck(Fact):
    """What one chunk of a run examined and found; `figures` where the check adds some up."""

    run = models.ForeignKey(DayRun, on_delete=models.PROTECT, related_name="checks")
    chunk = models.PositiveIntegerField()
    check_name = models.CharField(max_length=16)
    subject = models.CharField(max_length=48)
    examined = models.PositiveIntegerField()
    problems = models.JSONField(default=list)
    figures = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "chunk"], name="day_check_once_per_chunk")
        ]

    def __str__(self) -> str:
        return f"{self.check_name} {self.subject} of run {self.run_id}"


class ShoeVoidRound(RevisedFact):
    """A round that a void of its shoe puts in question, and what was decided of it (event 27).

    The list is made when the shoe is voided: every round since the last good check, with the
    revisions in which its wagers stood. Nothing is reversed by it; a decision is a revision.
    """

    class Decision(models.TextChoices):
        OPEN = "open", _("not decided")
        STAND = "stand", _("stands")
        REFUND_LOSERS = "refund_losers", _("losers are refunded")
        REVERSE = "reverse", _("reversed")

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="void_rounds")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(max_length=13, choices=Decision.choices)
    sweep_revision = models.PositiveSmallIntegerField()
    final_revision = models.PositiveSmallIntegerField()
    irregularity_number = models.PositiveIntegerField()
    note = models.TextField(default="")
    signed_hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["shoe", "round", "revision"], name="shoe_void_round_one_per_revision"
            )
        ]

    def __str__(self) -> str:
        return f"round {self.round_id} of void shoe {self.shoe_id}: {self.decision}"
