"""Addresses for the plumbing tests: views as an app would write them."""

from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path, re_path
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.fields import (
    StrictBooleanField,
    StrictChoiceField,
    StrictIntegerField,
    StrictTextField,
)
from casino.api.permissions import Anyone
from casino.api.reading import read_body
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView, no_such_address
from casino.kernel.errors import Conflict, InvariantError


class CardSerializer(StrictSerializer):
    """One card of a call."""

    draw = StrictIntegerField(min_value=1, max_value=18)
    face = StrictTextField(max_length=2)


class BodySerializer(StrictSerializer):
    """A body with a field of every kind."""

    stake = StrictIntegerField(required=False, min_value=1)
    name = StrictTextField(max_length=8, required=False)
    kind = StrictChoiceField(choices=["main", "tie"], required=False)
    as_seen = StrictBooleanField(required=False)
    cards = CardSerializer(many=True, required=False)


class EchoView(ApiView):
    """Answers with what it understood."""

    permission_classes = (Anyone,)

    def post(self, request: Request) -> Response:
        return Response(read_body(BodySerializer, request))


class NarrowView(EchoView):
    """The same with a cap of its own."""

    body_bytes_max = 20


class BreakView(ApiView):
    """Raises what an address names."""

    permission_classes = (Anyone,)

    def get(self, request: Request, what: str) -> Response:
        raise _make(what)


class KnownView(ApiView):
    """Lets nobody in without a person, as every view does that says nothing."""

    def get(self, request: Request) -> Response:
        return Response({})


class CountsDifferError(Conflict):
    """Two counts must agree."""

    code = "count.differs"
    message = "Expected {expected}, counted {counted}."


def _make(what: str) -> Exception:
    made: dict[str, Any] = {  # exceptions of every kind
        "bug": RuntimeError("select secret from people_staff"),
        "invariant": InvariantError("cannot be"),
        "missing": Http404(),
        "denied": PermissionDenied(),
        "suspicious": SuspiciousOperation("host"),
        "conflict": CountsDifferError(
            expected=100, counted=90, faults=[{"code": "count.short", "where": "500", "detail": ""}]
        ),
    }
    error: Exception = made[what]
    return error


def page_break(request: HttpRequest, what: str) -> HttpResponse:
    """A page whose view raises what its address names."""
    raise _make(what)


def page_form(request: HttpRequest) -> HttpResponse:
    """A page that takes a form."""
    return HttpResponse("taken")


urlpatterns = [
    path("api/echo", EchoView.as_view()),
    path("api/narrow", NarrowView.as_view()),
    path("api/break/<str:what>", BreakView.as_view()),
    path("api/known", KnownView.as_view()),
    re_path(r"^api/(?P<rest>.*)$", no_such_address),
    path("page/form/", page_form),
    path("page/<str:what>/", page_break),
    # A page of an error leads back to the start.
    path("", include("casino.people.web.urls")),
]

handler400 = "casino.api.handlers.bad_request"
handler403 = "casino.api.handlers.permission_denied"
handler404 = "casino.api.handlers.not_found"
handler500 = "casino.api.handlers.server_error"
