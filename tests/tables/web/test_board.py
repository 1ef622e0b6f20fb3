"""The pit board and the glass: what a table is in one word, what waits, and the refresh."""

from datetime import timedelta

import pytest
from django.utils import timezone

from settlements.services.settle import settle_round
from tables.services.sessions import start_session
from tables.services.shoes import mark_cut_card, prepare_shoe
from tests.factories.house import (
    House,
    bet,
    key,
    open_floor,
    open_round,
    open_the_table,
    play_round,
)
from tests.support.pages import Page, PagePerson, text_of

BOARD = "/pit/P1/"
T = ("T2", "T3", "T9")
ONE = {1: {"main": 10_000}}
HANDS = {1: ["8H", "8C", "KD"], 0: ["5S", "3D", "QC"]}


@pytest.fixture
def now(floor: House) -> House:
    """The house today: T1 was opened long ago, the other tables open as of now."""
    return floor.at(minutes=(timezone.now() - floor.now) / timedelta(minutes=1))


def tiles(house: House) -> dict[str, dict[str, object]]:
    """The board's tiles by table."""
    page = PagePerson(house, "surveillance").get(BOARD)
    return {tile["code"]: tile for tile in page.context["board"]["tiles"]}


def waiting(house: House) -> dict[str, str]:
    """What waits, by table."""
    page = PagePerson(house, "supervisor").get(BOARD)
    return {item.table: item.what for item in page.context["board"]["waiting"]}


def test_a_tile_draws_no_shoe_where_there_is_none(now: House) -> None:
    open_the_table(now, "T2")
    open_floor(now, "T3")
    page = PagePerson(now, "surveillance").get(BOARD).content.decode()
    drawn = {code: page.partition(f'id="tile-{code}"')[2].partition("</article>")[0] for code in T}
    assert "1 of 416 cards out" in drawn["T3"]  # one was burned
    for code in ("T2", "T9"):
        assert "cards out" not in drawn[code]
        assert "416" not in drawn[code]
        assert '<div class="shoe-strip"></div>' in drawn[code]  # its room, so that nothing moves


def test_a_tile_says_what_its_table_is(now: House) -> None:
    start_session(table="T2", by=now.acting("supervisor"))
    open_the_table(now, "T3")
    open_the_table(now, "T4")
    prepare_shoe(table="T4", by=now.acting("dealer", table="T4"))
    open_floor(now, "T5")
    open_floor(now, "T6")
    bet(now, open_round(now, table="T6"), ONE)
    shown = tiles(now)
    assert {code: tile["state"] for code, tile in shown.items()} == {
        "T1": "overrun",
        "T2": "opening",
        "T3": "no_shoe",
        "T4": "no_shoe",
        "T5": "ready",
        "T6": "in_play",
        "T7": "closed",
        "T8": "closed",
        "T9": "closed",
    }
    assert (shown["T6"]["round_number"], shown["T6"]["stage"]) == (1, "betting")
    assert (shown["T7"]["handle_minor"], shown["T7"]["result_minor"]) == (None, None)


def test_what_waits_for_somebody_stands_first(now: House) -> None:
    start_session(table="T2", by=now.acting("supervisor"))
    open_the_table(now, "T3")
    prepare_shoe(table="T3", by=now.acting("dealer", table="T3"))
    open_floor(now, "T4")
    mark_cut_card(table="T4", shoe=1, by=now.acting("dealer", table="T4"))
    assert waiting(now) == {
        "T2": "Both counts of the opener",
        "T3": "Shoe 1 to prepare",
        "T4": "The cut card is out: end shoe 1",
    }


def test_money_adds_up_and_a_difference_is_trouble(now: House) -> None:
    open_floor(now, "T2")
    play_round(now, ONE, HANDS, table="T2")
    name = open_round(now, table="T2")
    bet(now, name, ONE)
    key(now, name, dict(enumerate(["8H", "5S", "8C", "3D", "KD", "QC"], start=1)))
    by = now.acting("dealer", table="T2")
    settle_round(name=name, part="final", revision=1, handed={(1, "main"): 25_000}, by=by)
    assert tiles(now)["T7"]["last_at"] is None
    tile = tiles(now)["T2"]
    assert (tile["rounds"], tile["handle_minor"], tile["result_minor"]) == (2, 20_000, -25_000)
    assert tile["trouble"] is not None
    assert "Handed over otherwise than owed" in text_of(PagePerson(now, "manager").get(BOARD))


def test_the_refresh_is_the_inside_alone_and_says_that_nobody_is_there(now: House) -> None:
    cashier = PagePerson(now, "cashier")
    whole, inside = cashier.get(BOARD), cashier.fragment(BOARD)
    assert b"<html" in whole.content
    assert b"<html" not in inside.content
    assert inside.content.strip().startswith(b'<div class="board" id="board"')
    assert b"X-Background" in inside.content
    # A reload that the browser makes by itself could not say so.
    assert b'http-equiv="refresh"' not in whole.content
    assert b"does not refresh itself" in whole.content
    first = cashier.get("/pit/")
    assert (first.status_code, first["Location"]) == (302, BOARD)


def test_the_glass_stands_at_its_own_table_alone(floor: House) -> None:
    page: Page = PagePerson(floor, "dealer", table="T2").get("/table/")
    assert page.context["table"].code == "T2"
    assert 'data-count-opener="/tables/T2/counts/opener/"' in page.content.decode()
    assert "This page needs scripts" in page.content.decode()
