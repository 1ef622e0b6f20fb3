"""A misdeal in a browser: from the board to its page, seen before it is signed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tables.models import Irregularity, Round
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.factories.house import PINS, STAFF, bet, key, open_floor, open_round

pytestmark = pytest.mark.browser

WAGERS = {1: {"main": 10_000, "pair": 1_000}, 3: {"main": 20_000, "jacks": 500}}


def test_a_misdeal_is_recorded_from_the_board(site: Site, visitors: Callable[..., Visitor]) -> None:
    open_floor(site.house, "T9")
    name = open_round(site.house, table="T9")
    bet(site.house, name, WAGERS)
    key(site.house, name, {1: "2H", 2: "8S"})
    visitor = visitors(size=TABLET)
    visitor.sign_on("supervisor")
    page = visitor.go("/pit/P1/")
    page.click('#tile-T9 a:text-is("Irregularity")')
    page.click('a.way[href*="/record/26/void/"]')
    expect(page.locator("h1")).to_contain_text("Round void (misdeal)")
    page.fill('textarea[name="seen"]', "The third card fell from the table, seat 3 saw it.")
    visitor.press("Show what happens")
    foreseen = page.locator("#foreseen")
    expect(foreseen).to_contain_text("every open stake goes back")
    expect(foreseen.locator("tfoot")).to_contain_text("315")
    assert Round.objects.get(key=name.key).stage == Round.Stage.FIRST_LAP
    assert page.input_value('textarea[name="seen"]').startswith("The third card fell")
    for n, who in enumerate(("supervisor", "manager"), start=1):
        page.fill(f'input[name="signer{n}-badge"]', STAFF[who][1])
        page.fill(f'input[name="signer{n}-secret"]', PINS[who])
    visitor.press("Sign and record")
    page.wait_for_url("**/tables/T9/irregularities/1/")
    expect(page.locator("h1")).to_contain_text("Round void (misdeal)")
    expect(page.locator("#content")).to_contain_text("seat 3 saw it")
    assert page.evaluate("document.documentElement.scrollWidth") <= TABLET["width"]
    stored = Irregularity.objects.get(table__code="T9")
    assert (stored.event, stored.procedure, stored.round_id) == (
        26,
        "void",
        Round.objects.get(key=name.key).pk,
    )
    page.click('#content dl a:text-is("T9/1/1")')
    expect(page.locator("h1")).to_contain_text("voided")
    expect(page.locator("#content")).to_contain_text("T9/I1")
