"""Rounds that were dealt on paper: their numbers are reserved, and those that wait are listed."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import Person, person_of
from casino.people.web.guards import signed_on
from tables.acting import acting
from tables.models import Shoe
from tables.permissions import READS_ROUNDS
from tables.selectors.floor import Floor, read_table
from tables.selectors.paper import AwaitedRound, awaited_rounds, came_in
from tables.services.paper import AWAITED_MAX, KEYS_SHEETS, RESERVES_LATE, reserve_rounds
from tables.sheets.errors import AwaitedNumbersError
from tables.web.refusing import refuse

_OTHER_SHOES = 6  # so many of the latest shoes are offered


class ReserveForm(forms.Form):
    """How many rounds were dealt on paper, behind how many that the page knew of."""

    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds dealt on paper"),
        min_value=1,
        max_value=AWAITED_MAX,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput())


@require_http_methods(["GET", "POST"])
@signed_on(*READS_ROUNDS)
def paper(request: HttpRequest, code: str) -> HttpResponse:
    """Reserve numbers for rounds dealt on paper, and list the rounds that wait for their sheets.

    They are kept in the shoe in use, or in the one that `?shoe=` names.
    """
    person = person_of(request)
    floor = read_table(code, shoe=_asked_shoe(request))
    shoe = floor.shoe
    data = request.POST if request.method == "POST" else None
    form = ReserveForm(data, initial={"after": shoe.rounds if shoe else 0})
    if data is not None and shoe is not None and form.is_valid():
        try:
            reserve_rounds(table=code, shoe=shoe.number, by=acting(request), **form.cleaned_data)
        except AwaitedNumbersError as error:
            # Whoever reads how many there are now and sends it again means behind those.
            form = ReserveForm({"rounds": data["rounds"], "after": error.data["rounds"]})
            refuse(form, error)
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(request.get_full_path())
    context = _context(floor, person) | {
        "form": form if _may_reserve(floor, person) else None,
        "awaited": [_awaited(each, person=person) for each in awaited_rounds(code)],
        "came_in": [
            {
                "key": each.name.key,
                "url": _round_url("settlements:round_page", each.name),
                "stage": each.stage,
                "source": each.source,
                "gaming_day": each.gaming_day,
                "dealt_at": each.dealt_at,
                "dealer": each.dealer,
                "entered_at": each.entered_at,
            }
            for each in came_in(code)
        ],
    }
    return render(request, "tables/paper/rounds.html", context, status=422 if form.errors else 200)


def _asked_shoe(request: HttpRequest) -> int | None:
    """Return the shoe that the address names, None where it names none."""
    asked = request.GET.get("shoe", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 10 else None


def _context(floor: Floor, person: Person) -> dict[str, Any]:  # Any: a template's context
    dealer = person.role == Role.DEALER
    code = floor.table.key
    shown = floor.shoe.number if floor.shoe else None
    latest = range(floor.shoes, max(0, floor.shoes - _OTHER_SHOES), -1)
    url = reverse("tables:glass") if dealer else reverse("settlements:table_page", args=[code])
    return {
        "face": "tablet" if dealer else "pit",
        "table": {"code": code, "name": floor.name, "url": url},
        "shoe": floor.shoe,
        "is_over": floor.shoe is not None and floor.shoe.state != Shoe.State.READY,
        "in_play": floor.round_in_play,
        "other_shoes": [
            {"number": number, "url": f"{reverse('tables:paper', args=[code])}?shoe={number}"}
            for number in latest
            if number != shown and person.role in RESERVES_LATE
        ],
    }


def _may_reserve(floor: Floor, person: Person) -> bool:
    """Tell whether the form stands there; the service asks anew."""
    if floor.shoe is None or floor.shoe.state == Shoe.State.PREPARING:
        return False
    if floor.shoe.state != Shoe.State.READY:
        return person.role in RESERVES_LATE
    return floor.round_in_play is None and person.role in KEYS_SHEETS


def _awaited(each: AwaitedRound, *, person: Person) -> dict[str, Any]:
    """Return a round that waits as the list shows it, with what this person can do about it."""
    both = each.keyings == 2
    keys = person.role in KEYS_SHEETS
    action = None
    if both and person.role != Role.DEALER:
        action = (_("Compare"), _round_url("settlements:sheet_copies", each.name))
    elif keys and not both:
        mine = each.is_keyed_by(person.staff.key)
        label = _("Key again") if mine else _("Key sheet")
        action = (label, _round_url("settlements:sheet", each.name))
    return {
        "key": each.name.key,
        "number": each.name.number,
        "url": _round_url("settlements:round_page", each.name),
        "since": each.since,
        "gaming_day": each.gaming_day,
        "state": _state(each),
        "people": [each.copies[copy].name for copy in ("first", "second") if copy in each.copies],
        "is_held": each.is_held,
        "action": action,
    }


def _state(each: AwaitedRound) -> str:
    return {0: "awaited", 1: "keyed_once", 2: "to_settle"}[each.keyings]


def _round_url(name: str, round_: Any) -> str:  # Any: a RoundName
    return reverse(name, args=[round_.table, round_.shoe, round_.number])
