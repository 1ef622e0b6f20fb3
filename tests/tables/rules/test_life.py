"""Drafted, checked, approved by two others, published; and whoever may not, at every step."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.outbox.models import OutboxItem
from casino.people.errors import (
    RoleNotAllowedError,
    SignatureRoleError,
    SignatureSamePersonError,
    SignatureSecretError,
)
from casino.people.models import Role, Signature
from tables.models import (
    Limits,
    Procedures,
    RuleApproval,
    RuleDraft,
    RuleKind,
    Ruleset,
)
from tables.rule_errors import (
    ApprovalSignersError,
    ApprovedAlreadyError,
    ApproverDraftedError,
    DraftChangedError,
    DraftStateError,
    RuleNameRefusedError,
    RuleReasonMissingError,
    RulesFaultyError,
    RulesPublishedError,
)
from tables.selectors.rule_life import open_drafts, published_rules, read_draft, read_rules
from tables.services.rule_approval import approve_rules
from tables.services.rule_life import (
    discard_draft,
    draft_rules,
    redraft_rules,
    retire_rules,
    return_rules,
    submit_rules,
)
from tests.support.records import nothing_recorded
from tests.tables.rules.managers import (
    TODAY,
    Managers,
    approve,
    drafted,
    options_of,
    published,
    sign,
    submitted,
)

TIE: dict[str, Any] = {"tie_odds": [300, 1]}  # Any: options


def last_entry() -> Entry:
    return Entry.objects.filter(stream="rulesets").latest("seq")


def test_a_ruleset_from_draft_to_publication(managers: Managers) -> None:
    step = drafted(managers, options_of(**TIE), name="With a tie bet")
    assert (step.draft.number, step.draft.state, step.draft.version) == ("R-1", "draft", 1)
    assert [each.number for each in open_drafts()] == ["R-1"]
    step = submit_rules(number="R-1", version=1, by=managers.acting("manager"))
    assert step.draft.state == "in_approval"
    step = approve(managers, step, "manager_2")
    assert (step.draft.state, step.draft.approvals_missing) == ("in_approval", 1)
    assert not Ruleset.objects.filter(hash=step.draft.content_hash).exists()
    step = approve(managers, step, "manager_3")
    assert step.draft.state == "published"
    rules = read_rules(step.draft.content_hash, day=TODAY)
    assert (rules.name, rules.state, rules.effective_day) == ("With a tie bet", "published", TODAY)
    assert (rules.draft, rules.tables) == ("R-1", ())
    assert rules.options == options_of(**TIE)
    entry = last_entry()
    assert (entry.action, entry.subject) == ("ruleset.published", rules.hash)
    assert OutboxItem.objects.filter(topic="ruleset.slow_odds", key=rules.hash).count() == 1
    assert open_drafts() == []


def test_both_approvals_may_come_in_one_call(managers: Managers) -> None:
    step = approve(managers, submitted(managers, options_of(**TIE)), "manager_2", "both")
    assert step.draft.state == "published"
    signed = Signature.objects.filter(entry__stream="rulesets")
    assert {each.staff.number for each in signed} == {"1204", "1208"}
    hashes = {bytes(each.content_hash).hex() for each in signed}
    assert hashes == set(RuleApproval.objects.values_list("signed_hash", flat=True))
    assert len(hashes) == 1


@pytest.mark.parametrize("kind", [RuleKind.PROCEDURES, RuleKind.LIMITS])
def test_procedures_and_limits_go_the_same_way(managers: Managers, kind: str) -> None:
    changed: dict[str, Any] = {"cut_card_depth": 60}  # Any: options
    if kind == RuleKind.LIMITS:
        changed = {"bank_cover_minor": 5_000_000}
    hash_ = published(managers, options_of(kind=kind, **changed), kind=kind)
    model = Procedures if kind == RuleKind.PROCEDURES else Limits
    assert model.objects.filter(hash=hash_).exists()
    rules = read_rules(hash_, day=TODAY)
    assert (rules.kind, rules.name, rules.state) == (kind, "New rules", "published")
    assert not OutboxItem.objects.filter(topic="ruleset.slow_odds").exists()


def test_the_log_rebuilds_drafts_approvals_and_standings(managers: Managers) -> None:
    hash_ = published(managers, options_of(**TIE))
    drafted(managers, options_of())
    retire_rules(hash_=hash_, reason="Replaced.", by=managers.acting("manager"))
    assert replay_log().problems == []
    assert verify_log(place=None).problems == []


def test_a_draft_may_be_full_of_faults_and_goes_no_further(managers: Managers) -> None:
    wrong: dict[str, Any] = {"decks": 9, "kicker_by": "suit", "colour": "red", "tie_odds": [0, 1]}
    step = drafted(managers, wrong)
    with pytest.raises(RulesFaultyError) as refused:
        submit_rules(number=step.draft.number, version=1, by=managers.acting("manager"))
    found = {(fault["code"], fault["where"]) for fault in refused.value.faults}
    assert {
        ("option_value", "options.decks"),
        ("option_value", "options.kicker_by"),
        ("option_value", "options.tie_odds"),
        ("unknown_option", "options.colour"),
        ("missing", "options.jacks_scope"),
        ("missing", "options.main_odds"),
    } <= found
    assert read_draft(step.draft.number).state == "draft"


def test_the_price_of_the_tie_bet_must_be_said_even_if_it_is_none(managers: Managers) -> None:
    options = options_of()
    del options["tie_odds"]
    step = drafted(managers, options)
    with pytest.raises(RulesFaultyError) as refused:
        submit_rules(number=step.draft.number, version=1, by=managers.acting("manager"))
    assert [fault["where"] for fault in refused.value.faults] == ["options.tie_odds"]


def test_who_drafted_does_not_approve(managers: Managers) -> None:
    step = submitted(managers, options_of(**TIE))
    for names in (("manager",), ("manager_2", "manager")):
        with pytest.raises(ApproverDraftedError):
            approve(managers, step, *names)
    assert not RuleApproval.objects.exists()


def test_whoever_wrote_any_version_does_not_approve(managers: Managers) -> None:
    step = drafted(managers, options_of())
    step = redraft_rules(
        number=step.draft.number,
        version=1,
        name="New rules",
        options=options_of(**TIE),
        by=managers.acting("manager_2"),
    )
    assert step.draft.drafters == ("1004", "1204")
    step = submit_rules(number=step.draft.number, version=2, by=managers.acting("manager_2"))
    for name in ("manager", "manager_2"):
        with pytest.raises(ApproverDraftedError):
            approve(managers, step, name)
    assert approve(managers, step, "manager_3", "both").draft.state == "published"


def test_the_same_person_twice_is_one_person(managers: Managers) -> None:
    step = submitted(managers, options_of(**TIE))
    with pytest.raises(SignatureSamePersonError):
        approve(managers, step, "manager_2", "manager_2")
    step = approve(managers, step, "manager_2")
    with pytest.raises(ApprovedAlreadyError):
        approve(managers, step, "manager_2", "manager_3")
    assert read_draft(step.draft.number).approvals_missing == 1


@pytest.mark.parametrize("names", [("manager_2",), ("manager_2", "manager_3")])
def test_an_approval_sent_again_is_known(managers: Managers, names: tuple[str, ...]) -> None:
    step = submitted(managers, options_of(**TIE))
    first = approve(managers, step, *names)
    with nothing_recorded():
        again = approve(managers, step, *reversed(names))
    assert (first.done_before, again.done_before) == (False, True)
    assert (again.receipt.entry_id, again.receipt.hash) == (
        first.receipt.entry_id,
        first.receipt.hash,
    )
    assert again.draft == first.draft


def test_an_approval_is_known_whatever_became_of_the_draft(managers: Managers) -> None:
    step = submitted(managers, options_of(**TIE))
    first = approve(managers, step, "manager_2")
    approve(managers, step, "manager_3")
    again = approve(managers, step, "manager_2")
    assert (again.receipt.hash, again.draft.state) == (first.receipt.hash, "published")
    with pytest.raises(DraftStateError):  # these two did not sign together
        approve(managers, step, "manager_2", "manager_3")
    other = submitted(managers, options_of(tie_odds=[200, 1]))
    first = approve(managers, other, "manager_2")
    return_rules(
        number=other.draft.number, version=1, reason="No.", by=managers.acting("manager_3")
    )
    again = approve(managers, other, "manager_2")
    assert (again.receipt.hash, again.draft.version) == (first.receipt.hash, 2)
    assert read_draft(other.draft.number).approvals == ()


@pytest.mark.parametrize(
    ("signers", "error"),
    [
        ([], ApprovalSignersError),
        ([sign("supervisor")], ApprovalSignersError),
        ([sign("both", role=Role.SUPERVISOR)], ApprovalSignersError),
        ([sign("manager_2"), sign("supervisor")], ApprovalSignersError),
        ([sign("manager_2"), sign("manager_3"), sign("both")], ApprovalSignersError),
        ([sign("manager_2", secret="")], SignatureSecretError),
        ([sign("supervisor", role=Role.MANAGER)], SignatureRoleError),
    ],
)
def test_who_else_does_not_approve(
    managers: Managers, signers: list[object], error: type[Exception]
) -> None:
    step = submitted(managers, options_of(**TIE))
    with pytest.raises(error):
        approve_rules(
            number=step.draft.number,
            version=step.draft.version,
            signers=signers,  # type: ignore[arg-type]  # signers, as the parameters name them
            by=managers.acting("manager"),
        )
    assert not RuleApproval.objects.exists()
    assert read_draft(step.draft.number).state == "in_approval"


@pytest.mark.parametrize(
    "role", sorted(set(Role.values) - {Role.MANAGER}), ids=lambda role: str(role)
)
def test_nobody_but_a_manager_moves_rules(managers: Managers, role: str) -> None:
    step = submitted(managers, options_of(**TIE))
    number, version = step.draft.number, step.draft.version
    other = managers.acting("both", role=role)
    acts = (
        lambda: draft_rules(
            kind="ruleset", game="lucky-9", name="N", options=options_of("lucky-9"), by=other
        ),
        lambda: redraft_rules(number=number, version=version, name="N", options={}, by=other),
        lambda: submit_rules(number=number, version=version, by=other),
        lambda: return_rules(number=number, version=version, reason="No.", by=other),
        lambda: discard_draft(number=number, version=version, reason="No.", by=other),
        lambda: approve_rules(
            number=number, version=version, signers=[sign("manager_2")], by=other
        ),
        lambda: retire_rules(hash_=managers.house.ruleset.key, reason="No.", by=other),
    )
    before = last_entry().seq
    for act in acts:
        with pytest.raises(RoleNotAllowedError):
            act()
    assert last_entry().seq == before


def test_approvals_are_for_the_version_that_was_read(managers: Managers) -> None:
    step = approve(managers, submitted(managers, options_of(**TIE)), "manager_2")
    number = step.draft.number
    back = return_rules(
        number=number, version=1, reason="The price is too high.", by=managers.acting("manager_3")
    )
    assert (back.draft.state, back.draft.version, back.draft.approvals) == ("draft", 2, ())
    assert back.draft.content_hash == ""
    with pytest.raises(DraftStateError):
        approve(managers, step, "manager_3")
    again = submit_rules(number=number, version=2, by=managers.acting("manager"))
    with pytest.raises(DraftChangedError):
        approve(managers, step, "manager_3")
    assert again.draft.approvals_missing == 2
    assert approve(managers, again, "manager_2", "manager_3").draft.state == "published"


def test_a_draft_is_written_only_at_the_version_that_was_read(managers: Managers) -> None:
    step = drafted(managers, options_of())
    number = step.draft.number
    by = managers.acting("manager_2")
    redraft_rules(number=number, version=1, name="Other", options=options_of(), by=by)
    acts: list[Callable[[], object]] = [
        partial(redraft_rules, number=number, version=1, name="N", options={}, by=by),
        partial(submit_rules, number=number, version=1, by=by),
        partial(discard_draft, number=number, version=1, reason="No.", by=by),
    ]
    for act in acts:
        with pytest.raises(DraftChangedError):
            act()
    assert read_draft(number).name == "Other"


def test_what_is_over_moves_no_more(managers: Managers) -> None:
    by = managers.acting("manager")
    step = approve(managers, submitted(managers, options_of(**TIE)), "manager_2", "manager_3")
    number, version = step.draft.number, step.draft.version
    gone = drafted(managers, options_of())
    discard_draft(number=gone.draft.number, version=1, reason="Not wanted.", by=by)
    for name, at in ((number, version), (gone.draft.number, 1)):
        acts: list[Callable[[], object]] = [
            partial(redraft_rules, number=name, version=at, name="N", options={}, by=by),
            partial(submit_rules, number=name, version=at, by=by),
            partial(return_rules, number=name, version=at, reason="No.", by=by),
            partial(discard_draft, number=name, version=at, reason="No.", by=by),
            partial(approve_rules, number=name, version=at, signers=[sign("both")], by=by),
        ]
        for act in acts:
            with pytest.raises(DraftStateError):
                act()
    assert RuleDraft.objects.get(number=gone.draft.number).state == "discarded"


def test_what_stands_is_not_published_twice(managers: Managers) -> None:
    step = drafted(managers, options_of())  # what the house deals under
    with pytest.raises(RulesPublishedError):
        submit_rules(number=step.draft.number, version=1, by=managers.acting("manager"))
    one, other = submitted(managers, options_of(**TIE)), submitted(managers, options_of(**TIE))
    approve(managers, one, "manager_2", "manager_3")
    with pytest.raises(RulesPublishedError):
        approve(managers, other, "manager_2", "manager_3")
    assert Ruleset.objects.filter(hash=one.draft.content_hash).count() == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 81])
def test_rules_have_a_name(managers: Managers, name: str) -> None:
    with pytest.raises(RuleNameRefusedError):
        drafted(managers, options_of(), name=name)


def test_whoever_stops_something_says_why(managers: Managers) -> None:
    step = submitted(managers, options_of(**TIE))
    by = managers.acting("manager")
    for act in (
        lambda: return_rules(number=step.draft.number, version=1, reason=" ", by=by),
        lambda: discard_draft(number=step.draft.number, version=1, reason="x" * 501, by=by),
        lambda: retire_rules(hash_=managers.house.ruleset.key, reason="", by=by),
    ):
        with pytest.raises(RuleReasonMissingError):
            act()


def test_the_list_shows_where_rules_are_in_force(managers: Managers) -> None:
    published(managers, options_of(**TIE))
    rules = published_rules(day=TODAY, kind=RuleKind.RULESET)
    assert [(each.state, len(each.tables)) for each in rules] == [
        ("published", 0),
        ("published", 9),
    ]
    after = published_rules(day=TODAY, kind=RuleKind.RULESET, after=rules[0].hash)
    assert [each.hash for each in after] == [managers.house.ruleset.key]
