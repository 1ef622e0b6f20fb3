"""Rulesets: canonical form, hash, and every fault at once."""

import json

import pytest
import rfc8785

from casino.kernel.jsonio import FloatLiteral
from tables.games import (
    PRESETS,
    RulesetError,
    contradictions,
    load_procedures,
    load_ruleset,
    procedures_contradictions,
)
from tests.games.rounds import FIXED, POKER, SOCIAL, ruleset

# Published with the format of the round document.
DEFAULT_HASHES = {
    POKER: "34b40b9df4dc3b6dd043f28cd02b1c1cd060cb4d48e9707c0e44df2e717db55f",
    FIXED: "ecb6e7983ee43527f4d14d9e6299d5f0cb5c62ed7af16b26319a08e1e3a118c9",
    SOCIAL: "c617c9f096bfba866bde68d1c33e82b6675d1fce61293cb42df743b130073649",
}


def faults_of(game: str, options: object) -> list[tuple[object, object]]:
    with pytest.raises(RulesetError) as caught:
        load_ruleset(game, options)  # type: ignore[arg-type]  # bad input is the point
    return [(fault["code"], fault["where"]) for fault in caught.value.faults]


@pytest.mark.parametrize("game", DEFAULT_HASHES)
def test_default_hash_is_the_published_one(game: str) -> None:
    assert ruleset(game).hash == DEFAULT_HASHES[game]


@pytest.mark.parametrize("game", DEFAULT_HASHES)
def test_canonical_form_is_rfc_8785(game: str) -> None:
    rules = ruleset(game)
    document = json.dumps({"game": game, "options": rules.options})

    assert rules.canonical == rfc8785.dumps(json.loads(document))


@pytest.mark.parametrize("game", DEFAULT_HASHES)
def test_options_spelled_out_are_the_same_ruleset(game: str) -> None:
    rules = ruleset(game)

    assert load_ruleset(game, rules.options) == rules


def test_an_object_merges_key_by_key() -> None:
    rules = ruleset(main_odds={"trio": [2, 1]}, rounding={"mode": "up"})

    assert rules.options["main_odds"] == {"trio": [2, 1], "pair": [1, 1], "lucky9": [95, 100]}
    assert rules.options["rounding"] == {"unit_minor": 1, "mode": "up"}


def test_odds_are_never_reduced() -> None:
    assert ruleset(main_odds={"lucky9": [19, 20]}).hash != ruleset().hash


def test_the_callers_copy_of_the_options_does_not_change_the_ruleset() -> None:
    rules = ruleset()

    rules.options.clear()

    assert rules.options["decks"] == 8


def test_all_faults_come_at_once() -> None:
    options = {
        "decks": 9,
        "colour": "red",
        "main_odds": {"trio": [3, 0], "quads": [4, 1], "pair": [True, 1]},
        "tie_odds": [8],
        "rounding": {"unit_minor": 0, "mode": "nearest"},
        "max_payout_minor": {"pair": -1, "bonus": 5},
        "side_requires_main": 1,
        "kicker_by": None,
    }

    assert sorted(faults_of(POKER, options), key=str) == sorted(
        [
            ("option_value", "options.decks"),
            ("unknown_option", "options.colour"),
            ("option_value", "options.main_odds.trio"),
            ("unknown_field", "options.main_odds.quads"),
            ("option_value", "options.main_odds.pair"),
            ("option_value", "options.tie_odds"),
            ("option_value", "options.rounding.unit_minor"),
            ("option_value", "options.rounding.mode"),
            ("option_value", "options.max_payout_minor.pair"),
            ("unknown_bet", "options.max_payout_minor.bonus"),
            ("option_value", "options.side_requires_main"),
            ("option_value", "options.kicker_by"),
        ],
        key=str,
    )


@pytest.mark.parametrize("game", ["poker", "", None, 7])
def test_unknown_game(game: object) -> None:
    assert faults_of(game, {}) == [("unknown_game", "game")]  # type: ignore[arg-type]  # bad input is the point


@pytest.mark.parametrize("options", [None, [], "decks", 8])
def test_options_must_be_an_object(options: object) -> None:
    assert faults_of(POKER, options) == [("option_value", "options")]


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        (POKER, "decks", 0),
        (POKER, "decks", True),
        (POKER, "decks", FloatLiteral("8.0")),
        (POKER, "decks", "8"),
        (POKER, "pair_odds", None),
        (POKER, "pair_odds", [0, 1]),
        (POKER, "pair_odds", [10, 1, 1]),
        (POKER, "pair_odds", [2**53, 1]),
        (POKER, "rounding", []),
        (POKER, "max_payout_minor", None),
        (POKER, "main_odds", 1),
        (FIXED, "draw_rule", "fixed_0_6"),
        (FIXED, "tie", "lose"),
        (FIXED, "commission", [101, 100]),
        (FIXED, "commission", [-1, 100]),
        (FIXED, "colon", True),
        (SOCIAL, "natural_totals", [8, 9]),
        (SOCIAL, "natural_totals", [True]),
        (SOCIAL, "natural_totals", 9),
        (SOCIAL, "draw", "fixed"),
        (SOCIAL, "tie", None),
    ],
)
def test_a_bad_value_is_refused(game: str, option: str, value: object) -> None:
    assert faults_of(game, {option: value}) == [("option_value", f"options.{option}")]


def test_an_option_of_another_game_is_unknown() -> None:
    assert faults_of(SOCIAL, {"colon": {}}) == [("unknown_option", "options.colon")]


@pytest.mark.parametrize(
    ("price", "told"),
    [
        ([0, 1], "not [0, 1]"),
        ([2**53, 1], "from 1 to 9007199254740991, or null, not [9007199254740992, 1]"),
        ([True, FloatLiteral("1.5")], "not [true, 1.5]"),
        ([8], "not a list"),
        ([[8], 1], "not a list"),
    ],
)
def test_a_price_that_is_refused_is_named(price: list[object], told: str) -> None:
    with pytest.raises(RulesetError) as caught:
        load_ruleset(POKER, {"tie_odds": price})
    (fault,) = caught.value.faults
    assert fault["where"] == "options.tie_odds"
    assert told in str(fault["detail"])


def test_an_error_carries_what_was_expected() -> None:
    with pytest.raises(RulesetError) as caught:
        ruleset(kicker_by="suit")

    assert caught.value.code == "ruleset.invalid"
    assert caught.value.faults[0]["detail"] == 'expected "rank" or "points", not \'suit\''
    json.dumps(caught.value.data)


@pytest.mark.parametrize(
    ("game", "options", "where"),
    [
        (POKER, {"max_payout_minor": {"tie": 100}}, "options.max_payout_minor.tie"),
        (
            POKER,
            {"max_payout_minor": {"pair": 110}, "rounding": {"unit_minor": 25}},
            "options.max_payout_minor.pair",
        ),
        (
            FIXED,
            {"colon": {"enabled": False, "on_loss": "bonus_part"}},
            "options.colon.on_loss",
        ),
        (
            FIXED,
            {"colon": {"enabled": False}, "banker_colon_collects": "multiple"},
            "options.banker_colon_collects",
        ),
        (
            FIXED,
            {"forced_draw": "all", "natural_priority": "nine_only"},
            "options.natural_priority",
        ),
        (
            FIXED,
            {"forced_draw": "all", "banker_natural_stops_draws": False},
            "options.banker_natural_stops_draws",
        ),
        (FIXED, {"colon": {"enabled": False, "odds": [5, 1]}}, "options.colon.odds"),
        (FIXED, {"colon": {"enabled": False, "nine_odds": [2, 1]}}, "options.colon.nine_odds"),
    ],
)
def test_contradictory_options_are_named(game: str, options: dict[str, object], where: str) -> None:
    found = contradictions(load_ruleset(game, options))

    assert [(fault.code, fault.where) for fault in found] == [("contradiction", where)]


@pytest.mark.parametrize(
    "options", [{"forced_draw": "all"}, {"colon": {"enabled": False, "odds": [2, 1]}}]
)
def test_what_stands_at_its_default_contradicts_nothing(options: dict[str, object]) -> None:
    assert contradictions(load_ruleset(FIXED, options)) == []


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_loads_and_contradicts_nothing(preset: object) -> None:
    from tables.games import Preset

    assert isinstance(preset, Preset)
    rules = load_ruleset(preset.game, preset.options)

    assert contradictions(rules) == []
    procedures = load_procedures(preset.game, preset.procedures)
    assert procedures_contradictions(preset.game, procedures) == []


@pytest.mark.parametrize(
    ("game", "options", "where"),
    [
        (POKER, {"deal_direction": "anticlockwise"}, "deal_direction"),
        (POKER, {"house_draw_policy": "draw_0_to_6"}, "house_draw_policy"),
        (FIXED, {"house_draw_policy": "draw_0_to_4"}, "house_draw_policy"),
        (SOCIAL, {"house_draw_policy": "draw_0_to_4", "bank": "players"}, "house_draw_policy"),
        (POKER, {"count_policy": "every_n"}, "count_policy"),
        (FIXED, {"count_policy": "on_incident"}, "count_policy"),
        (SOCIAL, {"count_every": 3}, "count_every"),
    ],
)
def test_procedures_without_effect_are_named(
    game: str, options: dict[str, object], where: str
) -> None:
    found = procedures_contradictions(game, load_procedures(game, options))
    assert [(fault.code, fault.where) for fault in found] == [
        ("contradiction", f"procedures.{where}")
    ]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (FIXED, {"deal_direction": "anticlockwise"}),
        (SOCIAL, {"deal_direction": "clockwise"}),
        (SOCIAL, {"house_draw_policy": "draw_0_to_4"}),
        (SOCIAL, {"bank": "players"}),
    ],
)
def test_procedures_that_the_game_follows_are_no_contradiction(
    game: str, options: dict[str, object]
) -> None:
    assert procedures_contradictions(game, load_procedures(game, options)) == []
