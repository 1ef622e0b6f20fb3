"""Every page in a browser: clean under the policy and within the screen; forms without a script."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from settlements.models import Settlement
from tables.models import Round
from tables.services.disputes import Disputed, open_dispute
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.factories.house import (
    PINS,
    STAFF,
    bet,
    key,
    open_floor,
    open_round,
    play_round,
    ready_the_shoe,
)

pytestmark = pytest.mark.browser

Visitors = Callable[..., Visitor]
WAGERS = {1: {"main": 10_000, "pair": 1_000}, 3: {"main": 20_000, "jacks": 500}}
HANDS = {1: ["8H", "8C", "KD"], 3: ["2S", "7D", "TC"], 0: ["5S", "3D", "QC"]}
SHOE = "/tables/T7/shoes/1/"
# A telephone in a hand, the tablet at a table, a desk.
SIZES = ({"width": 390, "height": 844}, TABLET, {"width": 1600, "height": 1000})
OF_EVERYBODY = ("/sign-on/", "/own-secret/", "/enrol/", "/nowhere/", "/api/docs/")
OF_ROLES = {
    "supervisor": (
        "/pit/P1/",
        "/tables/T7/",
        "/tables/T8/",
        "/tables/T8/prepare-shoe/",
        SHOE,
        f"{SHOE}end/",
        f"{SHOE}rounds/1/",
        f"{SHOE}rounds/1/correct/",
        f"{SHOE}rounds/2/",
        "/tables/T7/irregularities/record/26/void/?shoe=1&round=2",
        f"{SHOE}rounds/1/dispute/",
        "/tables/T7/dispute/",
        "/tables/T7/irregularities/record/",
        "/tables/T7/irregularities/record/16/void/?shoe=1",
        "/tables/T7/paper/",
        "/tables/T7/sign/",
        "/irregularities/",
        "/tables/T7/irregularities/1/",
        "/tables/T7/irregularities/1/amend/",
        "/disputes/",
        "/disputes/T7/1/",
        "/disputes/T7/1/file/",
        "/disputes/T7/1/ruling/",
        "/audit/findings/",
        "/admin/",
    ),
    "manager": ("/rulesets/", "/rulesets/?kind=limits", "/tables/T7/terms/", "/in-charge/"),
    "auditor": (
        "/pit/P1/",
        "/tables/T7/",
        SHOE,
        f"{SHOE}odds/",
        f"{SHOE}rounds/1/",
        "/irregularities/?table_code=T7",
        "/disputes/?table=T7",
        "/disputes/T7/1/",
        "/audit/findings/",
        "/audit/days/",
        "/audit/work/",
    ),
    "cashier": ("/pit/P1/", "/tables/T7/", SHOE),
}


def test_every_page_is_clean_and_no_wider_than_any_screen(site: Site, visitors: Visitors) -> None:
    open_floor(site.house, "T7")
    told = Disputed(1, "He says nine.", seat=3, wager="main", disputed_minor=5_000)
    settled = play_round(site.house, WAGERS, HANDS, table="T7")
    open_dispute(name=settled, disputed=told, by=site.house.acting("supervisor"))
    name = open_round(site.house, table="T7")
    bet(site.house, name, WAGERS)
    key(site.house, name, {1: "2H"})
    look_at(visitors(size=TABLET), OF_EVERYBODY)
    for person, paths in OF_ROLES.items():
        visitor = visitors(size=TABLET, scheme="dark")
        visitor.sign_on(person)
        look_at(visitor, paths)


def look_at(visitor: Visitor, paths: tuple[str, ...]) -> None:
    """Open each page; that none complained is checked at the end of the test."""
    for path in paths:
        page = visitor.go(path)
        expect(page.locator("h1, h2").first).to_be_visible()
        for size in SIZES:
            page.set_viewport_size(size)  # type: ignore[arg-type]  # a plain dict
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], path


def test_the_floor_is_worked_without_a_script(site: Site, visitors: Visitors) -> None:
    """A table is opened, a shoe prepared, a round voided and the shoe ended by plain forms."""
    supervisor, dealer = visitors(scripts=False), visitors(size=TABLET, scripts=False)
    supervisor.sign_on("supervisor")
    dealer.hold_tablet("T8")
    dealer.sign_on("dealer", with_pin=True)
    supervisor.go("/tables/T8/")
    supervisor.press("Open table")
    dealer.go("/tables/T8/counts/opener/")
    for person in (supervisor, dealer):
        person.page.fill('input[name="pieces_100000"]', "50")
        person.press("Sign count")
    supervisor.page.reload()
    supervisor.page.click('#counts button:text-is("Open table")')
    expect(supervisor.page.locator("h1")).to_contain_text("no shoe")

    ready_the_shoe(site.house, "T8")
    name = open_round(site.house, table="T8")
    bet(site.house, name, WAGERS)
    key(site.house, name, {1: "2H"})
    supervisor.go("/tables/T8/shoes/1/rounds/1/")
    supervisor.press("Void round")
    supervisor.page.fill('textarea[name="seen"]', "A misdeal.")
    supervisor.press("Show what happens")
    for n, who in enumerate(("supervisor", "manager"), start=1):
        supervisor.page.fill(f'input[name="signer{n}-badge"]', STAFF[who][1])
        supervisor.page.fill(f'input[name="signer{n}-secret"]', PINS[who])
    supervisor.press("Sign and record")
    expect(supervisor.page.locator("h1")).to_contain_text("Round void (misdeal)")
    assert Round.objects.get(key=name.key).stage == Round.Stage.VOIDED
    assert Settlement.objects.get(round__key=name.key).kind == Settlement.Kind.VOIDED

    supervisor.go("/tables/T8/shoes/1/")
    supervisor.press("End shoe")
    supervisor.page.fill('input[name="stub_cards"]', "414")
    supervisor.press("End shoe")
    expect(supervisor.page.locator("h1")).to_contain_text("ended")
    expect(supervisor.page.locator("body")).to_contain_text("closes")
