"""The form that voids a round: what goes back is shown first, then two people sign it."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.web.guards import signed_on
from casino.web.fields import TextField
from settlements.selectors.round_page import Totals, round_page
from settlements.services.voids import VoidBill, VoidCause, VoidSeen, void_bill, void_round
from settlements.web.rounds import VOIDS, page_context, reverse_round
from tables.games import explain
from tables.selectors.held import WagerName, held_whole
from tables.selectors.round_read import RoundName
from tables.sheets import VOID_EVENTS
from tables.web.acting import acting, refuse
from tables.web.forms import all_valid, signer_forms
from tables.web.void_events import VOID_EVENT_WORDS

_NONE, _ALL = "none", "all"


class SeenForm(forms.Form):
    """What the page showed to the people who sign: for which answer, at which stage, which sum."""

    seen = forms.ChoiceField(choices=[(_NONE, _NONE), (_ALL, _ALL)])
    seen_stage = forms.CharField(max_length=20)
    seen_minor = forms.IntegerField(min_value=0)

    def sum(self) -> VoidSeen:
        """Return what was seen as the service takes it; the form must be valid."""
        return VoidSeen(self.cleaned_data["seen_stage"], self.cleaned_data["seen_minor"])


class VoidForm(forms.Form):
    """Why a round is void, and whom the fault touches."""

    event = forms.TypedChoiceField(
        label=gettext_lazy("Cause"),
        coerce=int,
        initial=26,
        choices=lambda: [(number, capfirst(VOID_EVENT_WORDS[number])) for number in VOID_EVENTS],
    )
    first_two = forms.ChoiceField(
        label=gettext_lazy("Does the fault touch first two cards on which a pair was settled?"),
        choices=[(_NONE, gettext_lazy("No")), (_ALL, gettext_lazy("Yes, of all seats"))],
        initial=_NONE,
    )
    note = TextField(
        label=gettext_lazy("What happened"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: QueryDict | None, *, swept: bool, url: str) -> None:
        super().__init__(data)
        if not swept:
            del self.fields["first_two"]
            return
        again = {"hx-get": url, "hx-target": "#goes-back", "hx-select": "#goes-back"}
        self.fields["first_two"].widget.attrs |= {**again, "hx-swap": "outerHTML"}

    def refuse_unseen(self, shown: SeenForm) -> None:
        """Refuse a signature under something else than the page showed."""
        answer = self.cleaned_data.get("first_two", _NONE)
        if not shown.is_valid() or shown.cleaned_data["seen"] != answer:
            changed = _("Something else goes back than was shown: look at it again, then sign.")
            self.add_error("first_two" if "first_two" in self.fields else None, changed)

    def cause(self) -> VoidCause:
        """Return the cause as the service takes it; the form must be valid."""
        return VoidCause(
            event=self.cleaned_data["event"],
            first_two=self.cleaned_data.get("first_two") == _ALL,
            note=self.cleaned_data["note"],
        )


@require_http_methods(["GET", "POST"])
@signed_on(*VOIDS)
def void(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Show what goes back, and void the round once two people signed."""
    name = RoundName(code, shoe, number)
    shown = round_page(name, now=timezone.now())
    looks = "look" in request.POST
    data = request.POST if request.method == "POST" else None
    url = reverse("settlements:void", args=[code, shoe, number])
    form = VoidForm(data, swept=shown.read.sweep_revision > 0, url=url)
    signers = signer_forms(None if looks else data, Role.SUPERVISOR, Role.MANAGER)
    seen = SeenForm(data)
    if data is not None and not looks and form.is_valid():
        form.refuse_unseen(seen)
    if data is not None and not looks and all_valid(signers) and form.is_valid():
        try:
            void_round(
                name=name,
                cause=form.cause(),
                seen=seen.sum(),
                signers=[box.signer() for box in signers],
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(reverse_round(name))
    chosen = (data or request.GET).get("first_two", _NONE)
    bill = void_bill(name, first_two="first_two" in form.fields and chosen == _ALL)
    lines = _lines(bill, held=held_whole(shown.read))
    context = page_context(shown) | {
        "lines": lines,
        "totals": _totals(lines),
        "seen": _ALL if chosen == _ALL else _NONE,
        "seen_sum": bill.seen,
        "form": _unasked(form) if looks else form,
        "form_id": "void",
        "signers": signers,
        "action": _("Void round"),
        "look": _("Show what goes back") if "first_two" in form.fields else "",
        "back": reverse_round(name),
        "content_hash": "",
    }
    failed = not looks and (form.errors or any(box.errors for box in signers))
    return render(request, "settlements/void_round.html", context, status=422 if failed else 200)


def _unasked(form: VoidForm) -> VoidForm:
    """Return the form as it was filled in, without what is missing in it: it was only looked at."""
    form.full_clean()
    form.errors.clear()
    return form


def _lines(bill: VoidBill, *, held: Collection[WagerName]) -> list[dict[str, Any]]:
    """Return the lines of a void; what lies under a dispute hold is owed back and stays there."""
    found = []
    for line in bill.lines:
        is_held = (line.seat, line.wager) in held and line.outcome in ("void", "rejected")
        found.append(
            {
                **line._asdict(),
                "owed_minor": line.returned_minor,
                "handed_minor": 0 if is_held else line.returned_minor,
                "is_held": is_held,
                "why": explain(line.why),
                "breakage": "",
            }
        )
    return found


def _totals(lines: list[dict[str, Any]]) -> Totals:
    stake = sum(line["stake_minor"] for line in lines)
    back = sum(line["owed_minor"] for line in lines)
    handed = sum(line["handed_minor"] for line in lines)
    return Totals(stake, back, handed, 0, 0, stake - back, stake - handed, back - handed)
