"""The table's own view of a round: hands laid out while bets are open, and what was handed over."""

import pytest
from pytest_django import DjangoAssertNumQueries

from settlements.services.voids import VoidCause
from tables.selectors.table_view import table_view
from tests.factories.house import House, bet, key, open_round, play_round, signer, void_as_shown
from tests.support.api import ApiPerson, Json

HANDS = {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "3D", "QC"]}
WAGERS = {1: {"main": 10_000}, 3: {"main": 20_000, "jacks": 1_000}}


def round_of(view: dict[str, object]) -> Json:
    """Return the round of a view."""
    found = view["round"]
    assert isinstance(found, dict)
    return found


def laid(view: dict[str, object]) -> dict[int, list[int]]:
    """Return the draws of each hand of a view, the House's under 0."""
    shown = round_of(view)
    draws = {seat["seat"]: [place["draw"] for place in seat["hand"]] for seat in shown["seats"]}
    return {**draws, 0: [place["draw"] for place in shown["house"]]}


def test_hands_are_laid_out_by_the_wagers_while_bets_are_open(floor: House) -> None:
    name = open_round(floor)
    assert laid(table_view("T1")) == {seat: [] for seat in range(6)}
    bet(floor, name, WAGERS)
    view = table_view("T1")
    assert laid(view) == {0: [3, 6, 9], 1: [1, 4, 7], 2: [], 3: [2, 5, 8], 4: [], 5: []}
    assert round_of(view)["stage"] == "betting"
    assert round_of(view)["next"] == {
        "kind": "deal",
        "draw": 1,
        "hand": 1,
        "lap": 1,
        "open_draws": [1],
        "choices": [],
    }


def test_a_settled_round_says_what_was_handed_over(
    floor: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    name = open_round(floor)
    bet(floor, name, WAGERS)
    faces = [HANDS[hand][lap] for lap in range(3) for hand in (1, 3, 0)]
    key(floor, name, dict(enumerate(faces, start=1)))
    owed = round_of(table_view("T1"))["owed"]
    assert all("handed_minor" not in line for line in owed["lines"])

    dealer = ApiPerson(floor, "dealer", table="T1")
    line = owed["lines"][0]
    given = {"seat": line["seat"], "wager": line["wager"], "handed_minor": 7_500}
    body = {"part": "final", "revision": 1, "handed": [given]}
    answer = dealer.post("tables/T1/shoes/1/rounds/1/settlements", body)
    told = {
        (line["seat"], line["wager"]): line["handed_minor"]
        for line in answer["view"]["round"]["owed"]["lines"]
    }
    assert told.pop((line["seat"], line["wager"])) == 7_500
    assert told == {(line["seat"], line["wager"]): line["owed_minor"] for line in owed["lines"][1:]}
    status, repeated = dealer.send("POST", "tables/T1/shoes/1/rounds/1/settlements", body)
    assert (status, repeated["done_before"]) == (200, True)
    assert repeated["view"] == answer["view"]

    with django_assert_num_queries(5):
        read = round_of(table_view("T1"))["owed"]
    by_line = lambda document: (document["seat"], document["wager"])  # noqa: E731  a sort key
    assert sorted(read["lines"], key=by_line) == sorted(
        answer["view"]["round"]["owed"]["lines"], key=by_line
    )
    assert read["bank_minor"] == answer["view"]["round"]["owed"]["bank_minor"]


def test_payouts_are_read_only_of_a_round_that_is_over(
    floor: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play_round(floor, WAGERS, HANDS)
    open_round(floor)
    with django_assert_num_queries(3):
        table_view("T1")


@pytest.mark.parametrize("stage", ["first_lap", "sweep"])
def test_a_void_round_says_what_goes_back(floor: House, stage: str) -> None:
    name = open_round(floor)
    bet(floor, name, WAGERS)
    key(floor, name, {1: "2H"} if stage == "first_lap" else {1: "2H", 2: "8S", 3: "5S"})
    void_as_shown(
        name=name,
        cause=VoidCause(event=26, first_two=False, note="A misdeal."),
        signers=[signer("supervisor"), signer("manager")],
        by=floor.acting("supervisor"),
    )
    owed = round_of(table_view("T1"))["owed"]
    assert owed["bank_minor"] == 0
    assert {(line["seat"], line["wager"]): line["handed_minor"] for line in owed["lines"]} == {
        (1, "main"): 10_000,
        (3, "main"): 20_000,
        (3, "jacks"): 1_000,
    }
