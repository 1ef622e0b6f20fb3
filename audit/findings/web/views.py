"""The pages of findings: the list with its filter, and one finding with its life."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit.findings import selectors, services
from audit.findings.kinds import Severity, all_kinds, name_of
from audit.findings.models import Finding, serial_of
from audit.findings.permissions import ANSWERS_FINDINGS, DECIDES_FINDINGS, READS_FINDINGS
from audit.findings.web.forms import (
    ACCEPT,
    ALL,
    ANSWER,
    CLOSE,
    RETURN,
    UNCLOSED,
    FilterForm,
    NoteForm,
)
from audit.findings.web.lines import detail_lines, finding_line, finding_lines
from casino.kernel.errors import DomainError
from casino.people.person import Person, origin_of, person_of
from casino.people.web.guards import signed_on

PAGE_LINES = 50
_SERVICES = {
    ANSWER: services.answer_finding,
    RETURN: services.return_finding,
    ACCEPT: services.accept_finding,
    CLOSE: services.close_finding,
}
_AUDITEE_STEPS = {Finding.State.OPEN: (ANSWER,), Finding.State.ANSWERED: (ANSWER,)}
_AUDITOR_STEPS = {Finding.State.ANSWERED: (ACCEPT, RETURN), Finding.State.ACCEPTED: (CLOSE,)}


@require_http_methods(["GET"])
@signed_on(*READS_FINDINGS)
def finding_list(request: HttpRequest) -> HttpResponse:
    """List findings, newest first; without a state those that are not closed."""
    kind = _known_kind(request.GET.get("kind", ""))
    form = FilterForm({"state": UNCLOSED, **request.GET.dict(), "kind": kind})
    chosen: Mapping[str, str] = form.cleaned_data if form.is_valid() else {}
    state = chosen.get("state") or UNCLOSED
    narrow = selectors.FindingFilter(
        state="" if state in (UNCLOSED, ALL) else state,
        unclosed=state == UNCLOSED,
        table_code=chosen.get("table_code", ""),
        severity=chosen.get("severity", ""),
        kind=kind,
    )
    after = request.GET.get("after", "")
    after = after if serial_of(after) else ""
    found = selectors.findings_page(narrow, after=after, limit=PAGE_LINES + 1)
    context = {
        "form": form,
        "sentence": _filter_in_words(narrow),
        "findings": finding_lines(found[:PAGE_LINES], now=timezone.now()),
        "counts": _counts(narrow),
        "page": {
            "first_url": _address(narrow) if after else None,
            "after_url": (
                _address(narrow, after=found[PAGE_LINES - 1].number)
                if len(found) > PAGE_LINES
                else None
            ),
        },
    }
    return render(request, "casino/findings_page.html", context)


@require_http_methods(["GET", "POST"])
@signed_on(*READS_FINDINGS)
def finding(request: HttpRequest, number: str) -> HttpResponse:
    """Show one finding; take the step that a note asks for."""
    read = selectors.finding_by_number(number)
    person = person_of(request)
    steps = _steps_for(person, read.finding)
    if request.method == "GET":
        form = NoteForm(steps=steps, initial={"n": read.next_note}) if steps else None
        return _finding_page(request, read, form)
    sent = NoteForm(request.POST, steps=tuple(_SERVICES))
    if not sent.is_valid():
        return _finding_page(request, read, sent, status=422)
    try:
        _SERVICES[sent.cleaned_data["step"]](
            number,
            n=sent.cleaned_data["n"],
            text=sent.cleaned_data["text"],
            person=person,
            request_id=origin_of(request).request_id,
        )
    except DomainError as error:
        sent.add_error(None, error.describe(_))
        return _finding_page(request, read, sent, status=error.status)
    return HttpResponseRedirect(reverse("findings:finding", args=[read.finding.number]))


def _steps_for(person: Person, found: Finding) -> tuple[str, ...]:
    """Return the steps that a page offers; the services decide again."""
    state = Finding.State(found.state)
    if person.role in ANSWERS_FINDINGS:
        return _AUDITEE_STEPS.get(state, ())
    if person.role in DECIDES_FINDINGS:
        return _AUDITOR_STEPS.get(state, ())
    return ()


def _finding_page(
    request: HttpRequest,
    read: selectors.FindingRead,
    form: forms.Form | None,
    *,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {  # a template's context
        "finding": finding_line(read.finding, now=timezone.now()),
        "details": detail_lines(read.finding.detail),
        "notes": read.notes,
        "form": form,
        "findings_url": reverse("findings:findings"),
        "kind_url": _address(selectors.FindingFilter(kind=read.finding.kind)),
    }
    return render(request, "casino/finding_page.html", context, status=status)


def _known_kind(code: str) -> str:
    """Return a kind that a link asks for, or none: a mistyped one narrows nothing."""
    return code if code in {kind.code for kind in all_kinds()} else ""


def _counts(narrow: selectors.FindingFilter) -> list[dict[str, object]]:
    counts = selectors.counts_by_state(narrow.table_code)
    of_table = selectors.FindingFilter(table_code=narrow.table_code)
    return [
        {
            "state": state,
            "number": counts.get(state, 0),
            "url": _address(of_table, state=state),
        }
        for state in Finding.State.values
    ]


def _address(narrow: selectors.FindingFilter, *, state: str = "", after: str = "") -> str:
    """Return the address of a list: a filter kept as a link."""
    shown = state or narrow.state or (UNCLOSED if narrow.unclosed else ALL)
    asked = {
        "state": shown,
        "table_code": narrow.table_code,
        "severity": narrow.severity,
        "kind": narrow.kind,
        "after": after,
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{reverse('findings:findings')}?{query}"


def _filter_in_words(narrow: selectors.FindingFilter) -> str:
    """Return the filter as a sentence that can be read aloud."""
    if narrow.unclosed:
        words = [_("Findings that are not closed")]
    elif narrow.state:
        words = [_("Findings that are %(state)s") % {"state": Finding.State(narrow.state).label}]
    else:
        words = [_("All findings")]
    if narrow.table_code:
        words.append(_("at table %(table)s") % {"table": narrow.table_code})
    if narrow.severity:
        words.append(_("of severity %(word)s") % {"word": Severity(narrow.severity).label})
    if narrow.kind:
        words.append(_("of the kind “%(kind)s”") % {"kind": name_of(narrow.kind)})
    return f"{', '.join(words)}."
