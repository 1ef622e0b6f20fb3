"""The set-up gives a table no terms that a manager could not give it."""

import pytest

from tables.models import TableTerms
from tables.rule_errors import TermsRefusedError
from tables.selectors.terms_check import NewTerms
from tables.services.house import (
    publish_limits,
    publish_procedures,
    publish_ruleset,
    set_table_terms,
)
from tables.services.rule_life import retire_rules
from tests.factories.house import SET_UP
from tests.tables.rules.managers import TODAY, Managers, options_of, published
from tests.tables.rules.test_terms import BETTER, standing


def test_the_set_up_asks_rules_what_a_manager_s_terms_are_asked(managers: Managers) -> None:
    retired = published(managers, options_of(**BETTER))
    retire_rules(hash_=retired, reason="Not wanted.", by=managers.acting("manager"))
    deep = publish_procedures(
        game="lucky-9", options={"deal_from": "shoe", "cut_card_depth": 60}, by=SET_UP
    ).key
    one_deck = publish_ruleset(game="lucky-9", name="One", options={"decks": 1}, by=SET_UP).key
    limits = publish_limits(game="lucky-9", options={}, by=SET_UP).key
    before = TableTerms.objects.count()
    for terms, codes in (
        (standing(ruleset=retired), ["terms.retired"]),
        (standing(ruleset="0" * 64), ["terms.unknown"]),
        (standing(ruleset=one_deck), ["terms.other_game", "terms.cut_card"]),
        (NewTerms(ruleset=one_deck, procedures=deep, limits=limits), ["terms.cut_card"]),
    ):
        with pytest.raises(TermsRefusedError) as refused:
            set_table_terms(table="T2", terms=terms, day=TODAY, by=SET_UP)
        assert [fault["code"] for fault in refused.value.faults] == codes
    assert TableTerms.objects.count() == before
    set_table_terms(table="T2", terms=standing(), day=TODAY, by=SET_UP)
    assert TableTerms.objects.count() == before + 1
