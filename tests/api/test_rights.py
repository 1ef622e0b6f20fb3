"""Every address of the API, every method, everybody: only who may, may (trust S1)."""

import json
from copy import copy

import pytest
from django.db import transaction
from django.test import Client

from tests.api.rights import (
    API,
    DENIALS,
    INTEGRATION,
    ROWS,
    STRANGERS,
    Row,
    doors,
)


def test_every_address_and_method_has_one_row() -> None:
    rows = [(row.pattern, row.method) for row in ROWS]
    assert len(rows) == len(set(rows))
    assert doors() - set(rows) == set(), "say in tests/api/rights.py who may use this"
    assert set(rows) - doors() == set(), "this address is gone; so should be its row"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.pattern}")
def test_only_who_may_is_let_in(everybody: dict[str, Client], row: Row) -> None:
    wrong = {}
    for who, client in everybody.items():
        status, code = send(client, row)
        assert status < 500, (who, code)
        denied = status in (401, 403) and code in DENIALS
        if who in row.allowed:
            right = not denied
        elif who in STRANGERS:
            right = (status, code) == (401, "session.missing")
        elif who == INTEGRATION and row.method != "GET":
            right = (status, code) == (403, "device.read_only")
        else:
            right = denied
        if not right:
            wrong[who] = (status, code)
    assert wrong == {}


def send(client: Client, row: Row) -> tuple[int, str]:
    """Send one request and undo what it did; answer with the status and the problem's code."""
    cookies = copy(client.cookies)
    with transaction.atomic():
        answer = client.generic(
            row.method,
            f"/{API}{row.path}",
            b"" if row.method == "GET" else json.dumps(row.body or {}).encode(),
            content_type="application/json",
        )
        transaction.set_rollback(True)
    client.cookies = cookies
    problem = answer.headers.get("Content-Type") == "application/problem+json"
    assert problem == (answer.status_code >= 400)
    return answer.status_code, answer.json()["code"] if problem else ""
