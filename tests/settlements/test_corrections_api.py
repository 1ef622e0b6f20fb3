"""Corrections over the API: the bill, the two signatures, the list, and who gets what."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from audit.log.models import Entry
from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from tables.selectors.round_read import RoundName
from tests.factories.house import House
from tests.settlements.correcting import (
    TWO,
    WITH_MANAGER,
    correct,
    dealt,
    hire,
    mispaid,
    misread,
    sign,
)
from tests.support.api import ApiPerson, Json

NAME = RoundName("T1", 1, 1)
ROUND = "tables/T1/shoes/1/rounds/1"
CORRECTION: Json = {
    "event": 21,
    "reason": "the camera shows another card",
    "moved": True,
    "cards": [{"draw": 9, "face": "2C"}],
}


@pytest.fixture
def house(house: House) -> House:
    """The house of the settlement tests, its first round dealt, with enough people to sign."""
    hire(house)
    dealt(house)
    return house


def signed(bill_hash: str, /, **changed: Any) -> Json:  # Any: parts of a document
    signers = [{"badge": each.badge, "secret": each.secret, "role": each.role} for each in TWO]
    return {**CORRECTION, "bill_hash": bill_hash, "signers": signers, **changed}


def test_the_bill_comes_first_and_is_what_is_signed(house: House) -> None:
    supervisor = ApiPerson(house, "supervisor")
    before = Entry.objects.count()
    shown = supervisor.post(f"{ROUND}/corrections/bill", CORRECTION, expect=200)
    assert Entry.objects.count() == before
    assert shown["bill"]["to_move_minor"] == 53_500
    assert shown["authority"]["roles"] == [["supervisor"], ["supervisor", "manager"]]
    session = shown["session"]
    moved = session["after"]["bank_handed_minor"] - session["before"]["bank_handed_minor"]
    assert moved == -53_500
    answer = supervisor.post(f"{ROUND}/corrections", signed(shown["bill_hash"]))
    assert answer["view"]["round"]["stage"] == "settled"
    again = supervisor.post(f"{ROUND}/corrections", signed(shown["bill_hash"]), expect=200)
    assert again["done_before"]
    assert again["receipt"] == answer["receipt"]
    (listed,) = ApiPerson(house, "auditor").get(f"{ROUND}/corrections")["corrections"]
    assert listed["bill"] == shown["bill"]
    assert listed["bill_hash"] == shown["bill_hash"]
    assert [each["role"] for each in listed["signed"]] == ["supervisor", "supervisor"]
    assert listed["hash"] == answer["receipt"]["hash"]


def test_a_stale_bill_is_a_conflict_that_carries_the_new_one(house: House) -> None:
    supervisor = ApiPerson(house, "supervisor")
    shown = supervisor.post(f"{ROUND}/corrections/bill", CORRECTION, expect=200)
    name = NAME
    correct(house, name, mispaid({(3, "jacks"): 5_000}, moved=False))
    problem = supervisor.refused("POST", f"{ROUND}/corrections", signed(shown["bill_hash"]))
    assert (problem["status"], problem["code"]) == (409, "correction.bill_changed")
    anew = correction_bill(name, misread())
    assert problem["data"]["bill_hash"] == anew.hash
    assert problem["data"]["bill"] == anew.document
    assert Settlement.objects.filter(part="final").count() == 2


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"signers": []}, 422, "correction.signers"),
        ({"signers": None}, 422, "request.fields"),
        ({"bill_hash": "00"}, 409, "correction.bill_changed"),
        ({"bill_hash": "not hex"}, 409, "correction.bill_changed"),
        ({"event": 26}, 422, "correction.event"),
        ({"event": "21"}, 422, "request.fields"),
        ({"event": True}, 422, "request.fields"),
        ({"reason": ""}, 422, "request.fields"),
        ({"reason": "x" * 501}, 422, "request.fields"),
        ({"moved": "yes"}, 422, "request.fields"),
        ({"cards": [{"draw": 9, "face": "2C"}] * 2}, 422, "correction.refused"),
        ({"cards": [{"draw": -1, "face": "2C"}]}, 422, "request.fields"),
        ({"cards": [{"draw": 0, "face": "2C"}]}, 422, "correction.refused"),
        ({"cards": [{"draw": 9, "face": None}]}, 422, "request.fields"),
        ({"wagers": [{"seat": 1, "wagers": {"main": 1.5}}]}, 422, "request.fields"),
        ({"wagers": [{"seat": 1, "wagers": {}}] * 2}, 422, "request.fields"),
        (
            {"wagers": [{"seat": 1, "wagers": {f"k{n}": 1 for n in range(9)}}]},
            422,
            "request.fields",
        ),
        ({"handed": [{"seat": 1, "wager": "main", "handed_minor": -1}]}, 422, "request.fields"),
        ({"handed": [{"seat": 1, "wager": "main", "handed_minor": 2**53}]}, 422, "request.fields"),
        ({"surplus": 1}, 422, "request.fields"),
    ],
)
def test_what_is_refused_writes_nothing(
    house: House, changed: Json, status: int, code: str
) -> None:
    supervisor = ApiPerson(house, "supervisor")
    bill_hash = correction_bill(NAME, misread()).hash
    before = Entry.objects.count()
    body = signed(bill_hash, **changed)
    problem = supervisor.refused("POST", f"{ROUND}/corrections", body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert Entry.objects.count() == before


@pytest.mark.parametrize("secret", ["", None])
def test_a_signature_without_a_secret_is_refused(house: House, secret: str | None) -> None:
    supervisor = ApiPerson(house, "supervisor")
    bill_hash = correction_bill(NAME, misread()).hash
    body = signed(bill_hash)
    body["signers"][1]["secret"] = secret
    problem = supervisor.refused("POST", f"{ROUND}/corrections", body)
    assert problem["code"] == "request.fields"
    assert [fault["where"] for fault in problem["faults"]] == ["/signers/1/secret"]
    assert not Settlement.objects.filter(kind="corrected").exists()


@pytest.mark.parametrize("name", ["auditor", "surveillance", "cashier"])
def test_who_may_read_does_not_correct(house: House, name: str) -> None:
    person = ApiPerson(house, name)
    status, _ = person.send("POST", f"{ROUND}/corrections/bill", CORRECTION)
    assert status == (403 if name == "cashier" else 200)
    bill_hash = correction_bill(NAME, misread()).hash
    problem = person.refused("POST", f"{ROUND}/corrections", signed(bill_hash))
    assert problem["code"] == "role.not_allowed"


def test_a_round_that_is_not_there(house: House) -> None:
    supervisor = ApiPerson(house, "supervisor")
    path = "tables/T1/shoes/1/rounds/9/corrections"
    assert supervisor.refused("GET", path)["code"] == "round.missing"
    assert supervisor.refused("POST", f"{path}/bill", CORRECTION)["code"] == "round.missing"


def test_a_face_that_nobody_saw_is_asked_about(house: House) -> None:
    supervisor = ApiPerson(house, "supervisor")
    body = {**CORRECTION, "cards": [{"draw": 9, "face": "?"}]}
    problem = supervisor.refused("POST", f"{ROUND}/corrections/bill", body)
    assert problem["code"] == "correction.refused"
    assert [fault["code"] for fault in problem["faults"]] == ["card.face_unknown"]


def test_queries_do_not_grow_with_the_history(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    name = NAME
    with django_assert_num_queries(4):
        correction_bill(name, misread())
    for _ in range(3):
        dealt(house)
    correct(house, dealt(house), misread(), sign("supervisor"), WITH_MANAGER[1])
    with django_assert_num_queries(4):
        correction_bill(name, misread())
