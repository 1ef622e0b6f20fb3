"""Rounds from paper over the API: reserved at the tablet, keyed blind, agreed on."""

from typing import Any

import pytest

from tables.models import Round
from tests.api.bad_acts import signatures
from tests.factories.house import House
from tests.support.api import ApiPerson
from tests.tables.paper.sheets import HANDS, WAGERS, misdeal, sheet

SHOE = "tables/T1/shoes/1"
ROUND = f"{SHOE}/rounds/1/sheet"
TIME = "2026-03-01T13:35:00Z"
OTHER = sheet(hands={**HANDS, 2: ("KS", "KD", "2H")})


@pytest.fixture
def dealer(floor: House) -> ApiPerson:
    """The dealer at the tablet, who has reserved one round."""
    person = ApiPerson(floor, "dealer", table="T1")
    person.post(f"{SHOE}/awaited", {"rounds": 1, "after": 0})
    return person


@pytest.fixture
def supervisor(floor: House) -> ApiPerson:
    """A supervisor in a browser."""
    return ApiPerson(floor, "supervisor")


def keying(copy: str, document: dict[str, Any], *, revision: int = 1) -> dict[str, Any]:
    """A keying as it is sent."""
    return {"copy": copy, "revision": revision, "sheet": document, "dealt_at": TIME}


def test_a_tablet_that_comes_back_reserves_once(floor: House) -> None:
    dealer = ApiPerson(floor, "dealer", table="T1")
    first = dealer.post(f"{SHOE}/awaited", {"rounds": 2, "after": 0})
    again = dealer.post(f"{SHOE}/awaited", {"rounds": 2, "after": 0}, expect=200)
    assert again["receipt"] == first["receipt"]
    waiting = dealer.get("tables/T1/awaited")["rounds"]
    assert [(each["key"], each["keyings"]) for each in waiting] == [("T1/1/1", 0), ("T1/1/2", 0)]
    assert dealer.post(f"{SHOE}/rounds")["view"]["round"]["number"] == 3
    problem = dealer.refused("POST", f"{SHOE}/awaited", {"rounds": 1, "after": 0})
    assert problem["code"] == "paper.numbers"


def test_a_sheet_is_keyed_blind_and_becomes_a_round(
    dealer: ApiPerson, supervisor: ApiPerson
) -> None:
    first = dealer.post(ROUND, keying("first", sheet()))
    assert (first["accepted"], first["both_keyed"]) == (None, False)
    assert [copy["copy"] for copy in dealer.get(ROUND)["copies"]] == ["first"]
    assert supervisor.get(ROUND)["copies"] == []
    assert supervisor.get("tables/T1/awaited")["rounds"][0]["keyed_by"] == ["1001"]
    second = supervisor.post(ROUND, keying("second", sheet()))
    assert second["accepted"]["seq"] == second["receipt"]["seq"] + 1
    seen = supervisor.get(ROUND)
    assert (seen["stage"], seen["differences"], len(seen["copies"])) == ("settled", [], 2)
    again = supervisor.post(ROUND, keying("second", sheet()), expect=200)
    assert (again["receipt"], again["done_before"]) == (second["receipt"], True)


def test_a_difference_is_shown_to_supervisors_alone_and_settled(
    floor: House, dealer: ApiPerson, supervisor: ApiPerson
) -> None:
    dealer.post(ROUND, keying("first", sheet()))
    dealer.post(f"{ROUND}/held", {"revision": 1, "sheet": OTHER, "claimed_at": TIME})
    supervisor.post(ROUND, keying("second", OTHER))
    assert [copy["copy"] for copy in dealer.get(ROUND)["copies"]] == ["first"]
    assert dealer.get(ROUND)["differences"] == []
    manager = ApiPerson(floor, "manager")
    assert manager.get(ROUND)["differences"] == [
        {"where": "seats.2.cards.3", "values": ["2C", "2H", "2H"]}
    ]
    said = {"keep": "device", "note": "the card is in the rack"}
    problem = manager.refused(
        "POST", f"{ROUND}/agreement", {**said, "signers": signatures("supervisor")}
    )
    assert problem["code"] == "sheet.signers"
    manager.post(f"{ROUND}/agreement", {**said, "signers": signatures("manager")})
    assert Round.objects.get(key="T1/1/1").source == "held"


def test_a_void_is_signed_by_two(floor: House, dealer: ApiPerson, supervisor: ApiPerson) -> None:
    dealer.post(ROUND, keying("first", misdeal()))
    assert supervisor.post(ROUND, keying("second", misdeal()))["accepted"] is None
    supervisor.post(
        f"{ROUND}/agreement",
        {
            "keep": "first",
            "note": "signed on paper",
            "signers": signatures("supervisor", "manager"),
        },
    )
    assert Round.objects.get(key="T1/1/1").stage == "voided"


def test_a_sheet_is_checked_while_it_is_typed(dealer: ApiPerson) -> None:
    sound = dealer.post(f"{ROUND}/check", {"sheet": sheet(), "dealt_at": TIME}, expect=200)
    assert sound["faults"] == sound["questions"] == sound["warnings"] == []
    owed = {(line["seat"], line["wager"]): line["owed_minor"] for line in sound["lines"]}
    assert owed[2, "pair"] == 22_000
    assert len(owed) == sum(map(len, WAGERS.values()))
    half = {**sheet(), "house": {"cards": ["5H", "3X"]}}
    wrong = dealer.post(f"{ROUND}/check", {"sheet": half, "dealt_at": TIME}, expect=200)
    assert {fault["where"] for fault in wrong["faults"]} == {"house.cards", "house.cards[1]"}
    assert wrong["lines"] == []
    assert dealer.get(ROUND)["copies"] == []


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("third copy", {"copy": "agreed"}, "field.invalid_choice"),
    ("revision 0", {"revision": 0}, "field.min_value"),
    ("no sheet", {"sheet": None}, "field.null"),
    ("sheet of text", {"sheet": "AS"}, "field.invalid"),
    ("time of words", {"dealt_at": "noon"}, "field.not_an_instant"),
    ("stake of text", {"sheet": sheet({1: {"main": "100"}})}, "field.not_an_integer"),  # type: ignore[dict-item]  # what must not come in
    ("card of digits", {"sheet": sheet(house={"cards": [5]})}, "field.not_text"),
    ("stage of a list", {"sheet": misdeal(stage=[])}, "field.not_text"),
    ("touched of text", {"sheet": misdeal(affects_first_two_cards="no")}, "field.touched"),
    ("unknown member", {"weather": "hot"}, "field.unknown"),
    ("many cards", {"sheet": sheet(house={"cards": ["AS"] * 9})}, "field.max_length"),
]


@pytest.mark.parametrize(("changed", "code"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_input_is_refused(dealer: ApiPerson, changed: dict[str, Any], code: str) -> None:
    problem = dealer.refused("POST", ROUND, {**keying("first", sheet()), **changed})
    assert problem["code"] == "request.fields"
    assert code in {fault["code"] for fault in problem["faults"]}
    assert dealer.get(ROUND)["copies"] == []


def test_unknown_rounds_are_missing(dealer: ApiPerson) -> None:
    problem = dealer.refused("POST", f"{SHOE}/rounds/9/sheet", keying("first", sheet()))
    assert problem["code"] == "round.missing"
    assert dealer.refused("GET", "tables/T99/awaited")["code"] == "table.missing"
