"""Rules in a browser: drafted, signed by two, put to a table, printed as its sign, retired."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables.games import PRESETS
from tables.models import RuleDraft, Ruleset
from tables.services.house import (
    publish_limits,
    publish_procedures,
    publish_ruleset,
)
from tests.e2e.conftest import DESK, TABLET, Site, Visitor
from tests.factories.games import add_table
from tests.factories.house import SET_UP, open_floor, set_terms
from tests.tables.rules.managers import MORE, hire_managers

pytestmark = pytest.mark.browser

Visitors = Callable[..., Visitor]
# What is left of A4 between the margins, at 96 points to the inch.
PAPER = {"width": 703, "height": 1009}
KINDS = ("main", "tie", "pair", "jacks")
_PAGES = re.compile(rb"/Type\s*/Page\b(?!s)")


@pytest.fixture(scope="module")
def managed(site: Site) -> Site:
    """The site with three managers who may approve."""
    hire_managers(site.house)
    return site


def look_at(visitor: Visitor, path: str, *, wide: int) -> Page:
    """Open a page; it has a heading, no box without a name, and is no wider than the screen."""
    page = visitor.go(path)
    expect(page.locator("h1").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, path
    nameless = page.evaluate(
        """[...document.querySelectorAll('#content input:not([type=hidden]), #content select,'
             + '#content textarea')].filter(box => !box.labels.length
             && !box.getAttribute('aria-label')).map(box => box.name)"""
    )
    assert nameless == [], path
    return page


def sign_as(visitor: Visitor, name: str) -> None:
    """A manager signs at somebody's browser."""
    number, pin, _roles = MORE[name]
    visitor.page.fill('input[name="signer1-badge"]', f"B{number}")
    visitor.page.fill('input[name="signer1-secret"]', pin)
    visitor.press("Approve")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_life_of_a_ruleset(managed: Site, visitors: Visitors, scripts: bool) -> None:
    manager = visitors(scripts=scripts, scheme="light" if scripts else "dark")
    page = manager.page
    manager.sign_on("manager")
    manager.go("/rulesets/")
    page.get_by_role("button", name="Draft PAGCOR Poker Lucky 9").click()
    price = "300 to 1" if scripts else "200 to 1"
    page.get_by_label("Tie wager", exact=True).fill(price)
    page.get_by_label("Name", exact=True).fill(f"Tie at {price}")
    manager.press("Save draft")
    expect(page.locator("#content")).to_contain_text("1 value differs from what is in force")
    manager.press("Put up for approval")
    expect(page.locator("#content")).to_contain_text("0 of 2")
    for name in ("manager_2", "manager_3"):
        sign_as(manager, name)
    expect(page.locator("h1")).to_contain_text(f"Tie at {price}")
    hash_ = Ruleset.objects.get(name=f"Tie at {price}").hash
    assert page.url == f"{managed.url}/rulesets/{hash_}/"
    table = "T5" if scripts else "T6"
    manager.go(f"/tables/{table}/terms/")
    page.get_by_label("Ruleset", exact=True).select_option(hash_)
    manager.press("Show what changes")
    expect(page.locator("#content")).to_contain_text(price)
    page.get_by_label("Why", exact=True).fill("Guests ask.")
    manager.press("Set terms")
    page.wait_for_url(f"{managed.url}/tables/{table}/")
    manager.go(f"/tables/{table}/sign/")
    expect(page.locator(".sign")).to_contain_text(price)
    manager.go(f"/rulesets/{hash_}/")
    manager.press("Retire")
    page.get_by_label("Why", exact=True).fill("Not wanted.")
    manager.press("Retire")
    expect(page.locator("h1")).to_contain_text("retired")


def test_every_page_of_rules_is_clean_at_the_desk_and_on_a_tablet(
    managed: Site, visitors: Visitors
) -> None:
    manager = visitors()
    manager.sign_on("manager")
    manager.go("/rulesets/")
    manager.page.get_by_role("button", name="Draft Lucky 9", exact=True).click()
    drafted = RuleDraft.objects.latest("serial").number
    manager.go("/rulesets/")
    manager.page.get_by_role("button", name="Draft Super 9").click()
    # Another price than the preset's: that one may be published already.
    manager.page.get_by_label("Won with a Colon Nine", exact=True).fill("4 to 1")
    waiting = RuleDraft.objects.latest("serial").number
    manager.press("Save draft")
    manager.press("Put up for approval")
    expect(manager.page.locator("#content")).to_contain_text("0 of 2")
    hash_ = managed.house.ruleset.key
    paths = (
        "/rulesets/",
        "/rulesets/?kind=procedures",
        "/rulesets/?kind=limits",
        f"/rulesets/{hash_}/",
        f"/rulesets/{hash_}/retire/",
        f"/rulesets/drafts/{drafted}/",
        f"/rulesets/drafts/{drafted}/edit/",
        f"/rulesets/drafts/{waiting}/",
        "/tables/T1/terms/",
        "/tables/T1/sign/",
    )
    for size, scheme in ((DESK, "light"), (TABLET, "dark")):
        manager.page.set_viewport_size(size)  # type: ignore[arg-type]  # a plain dict
        manager.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # a plain string
        for path in paths:
            look_at(manager, path, wide=size["width"])


@pytest.mark.parametrize(
    ("preset", "shown", "missing"),
    [
        (
            "pagcor-poker-lucky-9",
            ("No tie bet", "any three of a kind", "1.27%", "17.83%", "16.76%", "11 to 1"),
            ("Colon",),
        ),
        ("lucky-9", ("Colon Nine", "3 to 1", "−2.73%"), ("No tie bet", "Jacks")),
        ("home", ("1 to 1", "0.00%"), ("No tie bet", "Colon")),
    ],
)
def test_a_sign_is_printed_on_one_sheet(
    managed: Site, visitors: Visitors, preset: str, shown: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    code = f"S{len(preset)}"
    add_table(managed.house, code=code, preset=preset)
    manager = visitors(scheme="dark")
    manager.sign_on("manager")
    page = on_paper(manager, f"/tables/{code}/sign/")
    sign = page.locator(".sign")
    for words in (*shown, "Ruleset hash", "Limits hash"):
        expect(sign).to_contain_text(words)
    for words in missing:
        expect(sign).not_to_contain_text(words)
    for gone in (".bar", ".foot", ".crumbs", ".button"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(page.locator(".print-foot")).to_contain_text("Printed by manager")
    assert sheets(page) == 1


FULL: dict[str, tuple[dict[str, object], dict[str, object], dict[str, object]]] = {
    "pagcor-poker-lucky-9": (
        {"tie_odds": [300, 1], "max_payout_minor": dict.fromkeys(KINDS, 9_000_000)},
        {},
        {
            "min": dict.fromkeys(KINDS, 10_000),
            "max": dict.fromkeys(KINDS, 5_000_000),
            "step": dict.fromkeys(KINDS, 2_000),
            "aggregate": dict.fromkeys(("tie", "jacks"), 30_000_000),
            "bank_cover_minor": 900_000_000,
        },
    ),
    "fixed-bank": (
        {"commission": [5, 100], "colon": {"on_loss": "bonus_part"}},
        {},
        {"max": {"main": 5_000_000}, "bank_cover_minor": 900_000_000},
    ),
    "home": ({}, {"bank": "house", "banker_rotation": "fixed"}, {"max": {"main": 5_000_000}}),
}


@pytest.mark.parametrize("preset", FULL)
def test_a_sign_with_all_that_may_stand_on_it_is_one_sheet(
    managed: Site, visitors: Visitors, preset: str
) -> None:
    """Under a shoe of other rules, every limit set: what is not in force yet says so on paper."""
    known, code = PRESETS[preset], f"F{len(preset)}"
    house = add_table(managed.house, code=code, preset=preset)
    open_floor(house, code)
    options, procedures, limits = FULL[preset]
    changed = {**known.procedures, "cut_card_depth": 60, **procedures}
    set_terms(
        table=code,
        ruleset=publish_ruleset(
            game=known.game, name="All of it", options={**known.options, **options}, by=SET_UP
        ),
        procedures=publish_procedures(game=known.game, options=changed, by=SET_UP),
        limits=publish_limits(game=known.game, options=limits, by=SET_UP),
    )
    manager = visitors(scheme="dark")
    manager.sign_on("manager")
    page = on_paper(manager, f"/tables/{code}/sign/")
    sign = page.locator(".sign")
    expect(sign.locator(".sign-from")).to_be_visible()
    expect(sign).to_contain_text("Holds from the next shoe.")
    expect(sign).to_contain_text("from the next shoe")
    assert sheets(page) == 1


def test_rules_and_drafts_are_printed_whole(managed: Site, visitors: Visitors) -> None:
    manager = visitors(scheme="dark")
    manager.sign_on("manager")
    manager.go("/rulesets/")
    manager.page.get_by_role("button", name="Draft Multi-deck").click()
    # Another price than the preset's: that one may be published already.
    manager.page.get_by_label("Won with a Colon Nine", exact=True).fill("4 to 1")
    number = RuleDraft.objects.latest("serial").number
    manager.press("Save draft")
    manager.press("Put up for approval")
    expect(manager.page.locator("#content")).to_contain_text("0 of 2")
    hash_ = managed.house.ruleset.key
    for path, words, foot, most in (
        (f"/rulesets/{hash_}/", ("1.27", "House behind", hash_), hash_, 6),
        (f"/rulesets/drafts/{number}/", ("favours the player", "Signed over"), f"{number}, ver", 5),
    ):
        page = on_paper(manager, path)
        for each in words:
            expect(page.locator("#content")).to_contain_text(each)
        # Nothing to fill in is printed, but who printed what, and when.
        expect(page.locator("form").locator("visible=true")).to_have_count(0)
        expect(page.locator(".print-foot")).to_contain_text(foot)
        assert sheets(page) <= most


def on_paper(visitor: Visitor, path: str) -> Page:
    """Open a page as it is printed: ink on white, and within the sheet."""
    page = visitor.page
    page.set_viewport_size(PAPER)  # type: ignore[arg-type]  # a plain dict
    page.emulate_media(media="print")
    visitor.go(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"], path
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"), ground
    return page


def sheets(page: Page) -> int:
    """How many sheets of A4 a page is printed on."""
    return len(_PAGES.findall(page.pdf(format="A4", prefer_css_page_size=True)))
