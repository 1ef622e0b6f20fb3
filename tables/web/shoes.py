"""Preparing a shoe step by step, and ending it with the stub counted."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.web.guards import signed_on
from tables.acting import acting
from tables.models import RuleKind, Shoe, ShoeStep
from tables.selectors.floor import Floor, UsedShoe, read_table
from tables.selectors.shoe_story import StepDone, step_story
from tables.selectors.terms import DealtUnder, dealt_under
from tables.services.shoe_end import end_shoe
from tables.services.shoes import prepare_shoe, sign_shoe_step
from tables.web.forms import (
    BurnForm,
    EmptyForm,
    SignerForm,
    StubForm,
    all_valid,
    signer_forms,
)
from tables.web.refusing import refuse
from tables.web.rule_lines import value_pairs

_ACTS = (Role.SUPERVISOR, Role.MANAGER)
_PREPARES = (Role.DEALER, *_ACTS)
# What whoever prepares a shoe has to know of the procedures; a pack that is shuffled for every
# round has no cut card that ends it.
_FOR_THE_SHOE = ("card_detail", "burn", "deal_direction", "deal_from")
_OF_THE_CUT_CARD = ("cut_card_depth", "after_cut")
_TITLES: dict[str, tuple[Promise, Promise, Promise]] = {
    ShoeStep.Step.SHUFFLE: (
        gettext_lazy("Shuffle"),
        gettext_lazy("The dealer shuffles by the house's procedure."),
        gettext_lazy("Sign shuffle"),
    ),
    ShoeStep.Step.CHECK: (
        gettext_lazy("Check"),
        gettext_lazy("Dealer and supervisor check that all decks are there, and whole."),
        gettext_lazy("Sign check"),
    ),
    ShoeStep.Step.CUT: (
        gettext_lazy("Cut"),
        gettext_lazy("The cards are cut and the cut card is placed."),
        gettext_lazy("Sign cut"),
    ),
    ShoeStep.Step.BURN: (
        gettext_lazy("Burn"),
        gettext_lazy("Cards are burned as the procedure says; key what was seen."),
        gettext_lazy("Sign burn"),
    ),
}


@require_http_methods(["GET", "POST"])
@signed_on(*_PREPARES)
def prepare(request: HttpRequest, code: str) -> HttpResponse:
    """Start a shoe, or sign the step of its preparation that is due."""
    floor = read_table(code)
    shoe = floor.shoe
    if shoe is None:
        return _start(request, floor)
    story = step_story(shoe.ref)
    step = next((step for step in ShoeStep.Step if step.value not in story), None)
    if step is None or shoe.state != Shoe.State.PREPARING:
        return HttpResponseRedirect(reverse("settlements:shoe_page", args=[code, shoe.number]))
    data = request.POST if request.method == "POST" else None
    form: forms.Form = BurnForm(data) if step == ShoeStep.Step.BURN else EmptyForm(data)
    roles = (Role.DEALER, Role.SUPERVISOR) if step == ShoeStep.Step.CHECK else (Role.DEALER,)
    signers = signer_forms(data, *roles)
    if data is not None and form.is_valid() and all_valid(signers):
        try:
            sign_shoe_step(
                table=code,
                shoe=shoe.number,
                step=step.value,
                signers=[box.signer() for box in signers],
                burned=form.faces() if isinstance(form, BurnForm) else (),
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(request.path)
    return _page(request, floor, story=story, now=step, form=form, signers=signers)


def _start(request: HttpRequest, floor: Floor) -> HttpResponse:
    form = EmptyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            prepare_shoe(table=floor.table.key, by=acting(request))
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(request.path)
    return _page(request, floor, story={}, now=None, form=form, signers=[])


def _page(
    request: HttpRequest,
    floor: Floor,
    *,
    story: dict[str, StepDone],
    now: ShoeStep.Step | None,
    form: forms.Form,
    signers: list[SignerForm],
) -> HttpResponse:
    under, shoe = dealt_under(floor), floor.shoe
    context = {
        "table": _table(floor),
        "shoe": None if shoe is None else {"number": shoe.number, "key": shoe.ref.key},
        "ruleset": {"name": under.ruleset_name, "hash": under.ruleset_hash},
        "cards": under.cards,
        "procedures": _procedures(under),
        "steps": [_step(step, story=story, now=now) for step in ShoeStep.Step],
        "form": form,
        "signers": signers,
        "action": _TITLES[now][2] if now else _("Start shoe"),
        "back": reverse("settlements:table_page", args=[floor.table.key]),
    }
    failed = form.errors or any(box.errors for box in signers)
    return render(request, "tables/prepare_shoe.html", context, status=422 if failed else 200)


def _procedures(under: DealtUnder) -> list[tuple[str, str]]:
    from_shoe = under.procedures["deal_from"] == "shoe"
    only = (*_FOR_THE_SHOE, *(_OF_THE_CUT_CARD if from_shoe else ()))
    return value_pairs(RuleKind.PROCEDURES, under.game, under.procedures, only=only)


def _step(
    step: ShoeStep.Step, *, story: dict[str, StepDone], now: ShoeStep.Step | None
) -> dict[str, Any]:  # Any: a template's context
    done = story.get(step.value)
    title, how, _action = _TITLES[step]
    return {
        "step": step.value,
        "title": title,
        "how": how,
        "state": "done" if done else "now" if step == now else "later",
        "signers": done.signers if done else (),
        "at": done.at if done else None,
    }


@require_http_methods(["GET", "POST"])
@signed_on(*_ACTS)
def end(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """End a shoe: the stub is counted blind, then the statements are made."""
    floor = read_table(code, shoe=number)
    shoe = _shoe(floor)
    form = StubForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            end_shoe(
                table=code,
                shoe=number,
                stub_cards=form.cleaned_data["stub_cards"],
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(reverse("settlements:shoe_page", args=[code, number]))
    context = {
        "table": _table(floor),
        "shoe": {
            "number": number,
            "key": shoe.ref.key,
            "state": shoe.state,
            "cards_loaded": shoe.cards_loaded,
            "rounds": shoe.rounds,
            "cut_card_out": shoe.cut_card_round is not None,
        },
        "form": form,
        "signers": [],
        "action": _("End shoe"),
        "back": reverse("settlements:shoe_page", args=[code, number]),
        "statement": None,
    }
    return render(request, "tables/end_shoe.html", context, status=422 if form.errors else 200)


def _table(floor: Floor) -> dict[str, str]:
    url = reverse("settlements:table_page", args=[floor.table.key])
    return {"code": floor.table.key, "name": floor.name, "url": url}


def _shoe(floor: Floor) -> UsedShoe:
    if floor.shoe is None:
        raise Http404
    return floor.shoe
