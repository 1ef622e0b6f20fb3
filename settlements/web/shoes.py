"""The page of a shoe, and the page of a table with its sessions and shoes."""

from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from audit.findings.selectors import FindingFilter, findings_within, open_findings
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from settlements.selectors.shoe_page import (
    ShoePage,
    session_lines,
    shoe_lines,
    shoe_page,
    statement_states,
)
from settlements.web.disputes.panels import table_disputes
from settlements.web.irregularities.panel import panel_context
from settlements.web.rounds import finding_items, reverse_round
from tables.errors import TableMissingError
from tables.models import RuleKind, Shoe, ShoeStatement, ShoeStep, TableSession
from tables.permissions import READS_ROUNDS, READS_TABLES
from tables.selectors.board import TableLine, table_lines
from tables.selectors.floor import Floor, read_table
from tables.selectors.house import find_table, gaming_day_at
from tables.selectors.irregularities import irregularities_of_shoe, irregularities_of_table
from tables.selectors.round_read import RoundName
from tables.selectors.shoes import find_shoe
from tables.selectors.terms import terms_document
from tables.services.paper import RESERVES_LATE
from tables.web.board import ACTS, table_state
from tables.web.rule_lines import value_pairs

# The panels of a table and a shoe name so many; the list of findings has them all.
FINDINGS_SHOWN = 10
_IRREGULARITIES_SHOWN = 5
_STEP_DONE: dict[str, Promise] = {
    ShoeStep.Step.SHUFFLE: gettext_lazy("Shuffled"),
    ShoeStep.Step.CHECK: gettext_lazy("Checked"),
    ShoeStep.Step.CUT: gettext_lazy("Cut"),
    ShoeStep.Step.BURN: gettext_lazy("Burned"),
}


class Segment(NamedTuple):
    """One stretch of a shoe's strip, in cards."""

    kind: str
    cards: int
    label: str
    url: str | None


@require_GET
@signed_on(*READS_ROUNDS)
def page(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show a shoe from its first card to its last."""
    shoe = find_shoe(code, number)
    if shoe is None:
        raise Http404
    shown, role = shoe_page(shoe), person_of(request).role
    found = findings_within("shoe", subject_key=shoe.key)[:FINDINGS_SHOWN]
    actions = []
    if role in ACTS and shoe.state == Shoe.State.READY:
        actions = [(_("End shoe"), reverse("tables:end_shoe", args=[code, number]))]
    aside = shoe.state in (Shoe.State.STOPPED, Shoe.State.VOIDED)
    if role in ACTS and aside and shown.statement is None:
        actions = [(_("Count the stub"), reverse("tables:end_shoe", args=[code, number]))]
    if shoe.state == Shoe.State.PREPARING:
        actions = [(_("Prepare"), reverse("tables:prepare_shoe", args=[code]))]
    elif role in RESERVES_LATE:
        paper = reverse("tables:paper", args=[code])
        actions.append((_("Rounds from paper"), f"{paper}?shoe={number}"))
    context = {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "shoe": {
            "number": number,
            "key": shoe.key,
            "state": shoe.state,
            "ruleset": shoe.ruleset,
            "cards_loaded": shoe.cards_loaded,
            "cut_left": shown.cut_left,
            "prepared_at": shoe.prepared_at,
            "ended_at": shoe.ended_at,
            "gaming_day": shown.gaming_day,
        },
        "segments": _segments(shown, code=code),
        "statement": statement_context(shown.statement, loaded=shoe.cards_loaded),
        "steps": [
            {"title": _STEP_DONE[step.step], "signers": step.signers, "at": step.at}
            for step in shown.steps
        ],
        "burned": shown.burned,
        "rounds": [
            {
                "number": line.number,
                "url": reverse_round(RoundName(code, number, line.number)),
                "stage": line.stage,
                "source": line.source,
                "seats": line.seats,
                "cards": line.cards,
                "places": shown.spans.get(line.number),
                "handle_minor": line.handle_minor,
                "bank_minor": line.bank_minor,
                "check": line.check,
                "ended_at": line.ended_at,
            }
            for line in shown.rounds
        ],
        "totals": {
            "handle_minor": sum(line.handle_minor or 0 for line in shown.rounds),
            "bank_minor": sum(line.bank_minor or 0 for line in shown.rounds),
        },
        "irregularities_panel": panel_context(
            irregularities_of_shoe(shoe.key), table=code, role=role, shoe=number
        ),
        "void_rounds_url": reverse("settlements:void_rounds", args=[code, number])
        if shoe.state == Shoe.State.VOIDED
        else "",
        "findings": finding_items(found, role=role),
        "actions": actions,
    }
    return render(request, "tables/shoe_page.html", context)


def statement_context(
    statement: ShoeStatement | None, *, loaded: int
) -> dict[str, Any] | None:  # Any: a template's context
    """Return the two statements about a shoe; None until they are made."""
    if statement is None:
        return None
    counted, composed = statement_states(statement)
    return {
        "counted": counted,
        "composed": composed,
        "dealt": statement.dealt,
        "burned": statement.burned,
        "stub": statement.stub,
        "awaited": statement.awaited,
        "loaded": loaded,
        "unknown_faces": statement.unknown_faces,
        "over": sorted(statement.over.items()),
    }


def _segments(shown: ShoePage, *, code: str) -> list[Segment]:
    segments = []
    if shown.shoe.cards_burned:
        segments.append(Segment("burn", shown.shoe.cards_burned, _("burned"), None))
    for line in shown.rounds:
        if line.cards:
            kind = "voided" if line.stage == "voided" else "round"
            url = reverse_round(RoundName(code, shown.shoe.number, line.number))
            segments.append(Segment(kind, line.cards, _("Round %(n)s") % {"n": line.number}, url))
    out = sum(segment.cards for segment in segments)
    left = shown.shoe.cards_loaded - out
    if shown.statement is None:
        segments.append(Segment("stub", left, _("in the shoe"), None))
        return segments
    segments.append(Segment("stub", shown.statement.stub, _("stub"), None))
    if left > shown.statement.stub:
        gap = left - shown.statement.stub
        segments.append(Segment("gap", gap, _("not accounted for"), None))
    return segments


@require_GET
@signed_on(*READS_TABLES)
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show one table: what is open at it, its terms, its shoes and sessions."""
    now = timezone.now()
    found = find_table(code)
    if found is None:
        raise TableMissingError(table=code)
    (line,) = table_lines(table=code)
    floor, role = read_table(code), person_of(request).role
    found_open = open_findings(FindingFilter(table_code=code))[:FINDINGS_SHOWN]
    context = {
        "table": {
            "code": code,
            "name": found.name,
            "pit": {
                "name": found.pit.name,
                "url": reverse("tables:board", args=[found.pit.code]),
            },
            "state": table_state(line, now=now, today=gaming_day_at(now)),
        },
        "session": _session(floor),
        "tray": _tray(line),
        "shoe": _shoe(line),
        "round": _round(line),
        "terms": _terms(floor),
        "sessions": [
            {
                "key": session.key,
                "gaming_day": session.gaming_day,
                "state": session.state,
                "opened_at": session.opened_at,
                "closed_at": session.closed_at,
                "rounds": session.rounds_settled,
                "handle_minor": session.handle_minor,
                "bank_minor": session.bank_handed_minor,
                "opener_minor": session.opener_minor,
                "closer_minor": session.closer_minor,
            }
            for session in session_lines(found.pk)
        ],
        "shoes": [
            {
                "number": shoe.number,
                "url": reverse("settlements:shoe_page", args=[code, shoe.number]),
                "state": shoe.state,
                "rounds": shoe.rounds,
                "counted": shoe.counted,
                "composed": shoe.composed,
                "ended_at": shoe.ended_at,
            }
            for shoe in shoe_lines(found.pk)
        ],
        "irregularities_panel": _irregularities(code, role=role),
        "disputes": table_disputes(code, role=role),
        "findings": finding_items(found_open, role=role),
        "actions": _actions(line, role=role),
        "posts": _posts(line, role=role),
    }
    return render(request, "tables/table_overview.html", context)


def _irregularities(code: str, *, role: str) -> dict[str, Any] | None:
    """Return the latest irregularities of a table; None who does not read them."""
    if role not in READS_ROUNDS:
        return None
    lines = irregularities_of_table(code, limit=_IRREGULARITIES_SHOWN)
    return panel_context(lines, table=code, role=role)


def _terms(floor: Floor) -> dict[str, Any] | None:  # Any: a template's context
    """Return a table's terms with its procedures in words."""
    terms = terms_document(floor)
    if terms is None:
        return None
    words = value_pairs(RuleKind.PROCEDURES, terms["game"], terms["procedures"])
    return {**terms, "procedures": words}


def _session(floor: Floor) -> dict[str, Any] | None:
    session = floor.session
    if session is None:
        return None
    return {
        "key": session.ref.key,
        "state": session.state,
        "gaming_day": session.gaming_day,
        "rounds": session.rounds_settled,
        "handle_minor": session.handle_minor,
        "bank_handed_minor": session.bank_handed_minor,
        "bank_owed_minor": session.bank_owed_minor,
        "opener_minor": session.opener_minor,
    }


def _tray(line: TableLine) -> dict[str, Any]:
    return {
        "opener_minor": line.opener_minor,
        "handed_minor": line.tray_handed_minor,
        "owed_minor": line.tray_owed_minor,
    }


def _shoe(line: TableLine) -> dict[str, Any] | None:
    if line.shoe_number is None:
        return None
    return {
        "number": line.shoe_number,
        "url": reverse("settlements:shoe_page", args=[line.code, line.shoe_number]),
        "state": line.shoe_state,
        "cards_out": line.cards_out,
        "cards_loaded": line.cards_loaded,
        "cut_left": line.cut_card_depth or 0,
        "rounds": line.rounds_settled,
    }


def _round(line: TableLine) -> dict[str, Any] | None:
    if line.round_number is None or line.shoe_number is None:
        return None
    return {
        "number": line.round_number,
        "url": reverse_round(RoundName(line.code, line.shoe_number, line.round_number)),
        "stage": line.stage,
        "dealer": line.dealer,
    }


def _actions(line: TableLine, *, role: str) -> list[tuple[str, str]]:
    """Return what this person may do next, as links."""
    if role not in ACTS:
        return []
    counts = {
        TableSession.State.OPENING: ("opener", _("Count the opener")),
        TableSession.State.CLOSING: ("closer", _("Count the closer")),
    }
    if line.state in counts:
        kind, label = counts[TableSession.State(line.state)]
        return [(label, reverse("tables:count", args=[line.code, kind]))]
    if line.state != TableSession.State.OPEN:
        return []
    if line.shoe_number is None or line.shoe_state == Shoe.State.PREPARING:
        return [(_("Prepare shoe"), reverse("tables:prepare_shoe", args=[line.code]))]
    return [
        (
            _("Record an irregularity"),
            reverse("settlements:choose_irregularity", args=[line.code]),
        ),
        (_("Rounds from paper"), reverse("tables:paper", args=[line.code])),
        (_("End shoe"), reverse("tables:end_shoe", args=[line.code, line.shoe_number])),
    ]


def _posts(line: TableLine, *, role: str) -> list[tuple[str, str]]:
    """Return what this person may do next with one press."""
    if role not in ACTS:
        return []
    if line.state == "closed":
        return [(_("Open table"), reverse("tables:start_session", args=[line.code]))]
    if line.state == TableSession.State.OPEN and line.shoe_number is None:
        return [(_("Close table"), reverse("tables:start_closing", args=[line.code]))]
    return []
