"""Errors outside of API views: a problem under `/api/`, a page for people elsewhere.

`AddressMiddleware` keeps out what no view could look up; `DomainErrorMiddleware` answers what a
page's view raised. The functions are Django's own refusals; settings and URLs name them:
handler400, handler403, handler404, handler500 and CSRF_FAILURE_VIEW.
"""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext

from casino.api import errors
from casino.api.problems import domain_error, log_denial, problem_headers, problem_response
from casino.kernel.errors import DomainError, Forbidden

API_PREFIX = "/api/"
DOOR = "people:sign_on"


class AddressMiddleware:
    """Answer an address that holds U+0000: nothing is named so, no database could look it up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path:
            return _answer(request, errors.AddressUnknownError(), template="404.html")
        return self.get_response(request)


class DomainErrorMiddleware:
    """Answer DomainErrors that leave a view outside of the API, and log whom we denied.

    A wrong method is no exception in Django but an answer without words; it is given words here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            return _method_refused(request, allowed=response.headers["Allow"])
        return response

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """Answer a foreseen error; leave the rest to Django."""
        if not isinstance(exception, DomainError):
            return None
        if request.path.startswith(API_PREFIX):
            return problem_response(exception)
        if exception.status == HTTPStatus.UNAUTHORIZED:
            return _to_the_door(request)
        return refusal_page(request, exception)


def refusal_page(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Say on a page of its own what was expected."""
    if isinstance(error, Forbidden):
        log_denial(error, request=request)
    context = {"detail": error.describe(gettext), "code": error.code, "status": error.status}
    page = render_to_string("people/refused.html", context, request)
    return HttpResponse(page, status=error.status, headers=problem_headers(error))


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


def _method_refused(request: HttpRequest, *, allowed: str) -> HttpResponse:
    error = errors.MethodError(method=(request.method or "")[:20], allowed=allowed)
    answer = _answer(request, error, template="405.html")
    answer.headers["Allow"] = allowed
    return answer


def _to_the_door(request: HttpRequest) -> HttpResponseBase:
    """Lead to the door, and from there back to the page; it says when something was not saved."""
    told = {}
    if page := _page_of(request):
        told["next"] = page
    if request.method == "POST" and getattr(request, "session_ended", False):
        told["unsaved"] = "1"
    door = f"{reverse(DOOR)}?{urlencode(told)}" if told else reverse(DOOR)
    if request.headers.get("HX-Request"):
        # A fragment must not be swapped for a whole page: htmx goes there instead.
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED, headers={"HX-Redirect": door})
    return HttpResponseRedirect(door)


def _page_of(request: HttpRequest) -> str:
    """Return the page that a request was made from, empty where nothing says it.

    What a form or a fragment asks is no page by itself; both name theirs.
    """
    if request.headers.get("HX-Request"):
        named = request.headers.get("HX-Current-URL", "")
    elif request.method == "GET":
        return request.get_full_path()
    else:
        named = request.headers.get("Referer", "")
    try:
        page = urlsplit(named)
    except ValueError:
        return ""
    if page.netloc != request.get_host():
        return ""
    return f"{page.path}?{page.query}" if page.query else page.path
