"""A round of every preset on the table page, in a browser, to the right payouts."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from settlements.models import CheckResult, Payout
from tables.models import Shoe
from tables.selectors.table_view import table_view
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.e2e.glass import Glass
from tests.factories.games import add_table
from tests.factories.house import open_floor
from tests.support.api import Json
from tests.tables.games.cases import CASES, Case
from tests.tables.terms import under_terms

pytestmark = pytest.mark.browser

_PATIENCE_S = 30
# What the glass asks for first: B deals clockwise from the bank's left, C against the clock (C10).
FIRST_CARD = {
    "pagcor-poker-lucky-9": "Seat 2, first card",
    "fixed-bank": "Seat 5, first card",
    "home": "Seat 2, first card",
}
# Four of eight seats and the bank have to draw: the most that lies on the glass.
_NINE_HANDS = (
    *("9S KS", "8S KH", "7S KD", "6S KC"),
    *("5S QS TS", "4S QH TH", "3S QD TD", "2S QC TC", "AS JS JH"),
)
CODES = {preset: f"G{number}" for number, preset in enumerate(CASES, start=1)}


@pytest.mark.parametrize("preset", CASES)
def test_a_round_of_every_preset_is_played_to_the_right_payouts(
    preset: str, site: Site, visitors: Callable[..., Visitor]
) -> None:
    case, code = CASES[preset], CODES[preset]
    dealer = _dealer(site, visitors, preset=preset, code=code)
    glass = Glass(dealer.page)
    if case.bank_seat is not None:
        glass.asks_for("Who drew the bank?")
        expect(dealer.page.locator("[data-primary]")).to_be_disabled()
        glass.touch(f"bank-{case.bank_seat}")
    glass.go_on()
    glass.bet({seat: {"main": stake} for seat, stake in case.wagers.items()})
    assert dealer.page.locator('[data-key="kind-pair"]').count() == 0
    glass.asks_for(FIRST_CARD.get(preset, "Seat 2, first card"))
    while _round(code)["next"]["kind"] != "done":
        _do_next(glass, code, case)
    glass.asks_for("Round 1 is settled")
    glass.strip("saved")

    key = f"{code}/1/1"
    rows = Payout.objects.filter(round__key=key)
    assert {(row.seat, row.wager): (row.outcome, row.handed_minor) for row in rows} == case.paid
    _wait(lambda: CheckResult.objects.filter(round__key=key, part="final").exists())
    assert set(CheckResult.objects.filter(round__key=key).values_list("agrees", flat=True)) == {
        True
    }


def test_the_next_round_comes_from_the_pack_shuffled_anew(
    site: Site, visitors: Callable[..., Visitor]
) -> None:
    dealer = _dealer(site, visitors, preset="home", code="G9")
    glass = Glass(dealer.page)
    for seat, bank in ((4, None), (2, "Open round 1, bank at seat 2")):
        if bank is None:
            dealer.page.keyboard.press(str(seat))
        else:
            glass.touch("primary")
            expect(dealer.page.locator("[data-primary]")).to_have_text(bank)
        glass.go_on()
        glass.bet({7: {"main": 10_000}} if bank else {2: {"main": 10_000}})
        glass.key_cards(["8S", "6S", "KD", "JD"])
        glass.asks_for(f"Seat {7 if bank else 2}: draw or stand?")
        dealer.page.keyboard.press("d")
        glass.asks_for(f"Bank, seat {seat}: draw or stand?")
        dealer.page.keyboard.press("Backspace")
        glass.asks_for(f"Seat {7 if bank else 2}: draw or stand?")
        glass.touch("choice-stand")
        glass.asks_for(f"Bank, seat {seat}: draw or stand?")
        glass.touch("choice-hit")
        glass.asks_for(f"Bank, seat {seat}, third card")
        glass.key_cards(["2D"])
        glass.asks_for("Pay the round")
        assert glass.totals() == {7 if bank else 2: "100"}
        glass.go_on()
        glass.asks_for("Round 1 is settled")
        expect(dealer.page.locator("[data-primary]")).to_have_text("Shuffled and cut")

    under_terms(dealer.site.house, game="lucky-9-social", options={"decks": 2}, table="G9")
    glass.go_on()
    strip = dealer.page.locator("#strip")
    expect(strip).to_have_attribute("data-state", "refused")
    expect(strip).to_contain_text("A supervisor ends shoe 2 with its cards counted")
    assert Shoe.objects.filter(table__code="G9").count() == 2


def _dealer(site: Site, visitors: Callable[..., Visitor], *, preset: str, code: str) -> Visitor:
    """Open a table under a preset; return its dealer, signed on at its tablet."""
    house = add_table(site.house, code=code, preset=preset)
    open_floor(house, code)
    dealer = visitors(size=TABLET)
    dealer.site = replace(site, house=house)
    dealer.hold_tablet(code)
    dealer.sign_on("dealer", with_pin=True)
    dealer.page.wait_for_selector("[data-primary]")
    return dealer


def _do_next(glass: Glass, code: str, case: Case) -> None:
    """Do what the table asks for, and wait until the server has it."""
    step = _round(code)["next"]
    if step["kind"] == "ask":
        glass.touch(f"choice-{case.decisions[step['hand']]}")
        _wait(lambda: _round(code)["next"] != step)
    elif step["kind"] in ("sweep", "settle"):
        owed = _round(code)["owed"]["lines"]
        expect(glass.page.locator("#glass")).to_have_attribute("data-screen", "settle")
        shown: dict[int, int] = {}
        for line in owed:
            shown[line["seat"]] = shown.get(line["seat"], 0) + line["owed_minor"]
        assert glass.totals() == {seat: str(minor // 100) for seat, minor in shown.items()}
        glass.go_on()
        _wait(lambda: _round(code)["next"] != step)
    else:
        expect(glass.page.locator("#glass")).to_have_attribute("data-screen", "cards")
        places = _open_places(_round(code), lap=step["lap"])
        glass.key_cards(case.hands[hand].split()[lap - 1] for _draw, hand, lap in places)
        _wait(lambda: _keyed(code, {draw for draw, _hand, _lap in places}))


def _open_places(round_: Json, *, lap: int) -> list[tuple[int, int, int]]:
    """Draw, hand and lap of what can be keyed now: the first two laps run on by themselves."""
    hands = [(seat["seat"], seat["hand"]) for seat in round_["seats"]] + [(0, round_["house"])]
    places = [
        (place["draw"], hand, place["lap"])
        for hand, laid in hands
        for place in laid
        if place["face"] is None and (place["lap"] < 3) == (lap < 3)
    ]
    if lap == 3:
        places = [place for place in places if place[0] in round_["next"]["open_draws"]]
    return sorted(places)


def _keyed(code: str, draws: set[int]) -> bool:
    round_ = _round(code)
    laid = [place for seat in round_["seats"] for place in seat["hand"]] + round_["house"]
    return draws <= {place["draw"] for place in laid if place["face"]}


def _round(code: str) -> Json:
    view: Json = table_view(code)
    round_: Json = view["round"]
    return round_


def _wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "the server did not get there in time"
        time.sleep(0.05)


def test_eight_seats_fit_on_the_glass(site: Site, visitors: Callable[..., Visitor]) -> None:
    dealer = _dealer(site, visitors, preset="fixed-bank", code="G10")
    glass = Glass(dealer.page)
    glass.touch("bank-4")
    glass.go_on()
    seats = (5, 6, 7, 8, 9, 1, 2, 3)
    glass.bet({seat: {"main": 510_000} for seat in seats})
    _fits(dealer)
    hands = dict(zip((*seats, 0), _NINE_HANDS, strict=True))
    case = Case(dict.fromkeys(seats, 510_000), hands, {})
    while _round("G10")["next"]["kind"] != "settle":
        _do_next(glass, "G10", case)
    glass.asks_for("Pay the round")
    _fits(dealer)
    glass.go_on()
    glass.asks_for("Round 1 is settled")
    assert Payout.objects.filter(round__key="G10/1/1", bank="4").count() == 8


def _fits(dealer: Visitor) -> None:
    """Expect that nothing on the glass is cut off, nor runs out of its seat."""
    assert dealer.page.evaluate(
        """[...document.querySelectorAll('#pad, #felt, #strip, .felt-seat')].every(box =>
             box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1)"""
    )
