"""A draft may be full of faults: whatever it says, its pages and the API show it and say so."""

from collections.abc import Mapping
from typing import Any

import pytest

from tables.games.options import Form, Group
from tables.games.procedures import DRAW_UP_TO
from tables.games.values import STAKE_MAX
from tables.models import RuleDraft, RuleKind
from tables.selectors.floor import read_table
from tables.web.rule_forms import ShareField, schema_of
from tables.web.rule_lines import value_text
from tests.support.pages import PagePerson, boxes_of, text_of
from tests.tables.rules.managers import Managers, drafted, options_of
from tests.tables.terms import under_terms

ODD: list[Any] = [  # Any: what JSON can hold
    None,
    True,
    0,
    -1,
    STAKE_MAX,
    "",
    "x",
    "true",
    "draw_0_to_x",
    "draw_0_to_",
    "draw_0_to_99",
    "%(wager)s {0} %",
    "\u0661",
    [],
    [5],
    [5, 0],
    [0, 0],
    [1, 3],
    [-1, -3],
    [7, 5],
    ["a", 2],
    [True, 2],
    [None, None],
    [[1], {"a": 1}],
    [STAKE_MAX, STAKE_MAX],
    [9, "9"],
    {},
    {"a": {"b": [1]}},
    {"main": "x", "": None, "main.trio": 1},
]


def filled(form: Form, value: object) -> object:
    """Every single option of a form with this value."""
    if isinstance(form, Group):
        return {name: filled(member, value) for name, member in form.members.items()}
    return value


def documents(kind: str, game: str, value: object) -> list[Mapping[str, object]]:
    """Options that say this value at every place, within their objects and instead of them."""
    schema = schema_of(kind, game, says={})
    within = filled(schema, value)
    assert isinstance(within, dict)
    instead = dict.fromkeys(schema.members, value)
    return [{**each, "unheard_of": value} for each in (within, instead)]


@pytest.mark.parametrize(
    ("kind", "game"),
    [
        ("ruleset", "poker-lucky-9"),
        ("ruleset", "lucky-9"),
        ("ruleset", "lucky-9-social"),
        ("procedures", "lucky-9-social"),
        ("limits", "poker-lucky-9"),
    ],
)
def test_no_draft_is_beyond_its_pages(managers: Managers, kind: str, game: str) -> None:
    page = PagePerson(managers.house, "manager")
    for odd in ODD:
        for options in documents(kind, game, odd):
            number = drafted(managers, options, kind=kind, game=game).draft.number
            for path in (f"/rulesets/drafts/{number}/", f"/rulesets/drafts/{number}/edit/"):
                assert page.get(path).status_code == 200, (path, odd)
            read = page.get(f"/api/v1/rulesets/drafts/{number}").json()
            assert read["options"] == options
            assert read["faults"], odd  # whatever stands in it, `unheard_of` is one


def test_a_draft_with_other_options_in_force_is_laid_beside_them(managers: Managers) -> None:
    """The same where something is in force: then every value has one before it."""
    page = PagePerson(managers.house, "manager")
    for kind, odd in (("procedures", "draw_0_to_x"), ("ruleset", [5, 0]), ("limits", ["a", 2])):
        options = documents(kind, "poker-lucky-9", odd)[0]
        number = drafted(managers, options, kind=kind).draft.number
        text = text_of(page.get(f"/rulesets/drafts/{number}/"))
        assert "differ from what is in force" in text


def test_what_a_draft_does_not_say_is_not_shown_as_said(managers: Managers) -> None:
    """The price of the tie wager above all: none is a price that is said (A13)."""
    page = PagePerson(managers.house, "manager")
    under_terms(managers.house, options={"tie_odds": [300, 1]}, table="T1")
    against = f"?against={read_table('T1').require_terms().ruleset.key}"
    unsaid = options_of()
    del unsaid["tie_odds"]
    for options, text in (
        (options_of(), "Tie wager no tie wager 300 to 1"),
        (unsaid, "Tie wager not said 300 to 1"),
    ):
        number = drafted(managers, options).draft.number
        assert text in text_of(page.get(f"/rulesets/drafts/{number}/{against}"))
    # A cap that is left out is none, and so it is said.
    assert "Winnings cap" not in text_of(page.get(f"/rulesets/drafts/{number}/{against}"))


@pytest.mark.parametrize(
    ("share", "written", "read"),
    [
        ([0, 100], "0", "none"),
        ([0, 7], "0 of 7", "none"),
        ([5, 100], "5", "5 %"),
        ([50, 1000], "5.0", "5 %"),
        ([25, 1000], "2.5", "2.5 %"),
        ([1, 1_000_000], "0.0001", "0.0001 %"),
        ([100, 100], "100", "100 %"),
        ([1, 20], "1 of 20", "5 %"),
        ([1, 3], "1 of 3", "1 of 3"),
        ([5, 0], "5 of 0", "5 of 0"),
        ([7, 5], "7 of 5", "7 of 5"),
        ([STAKE_MAX, STAKE_MAX], f"{STAKE_MAX} of {STAKE_MAX}", "100 %"),
    ],
)
def test_a_commission_is_kept_as_it_is_written(share: list[int], written: str, read: str) -> None:
    field = ShareField(required=False)
    assert field.prepare_value(share) == written
    assert field.clean(written) == share
    assert value_text(RuleKind.RULESET, "lucky-9", "commission", share) == read


@pytest.mark.parametrize("share", [[1, 3], [5, 0], [50, 1000]])
def test_a_save_does_not_touch_a_commission(managers: Managers, share: list[int]) -> None:
    step = drafted(managers, options_of("lucky-9", commission=share), game="lucky-9")
    page = PagePerson(managers.house, "manager")
    path = f"/rulesets/drafts/{step.draft.number}/edit/"
    assert page.post(path, boxes_of(page.get(path))).status_code == 302
    saved = RuleDraft.objects.get(number=step.draft.number)
    assert (saved.version, saved.options["commission"]) == (2, share)


def test_what_is_no_pair_of_numbers_is_shown_and_marked(managers: Managers) -> None:
    options = options_of("lucky-9", commission=["a", 2])
    number = drafted(managers, options, game="lucky-9").draft.number
    page = PagePerson(managers.house, "manager")
    path = f"/rulesets/drafts/{number}/edit/"
    boxes = boxes_of(page.get(path))
    assert boxes["o:commission"] == "a of 2"
    answer = page.post(path, boxes)
    assert answer.status_code == 422
    assert "or a part, such as 1 of 3." in text_of(answer)


@pytest.mark.parametrize("policy", DRAW_UP_TO)
def test_every_draw_of_the_bank_has_words(policy: str) -> None:
    said = value_text(RuleKind.PROCEDURES, "lucky-9-social", "house_draw_policy", policy)
    assert said[0] == "0"
    assert "draw" not in said
