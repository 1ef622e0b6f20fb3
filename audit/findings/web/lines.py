"""How findings read on a page: in words, with the amounts and differences of their detail."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from audit.findings.kinds import name_of
from audit.findings.models import Finding
from audit.findings.selectors import sentence, write_money
from audit.findings.subjects import subject_url

_DETAILS_MAX = 100


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One finding as the templates show it."""

    number: str
    url: str
    kind: str
    kind_name: str
    sentence: str
    severity: str
    state: str
    subject_kind: str
    subject_key: str
    subject_url: str | None
    table_code: str
    raised_by: str
    raised_at: datetime
    due_at: datetime | None
    is_late: bool
    owner: str


def finding_line(finding: Finding, *, now: datetime) -> FindingLine:
    """Return a finding for a page; late is what is due and was not answered."""
    is_late = finding.due_at is not None and finding.due_at < now
    return FindingLine(
        number=finding.number,
        url=reverse("findings:finding", args=[finding.number]),
        kind=finding.kind,
        kind_name=name_of(finding.kind),
        sentence=sentence(finding),
        severity=finding.severity,
        state=finding.state,
        subject_kind=finding.subject_kind,
        subject_key=finding.subject_key,
        subject_url=subject_url(finding.subject_kind, subject_key=finding.subject_key),
        table_code=finding.table_code,
        raised_by=finding.raised_by,
        raised_at=finding.raised_at,
        due_at=finding.due_at,
        is_late=is_late and finding.state == Finding.State.OPEN,
        owner=finding.owner,
    )


def finding_lines(found: Sequence[Finding], *, now: datetime) -> list[FindingLine]:
    """Return findings for a list or a panel of any page."""
    return [finding_line(finding, now=now) for finding in found]


def detail_lines(detail: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the detail of a finding as names and values in words, at most a hundred."""
    lines: list[tuple[str, str]] = []
    for name, value in sorted(detail.items()):
        lines += _lines_of(name, value)
    return lines[:_DETAILS_MAX]


def _lines_of(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for item in value:
            yield _difference(name, item)
    else:
        yield _name(name), _value(name, value)


def _difference(name: str, item: Mapping[str, object]) -> tuple[str, str]:
    """One difference between what was stored and what was found, or whatever else it is."""
    if not {"field", "stored", "recomputed"} <= item.keys():
        inside = ", ".join(f"{_name(key)}: {_value(key, value)}" for key, value in item.items())
        return _name(name), inside
    field = str(item["field"])
    place = _name(field)
    if item.get("seat") is not None:
        seat = {"seat": item["seat"], "wager": item.get("wager") or "", "field": place}
        place = _("Seat %(seat)s, %(wager)s: %(field)s") % seat
    values = {
        "stored": _value(field, item["stored"]),
        "recomputed": _value(field, item["recomputed"]),
    }
    return place, _("%(stored)s on record, %(recomputed)s recomputed") % values


def _name(name: str) -> str:
    words = name.removesuffix("_minor").replace("_", " ")
    return words[:1].upper() + words[1:]


def _value(name: str, value: object) -> str:
    """Write a value of a detail; nothing on record is a dash, never zero."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int) and name.endswith("_minor"):
        return write_money(value)
    if isinstance(value, list):
        return ", ".join(_value(name, item) for item in value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_value(name, item)}" for key, item in value.items()) or "–"
    return str(value)
