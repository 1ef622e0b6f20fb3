"""The dealer's page in a browser: a whole round by touch and by keyboard, and what can go wrong."""

from collections.abc import Callable, Iterable

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Site

pytestmark = pytest.mark.browser

FIRST_TWO_LAPS = ["KS", "7D", "9H", "2C", "JD", "5S", "KH", "2S", "4C", "TD", "8H", "JS"]
THIRD_LAP = ["9D", "7C", "AC", "6H", "3S", "JC"]


def glass(site: Site) -> Page:
    """Open the page and wait until it has read the table."""
    return site.open("glass", wait_for="#pad [data-primary]")


def touch(page: Page, *keys: str) -> None:
    """Touch keys of the glass one after the other."""
    for key in keys:
        page.click(f'[data-key="{key}"]')


def key_cards(page: Page, faces: Iterable[str]) -> None:
    """Key cards on the keyboard."""
    for face in faces:
        page.keyboard.press(face[0])
        page.keyboard.press(face[1])


def place_bets(page: Page, *, pair: bool = True) -> None:
    """Open a round and place 1,000 on every seat; seat 1 adds a pair wager."""
    touch(page, "primary")
    page.wait_for_selector('[data-key="kind-main"]')
    for seat in range(1, 6):
        touch(page, f"seat-{seat}", "chip-100000")
    if pair:
        touch(page, "seat-1", "kind-pair", "chip-50000")
    touch(page, "primary")
    page.wait_for_selector('[data-key="rank-A"]')


def title(page: Page) -> str:
    """Return what is asked for."""
    return page.inner_text(".pad-title")


def strip(page: Page, state: str) -> None:
    """Expect the receipts strip to be in a state."""
    expect(page.locator("#strip")).to_have_attribute("data-state", state)


def fits(page: Page) -> None:
    """Expect that nothing scrolls and nothing is cut off."""
    assert page.evaluate("document.documentElement.scrollHeight") == 800
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    assert page.evaluate(
        """[...document.querySelectorAll('#pad, #felt, #strip')]
           .every(box => box.scrollHeight <= box.clientHeight + 1)"""
    )


def test_a_whole_round_is_keyed_swept_and_paid(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    assert site.paper.wagers[1] == {"main": 100_000, "pair": 50_000}
    assert title(page) == "Seat 1, first card"

    key_cards(page, FIRST_TWO_LAPS)
    expect(page.locator(".pad-title")).to_have_text("Sweep the pair wagers")
    fits(page)
    expect(page.locator('[data-seat="1"] .felt-total')).to_have_text("5,500")
    touch(page, "primary")

    page.wait_for_selector('[data-key="rank-A"]')
    touch(page, "seat-3")
    assert title(page) == "Seat 3, third card"
    key_cards(page, ["AC"])
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    key_cards(page, ["9D", "7C", "6H", "3S"])
    expect(page.locator(".card-down")).to_have_count(1)
    key_cards(page, ["JC"])

    expect(page.locator(".pad-title")).to_have_text("Pay the round")
    fits(page)
    expect(page.locator('[data-seat="2"] .felt-total')).to_have_text("1,950")
    touch(page, "primary")
    expect(page.locator(".pad-title")).to_have_text("Round 1 is settled")
    assert site.paper.stage == "settled"
    assert site.paper.handed[(2, "main")] == 195_000
    strip(page, "saved")
    touch(page, "primary")
    page.wait_for_selector('[data-key="all-again"]')
    assert site.paper.number == 2
    touch(page, "all-again")
    expect(page.locator('[data-seat="1"][data-state="saved"]')).to_be_visible()
    assert site.paper.wagers[1] == {"main": 100_000, "pair": 50_000}


def test_a_card_takes_two_taps_and_saved_is_said_only_with_a_receipt(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    touch(page, "rank-T")
    assert page.inner_text(".pad-note") == "ten: now the suit"
    assert site.paper.cards == {}
    touch(page, "suit-D")
    expect(page.locator('[data-seat="1"] .card').first).to_have_attribute(
        "aria-label", "ten of diamonds"
    )
    strip(page, "saved")
    assert "Seat 1, first card: ten of diamonds" in page.inner_text("#strip")
    assert "table/T1" in page.inner_text(".receipt-proof")


def test_without_an_answer_nothing_counts_as_saved_and_the_same_call_is_sent_again(
    site: Site,
) -> None:
    page = glass(site)
    place_bets(page)
    site.away = True
    key_cards(page, ["KS", "7D"])
    strip(page, "held")
    assert "Not saved" in page.inner_text("#strip")
    expect(page.locator(".card-held")).to_have_count(2)
    assert site.paper.cards == {}

    site.away = False
    page.keyboard.press("Enter")
    strip(page, "saved")
    expect(page.locator(".card-held")).to_have_count(0)
    assert site.paper.cards == {1: "KS", 2: "7D"}


def test_an_answer_lost_after_the_save_is_asked_for_with_the_same_revision(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    site.forget_next = True
    key_cards(page, ["KS"])
    strip(page, "held")
    page.click('[data-key="again"]')
    strip(page, "saved")
    assert site.paper.card_revision == {1: 1}


def test_keyed_cards_outlive_a_reload(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    site.away = True
    key_cards(page, ["KS"])
    strip(page, "held")
    site.away = False
    page.reload()
    expect(page.locator('[data-seat="1"] .card').first).to_have_attribute(
        "aria-label", "king of spades"
    )
    assert site.paper.cards == {1: "KS"}


def test_a_refusal_says_what_and_drops_what_was_keyed(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    detail = "Draw 1, revision 1 is '7D'; you keyed 'KS'."
    site.refuse_next = (409, {"code": "card.conflict", "detail": detail, "faults": []})
    key_cards(page, ["KS"])
    strip(page, "refused")
    text = page.inner_text("#strip")
    assert detail in text
    assert "card.conflict" in text
    expect(page.locator(".card-held")).to_have_count(0)
    touch(page, "dismiss")
    key_cards(page, ["KS"])
    strip(page, "saved")


@pytest.mark.parametrize(("answer", "stored"), [("as-seen", "9C"), ("primary", None)])
def test_one_copy_too_many_is_a_question_with_two_answers(
    site: Site, answer: str, stored: str | None
) -> None:
    page = glass(site)
    place_bets(page)
    site.paper.ask_about = {"9C"}
    key_cards(page, ["9C"])
    page.wait_for_selector(".pad-places")
    assert title(page) == "One nine of clubs too many"
    assert page.locator(".pad-places li").count() == 8
    strip(page, "held")
    fits(page)
    touch(page, answer)
    page.wait_for_selector('[data-key="rank-A"]')
    expect(page.locator(".card-held")).to_have_count(0)
    assert site.paper.cards.get(1) == stored


def test_undo_takes_back_the_rank_then_the_last_card_in_its_next_revision(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    key_cards(page, ["KS", "7D"])
    expect(page.locator(".pad-title")).to_have_text("Seat 3, first card")
    touch(page, "rank-9", "undo")
    expect(page.locator('[data-key="rank-9"]')).to_have_attribute("aria-pressed", "false")
    touch(page, "undo")
    expect(page.locator(".pad-title")).to_have_text("Seat 2, first card")
    assert site.paper.cards == {1: "KS", 2: None}
    key_cards(page, ["8D"])
    expect(page.locator(".pad-title")).to_have_text("Seat 3, first card")
    assert (site.paper.cards[2], site.paper.card_revision[2]) == ("8D", 3)


def test_a_face_that_nobody_saw_is_asked_for_twice(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    touch(page, "unknown")
    assert site.paper.cards == {}
    touch(page, "unknown")
    expect(page.locator('[data-seat="1"] .card-unknown')).to_be_visible()
    assert site.paper.cards == {1: "?"}


def test_another_amount_handed_over_is_marked_and_recorded(site: Site) -> None:
    page = glass(site)
    place_bets(page, pair=False)
    key_cards(page, FIRST_TWO_LAPS)
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    key_cards(page, THIRD_LAP)
    page.wait_for_selector(".pad-due")
    touch(page, "due-2", "line-2/main")
    for digit in "2000":
        page.keyboard.press(digit)
    fits(page)
    page.keyboard.press("Enter")
    expect(page.locator('[data-key="primary"]')).to_have_text("Paid as entered, +50")
    expect(page.locator('[data-seat="2"]')).to_have_attribute("data-differs", "")
    touch(page, "primary")
    expect(page.locator(".pad-title")).to_have_text("Round 1 is settled")
    assert site.paper.handed[(2, "main")] == 200_000


def test_the_last_card_can_be_taken_back_at_the_showdown(site: Site) -> None:
    page = glass(site)
    place_bets(page, pair=False)
    key_cards(page, FIRST_TWO_LAPS)
    expect(page.locator(".pad-title")).to_have_text("Seat 1, third card")
    key_cards(page, THIRD_LAP)
    page.wait_for_selector(".pad-due")
    touch(page, "undo")
    expect(page.locator(".pad-title")).to_have_text("House, third card")


def test_a_wager_beyond_the_limit_is_said_before_and_refused_by_the_server(site: Site) -> None:
    page = glass(site)
    touch(page, "primary")
    page.wait_for_selector('[data-key="kind-main"]')
    touch(page, "chip-10000")
    expect(page.locator(".pad-fault")).to_have_text("at least 500")
    touch(page, *["chip-500000"] * 11, "save-seat")
    strip(page, "refused")
    said = page.locator("#strip .receipt-what span")
    expect(said).to_have_text("Seat 1, Main: expected at most 50,000")
    expect(page.locator('[data-seat="1"][data-state="held"]')).to_be_visible()


def test_a_round_without_cards_is_called_off_by_two_presses(site: Site) -> None:
    page = glass(site)
    touch(page, "primary")
    page.wait_for_selector('[data-key="call-off-ask"]')
    touch(page, "call-off-ask", "call-off")
    expect(page.locator(".pad-title")).to_have_text("Round 1 was called off")
    assert site.paper.stage == "called_off"


def test_a_round_opened_although_its_answer_was_lost_is_no_refusal(site: Site) -> None:
    page = glass(site)
    site.forget_next = True
    touch(page, "primary")
    strip(page, "held")
    site.refuse_next = (409, {"code": "round.in_play", "detail": "Round 1 is in play."})
    page.click('[data-key="again"]')
    page.wait_for_selector('[data-key="kind-main"]')
    expect(page.locator("#strip")).not_to_have_attribute("data-state", "refused")


def test_the_first_card_goes_where_the_next_step_says_before_the_plan_is_laid_out(
    site: Site,
) -> None:
    site.paper.lays_out_early = False
    page = glass(site)
    place_bets(page)
    assert title(page) == "Seat 1, first card"
    key_cards(page, ["KS"])
    expect(page.locator(".pad-title")).to_have_text("Seat 2, first card")
    assert site.paper.cards == {1: "KS"}


def test_rank_alone_is_one_tap(site: Site) -> None:
    site.paper.card_detail = "rank"
    page = glass(site)
    place_bets(page)
    assert page.locator(".pad-suits").count() == 0
    touch(page, "rank-Q")
    expect(page.locator(".pad-title")).to_have_text("Seat 2, first card")
    assert site.paper.cards == {1: "Q"}


@pytest.mark.parametrize(
    ("session", "shoe", "said"),
    [
        (None, "ready", "The table is closed"),
        ("opening", "ready", "The tray is being counted"),
        ("open", "preparing", "No shoe is ready"),
        ("open", "ended", "The shoe has ended"),
    ],
)
def test_between_rounds_the_page_says_what_is_waited_for(
    site: Site, session: str | None, shoe: str, said: str
) -> None:
    if session is None:
        site.paper.session = None
    else:
        site.paper.session = {"key": "T1/S3", "gaming_day": "2026-11-03", "state": session}
    site.paper.shoe_state = shoe
    page = site.open("glass")
    expect(page.locator(".pad-title")).to_have_text(said)


def test_what_is_touched_is_large_and_mirrored_for_the_other_hand(
    new_site: Callable[..., Site],
) -> None:
    page = glass(new_site(hand="left"))
    place_bets(page)
    pad = page.locator("#pad").bounding_box()
    assert pad is not None
    assert pad["x"] == 0
    small = page.evaluate(
        """[...document.querySelectorAll('#pad button, .felt-seat, .receipt button')]
           .map(b => b.getBoundingClientRect()).filter(r => r.height < 48 || r.width < 48).length"""
    )
    assert small == 0
    assert page.locator("#leave").is_hidden()


def test_the_numbers_owed_are_the_largest_on_the_glass(site: Site) -> None:
    page = glass(site)
    place_bets(page)
    key_cards(page, FIRST_TWO_LAPS)
    page.wait_for_selector(".felt-total")
    sizes = page.evaluate(
        """[...document.querySelectorAll('body *')].filter(e => e.childElementCount === 0
             && e.textContent.trim() && !e.closest('.card'))
           .map(e => [parseFloat(getComputedStyle(e).fontSize), e.className])"""
    )
    largest = max(size for size, _name in sizes)
    assert {name for size, name in sizes if size == largest} == {"felt-total"}
