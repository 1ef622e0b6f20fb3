"""The pages before one is in: sign on and off, own secret, enrolment of a tablet."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from audit.log.rows import Ref
from casino.kernel.errors import DomainError
from casino.people.entrance import enter, keep_device_token, leave
from casino.people.errors import SlowDownError
from casino.people.models import Role
from casino.people.person import find_person, origin_of
from casino.people.services import Recognised, claim_device, recognise, set_own_secret
from casino.people.web import forms as people_forms
from casino.people.web.guards import home_of, safe_next

# A recognised person has this long to choose a role before the secret is asked for again.
CHOICE_LIFE = timedelta(minutes=2)
_PENDING = "sign_on_pending"


def home(request: HttpRequest) -> HttpResponse:
    """Lead to where the person's work is, or to the door."""
    person = find_person(request)
    if person is None:
        return HttpResponseRedirect(reverse("people:sign_on"))
    place = home_of(person.role)
    if place != reverse("people:home"):
        return HttpResponseRedirect(place)
    return render(request, "people/home.html")


@require_http_methods(["GET", "POST"])
def sign_on(request: HttpRequest) -> HttpResponse:
    """Ask for badge and secret; who holds one role is in, who holds several chooses."""
    form = _sign_on_form(request)
    if request.method == "GET":
        return _sign_on_page(request, form)
    now = timezone.now()
    if not form.is_valid():
        return _sign_on_page(request, form, status=422)
    try:
        recognised = recognise(
            badge=form.cleaned_data["badge"],
            secret=form.cleaned_data["secret"],
            origin=origin_of(request),
            now=now,
        )
        if len(recognised.roles) > 1:
            return _ask_for_role(request, recognised, now=now)
        person = enter(request, recognised, role=None, now=now)
    except DomainError as error:
        return _sign_on_page(request, refuse(form, error), status=status_of(error))
    return HttpResponseRedirect(safe_next(request) or home_of(person.role))


@require_http_methods(["GET", "POST"])
def choose_role(request: HttpRequest) -> HttpResponse:
    """Ask a recognised person for the role to act in."""
    now = timezone.now()
    pending = _pending(request, now=now)
    if pending is None:
        return HttpResponseRedirect(reverse("people:sign_on"))
    form = people_forms.RoleForm(request.POST if request.method == "POST" else None)
    # The roles to choose from are the session's; a form that names another is refused below.
    labels = [(role, Role(role).label) for role in pending.roles]
    context = {"form": form, "roles": labels, "name": pending.name, "next": safe_next(request)}
    if request.method == "GET":
        return render(request, "people/choose_role.html", context)
    if not form.is_valid():
        return render(request, "people/choose_role.html", context, status=422)
    try:
        person = enter(request, pending, role=form.cleaned_data["role"], now=now)
    except DomainError as error:
        refuse(form, error)
        return render(request, "people/choose_role.html", context, status=status_of(error))
    return HttpResponseRedirect(safe_next(request) or home_of(person.role))


@require_POST
def sign_off(request: HttpRequest) -> HttpResponse:
    """End the own session and lead to the door; who was out already is led there too."""
    if find_person(request) is not None:
        leave(request)
    return HttpResponseRedirect(reverse("people:sign_on"))


@require_http_methods(["GET", "POST"])
def own_secret(request: HttpRequest) -> HttpResponse:
    """Set the own PIN or password with a one-time code."""
    if request.method == "GET":
        return render(request, "people/own_secret.html", {"form": people_forms.OwnSecretForm()})
    form = people_forms.OwnSecretForm(request.POST)
    if not form.is_valid():
        return render(request, "people/own_secret.html", {"form": form}, status=422)
    try:
        purpose = set_own_secret(
            badge=form.cleaned_data["badge"],
            code=form.cleaned_data["code"],
            secret=form.cleaned_data["secret"],
            origin=origin_of(request),
            now=timezone.now(),
        )
    except DomainError as error:
        refuse(form, error)
        return render(request, "people/own_secret.html", {"form": form}, status=status_of(error))
    return render(request, "people/own_secret_set.html", {"purpose": purpose.label})


@require_http_methods(["GET", "POST"])
def enrol(request: HttpRequest) -> HttpResponse:
    """Make this browser an enrolled tablet with the code of a device."""
    if request.method == "GET":
        return render(request, "people/enrol.html", {"form": people_forms.EnrolmentForm()})
    form = people_forms.EnrolmentForm(request.POST)
    if not form.is_valid():
        return render(request, "people/enrol.html", {"form": form}, status=422)
    try:
        claimed = claim_device(
            form.cleaned_data["code"], origin=origin_of(request), now=timezone.now()
        )
    except DomainError as error:
        refuse(form, error)
        return render(request, "people/enrol.html", {"form": form}, status=status_of(error))
    response = render(request, "people/enrolled.html", {"device": claimed})
    keep_device_token(response, claimed)
    return response


def refuse(form: forms.Form, error: DomainError) -> forms.Form:
    """Say on a form what the service refused."""
    form.add_error(None, error.describe(gettext))
    return form


def status_of(error: DomainError) -> int:
    """Return the status of a page whose form failed: 422, but for who must wait."""
    return error.status if isinstance(error, SlowDownError) else 422


def _sign_on_form(request: HttpRequest) -> forms.Form:
    at_tablet = origin_of(request).tablet is not None
    kind = people_forms.TabletSignOnForm if at_tablet else people_forms.SignOnForm
    return kind(request.POST if request.method == "POST" else None)


def _sign_on_page(request: HttpRequest, form: forms.Form, *, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {  # a template's context
        "form": form,
        "next": safe_next(request),
        "unsaved": "unsaved" in request.GET,
    }
    return render(request, "people/sign_on.html", context, status=status)


def _ask_for_role(request: HttpRequest, recognised: Recognised, *, now: datetime) -> HttpResponse:
    request.session.flush()
    request.session[_PENDING] = {
        "id": recognised.staff.id,
        "number": recognised.staff.key,
        "name": recognised.name,
        "roles": list(recognised.roles),
        "until": (now + CHOICE_LIFE).timestamp(),
    }
    wanted = safe_next(request)
    door = reverse("people:choose_role")
    return HttpResponseRedirect(f"{door}?{urlencode({'next': wanted})}" if wanted else door)


def _pending(request: HttpRequest, *, now: datetime) -> Recognised | None:
    pending = request.session.get(_PENDING)
    if pending is None or now.timestamp() > pending["until"]:
        return None
    return Recognised(
        staff=Ref(id=pending["id"], key=pending["number"]),
        name=pending["name"],
        roles=tuple(pending["roles"]),
    )
