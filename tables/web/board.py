"""The pit board: every table at one glance; it refreshes itself by asking for its inside again."""

from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET
from django_htmx.middleware import HtmxDetails

from audit.findings.permissions import READS_FINDINGS
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from casino.web.templatetags.money import money_text
from casino.web.templatetags.states import look_of
from tables.models import TableSession
from tables.permissions import READS_DISPUTES
from tables.selectors.board import TableLine, table_lines
from tables.selectors.house import find_pit, first_pit, gaming_day_at

SEES_THE_BOARD = (
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
    Role.CASHIER,
)
ACTS = (Role.SUPERVISOR, Role.MANAGER)
# An open table without an entry for this long is shown as silent.
_SILENT_AFTER = timedelta(minutes=20)


class Trouble(NamedTuple):
    """The gravest thing about a table."""

    tone: str
    shape: str
    text: str
    url: str


class Waiting(NamedTuple):
    """One thing that waits for somebody, with its clock."""

    id: str
    tone: str
    shape: str
    what: str
    table: str
    since: datetime
    url: str


@require_GET
@signed_on(*SEES_THE_BOARD)
def pit(request: HttpRequest) -> HttpResponse:
    """Lead to the first pit's board."""
    first = first_pit()
    if first is None:
        raise Http404
    return HttpResponseRedirect(reverse("tables:board", args=[first.code]))


@require_GET
@signed_on(*SEES_THE_BOARD)
def board(request: HttpRequest, code: str) -> HttpResponse:
    """Show a pit's tables; htmx gets the inside alone."""
    found = find_pit(code)
    if found is None:
        raise Http404
    now, role = timezone.now(), person_of(request).role
    lines = table_lines(pit=code)
    opened = [line for line in lines if line.opener_minor is not None]
    today = gaming_day_at(now)
    url = reverse("tables:board", args=[code])
    context = {
        "board": {
            "pit": found,
            "url": url,
            "gaming_day": today,
            "as_at": now,
            "tables_open": len(opened),
            "tables": len(lines),
            "handle_minor": _sum([line.handle_minor for line in opened]),
            "result_minor": _sum([line.result_minor for line in opened]),
            "waiting": _waiting(lines, now=now, role=role),
            "tiles": [tile(line, now=now, today=today, role=role) for line in lines],
        }
    }
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # set by django-htmx
    template = "tables/_board.html" if htmx else "tables/pit_board.html"
    return render(request, template, context)


def tile(line: TableLine, *, now: datetime, today: date, role: str = "") -> dict[str, object]:
    """Return one table as a tile shows it to a role; what is not known is None, never zero."""
    url = reverse("settlements:table_page", args=[line.code])
    return {
        "code": line.code,
        "game": line.name,
        "url": url,
        "state": table_state(line, now=now, today=today),
        "round_number": line.round_number,
        "stage": look_of("round", line.stage).word if line.stage else None,
        "dealer": line.dealer,
        "shoe_number": line.shoe_number,
        "cards_out": line.cards_out,
        "cards_loaded": line.cards_loaded,
        "cut_left": line.cut_card_depth,
        "cut_card_out": line.cut_card_out,
        "rounds": line.rounds_settled,
        "pace": _pace(line, now=now),
        "handle_minor": line.handle_minor,
        "result_minor": line.result_minor,
        "tray_handed_minor": line.tray_handed_minor,
        "tray_owed_minor": line.tray_owed_minor,
        "limits": _limits(line),
        # The log of a closed table goes on, with the marks of its days: nothing happens at it.
        "last_at": None if line.state == "closed" else line.last_activity,
        "trouble": _trouble(line, url=url, now=now, role=role),
        "held_minor": line.held_minor if line.holds else None,
        "actions": [(_("Look"), url), *_acts(line, role=role)],
    }


def _acts(line: TableLine, *, role: str) -> list[tuple[str, str]]:
    """Return what a supervisor may do at a table from the board, while a session is open there."""
    if role not in ACTS or line.session is None:
        return []
    acts = [(_("Dispute"), reverse("settlements:dispute_round", args=[line.code]))]
    if line.shoe is not None:
        url = reverse("settlements:choose_irregularity", args=[line.code])
        acts = [(_("Irregularity"), url), *acts]
    return acts


def table_state(line: TableLine, *, now: datetime, today: date) -> str:
    """Return what a table is, in the words of the board; `today` is the gaming day of `now`."""
    if line.state in (TableSession.State.OPENING, TableSession.State.CLOSING, "closed"):
        return line.state
    if _is_silent(line, now=now):
        return "silent"
    if line.gaming_day is not None and line.gaming_day < today:
        return "overrun"
    if line.round is not None:
        return "in_play"
    return "ready" if line.shoe_state == "ready" else "no_shoe"


def _is_silent(line: TableLine, *, now: datetime) -> bool:
    return line.last_activity is not None and now - line.last_activity > _SILENT_AFTER


def _limits(line: TableLine) -> str | None:
    least, most = line.main_limits
    if least is None:
        return None
    if most is None:
        return _("from %(least)s") % {"least": money_text(least)}
    return f"{money_text(least)} – {money_text(most)}"


def _pace(line: TableLine, *, now: datetime) -> int | None:
    """Rounds an hour since the table opened; None in the first ten minutes."""
    if line.opened_at is None or line.rounds_settled is None:
        return None
    hours = (now - line.opened_at).total_seconds() / 3600
    return round(line.rounds_settled / hours) if hours > 1 / 6 else None


def _trouble(line: TableLine, *, url: str, now: datetime, role: str) -> Trouble | None:
    if line.findings_open and role in READS_FINDINGS:
        findings = _findings_url(line)
        return Trouble("alarm", "alarm", _open_findings(line), findings)
    if line.state == "open" and _is_silent(line, now=now):
        return Trouble("alarm", "alarm", _("No entry for twenty minutes"), url)
    if line.tray_handed_minor != line.tray_owed_minor:
        return Trouble("late", "late", _("Handed over otherwise than owed"), url)
    return None


def _findings_url(line: TableLine) -> str:
    return f"{reverse('findings:findings')}?table_code={line.code}"


def _open_findings(line: TableLine) -> str:
    return ngettext("%(n)d open finding", "%(n)d open findings", line.findings_open) % {
        "n": line.findings_open
    }


def _waiting(lines: list[TableLine], *, now: datetime, role: str) -> list[Waiting]:
    """Return what waits for somebody in the pit, oldest first."""
    found = []
    for line in lines:
        url = reverse("settlements:table_page", args=[line.code])
        since = line.last_activity or now
        if line.state == TableSession.State.OPENING:
            what = _("Both counts of the opener")
        elif line.state == TableSession.State.CLOSING:
            what = _("Both counts of the closer")
        elif line.shoe_state == "preparing":
            what = _("Shoe %(n)s to prepare") % {"n": line.shoe_number}
        elif line.cut_card_out and line.round is None:
            what = _("The cut card is out: end shoe %(n)s") % {"n": line.shoe_number}
        elif line.state == "open" and line.shoe is None:
            what = _("A shoe to prepare")
        else:
            continue
        found.append(Waiting(f"wait-{line.code}", "held", "waiting", what, line.code, since, url))
    found += [_sheets(line, since=line.awaited_since) for line in lines if line.awaited_since]
    found += [_held(line, since=line.held_since, role=role) for line in lines if line.held_since]
    if role in READS_FINDINGS:
        found += [_found(line, since=line.findings_since) for line in lines if line.findings_since]
    return sorted(found, key=lambda item: item.since)


def _sheets(line: TableLine, *, since: datetime) -> Waiting:
    """Return the rounds of a table that were dealt on paper and wait for their sheets."""
    to_key, to_settle = line.awaited - line.awaited_keyed, line.awaited_keyed
    said = [
        (ngettext("%(n)d round on paper to key", "%(n)d rounds on paper to key", to_key), to_key),
        (
            ngettext(
                "%(n)d round on paper to settle", "%(n)d rounds on paper to settle", to_settle
            ),
            to_settle,
        ),
    ]
    what = ", ".join(words % {"n": rounds} for words, rounds in said if rounds)
    url = reverse("tables:paper", args=[line.code])
    return Waiting(f"paper-{line.code}", "late", "late", what, line.code, since, url)


def _held(line: TableLine, *, since: datetime, role: str) -> Waiting:
    """Return the open dispute holds of a table; who may not read disputes is led to the table."""
    what = ngettext(
        "%(n)d dispute hold, %(amount)s", "%(n)d dispute holds, %(amount)s", line.holds
    ) % {"n": line.holds, "amount": money_text(line.held_minor)}
    if role not in READS_DISPUTES:
        url = reverse("settlements:table_page", args=[line.code])
    elif line.holds == 1:
        url = reverse("settlements:dispute", args=[line.code, line.first_hold])
    else:
        url = f"{reverse('settlements:disputes')}?{urlencode({'table': line.code})}"
    return Waiting(f"held-{line.code}", "held", "held", what, line.code, since, url)


def _found(line: TableLine, *, since: datetime) -> Waiting:
    """Return the findings that nobody has closed yet."""
    what, url = _open_findings(line), _findings_url(line)
    return Waiting(f"found-{line.code}", "alarm", "alarm", what, line.code, since, url)


def _sum(figures: list[int | None]) -> int | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None
