"""Every error as problem details (RFC 9457), mapped once.

A client acts on `code`, `faults` and `data`; `detail` is for people. No answer holds a stack trace,
a query or a key: what was not foreseen is logged here and answered as `error.internal`.
"""

import logging
import math
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.utils.translation import gettext
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from casino.api import errors
from casino.kernel.errors import DomainError, Forbidden

MEDIA_TYPE = "application/problem+json"

logger = logging.getLogger("casino.api")

# Where DRF puts what is wrong with a whole object and not with one of its fields.
_WHOLE = ("", "non_field_errors")


def problem(error: DomainError) -> dict[str, object]:
    """Write an error as problem details."""
    data = {key: _plain(value) for key, value in error.data.items() if key != "faults"}
    return {
        "type": f"/problems/{error.code}",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": error.describe(gettext),
        "code": error.code,
        "faults": [_plain(fault) for fault in error.faults],
        "data": data,
    }


def problem_response(error: DomainError) -> JsonResponse:
    """Answer with an error outside of a DRF view."""
    response = JsonResponse(problem(error), status=error.status, content_type=MEDIA_TYPE)
    for name, value in problem_headers(error).items():
        response[name] = value
    return response


def problem_headers(error: DomainError) -> dict[str, str]:
    """Return the headers that go with the status of an error."""
    headers: dict[str, str] = {}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Session realm="casino"'
    if "retry_after" in error.data:
        headers["Retry-After"] = str(error.data["retry_after"])
    if error.status == HTTPStatus.METHOD_NOT_ALLOWED and error.data.get("allowed"):
        headers["Allow"] = str(error.data["allowed"])
    return headers


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Answer whatever a DRF view raised (`EXCEPTION_HANDLER`). `Any` is DRF's own type here."""
    set_rollback()
    error = domain_error(exc)
    request = context.get("request")
    plain: HttpRequest | None = getattr(request, "_request", None)
    if error is None:
        error = errors.InternalError()
        log_unforeseen(exc, request=plain)
    elif isinstance(error, Forbidden):
        log_denial(error, request=plain)
    return Response(
        problem(error),
        status=error.status,
        headers=problem_headers(error),
        content_type=MEDIA_TYPE,
    )


def domain_error(exc: BaseException) -> DomainError | None:
    """Return the DomainError that an exception stands for, or None when nobody foresaw it."""
    if isinstance(exc, DomainError):
        return exc
    if isinstance(exc, exceptions.ValidationError):
        return errors.BodyInvalidError(faults=list(_faults(exc.get_full_details(), where="")))
    if isinstance(exc, RequestDataTooBig):
        return errors.BodyTooLargeError(limit=_body_limit())
    if isinstance(exc, exceptions.MethodNotAllowed):
        return errors.MethodError(method=str(exc.args[0]) if exc.args else "", allowed="")
    for kinds, error in _FORESEEN:
        if isinstance(exc, kinds):
            return error()
    return None


def log_unforeseen(exc: BaseException, *, request: HttpRequest | None) -> None:
    """Log what nobody foresaw, with its trace, and tell who listens for broken requests."""
    path = "" if request is None else request.path
    logger.error("unforeseen error at %s", ascii(path), exc_info=exc)
    got_request_exception.send(sender=None, request=request)


def log_denial(error: DomainError, *, request: HttpRequest | None) -> None:
    """Log who was refused what; one line whatever the path holds."""
    person = getattr(request, "person", None)
    number = person.staff.key if person is not None else "-"
    logger.warning(
        "denied %s to %s at %s %s",
        error.code,
        ascii(number),
        ascii(getattr(request, "method", "")),
        ascii(getattr(request, "path", "")),
    )


_FORESEEN: tuple[
    tuple[type[BaseException] | tuple[type[BaseException], ...], type[DomainError]], ...
]
_FORESEEN = (
    ((exceptions.NotAuthenticated, exceptions.AuthenticationFailed), errors.SessionMissingError),
    ((exceptions.PermissionDenied, PermissionDenied), Forbidden),
    ((exceptions.NotFound, Http404), errors.AddressUnknownError),
    (exceptions.NotAcceptable, errors.AcceptError),
    (
        (exceptions.ParseError, SuspiciousOperation, UnreadablePostError),
        errors.RequestMalformedError,
    ),
)


def _faults(details: object, *, where: str) -> Iterator[dict[str, str]]:
    """Flatten DRF's tree of messages into faults; `where` is a JSON pointer (RFC 6901)."""
    if isinstance(details, Mapping):
        if "message" in details and "code" in details and not _is_tree(details["message"]):
            code = str(details["code"])
            yield {
                "code": code if "." in code else f"field.{code}",
                "where": where,
                "detail": str(details["message"]),
            }
            return
        for key, inner in details.items():
            yield from _faults(inner, where=where if key in _WHOLE else f"{where}/{_escape(key)}")
    elif isinstance(details, list):
        # A list of messages stands for one place; a list of trees for the items of an array.
        for place, inner in enumerate(details):
            leaf = isinstance(inner, Mapping) and set(inner) == {"message", "code"}
            yield from _faults(inner, where=where if leaf else f"{where}/{place}")


def _is_tree(value: object) -> bool:
    return isinstance(value, Mapping | list)


def _escape(key: object) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _plain(value: object) -> object:
    """Make a value one that JSON holds without loss; what it cannot hold is written as text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in value]
    return str(value)


def _body_limit() -> int:
    from django.conf import settings

    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
    return limit
