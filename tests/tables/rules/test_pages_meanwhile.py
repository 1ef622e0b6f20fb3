"""Two managers at one draft: whose page is behind is told so, and loses nothing without a word."""

import pytest

from tables.models import RuleApproval, RuleDraft
from tests.support.pages import PagePerson, boxes_of
from tests.support.records import nothing_recorded
from tests.tables.rules.managers import Managers
from tests.tables.rules.pages import filled_in, put_up, says, signer


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
