"""Who may open the pages of the floor: outsiders are led to the door, wrong roles are refused."""

import pytest
from django.test import Client

from tests.factories.house import House, bet, key, open_round, play_round
from tests.support.pages import PagePerson, text_of

READERS = {"supervisor", "manager", "surveillance", "auditor"}
ACTING = {"supervisor", "manager"}
# Each page with the roles that may open it; the dealer stands at the tablet of T1.
PAGES: dict[str, set[str]] = {
    "/pit/P1/": READERS | {"cashier"},
    "/table/": {"dealer"},
    "/tables/T1/": READERS | {"dealer", "cashier"},
    "/tables/T1/shoes/1/": READERS | {"dealer"},
    "/tables/T1/shoes/1/rounds/1/": READERS | {"dealer"},
    "/tables/T1/shoes/1/rounds/2/": READERS | {"dealer"},
    "/tables/T1/shoes/1/end/": ACTING,
    "/tables/T2/prepare-shoe/": ACTING | {"dealer"},
    "/tables/T1/counts/opener/": ACTING | {"dealer"},
}
POSTS = {
    "/tables/T2/start/": ACTING,
    "/tables/T1/start-closing/": ACTING,
    "/tables/T1/counts/opener/agreed/": ACTING,
}


@pytest.fixture
def played(floor: House) -> House:
    """T1 with a settled round and one of which a card lies."""
    play_round(floor, {1: {"main": 10_000}}, {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]})
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10_000}})
    key(floor, name, {1: "2H"})
    return floor


def test_only_openers_and_closers_are_counted(floor: House) -> None:
    person = PagePerson(floor, "supervisor")
    assert person.get("/tables/T1/counts/else/").status_code == 404
    assert person.post("/tables/T1/counts/else/agreed/").status_code == 404


def test_an_outsider_is_led_to_the_door(played: House) -> None:
    for path in PAGES:
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/sign-on/"), path
    for path in POSTS:
        answer = Client().post(path)
        assert (answer.status_code, answer["Location"]) == (302, "/sign-on/"), path
    asked_again = Client().get("/pit/P1/", headers={"HX-Request": "true"})
    assert (asked_again.status_code, asked_again["HX-Redirect"]) == (401, "/sign-on/")


@pytest.mark.parametrize("name", [*sorted(READERS), "cashier", "dealer"])
def test_a_page_opens_to_its_roles_alone(played: House, name: str) -> None:
    person = PagePerson(played, name, table="T1" if name == "dealer" else None)
    expected = {path: 200 if name in roles else 403 for path, roles in PAGES.items()}
    assert {path: person.get(path).status_code for path in PAGES} == expected
    refused = [path for path, roles in POSTS.items() if name not in roles]
    assert {person.post(path).status_code for path in refused} <= {403}


def test_what_is_not_there_is_said_on_a_page(played: House) -> None:
    supervisor = PagePerson(played, "supervisor")
    for path in (
        "/pit/P9/",
        "/tables/T99/",
        "/tables/T1/shoes/9/",
        "/tables/T1/shoes/1/rounds/9/",
        "/tables/T1/shoes/9/end/",
        "/tables/T1/shoes/99999999999999999999/",
        "/tables/T1/counts/middle/",
        "/tables/T2/counts/opener/",
    ):
        assert supervisor.get(path).status_code == 404, path
    assert "no table T99" in text_of(supervisor.get("/tables/T99/"))
