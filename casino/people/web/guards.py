"""How pages are kept: who may open one, and what an error becomes that leaves its view.

A page's view raises DomainErrors as a service does; `DomainErrorMiddleware` turns them into a page
or, where nobody is signed on, into the way to the door.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from casino.api.handlers import API_PREFIX
from casino.api.problems import log_denial, problem_headers, problem_response
from casino.kernel.errors import DomainError, Forbidden
from casino.people.permissions import require_role
from casino.people.person import person_of
from casino.web.frame import sections_for

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def signed_on(*roles: str) -> Callable[[View[P]], View[P]]:
    """Open a page to who is signed on in one of `roles`; to everybody signed on if none is named.

    Raises SessionMissingError, SessionEndedError, RoleNotAllowedError.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            person = person_of(request)
            if roles:
                require_role(person, *roles)
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def home_of(role: str) -> str:
    """Return where a role's work is: its first section of the site."""
    sections = sections_for(role, path="")
    return sections[0].path if sections else reverse("people:home")


def safe_next(request: HttpRequest) -> str | None:
    """Return the page that the reader wanted before signing on, if it is one of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return wanted
    return None


class DomainErrorMiddleware:
    """Answer DomainErrors that leave a page's view, and log whom we denied."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """Answer a foreseen error; leave the rest to Django."""
        if not isinstance(exception, DomainError):
            return None
        if isinstance(exception, Forbidden):
            log_denial(exception, request=request)
        if request.path.startswith(API_PREFIX):
            return problem_response(exception)
        if exception.status == HTTPStatus.UNAUTHORIZED:
            return _to_the_door(request)
        return refusal_page(request, exception)


def refusal_page(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Say on a page of its own what was expected."""
    response = render(
        request,
        "people/refused.html",
        {"detail": error.describe(gettext), "code": error.code, "status": error.status},
        status=error.status,
    )
    for name, value in problem_headers(error).items():
        response[name] = value
    return response


def _to_the_door(request: HttpRequest) -> HttpResponseBase:
    wanted = request.get_full_path() if request.method == "GET" else ""
    door = reverse("people:sign_on")
    if wanted:
        door = f"{door}?{urlencode({'next': wanted})}"
    if request.headers.get("HX-Request"):
        # A fragment must not be swapped for a whole page: htmx goes there instead.
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED, headers={"HX-Redirect": door})
    return HttpResponseRedirect(door)
