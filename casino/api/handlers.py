"""Errors outside of API views: the same problem for `/api/`, a page for people.

`DomainErrorMiddleware` answers what a page's view raised; the functions are Django's handlers for
404, 400, 403, 500 and a failed CSRF check. The page is the frame's template `error.html`.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext

from casino.api import errors
from casino.api.problems import (
    domain_error,
    log_denial,
    problem_headers,
    problem_response,
)
from casino.kernel.errors import DomainError, Forbidden

API_PREFIX = "/api/"


def answer(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Answer an error in the form that the caller reads."""
    if request.path.startswith(API_PREFIX):
        return problem_response(error)
    page = render_to_string(
        "error.html", {"error": error, "detail": error.describe(gettext)}, request
    )
    return HttpResponse(page, status=error.status, headers=problem_headers(error))


class DomainErrorMiddleware:
    """Answer DomainErrors that leave a page's view, and log whom we denied."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a foreseen error; leave the rest to Django."""
        if not isinstance(exception, DomainError):
            return None
        if isinstance(exception, Forbidden):
            log_denial(exception, request=request)
        return answer(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that does not exist (`handler404`)."""
    return answer(request, errors.AddressUnknownError())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django refused to read (`handler400`)."""
    return answer(request, domain_error(exception) or errors.RequestMalformedError())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer Django's own refusals (`handler403`)."""
    error = domain_error(exception) or Forbidden()
    log_denial(error, request=request)
    return answer(request, error)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that does not come from our own page (`CSRF_FAILURE_VIEW`)."""
    error = errors.CsrfError()
    log_denial(error, request=request)
    return answer(request, error)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer what nobody foresaw (`handler500`). Needs neither database nor template."""
    error = errors.InternalError()
    if request.path.startswith(API_PREFIX):
        return problem_response(error)
    return HttpResponse(
        f"{error.describe(gettext)}\n", status=500, content_type="text/plain; charset=utf-8"
    )
