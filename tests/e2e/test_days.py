"""The page of a day in a browser: it follows a run to its end and then asks no more."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from playwright.sync_api import Request, expect

from audit.log.days import turn_days
from casino.outbox.models import OutboxItem
from casino.outbox.services import unpark_item
from settlements.day.runs import CHECK, turn_and_start
from tables.selectors.house import gaming_day_at
from tests.e2e.conftest import TABLET, Site, Visitor

pytestmark = pytest.mark.browser

Visitors = Callable[..., Visitor]


def test_a_day_follows_its_run_to_the_end(site: Site, visitors: Visitors) -> None:
    today = gaming_day_at(site.house.now)
    turn_days(today)
    with transaction.atomic():
        # The worker sees nothing of the run before one of its parts was given up.
        turn_and_start(now=site.house.now + timedelta(days=1))
        run = f"{today.isoformat()}/1"
        chunk = OutboxItem.objects.filter(topic=CHECK, key=f"{run}/1")
        assert chunk.update(parked_at=site.house.now) == 1
    asked: list[Request] = []
    auditor = visitors(size=TABLET)
    auditor.sign_on("auditor")
    page = auditor.go(f"/audit/days/{today.isoformat()}/")
    page.on("request", lambda request: asked.append(request))
    expect(page.get_by_text("1 part of this run was given up")).to_be_visible()
    page.get_by_role("link", name="Follow-up work").focus()
    page.evaluate("window.kept = document.activeElement")
    with page.expect_response(lambda answer: answer.request.resource_type == "xhr"):
        pass
    assert asked[-1].headers["x-background"] == "1"
    assert page.evaluate("window.kept === document.activeElement")
    unpark_item(CHECK, key=f"{run}/1")
    expect(page.get_by_role("button", name="Reconcile anew")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("was given up")).to_have_count(0)
    asked.clear()
    page.wait_for_timeout(4_000)
    assert asked == [], "a run that is done asks no more"
