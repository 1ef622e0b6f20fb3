"""Every address of the API, every method, everybody: only who may, may (trust S1)."""

import json
from collections.abc import Iterator
from copy import copy

import pytest
from django.db import transaction
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from audit.findings.services import raise_finding
from tests.api.rights import (
    API,
    DENIALS,
    INTEGRATION,
    ROWS,
    STRANGERS,
    Row,
    clients,
    doors,
)
from tests.factories.house import SET_UP, bet, open_round
from tests.support.floors import PreparedFloor, cloned_floor


@pytest.fixture(scope="module")
def everybody(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, Client]]:
    """One client for each kind of person, at a house with a round in play and a finding."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        house = clone.house
        bet(house, open_round(house), {1: {"main": 10000}})
        raise_finding(
            kind="shoe.one_card_too_many",
            subject_kind="round",
            subject_key="T1/1/1",
            table_code="T1",
            detail={"face": "AS", "copies": 9, "copies_max": 8},
            raised_by=SET_UP,
            now=house.now,
        )
        yield clients(house)


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
