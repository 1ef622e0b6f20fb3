"""Findings and the notes of their life. Subject and owner are named by natural keys alone.

Nothing here may point at a row of an app above: a finding outlives what it speaks of.
"""

import re
from typing import ClassVar

from django.db import models
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import Severity

_NUMBER = re.compile(r"F-([1-9][0-9]{0,8})", re.ASCII)


def serial_of(number: str) -> int | None:
    """Return the serial that a finding's number names, None for what is not such a number."""
    found = _NUMBER.fullmatch(number)
    return int(found[1]) if found else None


class Finding(models.Model):
    """A discrepancy that a check or an auditor raised, with a life (control 8.2); a head.

    `serial` is gapless under the lock of the stream `audit` and names the finding: F-12. The
    fingerprint is a hash of kind, subject and detail: the same discrepancy is one finding.
    """

    NATURAL: ClassVar[str] = "number"

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ANSWERED = "answered", _("answered")
        ACCEPTED = "accepted", _("accepted")
        CLOSED = "closed", _("closed")

    stream = models.TextField()
    serial = models.PositiveIntegerField(unique=True)
    number = models.CharField(max_length=16, unique=True)
    kind = models.CharField(max_length=64)
    severity = models.CharField(max_length=8, choices=Severity.choices)
    subject_kind = models.CharField(max_length=32)
    subject_key = models.CharField(max_length=80)
    table_code = models.CharField(max_length=16, blank=True, default="")
    detail = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    raised_by = models.TextField()
    raised_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    owner = models.CharField(max_length=32, blank=True, default="")
    notes_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "findings_finding"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(stream="audit"), name="finding_lives_in_stream_audit"
            ),
            models.CheckConstraint(condition=models.Q(serial__gte=1), name="finding_serial_from_1"),
            models.CheckConstraint(
                condition=models.Q(
                    number=Concat(
                        models.Value("F-"),
                        Cast("serial", output_field=models.TextField()),
                    )
                ),
                name="finding_number_is_serial",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "answered", "accepted", "closed"]),
                name="finding_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(severity__in=["notice", "warning", "alarm"]),
                name="finding_severity_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open") | models.Q(notes_count__gte=1),
                name="finding_moved_has_notes",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["subject_kind", "subject_key"], name="finding_by_subject"),
            models.Index(fields=["state", "-serial"], name="finding_by_state"),
            models.Index(fields=["table_code", "state", "-serial"], name="finding_by_table"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.kind} of {self.subject_key}"


class FindingNote(models.Model):
    """What someone said of a finding, and the state it was in afterwards; a fact."""

    entry = models.ForeignKey(
        "log.Entry", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    finding = models.ForeignKey(
        Finding, on_delete=models.PROTECT, related_name="notes", db_index=False
    )
    n = models.PositiveSmallIntegerField()
    author_number = models.CharField(max_length=32)
    author_name = models.TextField()
    author_role = models.CharField(max_length=16)
    text = models.TextField()
    state_after = models.CharField(max_length=8, choices=Finding.State.choices)

    class Meta:
        db_table = "findings_findingnote"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["finding", "n"], name="finding_note_one_per_number"),
            models.CheckConstraint(condition=models.Q(n__gte=1), name="finding_note_from_1"),
            models.CheckConstraint(
                condition=~models.Q(text=""), name="finding_note_says_something"
            ),
            models.CheckConstraint(
                condition=models.Q(state_after__in=["open", "answered", "accepted", "closed"]),
                name="finding_note_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"note {self.n} of finding {self.finding_id}"
