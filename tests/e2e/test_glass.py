"""The glass against the real server when things go wrong, by the other hand, and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from casino.people.models import SignOn
from settlements.models import Payout
from tables.models import Card, Round
from tests.e2e.conftest import Site
from tests.e2e.glass import Glass
from tests.factories.house import PINS, STAFF, play_round

pytestmark = pytest.mark.browser

GlassAt = Callable[[str], Glass]
ONE_SEAT = {2: {"main": 100_000}}


def facts(key: str) -> list[tuple[int, int, str, bool]]:
    """The card facts of a round: draw, revision, face, as seen."""
    rows = Card.objects.filter(round__key=key).order_by("draw", "revision")
    return [(row.draw, row.revision, row.face, row.as_seen) for row in rows]


def test_a_cut_network_keeps_the_cards_and_sends_them_once(site: Site, glass_at: GlassAt) -> None:
    glass = glass_at("T3")
    glass.go_on()
    glass.bet(ONE_SEAT)
    glass.key_cards(["KS"])
    glass.strip("saved")

    glass.page.route("**/api/**", lambda route: route.abort())
    glass.key_cards(["7D", "9H"])
    glass.strip("held")
    expect(glass.page.locator("#strip")).to_contain_text("Not saved. Only on this glass")
    expect(glass.page.locator(".card-held")).to_have_count(2)
    assert facts("T3/1/1") == [(1, 1, "KS", False)]
    glass.touch("again")
    glass.strip("held")

    glass.page.unroute("**/api/**")
    glass.touch("again")
    glass.strip("saved")
    expect(glass.page.locator(".card-held")).to_have_count(0)
    assert facts("T3/1/1") == [(1, 1, "KS", False), (2, 1, "7D", False), (3, 1, "9H", False)]
    sign_on_anew_and_pay_otherwise(site, glass)


def sign_on_anew_and_pay_otherwise(site: Site, glass: Glass) -> None:
    """What was keyed outlives the end of a sign-on; an amount keyed outlives a reload."""
    number, badge, _role = STAFF["dealer"]
    SignOn.objects.filter(staff__number=number).delete()
    glass.key_cards(["JC"])
    expect(glass.page.locator("#strip")).to_have_attribute("data-state", "refused")
    expect(glass.page.locator(".card-held")).to_have_count(1)
    glass.page.goto(f"{site.url}/sign-on/")
    glass.page.fill('input[name="badge"]', badge)
    glass.page.fill('input[name="secret"]', PINS["dealer"])
    glass.page.click('#content button[type="submit"]')
    glass.strip("saved")
    assert facts("T3/1/1")[3:] == [(4, 1, "JC", False)]

    glass.key_cards(["2S", "3C"])
    glass.asks_for("Pay the round")
    glass.touch("due-2", "line-2/main", "digit-7")
    glass.go_on()
    glass.page.reload()
    glass.asks_for("Pay the round")
    expect(glass.page.locator('[data-key="due-2"]')).to_have_attribute("data-differs", "")
    glass.go_on()
    glass.asks_for("Round 1 is settled")
    assert Payout.objects.get(round__key="T3/1/1").handed_minor == 700


def test_an_answer_that_gets_lost_makes_one_fact(glass_at: GlassAt) -> None:
    glass = glass_at("T4")
    glass.go_on()
    glass.bet(ONE_SEAT)

    def swallow(route: Route) -> None:
        route.fetch()
        route.abort()

    glass.page.route("**/cards", swallow)
    glass.tap_cards(["KS"])
    glass.strip("held")
    assert facts("T4/1/1") == [(1, 1, "KS", False)]
    glass.page.unroute("**/cards")
    glass.page.keyboard.press("Enter")
    glass.strip("saved")
    glass.asks_for("House, first card")
    assert facts("T4/1/1") == [(1, 1, "KS", False)]
    undo_and_key_again(glass)


def undo_and_key_again(glass: Glass) -> None:
    """Take back a rank, then the card before; each is a revision of its own."""
    glass.tap_cards(["7D"])
    glass.asks_for("Seat 2, second card")
    glass.touch("rank-9", "undo")
    glass.touch("undo")
    glass.asks_for("House, first card")
    glass.tap_cards(["8D"])
    glass.asks_for("Seat 2, second card")
    glass.strip("saved")
    assert facts("T4/1/1")[1:] == [(2, 1, "7D", False), (2, 2, "", False), (2, 3, "8D", False)]


def test_one_copy_too_many_is_asked_about_and_kept_as_seen(site: Site, glass_at: GlassAt) -> None:
    glass = glass_at("T5")
    nines = ["9C"] * 3
    play_round(site.house, ONE_SEAT, {2: nines, 0: nines}, table="T5")
    play_round(site.house, ONE_SEAT, {2: ["9C", "9C", "2H"], 0: ["3S", "4S", "5S"]}, table="T5")
    glass.page.reload()
    glass.asks_for("Round 2 is settled")
    glass.go_on()
    glass.bet(ONE_SEAT)

    glass.key_cards(["9C"])
    glass.asks_for("One nine of clubs too many")
    expect(glass.page.locator(".pad-places li")).to_have_count(8)
    glass.strip("held")
    assert facts("T5/1/3") == []
    glass.go_on()
    glass.asks_for("Seat 2, first card")
    glass.key_cards(["9C"])
    glass.asks_for("One nine of clubs too many")
    glass.touch("as-seen")
    glass.asks_for("House, first card")
    glass.strip("saved")
    assert facts("T5/1/3") == [(1, 1, "9C", True)]


def test_a_round_by_keyboard_alone_with_the_keys_at_the_left(glass_at: GlassAt) -> None:
    glass = glass_at("T6")
    glass.page.click("#hand")
    glass.page.reload()
    glass.asks_for("Ready for the first round of this shoe")
    pad = glass.page.locator("#pad").bounding_box()
    assert pad is not None
    assert pad["x"] == 0

    press = glass.page.keyboard.press
    expect(glass.page.locator("[data-primary]")).to_be_enabled()
    press("Enter")
    glass.bet_by_keyboard({1: {"main": 600_000, "pair": 20_000}, 4: {"main": 100_000}})
    glass.key_cards(["KS", "7D", "5S", "KH", "2S", "JS"])
    glass.asks_for("Sweep the pair wagers")
    expect(glass.page.locator("[data-primary]")).to_be_enabled()
    press("Enter")
    glass.asks_for("Seat 1, third card")
    glass.key_cards(["9D", "3C"])
    glass.asks_for("House, third card")
    press("3")
    press("Backspace")
    glass.key_cards(["JC"])
    glass.asks_for("Pay the round")
    press("Enter")
    glass.asks_for("Round 1 is settled")
    expect(glass.page.locator("[data-primary]")).to_be_enabled()
    press("Enter")
    glass.asks_for("Seat 1: wagers")
    press("=")
    expect(glass.seat(1)).to_contain_text("6,000")
    assert Round.objects.filter(key__startswith="T6/1/").count() == 2
