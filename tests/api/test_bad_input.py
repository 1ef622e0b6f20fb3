"""Bad input over the API: a stable code, what was expected in words, and nothing written."""

import json
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from casino.people.middleware import TOKEN_HEADER
from casino.people.models import SignOn
from tests.api.bad_acts import FLOOR, MONEY
from tests.api.bad_input import BYTES, CARDS, UNKNOWN, WAGERS, Case, body_bytes, round_of
from tests.api.stages import Callers, put_in_stages
from tests.factories.house import NOW, STAFF
from tests.support.floors import PreparedFloor, cloned_floor
from tests.support.records import nothing_recorded


@pytest.fixture(scope="module")
def callers(prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker) -> Iterator[Callers]:
    """People at eight tables in eight stages; nothing that they send here changes anything."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        put_in_stages(clone.house)
        yield Callers(clone.house)


CASES = CARDS + WAGERS + BYTES + UNKNOWN + MONEY + FLOOR


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_is_refused_with_a_code_and_nothing_is_written(
    callers: Callers, case: Case
) -> None:
    person = callers.get(case.who, at=case.table)
    with nothing_recorded():
        answer = person.client.generic(
            case.method,
            f"/api/v1/{case.path}",
            body_bytes(case),
            content_type=case.content_type,
            headers=person.headers,
        )
    problem = json.loads(answer.content)
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.status_code, problem["code"]) == (case.status, case.code), problem
    sentences = [problem["detail"], *(fault["detail"] for fault in problem["faults"])]
    assert all(sentences)
    assert case.says in " ".join(sentences), sentences
    if case.fault:
        assert case.fault in [fault["code"] for fault in problem["faults"]], problem


KEYED = {"cards": [{"draw": 2, "revision": 1, "face": "2S"}]}
PATH = f"{round_of('T2')}/cards"


@pytest.mark.parametrize(
    ("name", "at", "code"),
    [
        ("dealer", "T1", "device.other_table"),
        ("supervisor", "T1", "device.other_table"),
        ("supervisor", None, "device.other_table"),
        ("dealer_2", "T2", "round.other_dealer"),
        ("manager", None, "role.not_allowed"),
        ("manager", "T2", "role.not_allowed"),
        ("cashier", None, "role.not_allowed"),
        ("surveillance", None, "role.not_allowed"),
        ("auditor", None, "role.not_allowed"),
    ],
)
def test_who_may_not_key_here_is_refused(
    callers: Callers, name: str, at: str | None, code: str
) -> None:
    person = callers.get(name, at=at)
    with nothing_recorded():
        problem = person.refused("POST", PATH, KEYED)
    assert (problem["status"], problem["code"]) == (403, code)
    assert problem["detail"]


def test_nobody_is_asked_to_sign_on(callers: Callers) -> None:
    stranger = Client(headers={TOKEN_HEADER: callers.house.tokens["T2"]})
    with nothing_recorded():
        answer = stranger.post(f"/api/v1/{PATH}", KEYED, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "session.missing")


@pytest.mark.parametrize("ended", ["idle", "signed on elsewhere", "signed off", "tablet left"])
def test_a_session_that_is_over_is_told_from_none(callers: Callers, ended: str) -> None:
    person = callers.get("dealer", at="T2")
    callers.forget("dealer")
    if ended == "idle":
        SignOn.objects.filter(staff__number=STAFF["dealer"][0]).update(seen_at=NOW)
    elif ended == "signed on elsewhere":
        callers.get("dealer", at="T3")
    elif ended == "signed off":
        person.post("sign-off", expect=204)
    else:
        person.headers[TOKEN_HEADER] = callers.house.tokens["T3"]
    with nothing_recorded():
        problem = person.refused("POST", PATH, KEYED)
    assert problem["status"] == 401
    # Who signs off leaves no cookie behind, so nothing tells him from a stranger.
    assert problem["code"] == ("session.missing" if ended == "signed off" else "session.ended")
    assert "ign on" in problem["detail"]


def test_a_write_without_the_pages_token_is_refused(callers: Callers) -> None:
    person = callers.get("dealer", at="T2")
    callers.forget("dealer")
    person.headers["X-CSRFToken"] = "x" * 32
    with nothing_recorded():
        problem = person.refused("POST", PATH, KEYED)
    assert (problem["status"], problem["code"]) == (403, "csrf.failed")
