"""A round is corrected in a browser: the bill is made anew freely, and Enter signs it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables.models import Card
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.factories.games import add_table
from tests.factories.house import PINS, STAFF, open_floor, play_round

pytestmark = pytest.mark.browser

TABLE = "E2"
ROUND = f"/tables/{TABLE}/shoes/1/rounds/1/"
WAGERS = {1: {"main": 10_000}, 3: {"main": 20_000}}
HANDS = {1: ["2H", "2D", "KD"], 3: ["8S", "7C", "4C"], 0: ["5S", "3D", "QC"]}


@pytest.fixture(scope="module", autouse=True)
def table(site: Site) -> None:
    """A table of its own with a round settled."""
    there = add_table(site.house, code=TABLE, preset="pagcor-poker-lucky-9", seats=5)
    open_floor(there, TABLE)
    play_round(there, WAGERS, HANDS, table=TABLE)


def test_the_bill_is_made_anew_and_signed_with_enter(
    site: Site, visitors: Callable[..., Visitor]
) -> None:
    supervisor = visitors(size=TABLET)
    supervisor.sign_on("supervisor")
    page = supervisor.go(f"{ROUND}correct/")
    page.fill('textarea[name="reason"]', "The camera shows another card.")
    page.fill('input[name="card_9"]', "9h")
    page.press('input[name="card_9"]', "Enter")
    changed = page.locator(".bill-changes li").first
    expect(changed.locator(".card-text").last).to_have_attribute("aria-label", "nine of hearts")
    page.fill('input[name="card_9"]', "9d")
    supervisor.press("Make the bill anew")
    expect(changed.locator(".card-text").last).to_have_attribute("aria-label", "nine of diamonds")
    fill_signatures(page)
    page.press('input[name="signer2-secret"]', "Enter")
    expect(page).to_have_url(f"{site.url}{ROUND}")
    assert Card.objects.get(round__key=f"{TABLE}/1/1", draw=9, revision=2).face == "9D"


def test_a_card_that_was_corrected_twice_stays_in_its_row(
    site: Site, visitors: Callable[..., Visitor]
) -> None:
    supervisor = visitors(size=TABLET)
    supervisor.sign_on("supervisor")
    page = supervisor.go(ROUND)
    faces = page.locator(".lay-house .card")
    before = faces.count()
    for face in ("7H", "7C"):
        page = supervisor.go(f"{ROUND}correct/")
        page.fill('textarea[name="reason"]', f"It was {face}.")
        page.fill('input[name="card_9"]', face)
        supervisor.press("Show the bill")
        fill_signatures(page)
        supervisor.press("Sign and correct")
        expect(page).to_have_url(f"{site.url}{ROUND}")
    expect(faces).to_have_count(before + 2)
    boxes = [card.bounding_box() for card in faces.all()]
    assert len({box and box["y"] for box in boxes}) == 1
    assert None not in boxes


def fill_signatures(page: Page) -> None:
    """A supervisor and a manager enter badge and secret."""
    for number, name in enumerate(("supervisor", "manager"), start=1):
        page.fill(f'input[name="signer{number}-badge"]', STAFF[name][1])
        page.fill(f'input[name="signer{number}-secret"]', PINS[name])
    page.select_option('select[name="signer2-role"]', "manager")
