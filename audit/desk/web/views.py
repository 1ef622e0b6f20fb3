"""The pages of days: the list, one day with figures, problems and files, and its downloads."""

from collections.abc import Mapping
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from audit.desk.permissions import READS_DAYS, RUNS_DAYS
from audit.desk.selectors import DayPage, day_file, day_lines, day_page, is_waiting, read_day
from audit.findings.kinds import name_of
from audit.findings.subjects import subject_url
from casino.people.person import actor_of, person_of
from casino.people.web.guards import signed_on
from casino.web.paging import page_number
from settlements.day.runs import start_day_run

PAGE_LINES = 50
_CHECKS = {
    "log": _("Log"),
    "table": _("Numbers without a gap"),
    "session": _("Money and counts"),
    "shoe": _("Rounds and cards"),
}
_OF_THE_LOG = {
    "verify": _("every entry, chain and checkpoint"),
    "replay": _("every fact and head, replayed"),
}


@require_GET
@signed_on(*READS_DAYS)
def days(request: HttpRequest) -> HttpResponse:
    """List the days with what their newest run found."""
    page, here = page_number(request), reverse("desk:days")
    lines = day_lines(start=(page - 1) * PAGE_LINES, limit=PAGE_LINES + 1)
    context = {
        "days": lines[:PAGE_LINES],
        "page": {
            "first_url": here if page > 1 else "",
            "after_url": f"{here}?page={page + 1}" if len(lines) > PAGE_LINES else "",
        },
    }
    return render(request, "desk/days.html", context)


@require_GET
@signed_on(*READS_DAYS)
def day(request: HttpRequest, text: str, number: int | None = None) -> HttpResponse:
    """Show one day; a run that still works refreshes itself."""
    shown = day_page(read_day(text), number=number)
    return render(request, "desk/day.html", _context(request, shown))


@require_POST
@signed_on(*RUNS_DAYS)
def run(request: HttpRequest, text: str) -> HttpResponse:
    """Reconcile the day anew; the earlier runs stay."""
    start_day_run(day=read_day(text), now=timezone.now(), by=actor_of(request))
    return HttpResponseRedirect(reverse("desk:day", args=[text]))


@require_GET
@signed_on(*READS_DAYS)
def file(request: HttpRequest, text: str, number: int, name: str) -> FileResponse:
    """Hand out a file of a run."""
    path = day_file(read_day(text), number=number, name=name)
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{text}-{number}-{name}")


def _context(request: HttpRequest, shown: DayPage) -> dict[str, Any]:  # Any: a template's context
    text = shown.run.day.isoformat()
    return {
        "day": shown.run.day,
        "run": shown.run,
        "percent": 100 * shown.run.chunks_done // max(shown.run.chunks, 1),
        "earlier": shown.earlier,
        "totals": shown.totals,
        "sessions": [_session(key, figures) for key, figures in shown.sessions],
        "is_moved": any(
            figures.get("disputed_minor") or figures.get("moved_late_minor")
            for _key, figures in shown.sessions
        ),
        "problems": [_problem(each) for each in shown.wrong],
        "waiting": [
            _problem(each)
            | {"sheets_url": reverse("tables:paper", args=[each["where"].split("/")[0]])}
            for each in shown.waiting
        ],
        "checks": [
            {
                "name": _CHECKS.get(check.check_name, check.check_name),
                "subject": _OF_THE_LOG.get(check.subject, check.subject),
                "examined": check.examined,
                "waiting": (waiting := sum(map(is_waiting, check.problems))),
                "wrong": len(check.problems) - waiting,
            }
            for check in shown.checks
        ],
        "altered": shown.altered,
        "files": [
            {
                "name": found.name,
                "size": found.size,
                "sha256": found.sha256,
                "url": reverse("desk:file", args=[text, shown.run.number, found.name]),
            }
            for found in shown.files
        ],
        "manifest_url": reverse("desk:file", args=[text, shown.run.number, "manifest.note"])
        if shown.files
        else None,
        "streams": shown.streams,
        "entries": shown.entries,
        "may_run": person_of(request).role in RUNS_DAYS and shown.run.state == "done",
        "run_url": reverse("desk:run", args=[text]),
    }


def _session(key: str, figures: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON numbers, text
    """A session's figures with what lies apart as it counts in the tray: taken out of it."""
    apart = figures.get("disputed_minor")
    return {**figures, "key": key, "apart_minor": None if apart is None else -apart}


def _problem(problem: Mapping[str, str]) -> dict[str, str | None]:
    """A problem with its kind in words and the page of its subject; runs of earlier releases do not
    name one."""
    kind, key = problem.get("subject_kind", ""), problem.get("subject_key", "")
    url = subject_url(kind, subject_key=key)
    return {**problem, "name": name_of(problem["code"]), "url": url}
