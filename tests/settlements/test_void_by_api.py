"""A void over the API: the bill is read first, and signed as it was read."""

import pytest

from tables.models import Round
from tables.selectors.round_read import RoundName
from tests.factories.house import House, bet, key, open_round, settle_part
from tests.support.api import ApiPerson, Json
from tests.support.records import nothing_recorded
from tests.tables.test_shoe_by_api import signers

VOID = "tables/T1/shoes/1/rounds/1/void"
SIGNED = {"event": 26, "note": "dropped", "signers": signers("supervisor", "manager")}


@pytest.fixture
def dealt(floor: House) -> RoundName:
    """A round with one pair, which waits for its sweep."""
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10_000, "pair": 1_000}})
    key(floor, name, {1: "8H", 2: "5S", 3: "8C", 4: "3D"})
    return name


def bill(person: ApiPerson, **touched: object) -> Json:
    """What a void would hand back."""
    return person.post(f"{VOID}/bill", touched, expect=200)


def test_the_bill_says_what_goes_back_and_writes_nothing(floor: House, dealt: RoundName) -> None:
    auditor = ApiPerson(floor, "auditor")
    line = {"seat": 1, "wager": "main", "stake_minor": 10_000, "outcome": "void"}
    main = {**line, "returned_minor": 10_000}
    pair = {**line, "wager": "pair", "stake_minor": 1_000, "returned_minor": 1_000}
    assert bill(auditor) == {"stage": "second_lap", "returned_minor": 11_000, "lines": [main, pair]}
    settle_part(floor, dealt, "sweep")
    won = {**pair, "outcome": "win", "returned_minor": 11_000}
    stands = {"stage": "pair_settled", "returned_minor": 21_000, "lines": [main, won]}
    assert bill(auditor) == stands
    assert bill(auditor, first_two_seats=[1])["lines"] == [main, pair]
    assert bill(auditor, first_two_all=True)["returned_minor"] == 11_000
    assert Round.objects.get().stage == Round.Stage.THIRD_LAP
    refused = auditor.refused("POST", f"{VOID}/bill", {"first_two_seats": [2]})
    assert refused["code"] == "void.seats"


def test_a_void_is_refused_when_something_else_goes_back_than_was_seen(
    floor: House, dealt: RoundName
) -> None:
    supervisor = ApiPerson(floor, "supervisor")
    seen = bill(supervisor)
    settle_part(floor, dealt, "sweep")
    sent = {**SIGNED, "stage": seen["stage"], "returned_minor": seen["returned_minor"]}
    status, problem = supervisor.send("POST", VOID, sent)
    assert (status, problem["code"]) == (409, "void.changed")
    now = {"stage": "pair_settled", "returned_minor": 21_000}
    assert problem["data"] == {"round": "T1/1/1", **now}
    assert Round.objects.get().stage == Round.Stage.THIRD_LAP
    with nothing_recorded():
        unsaid = supervisor.refused("POST", VOID, {**SIGNED, **now})
    assert unsaid["code"] == "void.cards_out", "third cards lie face down"
    assert unsaid["data"] == {"round": "T1/1/1", "least": 4, "most": 6}
    supervisor.post(VOID, {**SIGNED, **now, "cards_out": 5})
    assert Round.objects.get().stage == Round.Stage.VOIDED


def test_the_same_void_again_is_the_first_one(floor: House, dealt: RoundName) -> None:
    supervisor = ApiPerson(floor, "supervisor")
    seen = bill(supervisor)
    sent = {**SIGNED, "stage": seen["stage"], "returned_minor": seen["returned_minor"]}
    first = supervisor.post(VOID, sent)
    with nothing_recorded():
        again = supervisor.post(VOID, sent, expect=200)
        assert (again["receipt"], again["done_before"]) == (first["receipt"], True)
        for other in ({"note": "slipped"}, {"first_two_all": True}, {"returned_minor": 1}):
            problem = supervisor.refused("POST", VOID, {**sent, **other})
            assert problem["code"] == "round.over"


def test_a_void_without_what_was_seen_is_refused(floor: House, dealt: RoundName) -> None:
    problem = ApiPerson(floor, "supervisor").refused("POST", VOID, SIGNED)
    assert problem["code"] == "request.fields"
    assert {fault["where"] for fault in problem["faults"]} == {"/stage", "/returned_minor"}
