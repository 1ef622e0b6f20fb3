"""The tablet comes back: how many rounds were dealt on paper is said on the glass itself."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tables.models import Round
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.e2e.glass import Glass
from tests.factories.games import add_table
from tests.factories.house import open_floor, play_round

pytestmark = pytest.mark.browser

CODE = "E3"
ONE = {1: {"main": 10_000}}
HANDS = {1: ["8H", "8C", "KD"], 0: ["5S", "3D", "QC"]}


def test_numbers_are_kept_from_the_glass(site: Site, visitors: Callable[..., Visitor]) -> None:
    house = add_table(site.house, code=CODE, preset="pagcor-poker-lucky-9", seats=5)
    open_floor(house, CODE)
    play_round(house, ONE, HANDS, table=CODE)
    dealer = visitors(size=TABLET, scheme="dark")
    dealer.site = replace(site, house=house)
    dealer.hold_tablet(CODE)
    dealer.sign_on("dealer", with_pin=True)
    glass = Glass(dealer.page)
    glass.asks_for("Round 1 is settled")
    glass.touch("paper", "digit-2")
    expect(dealer.page.locator("[data-primary]")).to_have_text("Keep numbers 2 to 3")
    glass.go_on()
    glass.strip("saved")
    expect(dealer.page.locator("[data-primary]")).to_have_text("Open round 4")
    stages = Round.objects.filter(shoe__key=f"{CODE}/1").order_by("number")
    assert list(stages.values_list("number", "stage")) == [
        (1, "settled"),
        (2, "awaited"),
        (3, "awaited"),
    ]
    expect(dealer.page.locator("[data-primary]")).to_be_enabled()
    glass.go_on()
    glass.asks_for("Seat 1: wagers")
    assert Round.objects.get(key=f"{CODE}/1/4").stage == "betting"
    glass.touch("call-off-ask", "call-off")
    glass.asks_for("Round 4 was called off")
    expect(dealer.page.locator("[data-primary]")).to_have_text("Open round 5")
    glass.touch("paper")
    dealer.page.click('[data-key="paper-sheets"]')
    expect(dealer.page.locator("#content tbody tr")).to_have_count(2)
