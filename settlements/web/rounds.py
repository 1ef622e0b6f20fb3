"""The page of a round, and what other pages show of one."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from audit.findings.models import Finding
from audit.findings.permissions import READS_FINDINGS
from audit.findings.selectors import findings_for, sentence
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from settlements.selectors.bill import CORRECTABLE
from settlements.selectors.checks import PartCheck
from settlements.selectors.corrections import corrections_of
from settlements.selectors.round_page import RoundPage, round_page
from settlements.services.corrections import CORRECTS
from settlements.web.bills import corrections_context
from settlements.web.disputes.panels import open_dispute_link, round_disputes
from settlements.web.irregularities.panel import panel_context
from settlements.web.irregularities.words import use_words
from settlements.web.sentences import Names, timeline
from tables.models import Round
from tables.permissions import READS_ROUNDS
from tables.selectors.irregularities import irregularities_of_round
from tables.selectors.round_read import ROUND_OVER, RoundName

VOIDS = (Role.SUPERVISOR, Role.MANAGER)
_MISDEAL = 26  # the event of a void for which no other one stands


@require_GET
@signed_on(*READS_ROUNDS)
def page(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Show the life of one round, verified again as it is read."""
    name = RoundName(code, shoe, number)
    shown = round_page(name, now=timezone.now())
    context = page_context(shown)
    role = person_of(request).role
    dealt = shown.read.stage not in (*ROUND_OVER, Round.Stage.BETTING, Round.Stage.AWAITED)
    if role in VOIDS and dealt:
        ruled = reverse("settlements:record_case", args=[code, _MISDEAL, "void"])
        url = f"{ruled}?shoe={shoe}&round={number}"
        context["actions"] = [(_("Void round"), url, True)]
    if role in CORRECTS and shown.read.stage in CORRECTABLE:
        url = reverse("settlements:correct", args=[code, shoe, number])
        context["actions"] = [(_("Correct round"), url, False)]
    if shown.source != Round.Source.LIVE:
        context["actions"] += [(label, url, False) for label, url in sheet_links(shown, role=role)]
    context["irregularities_panel"] = panel_context(
        irregularities_of_round(name.key), table=code, role=role, shoe=shoe, round=number
    )
    if shown.read.stage not in (Round.Stage.AWAITED, Round.Stage.CALLED_OFF):
        context["actions"] += open_dispute_link(name, role=role)
    context["disputes"] = round_disputes(name, role=role)
    context["findings"] = finding_items(findings_for("round", subject_key=name.key), role=role)
    context["corrections"] = corrections_context(corrections_of(name.key))
    return render(request, "settlements/round_page.html", context)


def sheet_links(shown: RoundPage, *, role: str) -> list[tuple[str, str]]:
    """Return where the sheet of a round from paper is: it waits, or its copies lie side by side."""
    name = shown.read.name
    if shown.read.stage == Round.Stage.AWAITED:
        return [(_("Sheets"), reverse("tables:paper", args=[name.table]))]
    if role == Role.DEALER:
        return []
    args = [name.table, name.shoe, name.number]
    return [(_("Copies of the sheet"), reverse("settlements:sheet_copies", args=args))]


def page_context(shown: RoundPage) -> dict[str, Any]:  # Any: a template's context
    """Return what the templates of a round read."""
    read, name = shown.read, shown.read.name
    return {
        "round": {
            "key": read.ref.key,
            "table_code": name.table,
            "table_url": reverse("settlements:table_page", args=[name.table]),
            "shoe_number": name.shoe,
            "shoe_url": reverse("settlements:shoe_page", args=[name.table, name.shoe]),
            "number": name.number,
            "stage": read.stage,
            "source": shown.source,
            "gaming_day": shown.gaming_day,
            "session_key": read.session.key,
            "dealer": read.dealer_name,
            "bank_seat": read.bank_seat,
            "opened_at": shown.opened_at,
            "ended_at": shown.ended_at,
            "places": shown.places,
            "ruleset": {
                "name": shown.ruleset_name,
                "hash": read.ruleset_ref.key,
                "url": reverse("tables:rules", args=[read.ruleset_ref.key]),
            },
            "limits_hash": read.limits_ref.key if read.limits_pinned else None,
        },
        "earlier_url": reverse_round(shown.earlier) if shown.earlier else None,
        "later_url": reverse_round(shown.later) if shown.later else None,
        "hands": shown.hands,
        "apart": [
            {"draw": card.draw, "face": card.face, "use": use_words(card.use, None)}
            for card in shown.apart
        ],
        "lines": shown.lines,
        "totals": shown.totals,
        "superseded": shown.superseded,
        "checks": [_check(part) for part in shown.check.parts],
        "proof": _proof(shown),
        "timeline": timeline(
            shown.timeline,
            names=Names(
                hands={card.draw: hand.hand for hand in shown.hands for card in hand.cards},
                bank_seat=read.bank_seat,
            ),
        ),
        "actions": [],
    }


def reverse_round(name: RoundName) -> str:
    """Return the address of a round's page."""
    return reverse("settlements:round_page", args=[name.table, name.shoe, name.number])


def finding_items(found: Iterable[Finding], *, role: str) -> list[dict[str, Any]] | None:
    """Return findings as the panel of any page lists them; None who does not read them."""
    if role not in READS_FINDINGS:
        return None
    return [
        {
            "number": finding.number,
            "url": reverse("findings:finding", args=[finding.number]),
            "sentence": sentence(finding),
            "state": finding.state,
        }
        for finding in found
    ]


def _check(part: PartCheck) -> dict[str, Any]:
    words = {"sweep": _("Second engine, sweep"), "final": _("Second engine, final")}
    detail = _("revision %(n)s waits for the worker") % {"n": part.revision}
    if part.engine_version:
        lines = ngettext("%(n)d line", "%(n)d lines", part.lines) % {"n": part.lines}
        detail = _("revision %(n)s, %(lines)s, engine %(version)s") % {
            "n": part.revision,
            "lines": lines,
            "version": part.engine_version,
        }
    return {
        "name": words[part.part],
        "state": part.state.value,
        "detail": detail,
        "at": part.checked_at,
    }


def _proof(shown: RoundPage) -> dict[str, Any]:
    proof = shown.proof
    if proof is None:
        return {"state": "waiting", "stream": shown.read.name.stream}
    problem = str(proof.problems[0]) if proof.problems else ""
    return {
        "state": "broken" if problem else "verified",
        "stream": proof.stream,
        "seq_from": proof.seq_from,
        "seq_to": proof.seq_to,
        "verified_at": shown.verified_at,
        "checkpoint": proof.checkpoint,
        "checkpoint_at": proof.checkpoint_at,
        "problem": problem,
    }
