"""The register of disputes, the page of one, and what other pages show of them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.people.person import person_of
from casino.people.web.guards import signed_on
from casino.web.paging import page_number
from settlements.selectors.bill import CORRECTABLE
from settlements.selectors.dispute_page import DisputePage, Filed, dispute_page
from settlements.services.corrections import CORRECTS
from settlements.services.dispute_files import KEEPS_FILES
from settlements.web.bills import corrections_context
from settlements.web.disputes.forms import ALL, FilterForm
from settlements.web.disputes.words import (
    held_line,
    missing_words,
    reverse_dispute,
    round_name_of,
    state_of,
    subject_of,
)
from settlements.web.rounds import page_context, reverse_round
from settlements.web.sentences import timeline
from tables.models import DisputeHold
from tables.permissions import READS_DISPUTES
from tables.selectors.disputes import (
    DisputeCounts,
    DisputeFilter,
    DisputeLine,
    dispute_counts,
    disputes_page,
)
from tables.services.disputes import RULES_DISPUTES

PAGE_LINES = 50


@require_GET
@signed_on(*READS_DISPUTES)
def register(request: HttpRequest) -> HttpResponse:
    """List disputes of the house: the open ones first, the oldest on top; then what was ruled."""
    form = FilterForm({"state": ALL, **request.GET.dict()})
    narrow = form.narrow()
    page = page_number(request)
    offset = (page - 1) * PAGE_LINES
    found = disputes_page(narrow, offset=offset, limit=PAGE_LINES + 1)
    context = {
        "form": form,
        "sentence": _sentence(form, narrow),
        "counts": _counts(dispute_counts(narrow), form),
        "disputes": [_line(line) for line in found[:PAGE_LINES]],
        "page": {
            "before_url": _address(form, page=page - 1) if page > 1 else None,
            "after_url": _address(form, page=page + 1) if len(found) > PAGE_LINES else None,
        },
    }
    return render(request, "settlements/disputes/register.html", context)


@require_GET
@signed_on(*READS_DISPUTES)
def dispute(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show one dispute: what is held, what cards and log say, its file, and what comes next."""
    shown = dispute_page(code, number, now=timezone.now())
    context = dispute_context(shown)
    role = person_of(request).role
    hold = shown.hold
    is_open = hold.state == DisputeHold.State.OPEN
    context |= {
        "file_url": reverse_dispute(hold, "dispute_file") if role in KEEPS_FILES else None,
        "ruling_url": reverse_dispute(hold, "dispute_ruling")
        if is_open and role in RULES_DISPUTES
        else None,
        "correct_url": correct_url(shown) if role in CORRECTS else None,
    }
    return render(request, "settlements/disputes/dispute.html", context)


def correct_url(shown: DisputePage) -> str | None:
    """Return where the correction is made that carries out the ruling, while there is none."""
    hold = shown.hold
    if hold.state == DisputeHold.State.OPEN or shown.round.read.stage not in CORRECTABLE:
        return None
    name = round_name_of(hold)
    address = reverse("settlements:correct", args=[name.table, name.shoe, name.number])
    return f"{address}?{urlencode({'dispute': hold.number})}"


def dispute_context(shown: DisputePage) -> dict[str, Any]:  # Any: a template's context
    """Return what the templates of one dispute read."""
    hold = shown.hold
    read = shown.round.read
    files = [_filed(each) for each in shown.files]
    return page_context(shown.round) | {
        "dispute": {
            "key": hold.key,
            "url": reverse_dispute(hold),
            "state": state_of(hold),
            "is_open": hold.state == DisputeHold.State.OPEN,
            "what": subject_of(hold.seat, hold.wager, read.bank_seat),
            "disputed_minor": hold.disputed_minor,
            "in_result": hold.in_result,
            "opened_at": hold.opened_at,
            "opened_by": shown.opened_by,
            "opened_as": shown.opened_as,
            "age": (hold.released_at or timezone.now()) - hold.opened_at,
            "moved_at": hold.moved_at,
            "released_at": hold.released_at,
            "seen": shown.seen,
            "ruling": hold.ruling,
            "signed": shown.signed,
            "irregularity": f"{read.name.table}/I{hold.irregularity_number}",
            "irregularity_url": reverse(
                "settlements:irregularity", args=[read.name.table, hold.irregularity_number]
            ),
        },
        "back": reverse_round(read.name),
        "session_state": read.session_state,
        "held_lines": shown.lines,
        "missing": missing_words(shown.story.missing),
        "file": files[-1] if files else None,
        "earlier_files": files[-2::-1],
        "has_changed": shown.has_changed,
        "steps": _steps(shown),
        "paid_by": corrections_context(shown.corrections),
        "story": timeline(shown.entries),
        "disputes_url": reverse("settlements:disputes"),
    }


def _steps(shown: DisputePage) -> dict[str, str]:
    """Return where the dispute has got to: for each step done, now or later."""
    ruled = shown.hold.state == DisputeHold.State.RELEASED
    complete = not shown.story.missing
    ruling = "done" if ruled else "now" if complete else "later"
    money = "later"
    if ruled:
        money = "now" if shown.awaits_correction else "done"
    return {"file": "done" if complete else "now", "ruling": ruling, "money": money}


def _filed(filed: Filed) -> dict[str, Any]:
    row = filed.row
    evidence = row.evidence
    return {
        "row": row,
        "at": row.entry.at,
        "kept_by": filed.kept_by,
        "kept_as": filed.kept_as,
        "staff": [f"{number} {name}".strip() for number, name in filed.staff],
        "evidence": evidence,
        "hands": _frozen_hands(evidence),
        "payouts": [
            {**line, "part": part["part"], "revision": part["revision"]}
            for part in evidence.get("settlements", ())
            for line in part["payouts"]
        ],
    }


def _frozen_hands(evidence: dict[str, Any]) -> list[tuple[int | None, list[str]]]:
    """Return the frozen cards by hand, in the order they were dealt; None went into no hand."""
    hands: dict[int | None, list[str]] = {}
    for card in evidence.get("cards", ()):
        hands.setdefault(card["hand"], []).append(card["face"])
    return sorted(hands.items(), key=lambda item: (item[0] is None, item[0] == 0, item[0] or 0))


def _line(line: DisputeLine) -> dict[str, Any]:
    hold = line.hold
    ended = hold.released_at or timezone.now()
    return held_line(hold, role=READS_DISPUTES[0]) | {
        "table": hold.table.code,
        "age": ended - hold.opened_at,
        "missing": missing_words(line.missing),
        "ruling": hold.ruling,
        "moved_at": hold.moved_at,
    }


def _counts(counts: DisputeCounts, form: FilterForm) -> list[dict[str, Any]]:
    states = {
        "open": (counts.open, counts.open_minor),
        "house": (counts.house, counts.house_minor),
        "patron": (counts.patron, counts.patron_minor),
    }
    return [
        {"state": state, "n": n, "minor": minor, "url": _address(form, state=state)}
        for state, (n, minor) in states.items()
    ]


def _address(form: FilterForm, *, state: str = "", page: int = 1) -> str:
    """Return the address of a list: a filter kept as a link."""
    asked = {name: form.data.get(name, "") for name in form.fields if name not in form.errors}
    asked |= {"state": state or asked.get("state", ""), "page": str(page) if page > 1 else ""}
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{reverse('settlements:disputes')}?{query}"


def _sentence(form: FilterForm, narrow: DisputeFilter) -> str:
    """Return the filter as a sentence that can be read aloud."""
    words = [_("Open and ruled disputes")]
    if narrow.state:
        words = [_("Disputes that are open")]
    elif narrow.outcome:
        label = DisputeHold.Outcome(narrow.outcome).label
        words = [_("Disputes that were ruled %(outcome)s") % {"outcome": label}]
    if narrow.table:
        words.append(_("at table %(table)s") % {"table": narrow.table})
    since, until = form.cleaned_data.get("opened_from"), form.cleaned_data.get("opened_to")
    if since:
        words.append(_("opened from %(day)s") % {"day": date_format(since, "j M Y")})
    if until:
        words.append(_("up to %(day)s") % {"day": date_format(until, "j M Y")})
    return f"{', '.join(words)}."
