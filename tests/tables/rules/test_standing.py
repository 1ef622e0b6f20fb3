"""From when on published rules stand, and their end: retired, called off, published anew."""

from datetime import date
from typing import Any

import pytest

from tables.models import Limits, Ruleset, RuleStanding
from tables.rule_errors import (
    EffectiveDayRefusedError,
    RulesInForceError,
    RulesNotPublishedError,
    RulesPublishedError,
)
from tables.selectors.rule_life import read_rules
from tables.services.rule_life import retire_rules
from tests.tables.rules.managers import (
    TODAY,
    Managers,
    approve,
    drafted,
    options_of,
    published,
    submitted,
)

TIE: dict[str, Any] = {"tie_odds": [300, 1]}  # Any: options


def test_retired_rules_may_be_published_again(managers: Managers) -> None:
    hash_ = published(managers, options_of(**TIE))
    retire_rules(hash_=hash_, reason="Nobody plays it.", by=managers.acting("manager"))
    assert read_rules(hash_, day=TODAY).state == "retired"
    with pytest.raises(RulesNotPublishedError):
        retire_rules(hash_=hash_, reason="Again.", by=managers.acting("manager"))
    assert published(managers, options_of(**TIE)) == hash_
    assert read_rules(hash_, day=TODAY).state == "published"
    assert Ruleset.objects.filter(hash=hash_).count() == 1
    states = RuleStanding.objects.filter(hash=hash_).order_by("revision")
    assert [each.state for each in states] == ["published", "retired", "published"]


def test_rules_stand_from_their_day_on(managers: Managers) -> None:
    later = date(2026, 3, 8)
    hash_ = published(managers, options_of(**TIE), effective_day=later)
    before, after = read_rules(hash_, day=TODAY), read_rules(hash_, day=later)
    assert (before.state, before.effective_day) == ("scheduled", later)
    assert (after.state, after.effective_day) == ("published", later)
    retire_rules(
        hash_=hash_,
        reason="Season over.",
        effective_day=date(2026, 3, 10),
        by=managers.acting("manager"),
    )
    ahead = read_rules(hash_, day=TODAY)
    assert (ahead.state, ahead.effective_day) == ("scheduled", later)
    assert (ahead.changes_to, ahead.changes_day) == ("retired", date(2026, 3, 10))
    with pytest.raises(RulesNotPublishedError):
        retire_rules(hash_=hash_, reason="Again.", by=managers.acting("manager"))
    meanwhile = read_rules(hash_, day=later)
    assert (meanwhile.state, meanwhile.changes_to) == ("published", "retired")
    assert meanwhile.changes_day == date(2026, 3, 10)
    assert read_rules(hash_, day=date(2026, 3, 10)).state == "retired"


def test_what_is_called_off_before_its_day_may_be_published_anew(managers: Managers) -> None:
    later, off = date(2026, 3, 8), date(2026, 3, 3)
    hash_ = published(managers, options_of(**TIE), effective_day=later)
    retire_rules(hash_=hash_, reason="Not yet.", effective_day=off, by=managers.acting("manager"))
    for day in (TODAY, off, later):
        rules = read_rules(hash_, day=day)
        assert (rules.state, rules.effective_day, rules.changes_to) == ("retired", off, ""), day
    again = date(2026, 3, 9)
    assert published(managers, options_of(**TIE), effective_day=again) == hash_
    rules = read_rules(hash_, day=TODAY)
    assert (rules.state, rules.effective_day, rules.changes_to) == ("scheduled", again, "")
    assert read_rules(hash_, day=later).state == "retired"
    assert read_rules(hash_, day=again).state == "published"


def test_retired_rules_that_are_to_stand_again_are_not_published_twice(
    managers: Managers,
) -> None:
    later = date(2026, 3, 8)
    hash_ = published(managers, options_of(**TIE))
    retire_rules(hash_=hash_, reason="A pause.", by=managers.acting("manager"))
    published(managers, options_of(**TIE), effective_day=later)
    rules = read_rules(hash_, day=TODAY)
    assert (rules.state, rules.changes_to, rules.changes_day) == ("retired", "published", later)
    with pytest.raises(RulesPublishedError):
        submitted(managers, options_of(**TIE))
    retire_rules(hash_=hash_, reason="For good.", by=managers.acting("manager"))
    assert read_rules(hash_, day=later).state == "retired"


def test_nothing_takes_effect_in_the_past(managers: Managers) -> None:
    yesterday = date(2026, 2, 28)
    with pytest.raises(EffectiveDayRefusedError):
        drafted(managers, options_of(**TIE), effective_day=yesterday)
    hash_ = published(managers, options_of(**TIE))
    with pytest.raises(EffectiveDayRefusedError):
        retire_rules(
            hash_=hash_, reason="No.", effective_day=yesterday, by=managers.acting("manager")
        )
    step = submitted(managers, options_of(decks=7), effective_day=TODAY)
    late = managers.at(minutes=60 * 24 * 3)
    step = approve(late, step, "manager_2", "manager_3")
    assert read_rules(step.draft.content_hash, day=date(2026, 3, 4)).effective_day == date(
        2026, 3, 4
    )


def test_limits_in_force_are_not_retired(managers: Managers) -> None:
    hash_ = str(Limits.objects.values_list("hash", flat=True).get())
    with pytest.raises(RulesInForceError) as refused:
        retire_rules(hash_=hash_, reason="No.", by=managers.acting("manager"))
    assert "T1" in str(refused.value.data["tables"])
