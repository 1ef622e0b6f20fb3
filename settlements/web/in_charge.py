"""The page of the manager in charge: who it is, and the assignment that two managers sign."""

from collections.abc import Mapping

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import origin_of, person_of
from casino.people.selectors import manager_in_charge, staff_by_badge
from casino.people.services import assign_manager_in_charge
from casino.people.web.guards import home_of, signed_on
from tables.web.forms import SignerForm, all_valid, signer_forms
from tables.web.refusing import refuse


class InChargeForm(forms.Form):
    """Nothing to type but the two signatures: the first is of who takes charge."""


@require_http_methods(["GET", "POST"])
@signed_on(Role.MANAGER)
def in_charge(request: HttpRequest) -> HttpResponse:
    """Show who is in charge, and put another manager in charge once two managers signed."""
    data = request.POST if request.method == "POST" else None
    form, signers = InChargeForm(data), _signers(data)
    if data is not None and all_valid(signers) and form.is_valid():
        try:
            _assign(request, signers)
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(reverse("settlements:in_charge"))
    context = {
        "in_charge": manager_in_charge(timezone.now()),
        "form": form,
        "signers": signers,
        "action": _("Take charge"),
        "back": home_of(person_of(request).role),
        "content_hash": "",
    }
    failed = form.errors or any(box.errors for box in signers)
    return render(request, "settlements/in_charge.html", context, status=422 if failed else 200)


def _signers(data: Mapping[str, str] | None) -> list[SignerForm]:
    taking, other = signer_forms(data, Role.MANAGER, Role.MANAGER)
    taking.role_label = gettext_lazy("takes charge")
    other.role_label = gettext_lazy("another manager, who hands over")
    return [taking, other]


def _assign(request: HttpRequest, signers: list[SignerForm]) -> None:
    first, second = (box.signer() for box in signers)
    staff = staff_by_badge(first.badge)
    assign_manager_in_charge(
        staff.number if staff else "",
        from_at=None,
        signers=[first, second],
        by=person_of(request),
        origin=origin_of(request),
        now=timezone.now(),
    )
