"""A shoe that was set aside or is void is chased until its cards are accounted for (27, 28)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.findings.models import Finding
from settlements.day.checks import examine
from tables.games.cards import copies_max
from tables.selectors.shoes import unproven_shoes
from tables.services.shoe_end import end_shoe
from tests.factories.house import House, play_round, ready_the_shoe
from tests.settlements.trays import close, gained
from tests.support.pages import PagePerson, text_of
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    WAGERS,
    begin,
    close_shoe,
    prove,
    rule,
    session,
)
from tests.tables.irregularities.test_shoes import FACES, HANDS

BOTH = ["shoe.uncounted", "shoe.unverified"]


def chased() -> list[tuple[str, str]]:
    return sorted(Finding.objects.values_list("kind", "subject_key"))


def waits(key: str = "T1/1") -> list[str]:
    """What the day finds that the shoe waits for."""
    problems = examine("shoe", key, day=session().gaming_day).problems
    return [each.code for each in problems if each.code in BOTH]


def verify(house: House) -> None:
    """Count the cards by rank and suit: they are whole."""
    counted = {face: copies_max(face, decks=8) for face in FACES}
    rule(house, 28, "match", "SV", counted=counted)


def void(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    rule(house, 27, "void", "MH", told=TOLD_ALL)


def test_a_table_that_closes_with_a_void_shoe_uncounted_leaves_findings(house: House) -> None:
    void(house)
    assert waits() == BOTH
    assert chased() == [], "there is time to count it while the table is open"
    close(house, gain=gained())
    assert chased() == [(kind, "T1/1") for kind in BOTH]
    # It can be made up for after the table closed, and is chased no more then.
    close_shoe(house, out=9)
    assert waits() == ["shoe.unverified"]
    verify(house)
    assert (waits(), unproven_shoes(shoe="T1/1")) == ([], [])
    prove(house, findings=BOTH)


def test_a_void_shoe_that_was_counted_and_verified_is_not_chased(house: House) -> None:
    void(house)
    close_shoe(house, out=9)
    verify(house)
    close(house, gain=gained())
    assert (chased(), waits()) == ([], [])


def test_a_void_shoe_whose_stub_was_counted_waits_for_its_cards(house: House) -> None:
    void(house)
    close_shoe(house, out=9)
    close(house, gain=gained())
    assert chased() == [("shoe.unverified", "T1/1")]


def test_a_shoe_of_a_table_that_was_evacuated_is_chased_until_its_stub_is_counted(
    house: House,
) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 32, "void", "SH", name=name)
    close(house, gain=gained())
    assert chased() == [("shoe.uncounted", "T1/1")]
    end_shoe(table="T1", shoe=1, stub_cards=411, by=house.acting("supervisor"))
    assert waits() == []


def test_a_shoe_that_simply_ended_waits_for_nothing(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    close_shoe(house, out=9)
    ready_the_shoe(house)
    end_shoe(table="T1", shoe=2, stub_cards=415, by=house.acting("supervisor"))
    close(house, gain=gained())
    assert (chased(), waits(), waits("T1/2")) == ([], [], [])


@pytest.mark.parametrize("shoes", [1, 3])
def test_the_shoes_of_a_session_are_read_at_once(house: House, shoes: int) -> None:
    for number in range(1, shoes + 1):
        if number > 1:
            ready_the_shoe(house)
        rule(house, 27, "void", "MH", told=TOLD_ALL, shoe=number)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = unproven_shoes(session="T1/S1")
    assert [each.key for each in found] == [f"T1/{n}" for n in range(1, shoes + 1)]
    assert len(queries) == 1


def test_the_page_of_the_shoe_leads_to_its_count(house: House) -> None:
    void(house)
    supervisor = PagePerson(house, "supervisor")
    page = supervisor.get("/tables/T1/shoes/1/")
    (label, address), (other, _) = page.context["actions"]
    assert (label, other) == ("Count the stub", "Rounds from paper")
    assert "Count the stub" in text_of(page)
    answer = supervisor.post(address, {"stub_cards": "406"})
    assert answer["Location"] == "/tables/T1/shoes/1/"
    left = supervisor.get("/tables/T1/shoes/1/").context["actions"]
    assert [label for label, _ in left] == ["Rounds from paper"]
