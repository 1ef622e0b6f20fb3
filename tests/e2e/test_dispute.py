"""A dispute in browsers, by two people: from the round's page to the correction that pays it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Staff
from settlements.models import Settlement
from tables.models import DisputeFile, DisputeHold
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.factories.games import add_table
from tests.factories.house import PINS, STAFF, House, open_floor, play_round
from tests.settlements.correcting import hire, put_in_charge

pytestmark = pytest.mark.browser

TABLE = "E1"
ROUND = f"/tables/{TABLE}/shoes/1/rounds/1/"
WAGERS = {1: {"main": 10_000, "pair": 1_000}, 3: {"main": 20_000, "jacks": 500}}
HANDS = {1: ["2H", "2D", "KD"], 3: ["8S", "7C", "4C"], 0: ["5S", "3D", "QC"]}


def test_a_dispute_from_the_round_to_its_money(
    site: Site, visitors: Callable[..., Visitor]
) -> None:
    prepare(site.house)
    supervisor, manager = visitors(), visitors(size=TABLET, scheme="dark")
    supervisor.sign_on("supervisor")
    supervisor.go(ROUND)
    supervisor.press("Open dispute")
    page = supervisor.page
    page.fill('textarea[name="seen"]', "He says that his seven of clubs was an eight.")
    page.check('input[name="what"][value="3/main"]')
    page.fill('input[name="disputed_minor"]', "x")
    supervisor.press("Open dispute hold")
    expect(page.locator(".errorlist").first).to_be_visible()
    expect(page.locator('textarea[name="seen"]')).to_have_value(
        "He says that his seven of clubs was an eight."
    )
    page.fill('input[name="disputed_minor"]', "150")
    supervisor.press("Open dispute hold")
    expect(page.locator("h1")).to_contain_text(f"Dispute {TABLE}/D1")
    answers_at_first_sight(page, "Seat 3, Main", "150", "Missing: who complains", "Begin the file")

    manager.sign_on("manager")
    board = manager.go("/pit/P1/")
    expect(board.locator(f'[data-id="held-{TABLE}"]')).to_contain_text("1 dispute hold, 150")
    expect(board.locator(f"#tile-{TABLE} .tile-held")).to_have_text("150", use_inner_text=True)

    a_correction_is_stopped(supervisor)
    the_file_is_kept(supervisor)
    board.locator(f'[data-id="held-{TABLE}"] a').click()
    answers_at_first_sight(board, "Says all that it must say.", "Rule dispute")
    it_is_ruled(manager)
    it_is_paid(supervisor)
    held = DisputeHold.objects.get(table__code=TABLE)
    assert (held.state, held.outcome) == ("released", "patron")
    assert Settlement.objects.filter(round__key=f"{TABLE}/1/1", kind="corrected").count() == 1
    expect(manager.go("/disputes/").locator("tbody tr")).to_contain_text("ruled for the player")


def prepare(house: House) -> None:
    """A table of its own with a round settled, and people who can sign."""
    if not Staff.objects.filter(number="1103").exists():
        hire(house)
        put_in_charge(house)
    there = add_table(house, code=TABLE, preset="pagcor-poker-lucky-9", seats=5)
    open_floor(there, TABLE)
    play_round(there, WAGERS, HANDS, table=TABLE)


def answers_at_first_sight(page: Page, *words: str) -> None:
    """Expect words on the page without scrolling."""
    for said in words:
        place = page.get_by_text(said).first
        expect(place).to_be_visible()
        box = place.bounding_box()
        assert box is not None
        size = page.viewport_size
        assert size is not None
        assert box["y"] + box["height"] <= size["height"], said


def a_correction_is_stopped(supervisor: Visitor) -> None:
    page = supervisor.go(f"{ROUND}correct/")
    page.select_option('select[name="event"]', "22")
    page.fill('textarea[name="reason"]', "paid as he says")
    page.fill('input[name="handed_3_main"]', "380")
    supervisor.press("Show the bill")
    expect(page.locator(".notice").first).to_contain_text(f"Dispute {TABLE}/D1 holds")


def the_file_is_kept(supervisor: Visitor) -> None:
    page = supervisor.go(f"/disputes/{TABLE}/1/")
    supervisor.press("Begin the file")
    for name, value in {
        "patron": "J. Cruz",
        "contact": "0917 555 0100",
        "staff_involved": "1001, 1003",
        "camera_reference": "CAM 4 22:03:10",
    }.items():
        page.fill(f'input[name="{name}"]', value)
    for name, value in {
        "narrative": "The dealer read his card as a seven.",
        "witnesses": "Seat 1.",
        "house_action": "The cards were looked at on camera.",
        "patron_informed": "By 1003 at 22:10; has the form.",
    }.items():
        page.fill(f'textarea[name="{name}"]', value)
    supervisor.press("Keep the file")
    expect(page.locator("#content")).to_contain_text("Says all that it must say.")
    assert DisputeFile.objects.get(dispute__table__code=TABLE).evidence["stage"] == "settled"


def it_is_ruled(manager: Visitor) -> None:
    page = manager.page
    manager.press("Rule dispute")
    page.check('input[name="outcome"][value="patron"]')
    page.fill('textarea[name="ruling"]', "The camera shows an eight.")
    manager.press("Show the ruling")
    expect(page.locator(".bill")).to_contain_text("The camera shows an eight.")
    sign(page, "supervisor", "supervisor")
    manager.press("Sign and release")
    expect(page.locator("#content")).to_contain_text("does not hold the role")
    sign(page, "supervisor", "manager")
    manager.press("Sign and release")
    expect(page.locator("h1")).to_contain_text("ruled for the player")


def it_is_paid(supervisor: Visitor) -> None:
    page = supervisor.go(f"/disputes/{TABLE}/1/")
    expect(page.locator("#content")).to_contain_text("No correction has carried it out yet.")
    supervisor.press("Correct round")
    expect(page.locator("#content")).to_contain_text(
        f"Carries out the ruling of dispute {TABLE}/D1"
    )
    page.fill('input[name="card_5"]', "8C")
    page.fill('textarea[name="reason"]', "the camera shows an eight")
    supervisor.press("Show the bill")
    page.select_option('select[name="signer2-role"]', "manager")
    sign(page, "supervisor", "manager")
    supervisor.press("Sign and correct")
    expect(page.locator("#content")).to_contain_text("Moved by the correction below.")
    expect(page.locator("#content")).to_contain_text("has changed since this file froze it")


def sign(page: Page, *names: str) -> None:
    """Two people enter badge and secret."""
    for n, name in enumerate(names, start=1):
        page.fill(f'input[name="signer{n}-badge"]', STAFF[name][1])
        page.fill(f'input[name="signer{n}-secret"]', PINS[name])
