"""The page of one irregularity, the list of them, and the words of one amended."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from casino.kernel.errors import DomainError
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from casino.web.paging import page_number
from settlements.selectors.irregularity_page import IrregularityPage, irregularity_page
from settlements.web.irregularities import words
from settlements.web.irregularities.context import found_words
from settlements.web.irregularities.panel import RECORDS, line_context, list_url
from settlements.web.irregularities.told_form import ToldForm, regulator_field
from settlements.web.sentences import timeline
from tables.acting import acting
from tables.irregularities import EVENTS
from tables.irregularity_errors import IrregularityMissingError
from tables.models import Round
from tables.permissions import READS_ROUNDS
from tables.selectors.house import gaming_day_span, table_codes
from tables.selectors.irregularities import (
    IrregularityLine,
    Wanted,
    irregularity_lines,
    latest_revision,
)
from tables.selectors.round_read import ROUND_OVER
from tables.services.irregularities import amend_irregularity
from tables.web.refusing import refuse

PAGE_LINES = 50
Context = dict[str, Any]  # Any: a template's context


class FilterForm(forms.Form):
    """Which irregularities are shown; what is left out narrows nothing."""

    table_code = forms.ChoiceField(label=gettext_lazy("Table"), required=False)
    day = forms.DateField(
        label=gettext_lazy("Gaming day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    event = forms.TypedChoiceField(
        label=gettext_lazy("Event"), required=False, coerce=int, empty_value=None
    )

    def __init__(self, data: Mapping[str, Any], *, tables: Sequence[str]) -> None:
        # Any: what a form may be sent.
        super().__init__(data)
        table, event = self.fields["table_code"], self.fields["event"]
        assert isinstance(table, forms.ChoiceField)
        assert isinstance(event, forms.ChoiceField)
        table.choices = [("", _("Any")), *((code, code) for code in tables)]
        known = ((n, f"{n}. {words.event_name(n)}") for n in sorted(EVENTS))
        event.choices = [("", _("Any")), *known]


class AmendForm(ToldForm):
    """The words of an irregularity as they shall stand, in the next revision."""

    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput())
    regulator = regulator_field(required=False)


@require_GET
@signed_on(*READS_ROUNDS)
def listing(request: HttpRequest) -> HttpResponse:
    """List irregularities, the latest first, narrowed to a table, a gaming day, an event."""
    form = FilterForm(request.GET, tables=sorted(table_codes()))
    page = page_number(request)
    lines: list[IrregularityLine] = []
    wanted = Wanted()
    if form.is_valid():
        wanted = _wanted(form, now=timezone.now())
        start = (page - 1) * PAGE_LINES
        lines = irregularity_lines(wanted, start=start, limit=PAGE_LINES + 1)
    asked = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    may_record = person_of(request).role in RECORDS and wanted.table
    context = {
        "form": form,
        "sentence": _sentence(form),
        "irregularities": [line_context(line) for line in lines[:PAGE_LINES]],
        "record_url": reverse("settlements:choose_irregularity", args=[wanted.table])
        if may_record
        else "",
        "table_url": reverse("settlements:table_page", args=[wanted.table]) if wanted.table else "",
        "table_code": wanted.table,
        "page": {
            "first_url": _address(asked, 1) if page > 1 else "",
            "after_url": _address(asked, page + 1) if len(lines) > PAGE_LINES else "",
        },
    }
    status = 200 if form.is_valid() else 422
    return render(request, "settlements/irregularities/list.html", context, status=status)


@require_GET
@signed_on(*READS_ROUNDS)
def page(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show one irregularity: what happened, what was ruled, what that did, who signed."""
    shown = irregularity_page(code, number)
    if shown is None:
        raise IrregularityMissingError(table=code, number=number)
    row = shown.story.line.row
    actions = []
    if person_of(request).role in RECORDS:
        url = reverse("settlements:amend_irregularity", args=[code, number])
        actions = [(_("Amend the words"), url)]
    context = _page_context(shown) | {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "list_url": list_url(table_code=code),
        "actions": actions,
        "rounds_url": reverse("settlements:void_rounds", args=[code, row.shoe.number])
        if shown.listed is not None and row.shoe
        else "",
    }
    return render(request, "settlements/irregularities/page.html", context)


@require_http_methods(["GET", "POST"])
@signed_on(*RECORDS)
def amend(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Amend what is on record of an irregularity in words; what it did stays."""
    stands = latest_revision(code, number)
    if stands is None:
        raise IrregularityMissingError(table=code, number=number)
    back = reverse("settlements:irregularity", args=[code, number])
    initial = {
        "revision": stands.revision + 1,
        "seen": stands.seen,
        "ruling": stands.ruling,
        "chips_moved": stands.chips_moved,
        "patrons": stands.patrons_told,
        "regulator": stands.regulator_told,
    }
    form = AmendForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            amend_irregularity(
                table=code,
                number=number,
                revision=form.cleaned_data["revision"],
                told=form.told(),
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(back)
    context = {
        "key": f"{code}/I{number}",
        "event": {"number": stands.event, "name": words.event_name(stands.event)},
        "revision": stands.revision,
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "form": form,
        "signers": [],
        "action": _("Amend"),
        "back": back,
    }
    status = 422 if form.errors else 200
    return render(request, "settlements/irregularities/amend.html", context, status=status)


def _page_context(shown: IrregularityPage) -> Context:
    line, row, procedure = shown.story.line, shown.story.line.row, shown.procedure
    first, details = shown.story.revisions[0], shown.story.line.row.details
    in_round = bool(row.stage) and row.stage not in (*ROUND_OVER, Round.Stage.AWAITED)
    letters = procedure.signers(in_round=in_round) if procedure else ()
    return {
        "irregularity": line_context(line)
        | {
            "recorded_at": first.entry.at,
            "recorded_by": first.entry.actor,
            "ruling": row.ruling,
            "chips_moved": row.chips_moved,
            "patrons": row.patrons_told,
            "regulator": row.regulator_told,
            "revision": row.revision,
            "hash": row.signed_hash,
            # Where no round is concerned the shoe is the subject, and is named as such.
            "shoe_number": row.shoe.number if row.shoe and row.round else None,
        },
        "earlier": [
            {"revision": each.revision, "seen": each.seen, "ruling": each.ruling}
            for each in shown.story.revisions[:-1]
        ],
        "effects": words.effects_of_way(procedure, in_round=in_round) if procedure else [],
        "option": words.option_text(procedure, shown.option_values)
        if procedure and shown.option_values
        else "",
        "authority": words.letters_text(letters),
        "signed": line.signed,
        "returned": shown.returned,
        "returned_minor": sum(line.owed_minor for line in shown.returned if line.outcome == "void"),
        "relaid": shown.relaid,
        "taken_out": [
            {
                "seat": out.seat,
                "wager": out.wager,
                "returned_minor": out.returned_minor,
                "stands": out.stands,
                "reverses": out.reverses,
                "in_play": out.in_play,
            }
            for out in shown.story.taken_out
        ],
        "told_wagers": [] if shown.story.taken_out or shown.relaid else details.get("wagers", []),
        "draws": [
            {
                "draw": each.draw,
                "face": shown.faces.get(each.draw, ""),
                "use": words.use_words(each.use, each.hand),
            }
            for each in shown.story.departures
        ],
        "named": [] if shown.story.departures else row.draws,
        "burned": details.get("burned", []),
        "replaced": details.get("replaced"),
        "found": found_words(details.get("found", {})),
        "listed": shown.listed,
        "holds": [
            {
                "key": hold.key,
                "url": reverse("settlements:dispute", args=[row.table.code, hold.number]),
                "state": hold.get_state_display(),
                "amount_minor": hold.disputed_minor,
            }
            for hold in shown.story.holds
        ],
        "timeline": timeline(tuple(shown.entries)),
    }


def _wanted(form: FilterForm, *, now: datetime) -> Wanted:
    sent = form.cleaned_data
    since = until = None
    if sent["day"] is not None:
        try:
            since, until = gaming_day_span(sent["day"], now=now)
        except OverflowError as error:
            raise Http404 from error  # a day at the very end of the calendar
    return Wanted(sent["table_code"], sent["event"], since, until)


def _sentence(form: FilterForm) -> str:
    if not form.is_valid():
        return _("The filter cannot be read.")
    sent = form.cleaned_data
    said = _("Every table")
    if sent["table_code"]:
        said = _("Table %(code)s") % {"code": sent["table_code"]}
    if sent["day"]:
        said += _(", gaming day %(day)s") % {"day": sent["day"].isoformat()}
    if sent["event"] is not None:
        said += _(", event %(number)s") % {"number": sent["event"]}
    return said + _(", the latest first.")


def _address(asked: Mapping[str, str], number: int) -> str:
    return list_url(**asked, **({"page": number} if number > 1 else {}))
