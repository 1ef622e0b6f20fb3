"""The base of all API views."""

from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponseBase
from rest_framework.authentication import BaseAuthentication
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.api import schema as _schema  # noqa: F401  its extensions register themselves
from casino.api.authentication import IntegrationAuthentication, PersonAuthentication
from casino.api.errors import AddressUnknownError, LengthMissingError, MediaTypeError, MethodError
from casino.api.parsers import StrictJSONParser
from casino.api.permissions import Known
from casino.api.problems import problem_response


class ApiView(APIView):
    """A view that reads strict JSON, denies by default and answers errors as problems."""

    authentication_classes: tuple[type[BaseAuthentication], ...] = (
        PersonAuthentication,
        IntegrationAuthentication,
    )
    permission_classes: tuple[type[BasePermission], ...] = (Known,)
    parser_classes: tuple[type[BaseParser], ...] = (StrictJSONParser,)
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # DRF's own types
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            raise LengthMissingError
        # Before anybody looks for a form in the body and so uses it up.
        if request.META.get("CONTENT_LENGTH") not in (None, "", "0"):
            received = request.content_type or ""
            if received.partition(";")[0].strip().lower() != StrictJSONParser.media_type:
                raise MediaTypeError(received=received[:80])
        super().initial(request, *args, **kwargs)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> NoReturn:
        allowed = ", ".join(self.allowed_methods)
        raise MethodError(method=(request.method or "")[:20], allowed=allowed)


def no_such_address(request: HttpRequest, rest: str = "") -> HttpResponseBase:
    """Answer an API address that does not exist, whatever the method."""
    return problem_response(AddressUnknownError())
