"""The life of rules: drafts, approvals, and from when on published rules stand or are retired.

A ruleset, procedures or limits are *rules* here. What was published is content under its hash
(`tables.models.rules`); nothing in this module can change it. A draft is a head of the stream
`rulesets` until it is published or discarded; approvals and standings are facts of that stream.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.base import Fact, Head, RevisedFact

STREAM = "rulesets"


class RuleKind(models.TextChoices):
    """The three kinds of rules (rules 1E)."""

    RULESET = "ruleset", _("ruleset")
    PROCEDURES = "procedures", _("procedures")
    LIMITS = "limits", _("limits")


class RuleDraft(Head):
    """Rules on their way to publication: what they say, who wrote them, where they stand.

    `version` counts what was written; a signature names the version it was given for. `drafters`
    are the staff numbers of all who wrote any of it: none of them approves. `content_hash` is that
    of the rules once they were put up for approval, empty before.
    """

    NATURAL = "number"

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        IN_APPROVAL = "in_approval", _("in approval")
        PUBLISHED = "published", _("published")
        DISCARDED = "discarded", _("discarded")

    serial = models.PositiveIntegerField(unique=True)
    number = models.CharField(max_length=16, unique=True)
    kind = models.CharField(max_length=10, choices=RuleKind.choices)
    game = models.CharField(max_length=32)
    name = models.CharField(max_length=80)
    options = models.JSONField()
    effective_day = models.DateField(null=True)  # null: from its publication on
    state = models.CharField(max_length=11, choices=State.choices)
    version = models.PositiveSmallIntegerField()
    drafters = models.JSONField()
    content_hash = models.CharField(max_length=64, default="")
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(stream=STREAM), name="rule_draft_stream_rulesets"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["ruleset", "procedures", "limits"]),
                name="rule_draft_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "in_approval", "published", "discarded"]),
                name="rule_draft_state_known",
            ),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="rule_draft_version"),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "discarded"]) | ~models.Q(content_hash=""),
                name="rule_draft_in_approval_has_hash",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"


class RuleApproval(Fact):
    """A manager's approval of one version of a draft; the signature lies beside it.

    `signed_hash` covers kind, game, name, content hash and effective day.
    """

    draft = models.ForeignKey(RuleDraft, on_delete=models.PROTECT, related_name="approvals")
    version = models.PositiveSmallIntegerField()
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    signed_hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["draft", "version", "staff"], name="rule_approval_one_per_person"
            )
        ]

    def __str__(self) -> str:
        return f"approval of draft {self.draft_id}, version {self.version}"


class RuleStanding(RevisedFact):
    """What rules are from a gaming day on: published, or retired so that no shoe starts under them.

    Of the revisions whose day has come the highest counts. A null day is that of publication.
    `draft` is empty for rules that were published at set-up, and for retirements.
    """

    class State(models.TextChoices):
        PUBLISHED = "published", _("published")
        RETIRED = "retired", _("retired")

    hash = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=RuleKind.choices)
    state = models.CharField(max_length=9, choices=State.choices)
    effective_day = models.DateField(null=True)
    draft = models.ForeignKey(RuleDraft, on_delete=models.PROTECT, related_name="+", null=True)
    reason = models.TextField(default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["hash", "revision"], name="rule_standing_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["published", "retired"]),
                name="rule_standing_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="published", reason="")
                | (models.Q(state="retired") & ~models.Q(reason="")),
                name="rule_standing_reason_of_retirement",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.hash[:8]} {self.state}, revision {self.revision}"


class SlowOdds(models.Model):
    """Odds that take seconds, kept by the ruleset's hash: working rows, made again when lost.

    They follow from the ruleset alone, so that nothing in the log depends on them. `version` is
    that of the computation.
    """

    class Part(models.TextChoices):
        BETWEEN_SEATS = "between_seats", _("covariance of two seats")
        BEST_DRAWS = "best_draws", _("best draws")
        SOLVED_DRAWS = "solved_draws", _("draws that neither side can better")

    hash = models.CharField(max_length=64)
    part = models.CharField(max_length=13, choices=Part.choices)
    version = models.PositiveSmallIntegerField()
    document = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["hash", "part", "version"], name="slow_odds_one_per_part"
            )
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.hash[:8]}"
