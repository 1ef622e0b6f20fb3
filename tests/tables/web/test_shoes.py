"""Preparing and ending a shoe by form, each step signed; what is refused says why."""

import pytest

from tables.models import BurnedCard, Shoe, ShoeStatement, ShoeStep
from tests.factories.games import add_table
from tests.factories.house import House, bet, key, open_round, open_the_table
from tests.support.pages import PagePerson, signed, text_of
from tests.tables.terms import under_terms

PREPARE = "/tables/T2/prepare-shoe/"
END = "/tables/T1/shoes/1/end/"


@pytest.fixture
def supervisor(floor: House) -> PagePerson:
    """The supervisor; T2 is open and has no shoe."""
    open_the_table(floor, "T2")
    return PagePerson(floor, "supervisor")


def test_a_shoe_is_prepared_step_by_step(supervisor: PagePerson) -> None:
    assert "Start shoe" in text_of(supervisor.get(PREPARE))
    assert supervisor.post(PREPARE).status_code == 302
    for step in ("shuffle", "check", "cut"):
        names = ("dealer", "supervisor") if step == "check" else ("dealer",)
        assert f"Sign {step}" in text_of(supervisor.get(PREPARE))
        assert supervisor.post(PREPARE, signed(*names)).status_code == 302
    burned = supervisor.post(PREPARE, {**signed("dealer"), "burned": "9h"})
    assert burned.status_code == 302
    ready = supervisor.get(PREPARE)
    assert (ready.status_code, ready["Location"]) == (302, "/tables/T2/shoes/1/")
    assert Shoe.objects.get(key="T2/1").state == Shoe.State.READY
    assert BurnedCard.objects.get(shoe__key="T2/1").face == "9H"


def test_whoever_prepares_a_shoe_reads_what_it_is_dealt_under(floor: House) -> None:
    house = add_table(floor, code="G1", preset="lucky-9")
    under_terms(floor, options={"decks": 6}, procedures={"burn": "none", "cut_card_depth": 70})
    open_the_table(floor, "T2")
    open_the_table(house, "G1")
    supervisor = PagePerson(floor, "supervisor")
    before = text_of(supervisor.get(PREPARE))
    for said in (
        "Cards 312",
        "Burn before the first round none",
        "Cards behind the cut card 70",
        "When the cut card shows the round is finished",
        "Dealt from a shoe",
    ):
        assert said in before, (said, before)
    pack = text_of(supervisor.get("/tables/G1/prepare-shoe/"))
    assert "Cards 52" in pack
    assert "Dealt from a pack shuffled for each round" in pack
    assert "cut card" not in pack.partition("What it is dealt under")[2]
    # Once it is begun it keeps what it began with, whatever the table's terms become.
    assert supervisor.post(PREPARE).status_code == 302
    under_terms(floor, options={"decks": 2}, procedures={"burn": "one"})
    begun = text_of(supervisor.get(PREPARE))
    assert "Prepare shoe 1" in begun
    assert "Cards 312" in begun
    assert "Burn before the first round none" in begun


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "This field is required."),
        ({**signed("dealer"), "signer1-secret": "1"}, "badge and secret do not belong together"),
        (signed("supervisor"), "Signature 1"),
    ],
)
def test_a_step_that_is_not_signed_is_shown_again(
    supervisor: PagePerson, sent: dict[str, str], said: str
) -> None:
    supervisor.post(PREPARE)
    page = supervisor.post(PREPARE, sent)
    assert page.status_code == 422
    assert said in text_of(page)
    assert not ShoeStep.objects.filter(shoe__key="T2/1").exists()


def test_a_face_that_is_none_is_refused_at_the_burn(supervisor: PagePerson) -> None:
    supervisor.post(PREPARE)
    for names in (("dealer",), ("dealer", "supervisor"), ("dealer",)):
        supervisor.post(PREPARE, signed(*names))
    page = supervisor.post(PREPARE, {**signed("dealer"), "burned": "1X"})
    assert page.status_code == 422
    assert "1X" in page.content.decode()
    assert not BurnedCard.objects.filter(shoe__key="T2/1").exists()


def test_no_shoe_is_prepared_at_a_closed_table(floor: House) -> None:
    page = PagePerson(floor, "supervisor").post("/tables/T3/prepare-shoe/")
    assert page.status_code == 422
    assert not Shoe.objects.filter(table__code="T3").exists()


@pytest.mark.parametrize("stub", ["", "-1", "417", "many"])
def test_a_stub_that_cannot_be_is_refused(floor: House, stub: str) -> None:
    page = PagePerson(floor, "supervisor").post(END, {"stub_cards": stub})
    assert page.status_code == 422
    assert not ShoeStatement.objects.exists()


def test_a_shoe_does_not_end_within_a_round(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10_000}})
    key(floor, name, {1: "2H"})
    page = PagePerson(floor, "supervisor").post(END, {"stub_cards": "415"})
    assert page.status_code == 422
    assert "T1/1/1" in text_of(page)
    assert Shoe.objects.get(key="T1/1").state == Shoe.State.READY


def test_what_is_expected_in_the_stub_is_not_on_the_page(floor: House) -> None:
    page = PagePerson(floor, "supervisor").get(END)
    assert "415" not in text_of(page)
    assert "The cut card is not out yet." in text_of(page)
