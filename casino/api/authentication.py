"""Who calls the API: a signed-on person, or an integration that reads.

The middleware has found both already; nothing is looked up here. A person's session comes by
cookie, so every write must also carry the token of our own pages.
"""

from typing import Protocol

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from casino.api.errors import CsrfError, ReadOnlyTokenError


class SignedOn(Protocol):
    """As much of a signed-on person as the plumbing needs."""

    @property
    def role(self) -> str: ...


class PersonAuthentication(BaseAuthentication):
    """A person by the session cookie. Raises CsrfError for a write without the page's token."""

    def authenticate(self, request: Request) -> tuple[SignedOn, None] | None:
        person: SignedOn | None = getattr(request._request, "person", None)
        if person is None:
            return None
        enforce_csrf(request._request)
        return person, None

    def authenticate_header(self, request: Request) -> str:
        return 'Session realm="casino"'


class IntegrationAuthentication(BaseAuthentication):
    """An integration by the token of its device; it reads only. Raises ReadOnlyTokenError."""

    def authenticate(self, request: Request) -> tuple[object, None] | None:
        origin = getattr(request._request, "origin", None)
        device = getattr(origin, "device", None)
        if device is None or device.kind != "integration":
            return None
        if request.method not in SAFE_METHODS:
            raise ReadOnlyTokenError
        return device, None

    def authenticate_header(self, request: Request) -> str:
        return 'Device realm="casino"'


def enforce_csrf(request: HttpRequest) -> None:
    """Refuse a write that does not carry the token of our own pages. Raises CsrfError."""
    check = _Check(_unreached)
    check.process_request(request)
    reason = check.process_view(request, _unreached, (), {})
    if reason is not None:
        raise CsrfError


class _Check(CsrfViewMiddleware):
    """Django's check, telling that it failed instead of answering itself."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return HttpResponse(status=403)


def _unreached(request: HttpRequest) -> HttpResponse:
    return HttpResponse()
