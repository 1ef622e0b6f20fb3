"""What a table deals under: from the next shoe, limits from the next round; old rounds stay."""

from datetime import date, timedelta
from typing import Any

import pytest

from casino.people.errors import RoleNotAllowedError
from casino.people.models import Role
from settlements.comparison import differences
from settlements.correction import CorrectedCard, Correction
from settlements.models import Settlement
from settlements.reaudit import reaudit
from settlements.selectors.bill import correction_bill
from settlements.selectors.checks import read_subject
from settlements.services.corrections import correct_round
from tables.errors import WagersRefusedError
from tables.models import Limits, Procedures, Round, RuleKind, Shoe, TableTerms
from tables.rule_errors import (
    RuleReasonMissingError,
    RulesRetiredError,
    RulesSetUpOnlyError,
    TermsRefusedError,
    TermsSameError,
)
from tables.selectors.floor import read_table
from tables.selectors.terms_check import NewTerms, check_terms
from tables.services.house import publish_ruleset, set_table_terms
from tables.services.rule_life import retire_rules
from tables.services.shoe_end import end_shoe
from tables.services.shoes import prepare_shoe
from tables.services.terms import assign_terms
from tests.factories.house import (
    bet,
    key,
    open_floor,
    open_round,
    play_round,
    ready_the_shoe,
    settle_part,
)
from tests.tables.rules.managers import TODAY, Managers, options_of, published, sign

KINDS = ("main", "tie", "pair", "jacks")
MAIN = {1: {"main": 10000}}
# The seat's pair of sevens beats the House's count of nine.
HANDS = {1: ["7H", "7C", "2D"], 0: ["5S", "4D", "QC"]}
# Any: options.
BETTER: dict[str, Any] = {"main_odds": {"trio": [3, 2], "pair": [2, 1], "lucky9": [95, 100]}}


def standing(**changed: str) -> NewTerms:
    terms = read_table("T1").require_terms()
    now = {
        "ruleset": terms.ruleset.key,
        "procedures": terms.procedures.key,
        "limits": terms.limits.key,
    }
    return NewTerms(**{**now, **changed})


def assign(
    managers: Managers, *, by: str = "manager", reason: str = "Guests ask.", **changed: str
) -> None:
    assign_terms(table="T1", terms=standing(**changed), reason=reason, by=managers.acting(by))


def handed(key: str) -> int:
    settlement = Settlement.objects.get(round__key=key, part="final", revision=1)
    return settlement.bank_owed_minor


def test_a_shoe_keeps_its_ruleset_and_the_next_one_has_the_new(managers: Managers) -> None:
    house = managers.house
    old = house.ruleset.key
    before = play_round(house, MAIN, HANDS)
    new = published(managers, options_of(**BETTER))
    assign(managers, ruleset=new)
    after = play_round(house, MAIN, HANDS)
    for name in (before, after):
        assert handed(name.key) == -10000
        assert Round.objects.get(key=name.key).ruleset.hash == old
        assert Settlement.objects.get(round__key=name.key).ruleset.hash == old
    end_shoe(table="T1", shoe=1, stub_cards=400, by=managers.acting("both", role=Role.SUPERVISOR))
    prepare_shoe(table="T1", by=managers.acting("both", role=Role.SUPERVISOR))
    assert Shoe.objects.get(key="T1/2").ruleset.hash == new
    assert Shoe.objects.get(key="T1/1").ruleset.hash == old


def test_a_round_dealt_over_the_change_is_settled_under_its_own(managers: Managers) -> None:
    house = managers.house
    name = open_round(house)
    bet(house, name, MAIN)
    key(house, name, {1: "7H", 2: "5S", 3: "7C", 4: "4D"})
    assign(managers, ruleset=published(managers, options_of(**BETTER)))
    key(house, name, {5: "2D", 6: "QC"})
    settle_part(house, name, "final")
    assert handed(name.key) == -10000


def test_a_round_before_the_change_is_corrected_and_checked_under_its_own(
    managers: Managers,
) -> None:
    # Eight points lose to nine; with the true card a pair wins, 1 to 1 as it was, 2 to 1 by now.
    name = play_round(managers.house, MAIN, {**HANDS, 1: ["7H", "8C", "3D"]})
    assert handed(name.key) == 10000
    assign(managers, ruleset=published(managers, options_of(**BETTER)))
    correction = Correction(
        event=21,
        reason="The eight was a seven.",
        moved=True,
        cards=(CorrectedCard(draw=3, face="7C"),),
    )
    bill = correction_bill(name, correction)
    correct_round(
        name=name,
        correction=correction,
        bill_hash=bill.hash,
        signers=[sign("supervisor"), sign("both", role=Role.SUPERVISOR)],
        by=managers.acting("both", role=Role.SUPERVISOR),
    )
    stored = Settlement.objects.filter(round__key=name.key, part="final").order_by("revision")
    assert [each.bank_owed_minor for each in stored] == [10000, -10000]
    assert {each.ruleset.hash for each in stored} == {managers.house.ruleset.key}
    for each in stored:
        subject = read_subject(name.key, part="final", revision=each.revision)
        assert subject is not None
        assert list(differences(subject.read)) == []


def test_rounds_of_both_rulesets_are_audited_again_each_under_its_own(managers: Managers) -> None:
    """The same cards, 1 to 1 before the change and 2 to 1 after it: neither differs."""
    house, by = managers.house, managers.acting("both", role=Role.SUPERVISOR)
    before = play_round(house, MAIN, HANDS)
    new = published(managers, options_of(**BETTER))
    assign(managers, ruleset=new)
    end_shoe(table="T1", shoe=1, stub_cards=409, by=by)
    ready_the_shoe(house, "T1")
    after = play_round(house, MAIN, HANDS, shoe=2)
    assert (handed(before.key), handed(after.key)) == (-10000, -20000)
    audited = reaudit(Round.objects.values_list("pk", flat=True))
    assert (audited.rounds, audited.found) == (2, ())
    hashes = {name.key: Round.objects.get(key=name.key).ruleset.hash for name in (before, after)}
    assert hashes == {before.key: house.ruleset.key, after.key: new}


def test_limits_count_from_the_next_round(managers: Managers) -> None:
    house = managers.house
    high = published(
        managers,
        options_of(
            kind=RuleKind.LIMITS, min=dict.fromkeys(("main", "tie", "pair", "jacks"), 50000)
        ),
        kind=RuleKind.LIMITS,
    )
    first = open_round(house)
    bet(house, first, MAIN)
    assign(managers, limits=high)
    bet(house, first, {3: {"main": 10000}})
    key(house, first, {1: "7H", 2: "2S", 3: "5S", 4: "7C", 5: "3D", 6: "4D"})
    key(house, first, {7: "2D", 8: "KS", 9: "QC"})
    settle_part(house, first, "final")
    assert Round.objects.get(key=first.key).limits != Limits.objects.get(hash=high)
    second = open_round(house)
    with pytest.raises(WagersRefusedError):
        bet(house, second, MAIN)
    bet(house, second, {1: {"main": 50000}})
    key(house, second, {1: "7H"})
    assert Round.objects.get(key=second.key).limits == Limits.objects.get(hash=high)


def test_changing_limits_twice_in_one_betting_keeps_the_first(managers: Managers) -> None:
    house = managers.house
    old = read_table("T1").require_terms().limits.key
    name = open_round(house)
    for cover in (1_000_000, 2_000_000):
        limits = options_of(kind=RuleKind.LIMITS, bank_cover_minor=cover)
        assign(managers, limits=published(managers, limits, kind=RuleKind.LIMITS))
    pinned = Round.objects.get(key=name.key).limits
    assert pinned is not None
    assert pinned.hash == old


def test_no_shoe_starts_under_retired_rules(managers: Managers) -> None:
    by = managers.acting("manager")
    retire_rules(hash_=managers.house.ruleset.key, reason="Replaced.", by=by)
    play_round(managers.house, MAIN, HANDS)  # the shoe in use is dealt to its end
    open_the_second = managers.acting("both", role=Role.SUPERVISOR)
    end_shoe(table="T1", shoe=1, stub_cards=400, by=open_the_second)
    with pytest.raises(RulesRetiredError):
        prepare_shoe(table="T1", by=open_the_second)
    assign(managers, ruleset=published(managers, options_of(**BETTER)))
    assert prepare_shoe(table="T1", by=open_the_second).shoe.number == 2


def test_retired_procedures_stop_a_shoe_as_well(managers: Managers) -> None:
    hash_ = str(Procedures.objects.values_list("hash", flat=True).get())
    retire_rules(hash_=hash_, reason="Replaced.", by=managers.acting("manager"))
    with pytest.raises(RulesRetiredError) as refused:
        open_floor(managers.house, "T2")
    assert refused.value.data["kind"] == "procedures"


def test_everything_wrong_with_terms_is_said_at_once(managers: Managers) -> None:
    lucky = published(managers, options_of("lucky-9", decks=8), game="lucky-9")
    later = published(
        managers,
        options_of(kind=RuleKind.PROCEDURES, cut_card_depth=60),
        kind=RuleKind.PROCEDURES,
        effective_day=date(2026, 4, 1),
    )
    with pytest.raises(TermsRefusedError) as refused:
        assign(managers, ruleset=lucky, procedures=later, limits="0" * 64)
    assert [(fault["code"], fault["where"]) for fault in refused.value.faults] == [
        ("terms.not_yet", "procedures"),
        ("terms.unknown", "limits"),
    ]
    with pytest.raises(TermsRefusedError) as refused:
        assign(managers, ruleset=lucky)
    assert {fault["code"] for fault in refused.value.faults} == {"terms.other_game"}


def test_a_table_does_not_change_the_game_under_a_shoe_in_use(managers: Managers) -> None:
    lucky = {
        kind: published(managers, options_of("lucky-9", kind=kind), kind=kind, game="lucky-9")
        for kind in RuleKind.values
    }
    with pytest.raises(TermsRefusedError) as refused:
        assign(managers, **lucky)
    assert [fault["code"] for fault in refused.value.faults] == ["terms.shoe_of_other_game"]
    assign_terms(
        table="T2",
        terms=NewTerms(**lucky),
        reason="Lucky 9 for the weekend.",
        by=managers.acting("manager"),
    )
    assert read_table("T2").require_terms().game == "lucky-9"


def test_no_table_is_given_rules_by_which_a_lost_wager_owes_more(managers: Managers) -> None:
    options = options_of("lucky-9", banker_colon_collects="multiple")
    lucky = {
        kind: published(
            managers,
            options if kind == RuleKind.RULESET else options_of("lucky-9", kind=kind),
            kind=kind,
            game="lucky-9",
        )
        for kind in RuleKind.values
    }
    before = TableTerms.objects.count()
    with pytest.raises(TermsRefusedError) as refused:
        assign_terms(
            table="T2",
            terms=NewTerms(**lucky),
            reason="Higher stakes.",
            by=managers.acting("manager"),
        )
    assert [(fault["code"], fault["where"]) for fault in refused.value.faults] == [
        ("terms.extra_not_blocked", "ruleset")
    ]
    assert TableTerms.objects.count() == before
    plain = published(managers, options_of("lucky-9"), game="lucky-9")
    assign_terms(
        table="T2",
        terms=NewTerms(**{**lucky, "ruleset": plain}),
        reason="The stake alone.",
        by=managers.acting("manager"),
    )
    assert read_table("T2").require_terms().game == "lucky-9"


@pytest.mark.parametrize(
    ("procedures", "codes"),
    [
        ({"deal_from": "shoe", "cut_card_depth": 52, "burn": "none"}, ["terms.cut_card"]),
        ({"deal_from": "shoe", "cut_card_depth": 51}, []),
        ({"deal_from": "pack_each_round", "cut_card_depth": 52}, []),
    ],
)
def test_a_cut_card_lies_before_cards_of_the_shoe(
    procedures: dict[str, Any], codes: list[str], managers: Managers
) -> None:
    known = [
        published(
            managers,
            options_of("lucky-9", kind=kind, **(procedures if kind == "procedures" else {})),
            kind=kind,
            game="lucky-9",
        )
        for kind in ("ruleset", "procedures", "limits")
    ]
    check = check_terms(read_table("T2"), NewTerms(*known), day=TODAY)
    assert [fault.code for fault in check.faults] == codes
    assert all("below 52" in fault.detail for fault in check.faults)


def test_procedures_of_another_game_that_this_one_does_not_follow(managers: Managers) -> None:
    turned = options_of(
        "lucky-9", kind=RuleKind.PROCEDURES, deal_direction="anticlockwise", deal_from="shoe"
    )
    hash_ = published(managers, turned, kind=RuleKind.PROCEDURES, game="lucky-9")
    check = check_terms(read_table("T2"), standing(procedures=hash_), day=TODAY)
    [fault] = check.faults
    assert (fault.code, fault.where) == ("terms.contradiction", "procedures")
    assert fault.detail.endswith("(A27), in procedures.deal_direction")


def test_retired_rules_are_no_terms(managers: Managers) -> None:
    hash_ = published(managers, options_of(**BETTER))
    retire_rules(hash_=hash_, reason="Not wanted.", by=managers.acting("manager"))
    with pytest.raises(TermsRefusedError) as refused:
        assign(managers, ruleset=hash_)
    assert [fault["code"] for fault in refused.value.faults] == ["terms.retired"]


def test_limits_that_are_to_be_retired_are_given_to_no_table(managers: Managers) -> None:
    """From one day to the next they would have been in force, and pinned to rounds, as retired."""
    limits = options_of(kind=RuleKind.LIMITS, bank_cover_minor=1_000_000)
    procedures = options_of(kind=RuleKind.PROCEDURES, cut_card_depth=60)
    new = {
        RuleKind.LIMITS: published(managers, limits, kind=RuleKind.LIMITS),
        RuleKind.PROCEDURES: published(managers, procedures, kind=RuleKind.PROCEDURES),
    }
    tomorrow = TODAY + timedelta(days=1)
    for hash_ in new.values():
        by = managers.acting("manager")
        retire_rules(hash_=hash_, reason="From tomorrow.", effective_day=tomorrow, by=by)
    before = TableTerms.objects.count()
    with pytest.raises(TermsRefusedError) as refused:
        assign(managers, limits=new[RuleKind.LIMITS])
    (fault,) = refused.value.faults
    assert (fault["code"], fault["where"]) == ("terms.retired", "limits")
    assert str(tomorrow) in str(fault["detail"])
    # Published anew for the day after, they are retired in between.
    day_after = TODAY + timedelta(days=2)
    published(managers, limits, kind=RuleKind.LIMITS, effective_day=day_after)
    with pytest.raises(TermsRefusedError):
        assign(managers, limits=new[RuleKind.LIMITS])
    assert TableTerms.objects.count() == before
    # Procedures stand until then: the shoe that would start under them later is refused itself.
    assign(managers, procedures=new[RuleKind.PROCEDURES])
    late = managers.at(minutes=24 * 60).acting("both", role=Role.SUPERVISOR)
    end_shoe(table="T1", shoe=1, stub_cards=400, by=late)
    with pytest.raises(RulesRetiredError):
        prepare_shoe(table="T1", by=late)


def test_limits_whose_retirement_was_taken_back_are_terms(managers: Managers) -> None:
    options = options_of(kind=RuleKind.LIMITS, bank_cover_minor=1_000_000)
    hash_ = published(managers, options, kind=RuleKind.LIMITS)
    day = TODAY + timedelta(days=9)
    by = managers.acting("manager")
    retire_rules(hash_=hash_, reason="Not wanted.", effective_day=day, by=by)
    published(managers, options, kind=RuleKind.LIMITS)
    assign(managers, limits=hash_)
    assert read_table("T1").require_terms().limits.key == hash_


@pytest.mark.parametrize("role", sorted(set(Role.values) - {Role.MANAGER}))
def test_nobody_but_a_manager_sets_terms(managers: Managers, role: str) -> None:
    before = TableTerms.objects.count()
    with pytest.raises(RoleNotAllowedError):
        assign_terms(
            table="T1",
            terms=standing(),
            reason="No.",
            by=managers.acting("both", role=role),
        )
    assert TableTerms.objects.count() == before


def test_terms_need_a_reason_and_a_change(managers: Managers) -> None:
    with pytest.raises(TermsSameError):
        assign(managers)
    with pytest.raises(RuleReasonMissingError):
        assign(managers, reason=" ", ruleset=published(managers, options_of(**BETTER)))


def test_the_ways_of_the_set_up_are_closed_to_people(managers: Managers) -> None:
    actor = managers.acting("manager").actor
    with pytest.raises(RulesSetUpOnlyError):
        publish_ruleset(game="lucky-9", name="N", options={}, by=actor)
    with pytest.raises(RulesSetUpOnlyError):
        set_table_terms(table="T1", terms=standing(), day=TODAY, by=actor)
