"""Warnings with their exact figures; steps that leave fractions, tried out stake by stake."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tables.games import PRESETS, load_limits, load_procedures, load_ruleset
from tables.games.odds import round_odds
from tables.games.rounding import Rounding, pay
from tables.games.rounding_steps import step_breakage
from tables.games.rule_warnings import (
    HOUSE_EDGE_MAX,
    RuleWarning,
    cover_warnings,
    explain_warning,
    limits_warnings,
    odds_warnings,
    procedures_warnings,
)
from tables.games.wagering import wager_faults
from tables.models import RuleKind
from tables.selectors.rule_check import check_rules, compare_rules
from tables.selectors.rule_content import flatten
from tables.selectors.rule_life import in_force
from tests.tables.rules.managers import TODAY, Managers, options_of

Options = dict[str, Any]  # Any: options


def of_odds(game: str, options: Options) -> dict[str, RuleWarning]:
    ruleset = load_ruleset(game, options)
    return {each.code: each for each in odds_warnings(ruleset, round_odds(ruleset))}


def test_a_tie_bet_without_a_price_says_what_a_price_would_mean() -> None:
    found = of_odds("poker-lucky-9", {})
    assert list(found) == ["tie_closed"]
    assert found["tie_closed"].clause == "A13"
    assert found["tie_closed"].figures == {
        "chance": Fraction(375980369, 166880284305),
        "fair_odds": Fraction(166504303936, 375980369),
        "edge_at_8": Fraction(54498820328, 55626761435),
    }
    assert "98.0%" in explain_warning(found["tie_closed"])


def test_the_default_lucky_9_favours_the_guest_and_says_by_how_much() -> None:
    found = of_odds("lucky-9", {})
    assert list(found) == ["favours_guest", "commission_even"]
    assert found["favours_guest"].figures == {"edge": Fraction(1041476, 38172225)}
    assert "2.728% of every stake (1041476/38172225)" in explain_warning(found["favours_guest"])
    assert found["commission_even"].figures["straight"] == 0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"decks": 8},
        {"commission": [1, 100]},
        {"colon": {"on_loss": "bonus_part"}},
        {"natural_priority": "total_only"},
    ],
)
def test_the_commission_that_is_said_to_be_even_is_even(options: Options) -> None:
    even = of_odds("lucky-9", options)["commission_even"].figures["commission"]
    level = load_ruleset("lucky-9", options | {"commission": [even.numerator, even.denominator]})
    assert round_odds(level).wagers["main"].house_edge == 0


@pytest.mark.parametrize(
    "options", [{}, {"commission": [1, 100]}, {"colon": {"on_loss": "bonus_part"}}]
)
def test_the_edge_without_the_colon_is_that_of_the_straight_game(options: Options) -> None:
    said = of_odds("lucky-9", options)["commission_even"].figures["straight"]
    straight = options | {"colon": {"enabled": False}}
    assert round_odds(load_ruleset("lucky-9", straight)).wagers["main"].house_edge == said


def test_a_colon_that_collects_more_than_lies_there_is_warned_of() -> None:
    odds = {"enabled": True, "odds": [2, 1], "nine_odds": [7, 2], "on_loss": "none"}
    found = of_odds("lucky-9", {"banker_colon_collects": "multiple", "colon": odds})["extra_owed"]
    assert (found.where, found.clause) == ("options.banker_colon_collects", "B13")
    assert found.figures == {"extra": Fraction(5, 2)}
    assert "up to 2.5 times the stake beyond the stake" in explain_warning(found)


def test_an_edge_beyond_the_limit_of_the_house() -> None:
    found = of_odds("poker-lucky-9", {"tie_odds": [300, 1]})
    assert found["edge_over_limit"].figures == {"edge": Fraction(7672884748, 23840040615)}
    assert found["edge_over_limit"].where == "options.tie_odds"
    just = of_odds("poker-lucky-9", {"jacks_scope": "pair_only", "tie_odds": [442, 1]})
    assert just["edge_over_limit"].figures == {"edge": Fraction(28853, 124085)}
    assert just["edge_over_limit"].figures["edge"] > HOUSE_EDGE_MAX == Fraction(1, 5)


def test_a_side_bet_may_favour_the_guest_too() -> None:
    found = of_odds("poker-lucky-9", {"tie_odds": [444, 1]})
    assert found["favours_guest"].params["wager"] == "tie"
    assert found["favours_guest"].figures["edge"] > 0
    assert "commission_even" not in found


@pytest.mark.parametrize("code", ["straight", "home"])
def test_a_fair_game_has_nothing_to_warn_of(code: str) -> None:
    preset = PRESETS[code]
    assert of_odds(preset.game, dict(preset.options)) == {}


def test_steps_that_leave_fractions() -> None:
    ruleset = load_ruleset("poker-lucky-9", {})
    found = list(
        limits_warnings(
            ruleset, load_limits("poker-lucky-9", {"min": {"main": 5}, "step": {"main": 5}})
        )
    )
    assert [(each.code, each.where, each.clause) for each in found] == [
        ("breakage_kept", "limits.step.main", "A25"),
        ("breakage_kept", "limits.step.main", "A25"),
    ]
    assert found[0].figures == {
        "price": Fraction(19, 20),
        "share": Fraction(3, 4),
        "worst": Fraction(3, 4),
        "clean_step_minor": 20,
    }
    clean = load_limits("poker-lucky-9", {"min": {"main": 20}, "step": {"main": 20}})
    assert list(limits_warnings(ruleset, clean)) == []
    up = load_ruleset("poker-lucky-9", {"rounding": {"unit_minor": 1, "mode": "up"}})
    given = list(
        limits_warnings(up, load_limits("poker-lucky-9", {"min": {"main": 5}, "step": {"main": 5}}))
    )
    assert {each.code for each in given} == {"breakage_given"}


def test_breakage_is_what_paying_stake_by_stake_leaves() -> None:
    prices = [Fraction(n, d) for n, d in product((1, 3, 19, 95), (1, 2, 7, 100))]
    for price, step, unit, mode in product(
        prices, (1, 5, 20, 50), (1, 25), ("down", "up", "half_up")
    ):
        found = step_breakage(price, step_minor=step, unit_minor=unit, mode=mode)
        rounding = Rounding(unit, mode)  # type: ignore[arg-type]  # one of the three
        odds = (price.numerator, price.denominator)
        cycle = range(1, price.denominator * unit + 1)
        left = [pay(step * n, odds=odds, rounding=rounding).breakage for n in cycle]
        if found is None:
            assert not any(left)
            continue
        assert found.share == Fraction(sum(map(bool, left)), len(left))
        assert abs(found.worst) == max(map(abs, left))
        assert found.worst in left or -found.worst in left
        clean = found.clean_step_minor
        assert not any(pay(clean * n, odds=odds, rounding=rounding).breakage for n in (1, 2, 3))


def test_caps_that_stakes_reach() -> None:
    ruleset = load_ruleset("poker-lucky-9", {"max_payout_minor": {"jacks": 100000}})
    steps: Options = {"min": {"main": 20}, "step": {"main": 20}, "max": {"jacks": 9090}}
    assert list(limits_warnings(ruleset, load_limits("poker-lucky-9", steps))) == []
    steps["max"] = {"jacks": 9091}
    (cut,) = limits_warnings(ruleset, load_limits("poker-lucky-9", steps))
    assert (cut.code, cut.clause) == ("cap_cuts", "A24")
    assert cut.figures == {"cap_minor": 100000, "stake_minor": 9090}


@pytest.mark.parametrize(
    ("game", "wager", "most", "where", "clause"),
    [
        ("poker-lucky-9", "jacks", {"aggregate": {"jacks": 54_999}}, "aggregate.jacks", "A24"),
        ("lucky-9", "main", {"bank_cover_minor": 14_999}, "bank_cover_minor", "B20"),
    ],
)
def test_a_wager_that_nobody_can_place(
    game: str, wager: str, most: Options, where: str, clause: str
) -> None:
    """What the warning says happens at the table, and one minor unit more of room lets it in."""
    ruleset = load_ruleset(game, {"side_requires_main": False} if wager == "jacks" else {})
    options: Options = {"min": {"main": 20, wager: 5_000}, "step": {"main": 20}}
    limits = load_limits(game, options | most)
    (found,) = limits_warnings(ruleset, limits)
    assert (found.code, found.where, found.clause) == ("never_taken", f"limits.{where}", clause)
    (room,) = flatten(most).values()
    assert isinstance(room, int)
    assert found.figures == {"stake_minor": 5_000, "win_minor": room + 1, "most_minor": room}
    assert len(wager_faults(ruleset, limits, {1: {wager: 5_000}})) == 1
    roomy = (
        {"aggregate": {"jacks": room + 1}} if wager == "jacks" else {"bank_cover_minor": room + 1}
    )
    enough = load_limits(game, options | roomy)
    assert list(limits_warnings(ruleset, enough)) == []
    assert wager_faults(ruleset, enough, {1: {wager: 5_000}}) == []


def test_a_cut_card_behind_which_no_round_fits_and_a_bank_without_cover() -> None:
    def depths(game: str, depth: int) -> list[str]:
        procedures = load_procedures(game, {"cut_card_depth": depth, "deal_from": "shoe"})
        return [each.code for each in procedures_warnings(game, procedures)]

    assert depths("poker-lucky-9", 18) == depths("lucky-9", 27) == []
    assert depths("poker-lucky-9", 17) == depths("lucky-9", 26) == ["cut_card_shallow"]
    players = load_procedures("lucky-9", {"bank": "players"})
    limits = load_limits("lucky-9", {})
    assert [each.code for each in cover_warnings(players, limits)] == ["no_cover"]
    covered = load_limits("lucky-9", {"bank_cover_minor": 100})
    assert list(cover_warnings(players, covered)) == []


def test_a_check_looks_at_what_tables_deal_under(managers: Managers) -> None:
    check = check_rules(RuleKind.RULESET, "poker-lucky-9", options_of(), day=TODAY)
    assert check.content is not None
    assert check.content.hash == managers.house.ruleset.key
    found = [(each.warning.code, len(each.tables)) for each in check.warnings]
    assert found == [("tie_closed", 0), ("breakage_kept", 9), ("breakage_kept", 9)]
    steps = {"main": 20, "tie": 1, "pair": 1, "jacks": 1}
    limits = options_of(kind=RuleKind.LIMITS, min=steps, step=steps)
    assert check_rules(RuleKind.LIMITS, "poker-lucky-9", limits, day=TODAY).warnings == []


def test_a_draft_is_laid_beside_what_is_in_force(managers: Managers) -> None:
    (base,) = in_force(RuleKind.RULESET, "poker-lucky-9", day=TODAY)
    changed = options_of(jacks_odds=[12, 1], max_payout_minor={"jacks": 500})
    found = compare_rules(RuleKind.RULESET, "poker-lucky-9", changed, against=base)
    assert {(line.path, str(line.before), str(line.after)) for line in found.lines} == {
        ("jacks_odds", "[11, 1]", "[12, 1]"),
        ("max_payout_minor.jacks", "None", "500"),
    }
    edges = {each.wager: (each.before, each.after) for each in found.edges}
    assert edges["main"][0] == edges["main"][1]
    assert edges["tie"] == (None, None)
    assert edges["jacks"] == (Fraction(20793, 124085), Fraction(36556, 372255))
