"""Django's own refusals: a problem under `/api/`, the frame's page elsewhere.

Settings and URLs name these functions: handler400, handler403, handler404, handler500 and
CSRF_FAILURE_VIEW.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from casino.api import errors
from casino.api.problems import domain_error, log_denial, problem_response
from casino.kernel.errors import DomainError, Forbidden

API_PREFIX = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that does not exist (`handler404`)."""
    return _answer(request, errors.AddressUnknownError(), template="404.html")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django refused to read (`handler400`)."""
    error = domain_error(exception) or errors.RequestMalformedError()
    return _answer(request, error, template="400.html")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer Django's own denials (`handler403`)."""
    error = domain_error(exception) or Forbidden()
    log_denial(error, request=request)
    return _answer(request, error, template="403.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that does not come from our own page (`CSRF_FAILURE_VIEW`)."""
    error = errors.CsrfError()
    log_denial(error, request=request)
    return _answer(request, error, template="403_csrf.html")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer what nobody foresaw (`handler500`)."""
    return _answer(request, errors.InternalError(), template="500.html")


def _answer(request: HttpRequest, error: DomainError, *, template: str) -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        return problem_response(error)
    return HttpResponse(render_to_string(template, request=request), status=error.status)
