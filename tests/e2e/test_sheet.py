"""A sheet of five seats is typed with the keyboard alone, checked as it is typed, and comes in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from settlements.services.paper import key_sheet
from tables.models import Round, SheetKeying
from tables.services.paper import Keying, reserve_rounds
from tests.e2e.conftest import Site, Visitor

pytestmark = pytest.mark.browser

Visitors = Callable[..., Visitor]
STAKES = ("1000", "100", "100")  # main, pair, jacks, in whole units of the currency
HANDS = {
    1: ("KS", "KH", "9D"),
    2: ("7D", "2S", "7C"),
    3: ("9H", "4C", "AC"),
    4: ("2C", "TD", "6H"),
    5: ("JD", "8H", "3S"),
    0: ("5S", "JS", "JC"),
}
# Two keys a second is slow typing: a minute.
KEYS_MAX = 120


class Keyboard:
    """Types, and counts the keys."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0

    def type(self, text: str) -> None:
        """Press each key."""
        for key in text:
            self.press(key)

    def press(self, key: str) -> None:
        """Press one key."""
        self.page.keyboard.press(key)
        self.keys += 1


def test_a_sheet_is_typed_with_the_keyboard_alone(site: Site, visitors: Visitors) -> None:
    name = reserve_rounds(
        table="T1", shoe=1, rounds=1, after=0, by=site.house.acting("supervisor")
    ).rounds[0]
    supervisor = visitors(scheme="dark")
    supervisor.sign_on("supervisor")
    page = supervisor.go(f"/tables/T1/shoes/1/rounds/{name.number}/sheet/")
    keys = Keyboard(page)
    type_head(keys)
    type_seats(keys)
    check = page.locator("#check")
    expect(check).to_contain_text("expected 3 cards, found 0")
    type_hand(keys, 0)
    expect(check).to_contain_text("It can have been so.")
    owed = page.locator('tr[data-hand="1"] [data-owed]')
    expect(owed).to_have_text("4,300", use_inner_text=True)
    to_the_button(keys)
    keys.press("Enter")
    expect(page).to_have_url(f"{site.url}/tables/T1/paper/")
    expect(page.locator("#content")).to_contain_text("keyed once")
    assert keys.keys <= KEYS_MAX
    keyed = SheetKeying.objects.get(round__key=name.key)
    assert keyed.document["seats"][3] == {
        "seat": 4,
        "bets": {"main": 100_000, "pair": 10_000, "jacks": 10_000},
        "cards": list(HANDS[4]),
    }
    key_sheet(
        name=name,
        keying=Keying("second", 1, keyed.document, keyed.dealt_at),
        by=site.house.acting("dealer", table="T1"),
    )
    assert Round.objects.get(key=name.key).stage == "settled"


def test_a_fault_is_marked_at_its_cell_while_it_is_typed(site: Site, visitors: Visitors) -> None:
    shoe = Round.objects.filter(shoe__key="T1/1").count()
    name = reserve_rounds(
        table="T1", shoe=1, rounds=1, after=shoe, by=site.house.acting("supervisor")
    ).rounds[0]
    supervisor = visitors()
    supervisor.sign_on("supervisor")
    page = supervisor.go(f"/tables/T1/shoes/1/rounds/{name.number}/sheet/")
    keys = Keyboard(page)
    type_head(keys)
    for stake in STAKES:
        keys.type(stake)
        keys.press("Enter")
    keys.type("9X")
    expect(page.locator("#id_s1_c1")).to_have_attribute("aria-invalid", "true")
    expect(page.locator('#check [data-field="s1_c1"]')).to_contain_text("expected a card")
    keys.press("Backspace")
    keys.type("h")
    expect(page.locator("#id_s1_c1")).to_have_value("9H")
    expect(page.locator("#id_s1_c1")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#id_s1_c2")).to_be_focused()
    keys.press("Backspace")
    expect(page.locator("#id_s1_c1")).to_be_focused()
    keys.press("ArrowDown")
    expect(page.locator("#id_s2_c1")).to_be_focused()


def type_head(keys: Keyboard) -> None:
    """The time, and the dealer."""
    keys.type("2135")
    keys.press("Enter")
    keys.type("1001")
    keys.press("Enter")


def type_seats(keys: Keyboard) -> None:
    """Stakes of the first seat, repeated by the others, and three cards each."""
    for stake in STAKES:
        keys.type(stake)
        keys.press("Enter")
    type_hand(keys, 1)
    for seat in range(2, 6):
        keys.type("===")
        type_hand(keys, seat)


def type_hand(keys: Keyboard, hand: int) -> None:
    """Three cards, each moving on by itself."""
    for face in HANDS[hand]:
        keys.type(face.lower())


def to_the_button(keys: Keyboard) -> None:
    """Enter goes on to the button that saves."""
    button = keys.page.locator('button:text-is("Save keying")')
    for _step in range(6):
        if button.evaluate("element => element === document.activeElement"):
            return
        keys.press("Enter")
    expect(button).to_be_focused()
