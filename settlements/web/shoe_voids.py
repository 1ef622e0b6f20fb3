"""The rounds that the void of a shoe puts in question: every wager, and what is decided of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.person import person_of
from casino.people.selectors import manager_in_charge
from casino.people.web.guards import signed_on
from casino.web.fields import TextField
from settlements.models import ShoeVoidRound
from settlements.selectors.shoe_voids import ListedRound, listed_rounds
from settlements.services.shoe_voids import ShoeDecision, decide_rounds
from settlements.web.irregularities.form import signature_boxes
from settlements.web.rounds import SEES_ROUNDS
from tables.irregularities import Letter
from tables.selectors.floor import read_table
from tables.services.irregularities.ground import TEXT_MAX
from tables.web.acting import acting, refuse
from tables.web.forms import all_valid

_OPEN = ShoeVoidRound.Decision.OPEN
_LETTERS = (Letter.IN_CHARGE, Letter.MANAGER)


class DecisionForm(forms.Form):
    """What is decided, of which rounds, why, and who of the regulator was told."""

    rounds = forms.MultipleChoiceField(
        label=gettext_lazy("Rounds"), widget=forms.CheckboxSelectMultiple
    )
    decision = forms.ChoiceField(
        label=gettext_lazy("What is decided of them"),
        choices=[each for each in ShoeVoidRound.Decision.choices if each[0] != _OPEN],
        widget=forms.RadioSelect,
    )
    note = TextField(
        label=gettext_lazy("Why"), max_length=TEXT_MAX, widget=forms.Textarea(attrs={"rows": 3})
    )
    told = TextField(
        label=gettext_lazy("Who told the regulator: whom, when, how"), max_length=TEXT_MAX
    )

    def __init__(self, data: Mapping[str, Any] | None, *, rounds: Sequence[ListedRound]) -> None:
        # Any: what a form may be sent.
        still = [each.row.round.key for each in rounds if each.row.decision == _OPEN]
        super().__init__(data, initial={"rounds": still})
        field = self.fields["rounds"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(each.row.round.key, each.row.round.key) for each in rounds]

    def decided(self) -> ShoeDecision:
        """Return the decision as the service takes it; the form must be valid."""
        sent = self.cleaned_data
        return ShoeDecision(sent["decision"], sent["note"], sent["told"], tuple(sent["rounds"]))


@require_http_methods(["GET", "POST"])
@signed_on(*SEES_ROUNDS)
def rounds(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """List the rounds in question; the manager in charge and a second manager decide of them."""
    used = read_table(code, shoe=number).require_shoe(number)
    if not used.is_void:
        raise Http404
    listed = listed_rounds(used.ref)
    person = person_of(request)
    decides = person.role == Role.MANAGER
    data = request.POST if request.method == "POST" else None
    if data is not None:
        require_role(person, Role.MANAGER)
    form = DecisionForm(data, rounds=listed)
    in_charge = manager_in_charge(timezone.now())
    boxes = signature_boxes(data, _LETTERS, in_charge=in_charge, dealer="") if in_charge else []
    if data is not None and boxes and all_valid(boxes) and form.is_valid():
        try:
            decide_rounds(
                table=code,
                shoe=number,
                decision=form.decided(),
                signers=[box.signer() for box in boxes],
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(request.path)
    shoe_url = reverse("settlements:shoe_page", args=[code, number])
    context = {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "shoe": {"number": number, "key": used.ref.key, "url": shoe_url},
        "rounds": [_round(each, form=form) for each in listed],
        "totals": _totals(listed),
        "decides": decides,
        "form": form,
        "signers": boxes,
        "in_charge": in_charge,
        "action": _("Decide"),
    }
    failed = form.errors or any(box.errors for box in boxes)
    return render(
        request, "settlements/irregularities/rounds.html", context, status=422 if failed else 200
    )


def _round(each: ListedRound, *, form: DecisionForm) -> dict[str, Any]:  # Any: a template's context
    key = each.row.round.key
    table, shoe, number = key.split("/")
    chosen = form["rounds"].value() or []
    return {
        "key": key,
        "url": reverse("settlements:round_page", args=[table, int(shoe), int(number)]),
        "decision": each.row.decision,
        "note": each.row.note,
        "wagers": each.wagers,
        "stake_minor": each.stake_minor,
        "bank_minor": each.bank_minor,
        "lost_minor": each.lost_minor,
        "is_chosen": key in chosen,
    }


def _totals(listed: Sequence[ListedRound]) -> dict[str, int]:
    return {
        "wagers": sum(len(each.wagers) for each in listed),
        "stake_minor": sum(each.stake_minor for each in listed),
        "bank_minor": sum(each.bank_minor for each in listed),
        "lost_minor": sum(each.lost_minor for each in listed),
        "open": sum(each.row.decision == _OPEN for each in listed),
    }
