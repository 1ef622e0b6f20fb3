"""The values of procedures that a form offers are those that the check takes, and no others."""

from collections.abc import Mapping
from itertools import combinations

import pytest

from tables.games import GAMES, load_procedures, procedures_contradictions
from tables.games.errors import ProceduresError
from tables.games.offered import offered_procedures
from tables.games.options import Choice, Whole
from tables.games.procedures import procedures_schema


def is_taken(game: str, options: Mapping[str, object]) -> bool:
    try:
        procedures = load_procedures(game, options)
    except ProceduresError:
        return False
    return not procedures_contradictions(game, procedures)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_left_out_is_refused_whatever_else_is_said(game: str) -> None:
    every = procedures_schema(GAMES[game]).members
    offered = offered_procedures(game, says={}).members
    assert list(offered) == list(every)
    words = {name: form.values for name, form in every.items() if isinstance(form, Choice)}
    for name, values in words.items():
        narrowed = offered[name]
        assert isinstance(narrowed, Choice)
        assert narrowed.default == every[name].default
        beside = [
            {one: first, two: second}
            for one, two in combinations([other for other in words if other != name], 2)
            for first in words[one]
            for second in words[two]
        ]
        for value in values:
            taken = any(is_taken(game, {**others, name: value}) for others in beside)
            assert taken == (value in narrowed.values), (name, value)


def test_a_number_that_only_has_its_default_is_fixed() -> None:
    members = offered_procedures("lucky-9", says={}).members
    assert members["count_every"] == Whole(10, low=10, high=10)
    assert members["correction_minutes"] == Whole(30, low=1, high=24 * 60)


def test_what_a_draft_says_already_stays_among_the_values() -> None:
    says = {"count_policy": "on_incident", "count_every": 7, "bank": ["players"]}
    members = offered_procedures("poker-lucky-9", says=says).members
    assert members["count_policy"] == Choice(("every_shoe", "on_incident"))
    assert members["count_every"] == Whole(10, low=1, high=1_000)
    assert members["bank"] == Choice(("house",))
