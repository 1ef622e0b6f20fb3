"""Two managers at one draft: whose page is behind is told so, and loses nothing without a word."""

from typing import Any

import pytest

from tables.models import RuleApproval, RuleDraft, RuleKind
from tables.selectors.floor import read_table
from tests.support.pages import PagePerson, boxes_of
from tests.support.records import nothing_recorded
from tests.tables.rules.managers import Managers, options_of, published
from tests.tables.rules.pages import chosen, filled_in, put_up, says, signer

TIE: dict[str, Any] = {"tie_odds": [300, 1]}  # Any: options


@pytest.fixture
def manager(managers: Managers) -> PagePerson:
    """The manager in a browser."""
    return PagePerson(managers.house, "manager")


def test_whoever_saves_a_draft_that_was_put_up_is_told(manager: PagePerson) -> None:
    path = put_up(manager)
    draft = RuleDraft.objects.latest("serial")
    manager.post(f"{path}stop/return/", {"version": "2", "reason": "No."})
    sent = filled_in(manager, draft, name="Much better")
    manager.post(f"{path}submit/", {"version": "3"})
    with nothing_recorded():
        page = manager.post(f"{path}edit/", sent)
    says(page, "is in_approval; expected draft", status=422)
    assert boxes_of(page)["name"] == "Much better"


def test_whoever_approves_a_draft_that_was_taken_back_is_told(manager: PagePerson) -> None:
    """There is no box any more at which it could be said."""
    path = put_up(manager)
    manager.post(f"{path}stop/return/", {"version": "2", "reason": "Too high."})
    page = manager.post(f"{path}approve/", {"version": "2", **signer("manager_2")})
    says(page, "is draft; expected in_approval", "Put up for approval", status=409)
    manager.post(f"{path}submit/", {"version": "3"})
    page = manager.post(f"{path}approve/", {"version": "2", **signer("manager_2")})
    says(page, "is at version 3 by now. Read it again.", "0 of 2", status=409)
    assert not RuleApproval.objects.exists()


def test_whoever_sets_terms_undoes_no_change_that_was_not_shown(managers: Managers) -> None:
    """One sets limits; the other, whose page is older, the ruleset, with the limits it had."""
    manager, path = PagePerson(managers.house, "manager"), "/tables/T1/terms/"
    limits = options_of(kind=RuleKind.LIMITS, bank_cover_minor=1_000_000)
    lower = published(managers, limits, kind=RuleKind.LIMITS)
    tie = published(managers, options_of(**TIE))
    old = boxes_of(manager.get(path))
    assert {kind: old[kind] for kind in chosen()} == chosen()
    manager.post(path, {**chosen(limits=lower), "reason": "The cover."})
    with nothing_recorded():
        page = manager.post(path, {**old, "ruleset": tie, "reason": "Guests ask."})
    says(page, "are at revision 2 by now", "The bank covers", "Guests ask.", status=422)
    # What it shows now is what it would change, so that it may be sent as it stands.
    assert boxes_of(page)["revision"] == "2"
    manager.post(path, {**boxes_of(page), "limits": lower, "reason": "Guests ask."})
    terms = read_table("T1").require_terms()
    assert (terms.ruleset.key, terms.limits.key, terms.revision) == (tie, lower, 3)
    for none in ("", "x", "\0", "-1", "9" * 30):
        says(
            manager.post(path, {**chosen(), "revision": none, "reason": "No."}),
            "by now",
            status=422,
        )
