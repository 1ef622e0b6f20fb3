"""The page of a round, and the form that voids it."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods

from audit.findings.selectors import findings_for, sentence
from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from settlements.selectors.bill import CORRECTABLE
from settlements.selectors.checks import PartCheck
from settlements.selectors.corrections import corrections_of
from settlements.selectors.round_page import RoundPage, Totals, round_page
from settlements.services.corrections import CORRECTS
from settlements.services.voids import CAUSES, VoidCause, void_preview, void_round
from settlements.web.bills import corrections_context
from settlements.web.sentences import timeline
from tables.games import explain
from tables.models import Round
from tables.selectors.round_read import ROUND_OVER, RoundName
from tables.web.acting import acting, refuse
from tables.web.forms import all_valid, signer_forms

SEES_ROUNDS = (
    Role.DEALER,
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
)
VOIDS = (Role.SUPERVISOR, Role.MANAGER)
_EVENTS = {
    5: gettext_lazy("several cards face up in the shoe"),
    6: gettext_lazy("card to the wrong seat"),
    9: gettext_lazy("a hand with a wrong number of cards"),
    10: gettext_lazy("the House hand with a wrong number of cards"),
    13: gettext_lazy("foreign card"),
    14: gettext_lazy("cards stuck together"),
    15: gettext_lazy("wrong number of cards in the shoe"),
    18: gettext_lazy("the shoe ran out"),
    26: gettext_lazy("misdeal"),
    29: gettext_lazy("failure of a device"),
    if shown.source != Round.Source.LIVE:
        context["actions"] += [(label, url, False) for label, url in sheet_links(shown, role=role)]
    32: gettext_lazy("the table was closed or evacuated"),
}


def sheet_links(shown: RoundPage, *, role: str) -> list[tuple[str, str]]:
    """Return where the sheet of a round from paper is: it waits, or its copies lie side by side."""
    name = shown.read.name
    if shown.read.stage == Round.Stage.AWAITED:
        return [(_("Sheets"), reverse("tables:paper", args=[name.table]))]
    if role == Role.DEALER:
        return []
    args = [name.table, name.shoe, name.number]
    return [(_("Copies of the sheet"), reverse("settlements:sheet_copies", args=args))]


@require_GET
@signed_on(*SEES_ROUNDS)
def page(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Show the life of one round, verified again as it is read."""
    name = RoundName(code, shoe, number)
    shown = round_page(name, now=timezone.now())
    context = page_context(shown)
    role = person_of(request).role
    dealt = shown.read.stage not in (*ROUND_OVER, Round.Stage.BETTING, Round.Stage.AWAITED)
    if role in VOIDS and dealt:
        url = reverse("settlements:void", args=[code, shoe, number])
        context["actions"] = [(_("Void round"), url, True)]
    if role in CORRECTS and shown.read.stage in CORRECTABLE:
        url = reverse("settlements:correct", args=[code, shoe, number])
        context["actions"] = [(_("Correct round"), url, False)]
    context["corrections"] = corrections_context(corrections_of(name.key))
    return render(request, "settlements/round_page.html", context)


            "places": shown.places,
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
            "ruleset": {"name": shown.ruleset_name, "hash": read.ruleset_ref.key, "url": None},
            "limits_hash": read.limits_ref.key if read.limits_pinned else None,
        },
        "earlier_url": reverse_round(shown.earlier) if shown.earlier else None,
        "later_url": reverse_round(shown.later) if shown.later else None,
        "hands": shown.hands,
        "lines": shown.lines,
        "totals": shown.totals,
        "superseded": shown.superseded,
        "checks": [_check(part) for part in shown.check.parts],
        "proof": _proof(shown),
        "timeline": timeline(
            shown.timeline,
            hands={card.draw: hand.hand for hand in shown.hands for card in hand.cards},
        ),
        "findings": findings_context("round", read.ref.key),
        "actions": [],
    }


def reverse_round(name: RoundName) -> str:
    """Return the address of a round's page."""
    return reverse("settlements:round_page", args=[name.table, name.shoe, name.number])


def findings_context(subject_kind: str, subject_key: str) -> list[dict[str, Any]]:
    """Return the findings about a subject as pages list them."""
    return [
        {
            "number": finding.number,
            "url": reverse("findings:finding", args=[finding.number]),
            "sentence": sentence(finding),
            "state": finding.state,
        }
        for finding in findings_for(subject_kind, subject_key=subject_key)
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


class VoidForm(forms.Form):
    """Why a round is void, and whom the fault touches."""

    event = forms.TypedChoiceField(
        label=gettext_lazy("Cause"),
        coerce=int,
        initial=26,
        choices=[(number, _EVENTS[number]) for number in CAUSES],
    )
    first_two = forms.ChoiceField(
        label=gettext_lazy("Does the fault touch first two cards on which a pair was settled?"),
        choices=[("none", gettext_lazy("no")), ("all", gettext_lazy("yes, of all seats"))],
        initial="none",
    )
    note = forms.CharField(
        label=gettext_lazy("What happened"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def cause(self) -> VoidCause:
        """Return the cause as the service takes it; the form must be valid."""
        return VoidCause(
            event=self.cleaned_data["event"],
            first_two=self.cleaned_data["first_two"] == "all",
            note=self.cleaned_data["note"],
        )


@require_http_methods(["GET", "POST"])
@signed_on(*VOIDS)
def void(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Show what goes back, and void the round once two people signed."""
    name = RoundName(code, shoe, number)
    data = request.POST if request.method == "POST" else None
    form = VoidForm(data)
    signers = signer_forms(data, Role.SUPERVISOR, Role.MANAGER)
    valid = form.is_valid()
    if data is not None and all_valid(signers) and valid:
        try:
            void_round(
                name=name,
                cause=form.cause(),
                signers=[box.signer() for box in signers],
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(reverse_round(name))
    first_two = valid and form.cleaned_data["first_two"] == "all"
    lines = [
        {
            **line._asdict(),
            "owed_minor": line.returned_minor,
            "handed_minor": line.returned_minor,
            "why": explain(line.why),
            "breakage": "",
        }
        for line in void_preview(name, first_two=first_two)
    ]
    context = page_context(round_page(name, now=timezone.now())) | {
        "lines": lines,
        "totals": _void_totals(lines),
        "form": form,
        "signers": signers,
        "action": _("Void round"),
        "back": reverse_round(name),
        "content_hash": "",
    }
    failed = form.errors or any(box.errors for box in signers)
    return render(request, "settlements/void_round.html", context, status=422 if failed else 200)


def _void_totals(lines: list[dict[str, Any]]) -> Totals:
    stake = sum(line["stake_minor"] for line in lines)
    back = sum(line["owed_minor"] for line in lines)
    return Totals(stake, back, back, 0, 0, stake - back, stake - back)
