"""What other rules, or the game, make void of effect is a fault of the draft that says it."""

import pytest

from tables.models import RuleKind
from tables.rule_errors import RulesFaultyError
from tables.services.rule_life import submit_rules
from tests.tables.rules.managers import Managers, drafted, options_of


def test_contradictions_are_faults_of_a_draft(managers: Managers) -> None:
    colon = {"enabled": False, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "bonus_part"}
    options = options_of("lucky-9", colon=colon, banker_colon_collects="multiple")
    step = drafted(managers, options, game="lucky-9")
    with pytest.raises(RulesFaultyError) as refused:
        submit_rules(number=step.draft.number, version=1, by=managers.acting("manager"))
    assert [(fault["code"], fault["where"]) for fault in refused.value.faults] == [
        ("contradiction", "options.colon.on_loss"),
        ("contradiction", "options.banker_colon_collects"),
    ]


def test_procedures_that_the_game_does_not_follow_are_faults_of_a_draft(
    managers: Managers,
) -> None:
    options = options_of(kind=RuleKind.PROCEDURES, deal_direction="anticlockwise")
    step = drafted(managers, options, kind=RuleKind.PROCEDURES)
    with pytest.raises(RulesFaultyError) as refused:
        submit_rules(number=step.draft.number, version=1, by=managers.acting("manager"))
    assert [(fault["code"], fault["where"]) for fault in refused.value.faults] == [
        ("contradiction", "procedures.deal_direction")
    ]
