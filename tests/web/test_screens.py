"""Every page of the frame in a browser: it fits, can be hit, can be read and has its names."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import TABLET, Site
from tests.web.samples import PAGES

pytestmark = pytest.mark.browser

DESK = {"width": 1600, "height": 1000}
PHONE = {"width": 390, "height": 844}

# What is touched and is lower or narrower than the face's own target.
_SMALL = """() => {
  const least = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--target'))
  return [...document.querySelectorAll('.button, .key, select, textarea, input')]
    .filter(e => e.offsetParent !== null && !['hidden', 'checkbox', 'radio'].includes(e.type))
    .map(e => [e.name || e.innerText, e.getBoundingClientRect()])
    .filter(([, box]) => box.height < least || box.width < least)
    .map(([name, box]) => `${name} ${box.width}x${box.height}`)
}"""

# Links, buttons and fields that a reader of the screen would meet without a name.
_NAMELESS = """() => [...document.querySelectorAll('a, button, input, select, textarea')]
  .filter(e => e.type !== 'hidden')
  .filter(e => ![e.textContent, e.ariaLabel, e.title, ...[...(e.labels ?? [])].map(
    l => l.textContent)].some(text => text && text.trim()))
  .map(e => e.outerHTML)"""

# Text against what it stands on: 4.5 to 1, 3 where it is large (WCAG 2, AA).
_FAINT = """() => {
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const parts = colour => {
    brush.clearRect(0, 0, 1, 1)
    brush.fillStyle = colour
    brush.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3]))
  const ground = e => {
    const below = e.parentElement ? ground(e.parentElement) : [255, 255, 255]
    return over(parts(getComputedStyle(e).backgroundColor), below)
  }
  const light = c => c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92
    : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  const says = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())
  return [...document.querySelectorAll('body *')]
    .filter(e => says(e) && e.offsetParent !== null && !e.closest(':disabled, .card-was'))
    .map(e => {
      const style = getComputedStyle(e)
      const size = parseFloat(style.fontSize)
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 600)
      const under = ground(e)
      return [ratio(over(parts(style.color), under), under), large ? 3 : 4.5, e]
    })
    .filter(([found, least]) => found < least)
    .map(([found, , e]) => `${found.toFixed(2)} ${e.className || e.tagName} ${e.textContent}`)
}"""


# How wide the outline is of what has the focus; none without a style.
_OUTLINE = """() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)
}"""

# Words that are cut off on a tile of the board.
_CUT = """() => [...document.querySelectorAll('.tile dd, .tile-stage, .tile-result')]
  .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"""

_STOPS = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary')]
  .filter(e => e.offsetParent !== null && !e.disabled && e.type !== 'hidden').length"""


@pytest.fixture(params=sorted(PAGES))
def page(site: Site, request: pytest.FixtureRequest) -> Page:
    """Each page of the frame, once what it draws itself stands there."""
    return site.open(request.param, wait_for=".pad-title" if request.param == "glass" else "h1")


def test_a_page_fits_and_can_be_hit_read_named_and_walked(page: Page) -> None:
    assert page.evaluate(_SMALL) == []
    assert page.evaluate(_NAMELESS) == []
    assert page.evaluate(_CUT) == []
    assert not page.title().startswith(" ")
    for scheme in ("light", "dark"):
        page.evaluate("scheme => { document.documentElement.dataset.scheme = scheme }", scheme)
        assert page.evaluate(_FAINT) == [], scheme
    for _stop in range(min(4, page.evaluate(_STOPS))):
        page.keyboard.press("Tab")
        assert page.evaluate(_OUTLINE) >= 2
    if page.locator("#glass").count():
        return  # the glass has one size; it is held to it where a round is dealt
    for size in (TABLET, DESK, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a plain dict
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size


_FOCUSED = "document.activeElement.textContent.trim()"


def test_rows_are_gone_through_by_keyboard(site: Site) -> None:
    page = site.open("findings", wait_for="tbody")
    rows = page.locator("tbody th a").all_inner_texts()
    assert len(rows) == 2
    for key, row in (
        ("ArrowDown", None),  # scrolls, as everywhere
        ("j", rows[0]),
        ("j", rows[1]),
        ("j", rows[1]),
        ("ArrowUp", rows[0]),
        ("ArrowDown", rows[1]),
        ("k", rows[0]),
        ("k", rows[0]),
        ("Control+j", rows[0]),
    ):
        page.keyboard.press(key)
        said = page.evaluate(_FOCUSED)
        assert said == row if row else said not in rows
    assert page.evaluate(_OUTLINE) >= 2
    page.reload()
    page.keyboard.press("k")
    assert page.evaluate(_FOCUSED) == rows[-1]
    page.evaluate("document.querySelector('tbody td').append(document.createElement('input'))")
    field = page.locator("tbody input")
    field.focus()
    page.keyboard.press("j")
    expect(field).to_be_focused()
    expect(field).to_have_value("j")


# The colours of the four suits on the keys.
_SUITS = """() => [...'SHDC'].map(suit => {
  const key = document.querySelector(`.key-suit[data-suit="${suit}"]`)
  return getComputedStyle(key).color
})"""


def test_a_tablet_keeps_its_suits_in_four_colours(site: Site) -> None:
    page = site.open("glass", wait_for="[data-key=primary]")
    page.click('[data-key="primary"]')
    page.click('[data-key="seat-1"]')
    page.click('[data-key="chip-100000"]')
    page.click('[data-key="primary"]')
    page.click('[data-key="rank-A"]')
    assert len(set(page.evaluate(_SUITS))) == 2
    button = page.get_by_role("button", name="Suits in four colours")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert len(set(page.evaluate(_SUITS))) == 4
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.dataset.suits") == "four"
    button.click()
    assert page.evaluate("document.documentElement.dataset.suits") == "two"


def test_nothing_moves_for_who_asked_for_less_motion(site: Site) -> None:
    page = site.open("glass", wait_for=".pad-title")
    moving = """() => [...document.querySelectorAll('*')]
      .filter(e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"""
    page.click('[data-key="primary"]')
    page.wait_for_selector(".felt-seat")
    assert page.evaluate(moving) > 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == 0
