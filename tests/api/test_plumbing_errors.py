"""Every error is a problem under /api/ and a page elsewhere, and tells nothing it should not."""

import logging
from typing import Any

import pytest
from django.test import Client

from tests.api.test_plumbing_input import told

pytestmark = pytest.mark.urls("tests.api.plumbing_urls")


def quiet() -> Client:
    """A client that shows a 500 instead of raising what stood behind it."""
    return Client(raise_request_exception=False)


def test_an_unknown_address_is_a_problem_for_every_method() -> None:
    for method in ("get", "post", "put", "delete"):
        answer = getattr(Client(), method)("/api/nothing", content_type="application/json")
        assert told(answer, 404)["code"] == "request.address"


def test_another_method_is_named_with_those_that_do() -> None:
    answer = Client().get("/api/echo")
    problem = told(answer, 405)
    assert problem["code"] == "request.method"
    assert problem["data"] == {"method": "GET", "allowed": "POST"}
    assert answer["Allow"] == "POST"


def test_options_tells_nothing() -> None:
    assert told(Client().options("/api/echo"), 405)["code"] == "request.method"


def test_answers_are_json_only() -> None:
    answer = Client().post(
        "/api/echo", b"{}", content_type="application/json", headers={"Accept": "text/html"}
    )
    assert told(answer, 406)["code"] == "request.accept"


def test_a_view_that_says_nothing_lets_nobody_in() -> None:
    answer = Client().get("/api/known")
    assert told(answer, 401)["code"] == "session.missing"
    assert answer["WWW-Authenticate"] == 'Session realm="casino"'


@pytest.mark.parametrize(
    ("what", "status", "code"),
    [
        ("missing", 404, "request.address"),
        ("denied", 403, "request.forbidden"),
        ("suspicious", 400, "request.malformed"),
        ("conflict", 409, "count.differs"),
    ],
)
def test_foreseen_errors_have_their_code(what: str, status: int, code: str) -> None:
    assert told(Client().get(f"/api/break/{what}"), status)["code"] == code


def test_a_problem_holds_data_and_faults() -> None:
    problem = told(Client().get("/api/break/conflict"), 409)
    assert problem["detail"] == "Expected 100, counted 90."
    assert problem["data"] == {"expected": 100, "counted": 90}
    assert problem["faults"] == [{"code": "count.short", "where": "500", "detail": ""}]
    assert problem["title"] == "Conflict"


@pytest.mark.parametrize("what", ["bug", "invariant"])
def test_what_nobody_foresaw_tells_nothing(what: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="casino.api"):
        answer = quiet().get(f"/api/break/{what}")
    problem = told(answer, 500)
    assert problem["code"] == "error.internal"
    for secret in (b"secret", b"people_staff", b"cannot be", b"Traceback", b"RuntimeError"):
        assert secret not in answer.content
    assert any(record.exc_info for record in caplog.records)


def test_tests_see_what_stood_behind_a_500() -> None:
    with pytest.raises(RuntimeError):
        Client().get("/api/break/bug")


@pytest.mark.parametrize(
    ("what", "status", "word"),
    [
        ("missing", 404, "nothing at this address"),
        ("denied", 403, "You may not open this"),
        ("suspicious", 400, "could not be read"),
        ("conflict", 409, "Expected 100, counted 90."),
        ("bug", 500, "Something failed"),
    ],
)
def test_a_page_says_it_in_words(what: str, status: int, word: str) -> None:
    answer: Any = quiet().get(f"/page/{what}/")  # made at run time
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")
    assert word in answer.content.decode()
    assert b"Traceback" not in answer.content


def test_a_form_from_elsewhere_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/page/form/", {"a": "1"})
    assert answer.status_code == 403
    assert "The form is too old" in answer.content.decode()


def test_a_denial_is_one_line_of_the_log_whatever_the_path(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, logger="casino.api"):
        Client().get("/page/denied/")
        Client().get("/api/break/denied")
    lines = [record.getMessage() for record in caplog.records if record.name == "casino.api"]
    assert len(lines) == 2
    assert all("request.forbidden" in line and "\n" not in line for line in lines)


def test_every_answer_carries_the_policy() -> None:
    for path in ("/api/echo", "/api/nothing", "/page/missing/", "/api/break/bug", "/page/bug/"):
        answer = quiet().get(path)
        policy = answer["Content-Security-Policy"]
        for part in ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            assert part in policy
        assert "unsafe-inline" not in policy
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cache-Control"] == "no-store"
