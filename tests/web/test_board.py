"""The pit board in a browser: it refreshes itself and moves nothing under the finger."""

import pytest
from playwright.sync_api import Page, expect

from tests.web import conftest
from tests.web.conftest import Site

pytestmark = pytest.mark.browser


def ask(page: Page) -> None:
    """Let the board ask for its inside now."""
    how = "{source: '#board', target: '#board', swap: 'steady', select: '#board'}"
    page.evaluate(f"htmx.ajax('GET', '/page/board/', {how}).catch(() => {{}})")


def test_a_refresh_changes_words_and_keeps_every_node_and_the_focus(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = site.open("board", wait_for="#tile-T1")
    page.focus("#tile-T1 .actions a")
    page.evaluate("window.kept = document.querySelector('#tile-T1 .tile-stage b')")
    fresh = conftest.page_html
    monkeypatch.setattr(
        conftest, "page_html", lambda *a, **k: fresh(*a, **k).replace("Round 12", "Round 13")
    )
    ask(page)
    expect(page.locator("#tile-T1 .tile-stage b")).to_have_text("Round 13")
    assert page.evaluate("window.kept === document.querySelector('#tile-T1 .tile-stage b')")
    assert page.evaluate("document.activeElement.closest('.tile').id") == "tile-T1"


def test_a_board_that_gets_no_answer_says_that_it_is_old(site: Site) -> None:
    page = site.open("board", wait_for="#tile-T1")
    expect(page.locator(".stale-notice")).to_be_hidden()
    site.context.unroute("**/*")
    site.context.route("**/*", lambda route: route.abort())
    ask(page)
    expect(page.locator(".stale-notice")).to_be_visible()
    site.trouble.clear()
