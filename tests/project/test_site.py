"""The frame around all views: headers, probes, addresses that do not exist, the API's pages."""

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from casino.headers import policy_text
from tests.architecture.files import ROOT, python_files

pytestmark = pytest.mark.django_db

ADDRESSES = [
    ("/health/alive", 200),
    ("/health/ready", 200),
    ("/api/docs/", 200),
    ("/api/schema/", 200),
    ("/api/v1/nothing", 404),
    ("/nothing", 404),
]


@pytest.mark.parametrize(("address", "status"), ADDRESSES)
def test_every_answer_carries_the_same_policy(client: Client, address: str, status: int) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert answer.headers["Content-Security-Policy"] == policy_text(settings.SECURE_CSP)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "geolocation=()" in answer.headers["Permissions-Policy"]


def test_the_policy_allows_nothing_inline_and_no_other_host() -> None:
    text = policy_text(settings.SECURE_CSP)
    for needed in ("default-src 'none'", "object-src 'none'", "base-uri 'none'"):
        assert needed in text
    assert "frame-ancestors 'none'" in text
    for forbidden in ("unsafe", "http:", "https:", "*"):
        assert forbidden not in text


def test_an_unknown_address_of_the_api_is_a_problem(client: Client) -> None:
    answer = client.get("/api/v1/nothing")
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("address", ["/choices/", "/sign-off/", "/rulesets/drafts/"])
def test_an_address_that_only_takes_forms_says_so(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    text = answer.content.decode()
    assert "Open the page that has the form" in text
    assert 'href="/"' in text


def test_a_page_that_takes_nothing_says_so(client: Client) -> None:
    answer = client.post("/audit/findings/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET")
    assert "nothing was saved" in answer.content.decode()
    described = client.post("/api/docs/")
    assert described.json()["code"] == "request.method"


def test_a_probe_says_that_the_database_is_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    def gone() -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(connection, "cursor", gone)
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert b"gone" not in answer.content


def test_probes_change_nothing(client: Client) -> None:
    assert client.post("/health/ready").status_code in (403, 405)


def test_the_pages_of_the_api_name_no_other_host(client: Client) -> None:
    text = client.get("/api/docs/").content.decode()
    assert "//" not in text.replace("<!doctype html>", "")
    assert "swagger-ui-bundle.js" in text


def test_every_door_is_wired() -> None:
    from casino import urls

    wired = {f"{app}.urls" for app in (*urls._API, *urls._PAGES)} | {"casino.urls"}
    found = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in python_files()
        if path.name == "urls.py" and "tests" not in path.parts
    }
    assert found == wired


def test_every_app_is_installed() -> None:
    apps = {
        ".".join(path.relative_to(ROOT).parent.parts)
        for path in python_files()
        if path.name == "apps.py"
    }
    assert apps <= set(settings.INSTALLED_APPS)
