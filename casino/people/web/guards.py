"""How pages are kept: who may open one, and where people go from the door.

A page's view raises DomainErrors as a service does; `casino.api.handlers` makes pages of them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

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
