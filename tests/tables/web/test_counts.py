"""Opening and closing by form: counts are blind, the last press comes when both agree."""

import pytest

from tables.models import Count, TableSession
from tests.factories.house import House
from tests.support.pages import PagePerson, text_of

OPENER = "/tables/T2/counts/opener/"
PIECES = {"pieces_1000000": "10", "pieces_100000": "50"}


@pytest.fixture
def supervisor(floor: House) -> PagePerson:
    """The supervisor, who has begun to open T2."""
    person = PagePerson(floor, "supervisor")
    begun = person.post("/tables/T2/start/")
    assert (begun.status_code, begun["Location"]) == (302, OPENER)
    return person


def states(person: PagePerson) -> list[tuple[str, str]]:
    """What the page of the count says of both."""
    page = person.get(OPENER)
    assert page.status_code == 200
    return [(count.side, count.state) for count in page.context["counts"]]


def test_a_table_opens_on_two_counts_that_agree(floor: House, supervisor: PagePerson) -> None:
    dealer = PagePerson(floor, "dealer", table="T2")
    assert states(supervisor) == [("dealer", "missing"), ("supervisor", "missing")]
    assert supervisor.post(OPENER, {"revision": "1", **PIECES}).status_code == 302
    assert states(dealer) == [("dealer", "missing"), ("supervisor", "counted")]
    assert dealer.post(OPENER, {"revision": "1", "pieces_100000": "50"}).status_code == 302
    assert states(supervisor) == [("dealer", "differs"), ("supervisor", "differs")]
    page = supervisor.get(OPENER)
    assert "Count again, each alone" in text_of(page)
    assert "Open table" not in text_of(page)

    assert dealer.post(OPENER, {"revision": "2", **PIECES}).status_code == 302
    assert states(dealer) == [("dealer", "agreed"), ("supervisor", "agreed")]
    assert "The supervisor opens the table" in text_of(dealer.get(OPENER))
    page = supervisor.get(OPENER)
    assert "Open table" in text_of(page)
    opened = supervisor.post(page.context["finish_url"])
    assert (opened.status_code, opened["Location"]) == (302, "/tables/T2/")
    assert TableSession.objects.get(key="T2/S1").opener_minor == 15_000_000


def test_nobody_reads_the_other_count(floor: House, supervisor: PagePerson) -> None:
    supervisor.post(OPENER, {"revision": "1", "pieces_500": "7777"})
    dealer = PagePerson(floor, "dealer", table="T2")
    for page in (dealer.get(OPENER), dealer.fragment(OPENER)):
        assert "7777" not in page.content.decode()
        assert "38,885" not in page.content.decode()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"revision": "1", "pieces_500": "-1"}, "Enter no fewer than 0 pieces."),
        ({"revision": "1", "pieces_500": "1.5"}, "Enter a whole number of pieces"),
        ({"revision": "1", "pieces_500": "1e4"}, "Enter a whole number of pieces"),
        ({"revision": "1", "pieces_500": "100001"}, "Enter no more than 100000 pieces."),
        ({"revision": "2", "pieces_500": "1"}, "skips; the next one is 1"),
        ({"pieces_500": "1"}, "nothing was saved"),
    ],
)
def test_a_count_that_fails_is_shown_again_and_writes_nothing(
    supervisor: PagePerson, sent: dict[str, str], said: str
) -> None:
    page = supervisor.post(OPENER, sent)
    assert page.status_code == 422
    assert said in text_of(page)
    assert not Count.objects.filter(session__key="T2/S1").exists()


def test_a_press_too_early_is_refused_on_a_page(supervisor: PagePerson) -> None:
    early = supervisor.post(f"{OPENER}agreed/")
    assert early.status_code == 409
    assert TableSession.objects.get(key="T2/S1").state == TableSession.State.OPENING


def test_a_table_closes_the_same_way(floor: House) -> None:
    supervisor, dealer = PagePerson(floor, "supervisor"), PagePerson(floor, "dealer", table="T1")
    assert supervisor.post("/tables/T1/start-closing/").status_code == 409
    supervisor.post("/tables/T1/shoes/1/end/", {"stub_cards": "415"})
    page = supervisor.get("/tables/T1/")
    assert [label for label, _url in page.context["posts"]] == ["Close table"]
    begun = supervisor.post("/tables/T1/start-closing/")
    closer = "/tables/T1/counts/closer/"
    assert begun["Location"] == closer
    for person in (supervisor, dealer):
        assert person.post(closer, {"revision": "1", **PIECES}).status_code == 302
    assert supervisor.post(f"{closer}agreed/").status_code == 302
    assert "T1 closed" in text_of(supervisor.get("/tables/T1/"))
