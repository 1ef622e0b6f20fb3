"""Where disputes are found: board, table, round, register; and who may see and do what."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories.house import House, open_round, play_round
from tests.settlements.disputing import (
    FILE,
    OPEN,
    PAGE,
    ROUND,
    TYPED,
    hold,
    ready_to_rule,
    signing,
)
from tests.support.pages import PagePerson, text_of
from tests.support.records import nothing_recorded
from tests.tables.irregularities.ruling import DEAL


@pytest.fixture
def house(floor: House) -> House:
    """A house with enough people to sign and a manager in charge; its first round is settled."""
    return ready_to_rule(floor)


def test_a_dispute_is_opened_from_the_table_and_the_board(house: House) -> None:
    supervisor = PagePerson(house, "supervisor")
    assert 'href="/tables/T1/dispute/"' in supervisor.get("/tables/T1/").content.decode()
    assert 'href="/tables/T1/dispute/"' in supervisor.get("/pit/P1/").content.decode()
    assert 'href="/tables/T1/dispute/"' not in (
        PagePerson(house, "auditor").get("/pit/P1/").content.decode()
    )
    asked = supervisor.get("/tables/T1/dispute/")
    assert f'href="{OPEN}"' in asked.content.decode()
    assert "No round has been dealt" in text_of(supervisor.get("/tables/T2/dispute/"))
    assert supervisor.get("/tables/T99/dispute/").status_code == 404


def test_board_and_table_show_an_open_hold(house: House) -> None:
    before = PagePerson(house, "supervisor").get("/pit/P1/").context["board"]["tiles"][0]
    assert before["held_minor"] is None
    hold(house)
    board = PagePerson(house, "supervisor").get("/pit/P1/")
    (waits,) = [item for item in board.context["board"]["waiting"] if item.id == "held-T1"]
    assert (waits.what, waits.url) == ("1 dispute hold, 50", PAGE)
    assert board.context["board"]["tiles"][0]["held_minor"] == 5000
    assert "In dispute 50" in text_of(board)
    table = text_of(PagePerson(house, "supervisor").get("/tables/T1/"))
    assert "T1/1/1, Seat 3, Main: 50 PHP, held for" in table
    cashier = PagePerson(house, "cashier")
    links = {item.id: item.url for item in cashier.get("/pit/P1/").context["board"]["waiting"]}
    assert links["held-T1"] == "/tables/T1/"
    assert PAGE not in cashier.get("/tables/T1/").content.decode()
    hold(house, number=2, seat=1, amount=1000)
    board = PagePerson(house, "supervisor").get("/pit/P1/")
    (waits,) = [item for item in board.context["board"]["waiting"] if item.id == "held-T1"]
    assert (waits.what, waits.url) == ("2 dispute holds, 60", "/disputes/?table=T1")


def test_the_register_lists_what_is_open_first_and_filters(house: House) -> None:
    for number, seat in ((1, 3), (2, 1), (3, 3)):
        hold(house.at(minutes=number), number=number, seat=seat)
    supervisor = PagePerson(house, "supervisor")
    supervisor.post(f"{PAGE}ruling/", signing("supervisor", "manager"))
    page = PagePerson(house, "auditor").get("/disputes/")
    keys = [line["key"] for line in page.context["disputes"]]
    assert keys == ["T1/D2", "T1/D3", "T1/D1"]
    assert page.context["sentence"] == "Open and ruled disputes."
    counts = {count["state"]: (count["n"], count["minor"]) for count in page.context["counts"]}
    assert counts == {"open": (2, 10000), "house": (0, 0), "patron": (1, 5000)}

    def listed(query: str) -> list[str]:
        found = PagePerson(house, "auditor").get(f"/disputes/?{query}")
        return [line["key"] for line in found.context["disputes"]]

    assert listed("state=open") == ["T1/D2", "T1/D3"]
    assert listed("state=patron") == ["T1/D1"]
    assert listed("state=house") == []
    assert listed("table=T2") == []
    assert listed("table=T1&opened_from=2026-03-01&opened_to=2026-03-02") == keys
    assert listed("opened_to=2026-02-27") == []
    for odd in ("state=x", "opened_from=yesterday", "page=0", "page=x", "opened_to=9999-12-31"):
        assert listed(odd) == keys, odd
    for far in ("9" * 19, "9" * 4301):
        assert listed(f"page={far}") == []
    assert listed(f"page={'0' * 4300}1") == keys


@pytest.mark.parametrize("rows", [1, 3])
def test_lists_take_the_same_statements_for_one_and_for_three(house: House, rows: int) -> None:
    for number in range(1, rows + 1):
        hold(house, number=number, seat=(3, 1, 3)[number - 1])
        if number > 1:
            play_round(house, {1: {"main": 10_000}}, {1: DEAL[:3], 0: DEAL[3:6]})
    supervisor = PagePerson(house, "supervisor")
    supervisor.post(f"{PAGE}file/", FILE)
    counted = {}
    for path in ("/disputes/", "/tables/T1/dispute/"):
        supervisor.get(path)
        with CaptureQueriesContext(connection) as captured:
            assert supervisor.get(path).status_code == 200
        counted[path] = len(captured)
    assert counted == {"/disputes/": 4, "/tables/T1/dispute/": 3}


@pytest.mark.parametrize(
    ("name", "reads", "acts"),
    [
        ("supervisor", True, True),
        ("manager", True, True),
        ("auditor", True, False),
        ("surveillance", True, False),
        ("cashier", False, False),
        ("dealer", False, False),
    ],
)
def test_who_may_read_and_who_may_act(house: House, name: str, reads: bool, acts: bool) -> None:
    hold(house)
    person = PagePerson(house, name, table="T1" if name == "dealer" else None)
    for path in ("/disputes/", PAGE):
        assert person.get(path).status_code == (200 if reads else 403), path
    for path in (OPEN, "/tables/T1/dispute/", f"{PAGE}file/", f"{PAGE}ruling/"):
        assert person.get(path).status_code == (200 if acts else 403), path
    if not acts:
        with nothing_recorded():
            assert person.post(OPEN, TYPED).status_code == 403
            assert person.post(f"{PAGE}file/", FILE).status_code == 403
            sent = signing("supervisor", "manager")
            assert person.post(f"{PAGE}ruling/", sent).status_code == 403
    page = person.get(PAGE).content.decode() if reads else ""
    assert ("Rule dispute" in page) == acts


def test_who_deals_sees_on_the_round_that_it_is_held_and_not_the_file(house: House) -> None:
    hold(house)
    dealer = PagePerson(house, "dealer", table="T1")
    page = dealer.get(ROUND)
    assert "T1/D1" in text_of(page)
    assert PAGE not in page.content.decode()
    assert "Open dispute" not in text_of(page)


def test_a_dispute_that_is_not_there_and_a_round_without_cards_are_said(house: House) -> None:
    supervisor = PagePerson(house, "supervisor")
    for path in ("/disputes/T1/9/", "/disputes/T9/1/", "/disputes/T1/9/file/", f"{PAGE}ruling/"):
        answer = supervisor.get(path)
        assert answer.status_code == 404, path
        assert "no dispute" in text_of(answer)
    open_round(house)
    assert supervisor.get("/tables/T1/shoes/1/rounds/2/dispute/").status_code == 200
    assert supervisor.get("/tables/T1/shoes/1/rounds/9/dispute/").status_code == 404
