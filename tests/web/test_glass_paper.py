"""The returning tablet asks how many rounds were dealt on paper, and is in nobody's way before."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Site
from tests.web.test_glass import fits, glass, strip, title, touch

pytestmark = pytest.mark.browser

AWAY = "This tablet was away."


def kept(site: Site) -> list[str]:
    """Where numbers were asked for."""
    return [path for method, path in site.calls if method == "POST"]


def test_numbers_are_kept_and_the_next_round_opens_behind_them(site: Site) -> None:
    page = glass(site)
    expect(page.locator("#pad")).not_to_contain_text(AWAY)
    touch(page, "paper")
    assert title(page) == "How many rounds were dealt on paper?"
    expect(page.locator(".pad-note")).to_contain_text("Shoe 7, rounds so far: 0")
    expect(page.locator("[data-primary]")).to_be_disabled()
    touch(page, "digit-1")
    expect(page.locator("[data-primary]")).to_have_text("Keep number 1")
    touch(page, "digit-2")
    expect(page.locator("[data-primary]")).to_have_text("Keep numbers 1 to 12")
    touch(page, "digit-back", "digit-back", "digit-3")
    fits(page)
    touch(page, "primary")
    strip(page, "saved")
    expect(page.locator("#strip")).to_contain_text("Rounds on paper: 3")
    assert kept(site) == ["/api/v1/tables/T1/shoes/7/awaited"]
    assert site.paper.awaited == 3
    expect(page.locator("[data-primary]")).to_have_text("Open round 4")


def test_it_is_keyed_on_the_keyboard_and_left_without_a_trace(site: Site) -> None:
    page = glass(site)
    touch(page, "paper")
    page.keyboard.press("9")
    page.keyboard.press("9")
    page.keyboard.press("9")
    expect(page.locator(".pad-count")).to_have_text("99")
    expect(page.locator("#pad")).to_contain_text("At most 80 rounds at once.")
    expect(page.locator("[data-primary]")).to_be_disabled()
    page.keyboard.press("Backspace")
    expect(page.locator(".pad-count")).to_have_text("9")
    touch(page, "paper-none")
    assert title(page) == "Ready for the first round of this shoe"
    assert kept(site) == []


def test_without_an_answer_the_same_call_is_sent_again_and_keeps_them_once(site: Site) -> None:
    page = glass(site)
    touch(page, "paper", "digit-2")
    site.forget_next = True
    touch(page, "primary")
    strip(page, "held")
    assert site.paper.awaited == 2
    touch(page, "again")
    strip(page, "saved")
    assert site.paper.awaited == 2
    assert kept(site) == ["/api/v1/tables/T1/shoes/7/awaited"] * 2


def test_a_refusal_says_what_and_keeps_what_was_keyed(site: Site) -> None:
    page = glass(site)
    touch(page, "paper", "digit-2")
    site.paper.awaited = 1
    touch(page, "primary")
    strip(page, "refused")
    expect(page.locator("#strip")).to_contain_text("Shoe T1/7 has 1 rounds.")
    expect(page.locator(".pad-count")).to_have_text("2")
    expect(page.locator("[data-primary]")).to_have_text("Keep numbers 2 to 3")
    touch(page, "primary")
    strip(page, "saved")
    assert site.paper.awaited == 3


def test_a_tablet_that_was_away_asks_by_itself_between_rounds(site: Site) -> None:
    page = site.context.new_page()
    page.clock.install()
    page.goto("http://casino.test/page/glass/")
    page.wait_for_selector("#pad [data-primary]")
    away_for(site, page, milliseconds=10_000)
    expect(page.locator("#pad")).not_to_contain_text(AWAY)
    away_for(site, page, milliseconds=60_000)
    expect(page.locator("#pad")).to_contain_text(AWAY)
    touch(page, "paper", "paper-none")
    expect(page.locator("#pad")).not_to_contain_text(AWAY)


def test_a_tablet_that_was_switched_off_meanwhile_asks_when_it_is_loaded_again(site: Site) -> None:
    page = site.context.new_page()
    page.clock.install()
    page.goto("http://casino.test/page/glass/")
    page.wait_for_selector("#pad [data-primary]")
    off_for(page, milliseconds=10_000)
    expect(page.locator("#pad")).not_to_contain_text(AWAY)
    off_for(page, milliseconds=60_000)
    expect(page.locator("#pad")).to_contain_text(AWAY)
    # Nobody has answered yet: the question stands until somebody does.
    off_for(page, milliseconds=5_000)
    expect(page.locator("#pad")).to_contain_text(AWAY)
    touch(page, "paper", "paper-none")
    off_for(page, milliseconds=5_000)
    expect(page.locator("#pad")).not_to_contain_text(AWAY)


def test_who_prepared_a_shoe_elsewhere_was_not_away(site: Site) -> None:
    site.paper.shoe_state = "preparing"
    page = site.context.new_page()
    page.clock.install()
    page.goto("http://casino.test/page/glass/")
    page.wait_for_selector('#glass[data-screen="no_shoe"]')
    site.paper.shoe_state = "ready"
    off_for(page, milliseconds=60_000)
    expect(page.locator("#pad")).not_to_contain_text(AWAY)


def off_for(page: Page, *, milliseconds: int) -> None:
    """Leave the page for so long, then load it anew."""
    page.goto("about:blank")
    page.clock.run_for(milliseconds)
    page.goto("http://casino.test/page/glass/")
    page.wait_for_selector("#pad [data-primary]")


def away_for(site: Site, page: Page, *, milliseconds: int) -> None:
    """Lose the connection for so long, then let the page ask again."""
    site.away = True
    page.clock.run_for(milliseconds)
    expect(page.locator("#strip")).to_contain_text("No connection")
    site.away = False
    page.clock.run_for(5_000)
    expect(page.locator("#strip")).not_to_contain_text("No connection")
