"""Reads of findings: lists for pages and the API, and one finding with its notes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.db.models import Count, F, Q, QuerySet

from audit.findings.errors import FindingUnknownError
from audit.findings.kinds import say
from audit.findings.models import Finding, FindingNote, serial_of
from casino.kernel.money import format_short


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """What a list is narrowed to; an empty value narrows nothing."""

    state: str = ""
    table_code: str = ""
    kind: str = ""
    severity: str = ""
    unclosed: bool = False


@dataclass(frozen=True, slots=True)
class NoteRead:
    """One note with the time of its entry."""

    n: int
    at: datetime
    author_number: str
    author_name: str
    author_role: str
    text: str
    state_after: str


@dataclass(frozen=True, slots=True)
class FindingRead:
    """One finding with its whole life, and the number that the next note must carry."""

    finding: Finding
    notes: tuple[NoteRead, ...]

    @property
    def next_note(self) -> int:
        """The only number at which a note can be written now."""
        return self.finding.notes_count + 1


def findings(narrow: FindingFilter = FindingFilter()) -> QuerySet[Finding]:
    """Return findings, newest first. Not paginated here: the caller cuts a page."""
    found = Finding.objects.order_by("-serial")
    if narrow.state:
        found = found.filter(state=narrow.state)
    if narrow.unclosed:
        found = found.exclude(state=Finding.State.CLOSED)
    if narrow.table_code:
        found = found.filter(table_code=narrow.table_code)
    if narrow.kind:
        found = found.filter(kind=narrow.kind)
    if narrow.severity:
        found = found.filter(severity=narrow.severity)
    return found


def findings_page(narrow: FindingFilter, *, after: str, limit: int) -> list[Finding]:
    """Return at most `limit` findings, newest first, that come after a number ("" for the first).

    Raises FindingUnknownError for what is not a number of findings.
    """
    found = findings(narrow)
    if after:
        serial = serial_of(after)
        if serial is None:
            raise FindingUnknownError(number=after[:16])
        found = found.filter(serial__lt=serial)
    return list(found[:limit])


def counts_by_state(table_code: str = "") -> dict[str, int]:
    """Return how many findings there are in each state, at one table or in the house."""
    narrowed = findings(FindingFilter(table_code=table_code)).order_by()
    rows = narrowed.values_list("state").annotate(number=Count("id"))
    return dict(rows)


def open_findings(narrow: FindingFilter = FindingFilter()) -> QuerySet[Finding]:
    """Return findings whose life has not ended, newest first."""
    return findings(replace(narrow, unclosed=True))


def findings_for(subject_kind: str, *, subject_key: str) -> QuerySet[Finding]:
    """Return what was found about one subject, named by its natural key, oldest first."""
    return Finding.objects.filter(subject_kind=subject_kind, subject_key=subject_key).order_by(
        "serial"
    )


def findings_within(subject_kind: str, *, subject_key: str) -> QuerySet[Finding]:
    """Return what was found about a subject and about what lies in it, oldest first.

    A round's key begins with its shoe's.
    """
    itself = Q(subject_kind=subject_kind, subject_key=subject_key)
    inside = Q(subject_key__startswith=f"{subject_key}/")
    return Finding.objects.filter(itself | inside).order_by("serial")


def finding_by_number(number: str) -> FindingRead:
    """Return one finding and its notes, in two queries. Raises FindingUnknownError."""
    finding = Finding.objects.filter(serial=serial_of(number) or 0).first()
    if finding is None:
        raise FindingUnknownError(number=number[:16])
    return FindingRead(finding=finding, notes=tuple(_notes(finding)))


def sentence(finding: Finding) -> str:
    """Say in words what a finding states, in the reader's language."""
    detail: Mapping[str, object] = finding.detail
    return say(
        finding.kind,
        subject_key=finding.subject_key,
        table_code=finding.table_code,
        detail=detail,
        money=write_money,
    )


def write_money(amount_minor: int) -> str:
    """Write an amount as a finding says it: digits, without the currency."""
    return format_short(amount_minor, currency=settings.HOUSE_CURRENCY)


def _notes(finding: Finding) -> list[NoteRead]:
    rows = (
        FindingNote.objects.filter(finding=finding)
        .order_by("n")
        .values(
            "n",
            "author_number",
            "author_name",
            "author_role",
            "text",
            "state_after",
            at=F("entry__at"),
        )
    )
    return [NoteRead(**row) for row in rows]
