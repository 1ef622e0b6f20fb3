"""Pages of rounds, shoes and tables: what they say and how many queries they take."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from casino.outbox.handlers import drain
from settlements.services.settle import settle_round
from tables.selectors.round_read import RoundName
from tables.services.cards import KeyedCard, deal_cards
from tables.services.paper import reserve_rounds
from tables.services.shoe_end import end_shoe
from tests.factories.house import (
    House,
    bet,
    key,
    open_round,
    open_the_table,
    play_round,
    ready_the_shoe,
)
from tests.support.pages import PagePerson, text_of
from tests.tables.terms import under_terms

HANDS = {1: ["8H", "8C", "KD"], 3: ["2S", "7D", "TC"], 0: ["5S", "3D", "QC"]}
WAGERS = {1: {"main": 10_000, "pair": 1_000}, 3: {"main": 20_000, "jacks": 500}}
ROUND = "/tables/T1/shoes/1/rounds/1/"
ABOVE = ("/tables/T1/", "/tables/T1/shoes/1/")


def test_a_round_page_tells_the_whole_round(floor: House) -> None:
    play_round(floor, WAGERS, HANDS)
    drain(limit=10)
    page = PagePerson(floor, "auditor").get(ROUND)
    text = text_of(page)
    for said in (
        "T1/1/1 settled",
        "Betting opened",
        "Wagers placed: Seat 1, main 100, pair 10",
        "6 cards keyed: draw 1, Seat 1, 8♥; draw 2, Seat 3, 2♠; draw 3, House, 5♠",
        "Pair wagers settled: bank −100",
        "Checked by the second engine: sweep agrees",
        "Checked by the second engine: final agrees",
        "Second engine, sweep agrees revision 1, 1 line,",
        "Second engine, final agrees revision 1, 3 lines,",
        "every hash, every link, every fact",
    ):
        assert said in text
    assert page.context["actions"] == []
    sentences = [entry["sentence"] for entry in page.context["timeline"]]
    assert len(sentences) == 9
    assert not [said for said in sentences if said.islower()]


def round_page(name: RoundName) -> str:
    """Where the page of a round is."""
    return f"/tables/{name.table}/shoes/{name.shoe}/rounds/{name.number}/"


def test_a_finding_about_a_round_stands_on_all_pages_above_it(floor: House) -> None:
    play_round(floor, WAGERS, HANDS)
    before = [PagePerson(floor, "auditor").get(at).context["findings"] for at in ABOVE]
    assert before == [[], []]
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10_000}})
    key(floor, name, dict(enumerate(["8H", "5S", "8C", "3D", "KD", "QC"], start=1)))
    by = floor.acting("dealer", table="T1")
    settle_round(name=name, part="final", revision=1, handed={(1, "main"): 25_000}, by=by)
    drain(limit=10)
    for at in (*ABOVE, round_page(name)):
        page = PagePerson(floor, "auditor").get(at)
        assert [found["number"] for found in page.context["findings"]] == ["F-1"], at
    board = PagePerson(floor, "supervisor").get("/pit/P1/").context["board"]
    waits = next(item for item in board["waiting"] if item.id == "found-T1")
    assert (waits.what, waits.url) == ("1 open finding", "/audit/findings/?table_code=T1")
    # The API refuses findings to who deals and to the cage: the pages hold none for them either.
    dealer, cashier = PagePerson(floor, "dealer", table="T1"), PagePerson(floor, "cashier")
    blind = [(dealer, at) for at in (*ABOVE, round_page(name))]
    for person, at in [*blind, (cashier, "/tables/T1/"), (cashier, "/pit/P1/")]:
        page = person.get(at)
        assert page.status_code == 200, at
        assert "1 open finding" not in text_of(page), at
        for shown in ("/audit/findings/", ">Findings<"):
            assert shown not in page.content.decode(), at


def test_a_round_that_waits_for_its_sheet_shows_nothing_that_nobody_knows(floor: House) -> None:
    reserve_rounds(table="T1", shoe=1, rounds=1, after=0, by=floor.acting("supervisor"))
    text = text_of(PagePerson(floor, "auditor").get(ROUND))
    assert "This number waits for its sheet." in text
    assert "Number kept" in text
    assert "No wager" not in text
    assert "Nothing is settled yet" not in text


def test_what_was_taken_back_or_superseded_stays_on_the_page(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10_000}})
    bet(floor, name, {1: {"main": 20_000}}, revision=2)
    key(floor, name, {1: "2H"})
    by = floor.acting("dealer", table="T1")
    deal_cards(name=name, cards=[KeyedCard(draw=1, revision=2, face=None)], by=by)
    key(floor, name, {1: "3H"}, revision=3)
    page = PagePerson(floor, "supervisor").get(ROUND)
    text = text_of(page)
    assert "Card taken back: draw 1, Seat 1 (revision 2)" in text
    assert "Card keyed: draw 1, Seat 1, 3♥ (revision 3)" in text
    assert '<del class="card-was">' in page.content.decode()
    assert "100 200" in text
    (void, url, is_grave), (dispute, _url, _grave) = page.context["actions"]
    assert (void, is_grave, dispute) == ("Void round", True, "Open dispute")
    form = PagePerson(floor, "supervisor").get(url)
    assert "Round void (misdeal)" in text_of(form)
    assert form.context["playing"]["key"] == name.key


def test_an_amount_handed_over_otherwise_stands_out(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10_000}})
    key(floor, name, dict(enumerate(["8H", "5S", "8C", "3D", "KD", "QC"], start=1)))
    by = floor.acting("dealer", table="T1")
    settle_round(name=name, part="final", revision=1, handed={(1, "main"): 25_000}, by=by)
    text = text_of(PagePerson(floor, "auditor").get(ROUND))
    assert "handed over +50 against what was owed" in text


def rounds(house: House, *, count: int) -> None:
    """Deal rounds of one seat at T1."""
    for _round in range(count):
        play_round(house, {1: {"main": 10_000}}, {1: HANDS[1], 0: HANDS[0]})


def shoes(house: House, *, count: int) -> None:
    """End the shoe of T1 and ready the next."""
    for number in range(1, count + 1):
        end_shoe(table="T1", shoe=number, stub_cards=415, by=house.acting("supervisor"))
        ready_the_shoe(house)


def tables(house: House, *, count: int) -> None:
    """Open tables beside T1."""
    for number in range(2, count + 2):
        open_the_table(house, f"T{number}")
        ready_the_shoe(house, f"T{number}")


@pytest.mark.parametrize(
    ("path", "more", "queries"),
    [
        ("/tables/T1/shoes/1/", rounds, 10),
        ("/tables/T1/", shoes, 14),
        ("/pit/P1/", tables, 4),
    ],
)
@pytest.mark.parametrize("lines", [1, 3])
def test_a_list_takes_the_same_queries_however_long_it_is(
    floor: House,
    django_assert_num_queries: DjangoAssertNumQueries,
    path: str,
    more: Callable[..., None],
    queries: int,
    lines: int,
) -> None:
    more(floor, count=lines)
    auditor = PagePerson(floor, "auditor")
    auditor.get(path)
    with django_assert_num_queries(queries):
        page = auditor.get(path)
    assert page.status_code == 200


def test_a_round_page_takes_as_many_queries_for_five_seats_as_for_one(floor: House) -> None:
    hand = ["2S", "7D", "TC"]
    for seats in (1, 5):
        wagers = {seat: {"main": 10_000, "pair": 1_000} for seat in range(1, seats + 1)}
        play_round(floor, wagers, {**dict.fromkeys(wagers, hand), 0: HANDS[0]})
    auditor = PagePerson(floor, "auditor")
    counts = []
    for number in (1, 2):
        path = f"/tables/T1/shoes/1/rounds/{number}/"
        auditor.get(path)
        with CaptureQueriesContext(connection) as queries:
            assert auditor.get(path).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_table_page_says_its_terms_in_words(floor: House) -> None:
    under_terms(
        floor,
        procedures={"correction_limit_minor": 250_000, "burn": "first_card_value"},
        limits={"min": {"main": 10_000, "pair": 2_000}, "max": {"main": 500_000}},
    )
    text = text_of(PagePerson(floor, "auditor").get("/tables/T2/"))
    for said in (
        "A manager signs corrections above 2,500",
        "Burn before the first round the first card and as many as it counts",
        "Main 100 – 5,000",
        "Pair from 20 , no maximum",
    ):
        assert said in text, (said, text)
    for code in ("minor", "first card value", "250000", "rank suit"):
        assert code not in text


def test_a_shoe_page_says_how_it_was_prepared_and_what_is_stated(floor: House) -> None:
    rounds(floor, count=1)
    supervisor = PagePerson(floor, "supervisor")
    before = text_of(supervisor.get("/tables/T1/shoes/1/"))
    for said in ("Shuffled", "Checked", "Cut", "Burned", "Round 1", "End shoe"):
        assert said in before
    ended = supervisor.post("/tables/T1/shoes/1/end/", {"stub_cards": "409"})
    assert (ended.status_code, ended["Location"]) == (302, "/tables/T1/shoes/1/")
    after = text_of(supervisor.get("/tables/T1/shoes/1/"))
    assert "6 dealt + 1 burned + 409 stub = 416" in after
    assert "1 face is not known." in after


def test_a_table_page_offers_the_next_act_to_who_may_do_it(floor: House) -> None:
    supervisor, auditor = PagePerson(floor, "supervisor"), PagePerson(floor, "auditor")
    closed = supervisor.get("/tables/T2/")
    assert [label for label, _url in closed.context["posts"]] == ["Open table"]
    assert "The table is closed." in text_of(closed)
    in_use = supervisor.get("/tables/T1/")
    assert "End shoe" in [label for label, _url in in_use.context["actions"]]
    for path in ("/tables/T1/", "/tables/T2/"):
        page = auditor.get(path)
        assert (page.context["actions"], page.context["posts"]) == ([], [])
    text = text_of(in_use)
    assert "Main from 0.01 , no maximum" in text
    assert "Tie" not in text
