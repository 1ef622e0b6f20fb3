"""The felt in a browser: what lies on it, what was handed over, and what the bank gained."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Site
from tests.web.test_glass import (
    FIRST_TWO_LAPS,
    THIRD_LAP,
    fits,
    glass,
    key_cards,
    place_bets,
    touch,
)

# Seat and outcome are shapes and numbers for the eye, and words for who hears them.
NAMED = re.compile(r"^Seat 1 Main (win|lose|push) [0-9,]+$")

pytestmark = pytest.mark.browser


def test_swept_wagers_are_gone_from_the_felt_and_the_others_lie_in_the_order_of_the_rules(
    site: Site,
) -> None:
    page = glass(site)
    touch(page, "primary")
    page.wait_for_selector('[data-key="kind-main"]')
    touch(page, "seat-1", "kind-jacks", "chip-10000", "kind-pair", "chip-10000")
    touch(page, "kind-main", "chip-100000")
    wagers = page.locator('[data-seat="1"] .felt-wager > span')
    assert wagers.all_inner_texts() == ["Main", "Pair", "Jacks"]
    touch(page, "primary")
    page.wait_for_selector('[data-key="rank-A"]')
    key_cards(page, ["KS", "7D", "KH", "2S"])
    expect(page.locator(".pad-title")).to_have_text("Sweep the pair wagers")
    touch(page, "primary")
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    assert wagers.all_inner_texts() == ["Main", "Jacks"]


def test_a_seat_whose_wagers_all_went_in_the_sweep_is_through_and_not_empty(site: Site) -> None:
    page = glass(site)
    touch(page, "primary")
    page.wait_for_selector('[data-key="kind-main"]')
    touch(page, "seat-1", "kind-pair", "chip-10000", "seat-2", "kind-main", "chip-100000")
    touch(page, "primary")
    page.wait_for_selector('[data-key="rank-A"]')
    key_cards(page, ["KS", "7D", "9C", "KH", "2S", "8D"])
    touch(page, "primary")
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    seat = page.locator('[data-seat="1"]')
    expect(seat).to_have_attribute("data-state", "saved")
    expect(seat.locator(".felt-decision")).to_have_text("settled")
    assert seat.locator(".felt-wager").count() == 0
    assert page.locator('[data-seat="2"] .felt-decision').count() == 0
    fits(page)


def test_what_was_handed_otherwise_stands_beside_what_was_owed_and_the_bank_follows(
    site: Site,
) -> None:
    page = glass(site)
    place_bets(page, pair=False)
    key_cards(page, FIRST_TWO_LAPS)
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    key_cards(page, THIRD_LAP)
    page.wait_for_selector(".pad-due")
    before = page.inner_text(".felt-bank b")
    touch(page, "due-2", "line-2/main")
    for digit in "2000":
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    expect(page.locator('[data-seat="2"] .felt-owed')).to_have_text("Owed1,950")
    assert page.locator(".felt-owed").count() == 1
    after = page.inner_text(".felt-bank b")
    assert whole(before) - whole(after) == 50
    touch(page, "primary")
    expect(page.locator(".pad-title")).to_have_text("Round 1 is settled")
    expect(page.locator(".pad-note")).to_have_text(f"Bank {after}")
    expect(page.locator(".pad-differs")).to_contain_text("Handed over +50 against what was owed")
    fits(page)


def test_a_bet_under_a_hold_is_not_paid_and_says_so(site: Site) -> None:
    page = glass(site)
    place_bets(page, pair=False)
    site.paper.disputed.add((2, "main"))
    key_cards(page, FIRST_TWO_LAPS)
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    key_cards(page, THIRD_LAP)
    page.wait_for_selector(".pad-due")
    seat = page.locator('[data-seat="2"]')
    expect(seat.locator(".felt-total")).to_have_text("0")
    expect(seat.locator(".felt-line")).to_have_text("Mainheld")
    assert page.locator(".felt-owed").count() == 0, "it is no mispay"
    due = page.locator('[data-key="due-2"]')
    expect(page.locator('[data-key="due-1"]')).to_have_accessible_name(NAMED)
    expect(due).to_contain_text("held")
    assert due.get_attribute("data-differs") is None
    expect(page.locator("[data-primary]")).not_to_contain_text("1,950")
    fits(page)
    touch(page, "due-2")
    expect(page.locator('[data-key="line-2/main"]')).to_contain_text("heldHanded 0")
    touch(page, "primary")
    touch(page, "primary")
    expect(page.locator(".pad-title")).to_have_text("Round 1 is settled")
    assert page.locator(".pad-differs").count() == 0
    assert site.paper.handed[(2, "main")] == 0
    fits(page)


def whole(amount: str) -> int:
    """Read an amount as the glass writes it."""
    return int(amount.replace(",", "").replace("\u2212", "-"))
