"""Two managers move the same rules at once: approvals, an edit, a publication, a retirement.

Each race runs twice. With the lock of the stream `rulesets` the second call waits and is answered
for what stands by then. Without it a call meets a raw error of the database, or is answered for
what is over, or rules wait or stand otherwise than anybody meant.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from types import ModuleType

import pytest
from pytest_django.plugin import DjangoDbBlocker

from audit.log.replay import replay_log
from audit.log.verify import verify_log
from tables.models import RuleDraft, RuleKind, Ruleset, RuleStanding, TableTerms
from tables.selectors.floor import read_table
from tables.selectors.rule_content import read_content
from tables.selectors.rule_life import read_draft, read_rules
from tables.selectors.terms_check import NewTerms, terms_now
from tables.services import rule_approval, rule_life, terms
from tables.services.rule_approval import approve_rules
from tables.services.rule_life import (
    DraftStep,
    redraft_rules,
    retire_rules,
    return_rules,
    submit_rules,
)
from tables.services.terms import assign_terms
from tests.concurrency.places import new_place
from tests.concurrency.racing import (
    Call,
    Overlapped,
    at_once,
    code_of,
    constraint_of,
    lock_taken_away,
    overlap,
)
from tests.support.floors import FloorClone, PreparedFloor, cloned_floor
from tests.tables.rules.managers import (
    TODAY,
    Managers,
    approve,
    drafted,
    hire_managers,
    options_of,
    published,
    sign,
    submitted,
)

_prices = count(301)


@dataclass(frozen=True, slots=True)
class Desk:
    """Managers at a database of the module's own."""

    managers: Managers
    clone: FloorClone

    def meet(self, first: Call, second: Call, *, writes: ModuleType) -> Overlapped:
        """Let the second call arrive while the first one stands before its write."""
        return overlap(first, second, writes=writes, clone=self.clone.database)

    def waiting(self, *approved_by: str, price: int | None = None) -> DraftStep:
        """A draft in approval, with a content that no other has, and approvals given before."""
        options = options_of(tie_odds=[price or next(_prices), 1])
        step = submitted(self.managers, options)
        for name in approved_by:
            step = approve(self.managers, step, name)
        return step

    def approving(self, step: DraftStep, name: str) -> Call:
        """A manager's approval."""
        return partial(
            approve_rules,
            number=step.draft.number,
            version=step.draft.version,
            signers=[sign(name)],
            by=self.managers.acting(name),
        )

    def returning(self, step: DraftStep) -> Call:
        """A manager takes a draft back, to write it anew."""
        return partial(
            return_rules,
            number=step.draft.number,
            version=step.draft.version,
            reason="The price is too high.",
            by=self.managers.acting("both"),
        )

    def retiring(self, hash_: str) -> Call:
        """A manager retires rules."""
        by = self.managers.acting("manager")
        return partial(retire_rules, hash_=hash_, reason="Not wanted.", by=by)


@pytest.fixture(scope="module")
def desk(prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker) -> Iterator[Desk]:
    """One database for the module; every race has a draft and a content of its own."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        yield Desk(hire_managers(clone.house), clone)


def states(hash_: str) -> list[str]:
    """What rules were, revision by revision."""
    found = RuleStanding.objects.filter(hash=hash_).order_by("revision")
    return [each.state for each in found]


def test_of_two_first_approvals_the_later_one_publishes(desk: Desk) -> None:
    step = desk.waiting()
    met = desk.meet(
        desk.approving(step, "manager_2"), desk.approving(step, "manager_3"), writes=rule_approval
    )
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    draft = read_draft(step.draft.number)
    assert (draft.state, len(draft.approvals)) == ("published", 2)
    assert states(draft.content_hash) == ["published"]


def test_without_the_lock_two_approvals_publish_nothing(desk: Desk) -> None:
    step = desk.waiting()
    with lock_taken_away():
        met = desk.meet(
            desk.approving(step, "manager_2"),
            desk.approving(step, "manager_3"),
            writes=rule_approval,
        )
    assert not met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    draft = read_draft(step.draft.number)
    # Two have approved, no third can, and the rules do not stand.
    assert (draft.state, draft.approvals_missing) == ("in_approval", 0)
    assert states(draft.content_hash) == []


def test_of_two_second_approvals_one_publishes(desk: Desk) -> None:
    step = desk.waiting("manager_2")
    met = desk.meet(
        desk.approving(step, "manager_3"), desk.approving(step, "both"), writes=rule_approval
    )
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.draft_state")
    draft = read_draft(step.draft.number)
    assert [each.number for each in draft.approvals] == ["1204", "1205"]
    assert Ruleset.objects.filter(hash=draft.content_hash).count() == 1


def test_without_the_lock_the_second_publication_is_a_raw_error(desk: Desk) -> None:
    step = desk.waiting("manager_2")
    with lock_taken_away():
        met = desk.meet(
            desk.approving(step, "manager_3"), desk.approving(step, "both"), writes=rule_approval
        )
    assert code_of(met.second) == ""
    assert constraint_of(met.first) == "tables_ruleset_hash_key"


def test_one_manager_in_two_browsers_is_one(desk: Desk) -> None:
    step = desk.waiting()
    approving = desk.approving(step, "manager_2")
    met = desk.meet(approving, approving, writes=rule_approval)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert isinstance(met.first, DraftStep)
    assert isinstance(met.second, DraftStep)
    assert (met.second.receipt.hash, met.second.done_before) == (met.first.receipt.hash, True)
    assert read_draft(step.draft.number).approvals_missing == 1


def test_without_the_lock_a_constraint_is_all_that_tells_him_from_two(desk: Desk) -> None:
    step = desk.waiting()
    approving = desk.approving(step, "manager_2")
    with lock_taken_away():
        met = desk.meet(approving, approving, writes=rule_approval)
    assert code_of(met.second) == ""
    assert constraint_of(met.first) == "rule_approval_one_per_person"


def test_many_approvals_at_once_publish_once(desk: Desk) -> None:
    step = desk.waiting()
    names = ("manager_2", "manager_3", "both")
    results = at_once([desk.approving(step, name) for name in names] * 2)
    # Two of the three have approved, each in two browsers; the third comes too late in both.
    refusals = sorted(code_of(result) for result in results)
    assert refusals == ["", "", "", "", "rules.draft_state", "rules.draft_state"]
    again = [each for each in results if isinstance(each, DraftStep) and each.done_before]
    assert len(again) == 2
    draft = read_draft(step.draft.number)
    assert (draft.state, len(draft.approvals)) == ("published", 2)
    assert states(draft.content_hash) == ["published"]


def test_what_is_published_is_not_taken_back_to_be_edited(desk: Desk) -> None:
    step = desk.waiting("manager_2")
    met = desk.meet(desk.approving(step, "manager_3"), desk.returning(step), writes=rule_approval)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.draft_state")
    assert read_draft(step.draft.number).state == "published"


def test_what_is_taken_back_to_be_edited_is_not_published(desk: Desk) -> None:
    step = desk.waiting("manager_2")
    met = desk.meet(desk.returning(step), desk.approving(step, "manager_3"), writes=rule_life)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.draft_state")
    draft = read_draft(step.draft.number)
    assert (draft.state, draft.version, draft.approvals) == ("draft", 2, ())
    assert states(step.draft.content_hash) == []


def test_without_the_lock_a_constraint_is_all_that_stops_the_publication(desk: Desk) -> None:
    step = desk.waiting("manager_2")
    with lock_taken_away():
        met = desk.meet(
            desk.approving(step, "manager_3"), desk.returning(step), writes=rule_approval
        )
    assert code_of(met.second) == ""
    assert constraint_of(met.first) == "rule_draft_in_approval_has_hash"


def edits(desk: Desk) -> tuple[str, Call, Call]:
    """A draft, a manager who writes it anew, and one who puts it up as it was read."""
    step = drafted(desk.managers, options_of(tie_odds=[next(_prices), 1]))
    number = step.draft.number
    writing = partial(
        redraft_rules,
        number=number,
        version=1,
        name="Other rules",
        options=options_of(tie_odds=[8, 1]),
        by=desk.managers.acting("manager_2"),
    )
    putting_up = partial(submit_rules, number=number, version=1, by=desk.managers.acting("manager"))
    return number, writing, putting_up


def test_a_draft_is_put_up_as_it_was_read_or_not_at_all(desk: Desk) -> None:
    number, writing, putting_up = edits(desk)
    met = desk.meet(writing, putting_up, writes=rule_life)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.draft_changed")
    assert read_draft(number).state == "draft"


def test_without_the_lock_other_options_wait_for_approval_than_were_put_up(desk: Desk) -> None:
    number, writing, putting_up = edits(desk)
    with lock_taken_away():
        met = desk.meet(writing, putting_up, writes=rule_life)
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    draft = read_draft(number)
    content, _faults = read_content(draft.kind, draft.game, draft.options)
    assert content is not None
    assert draft.state == "in_approval"
    assert draft.content_hash != content.hash


def test_of_two_who_write_a_draft_one_reads_again(desk: Desk) -> None:
    number, writing, _putting_up = edits(desk)
    met = desk.meet(writing, writing, writes=rule_life)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.draft_changed")
    assert read_draft(number).version == 2


def retired_and_up_again(desk: Desk) -> tuple[str, DraftStep]:
    """Rules that were retired, and a draft of the same content that lacks one approval."""
    price = next(_prices)
    hash_ = published(desk.managers, options_of(tie_odds=[price, 1]))
    desk.retiring(hash_)()
    return hash_, desk.waiting("manager_2", price=price)


def test_a_retirement_sees_the_publication_before_it(desk: Desk) -> None:
    hash_, step = retired_and_up_again(desk)
    met = desk.meet(desk.approving(step, "manager_3"), desk.retiring(hash_), writes=rule_approval)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert states(hash_) == ["published", "retired", "published", "retired"]
    assert read_rules(hash_, day=TODAY).state == "retired"


def test_without_the_lock_a_retirement_is_refused_for_what_is_over(desk: Desk) -> None:
    hash_, step = retired_and_up_again(desk)
    with lock_taken_away():
        met = desk.meet(
            desk.approving(step, "manager_3"), desk.retiring(hash_), writes=rule_approval
        )
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.not_published")
    assert read_rules(hash_, day=TODAY).state == "published"


def standing_and_up_again(desk: Desk) -> tuple[str, DraftStep]:
    """Rules that stand, and another draft of the same content that lacks one approval."""
    price = next(_prices)
    one, other = desk.waiting(price=price), desk.waiting("manager_2", price=price)
    hash_ = approve(desk.managers, one, "manager_2", "manager_3").draft.content_hash
    return hash_, other


def test_a_publication_sees_the_retirement_before_it(desk: Desk) -> None:
    hash_, step = standing_and_up_again(desk)
    met = desk.meet(desk.retiring(hash_), desk.approving(step, "manager_3"), writes=rule_life)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert states(hash_) == ["published", "retired", "published"]
    assert RuleDraft.objects.get(number=step.draft.number).state == "published"


def test_without_the_lock_a_publication_is_refused_for_what_is_over(desk: Desk) -> None:
    hash_, step = standing_and_up_again(desk)
    with lock_taken_away():
        met = desk.meet(desk.retiring(hash_), desk.approving(step, "manager_3"), writes=rule_life)
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.published")
    assert states(hash_) == ["published", "retired"]


def test_of_two_retirements_one_counts(desk: Desk) -> None:
    hash_ = published(desk.managers, options_of(tie_odds=[next(_prices), 1]))
    met = desk.meet(desk.retiring(hash_), desk.retiring(hash_), writes=rule_life)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.not_published")
    assert states(hash_) == ["published", "retired"]


def test_without_the_lock_the_second_retirement_is_a_raw_error(desk: Desk) -> None:
    hash_ = published(desk.managers, options_of(tie_odds=[next(_prices), 1]))
    with lock_taken_away():
        met = desk.meet(desk.retiring(hash_), desk.retiring(hash_), writes=rule_life)
    assert code_of(met.second) == ""
    assert constraint_of(met.first) == "rule_standing_one_per_revision"


def given_limits(desk: Desk) -> tuple[str, str, Callable[[], object]]:
    """A table of the race's own, new limits, and the manager who gives it these limits."""
    cover = 1_000_000 + next(_prices)
    limits = options_of(kind=RuleKind.LIMITS, bank_cover_minor=cover)
    hash_ = published(desk.managers, limits, kind=RuleKind.LIMITS)
    code = new_place(desk.clone.house).code
    now = terms_now(read_table(code).terms)
    assert now is not None
    wanted = NewTerms(ruleset=now.ruleset, procedures=now.procedures, limits=hash_)
    giving = partial(
        assign_terms,
        table=code,
        terms=wanted,
        reason="Guests ask.",
        by=desk.managers.acting("manager_2"),
    )
    return code, hash_, giving


def limits_of(code: str) -> str:
    """The limits that a table deals under."""
    return str(TableTerms.objects.filter(table__code=code).latest("revision").limits.hash)


def test_limits_that_a_table_is_given_are_not_retired(desk: Desk) -> None:
    code, hash_, giving = given_limits(desk)
    met = desk.meet(giving, desk.retiring(hash_), writes=terms)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "rules.in_force")
    assert limits_of(code) == hash_


def test_without_the_lock_a_table_deals_under_retired_limits(desk: Desk) -> None:
    code, hash_, giving = given_limits(desk)
    with lock_taken_away():
        met = desk.meet(giving, desk.retiring(hash_), writes=terms)
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert (limits_of(code), states(hash_)) == (hash_, ["published", "retired"])


def test_the_log_holds_all_of_it(desk: Desk) -> None:
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []
