"""Procedures and limits: defaults, hashes, and every fault at once; the burn."""

import pytest

from tables.games import LimitsError, ProceduresError, load_limits, load_procedures
from tables.games.burns import burn_cards_expected
from tests.games.rounds import FIXED, POKER, SOCIAL

DEFAULTS = {
    "card_detail": "rank_suit",
    "burn": "one",
    "cut_card_depth": 52,
    "after_cut": "finish_round",
    "excess_unseen": "next_card",
    "shoe_exhausted": "void",
    "over_max": "cap",
    "wrong_order_policy": "rebuild",
    "missed_seat_policy": "deal_next",
    "bank": "house",
    "banker_rotation": "fixed",
    "house_draw_policy": "draw_0_to_5",
    "correction_window": "next_first_card",
    "correction_minutes": 30,
    "correction_limit_minor": 100_000,
    "count_policy": "every_shoe",
    "count_every": 10,
}


def procedure_faults(game: str, options: object) -> list[tuple[object, object]]:
    with pytest.raises(ProceduresError) as caught:
        load_procedures(game, options)  # type: ignore[arg-type]  # bad input is the point
    return [(fault["code"], fault["where"]) for fault in caught.value.faults]


def limit_faults(game: str, options: object) -> list[tuple[object, object]]:
    with pytest.raises(LimitsError) as caught:
        load_limits(game, options)  # type: ignore[arg-type]  # bad input is the point
    return [(fault["code"], fault["where"]) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("game", "direction", "source"),
    [
        (POKER, "clockwise", "shoe"),
        (FIXED, "clockwise", "pack_each_round"),
        (SOCIAL, "anticlockwise", "pack_each_round"),
    ],
)
def test_defaults_of_procedures(game: str, direction: str, source: str) -> None:
    procedures = load_procedures(game, {})

    expected = DEFAULTS | {"deal_direction": direction, "deal_from": source}
    assert procedures.values == expected
    assert load_procedures(game, expected) == procedures


def test_procedures_are_named_by_their_content() -> None:
    same = load_procedures(POKER, {"burn": "one"})

    assert same.hash == load_procedures(POKER, {}).hash
    assert same.hash != load_procedures(POKER, {"burn": "none"}).hash


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("card_detail", "rank"),
        ("burn", "first_card_value"),
        ("burn", "none"),
        ("cut_card_depth", 78),
        ("after_cut", "one_more"),
        ("excess_unseen", "burn"),
        ("shoe_exhausted", "reshuffle_discards"),
        ("over_max", "honour"),
        ("wrong_order_policy", "move_only"),
        ("wrong_order_policy", "void"),
        ("missed_seat_policy", "void_seat"),
        ("deal_direction", "anticlockwise"),
        ("correction_window", "minutes"),
        ("correction_window", "shift"),
        ("correction_minutes", 15),
        ("correction_limit_minor", 0),
        ("count_policy", "every_n"),
        ("count_policy", "on_incident"),
        ("count_every", 3),
        ("deal_from", "pack_each_round"),
    ],
)
def test_every_procedure_has_its_values(name: str, value: object) -> None:
    assert load_procedures(POKER, {name: value}).values[name] == value


def test_banks_of_players() -> None:
    for rotation in ("fixed", "clockwise", "winner_keeps"):
        procedures = load_procedures(FIXED, {"bank": "players", "banker_rotation": rotation})
        assert (procedures.bank, procedures.banker_rotation) == ("players", rotation)


def test_all_procedure_faults_come_at_once() -> None:
    options = {
        "burn": "two",
        "cut_card_depth": -1,
        "shuffle": "machine",
        "bank": "players",
        "correction_limit_minor": True,
    }

    assert sorted(procedure_faults(POKER, options), key=str) == [
        ("contradiction", "procedures.bank"),
        ("option_value", "procedures.burn"),
        ("option_value", "procedures.correction_limit_minor"),
        ("option_value", "procedures.cut_card_depth"),
        ("unknown_procedure", "procedures.shuffle"),
    ]


def test_a_house_bank_does_not_rotate() -> None:
    assert procedure_faults(FIXED, {"banker_rotation": "winner_keeps"}) == [
        ("contradiction", "procedures.banker_rotation")
    ]


def test_a_pack_of_each_round_has_no_first_card_to_count_off() -> None:
    assert load_procedures(FIXED, {}).pack_each_round
    assert procedure_faults(FIXED, {"burn": "first_card_value"}) == [
        ("contradiction", "procedures.burn")
    ]
    from_shoe = load_procedures(FIXED, {"burn": "first_card_value", "deal_from": "shoe"})
    assert not from_shoe.pack_each_round


def test_unknown_games_have_neither() -> None:
    assert procedure_faults("poker", {}) == [("unknown_game", "game")]
    assert limit_faults("poker", {}) == [("unknown_game", "game")]


def test_limits_left_out_do_not_limit() -> None:
    limits = load_limits(POKER, {"max": {"main": 500}, "step": {"pair": 10}, "min": {"pair": 20}})

    assert limits.min == {"main": 1, "tie": 1, "pair": 20, "jacks": 1}
    assert limits.max == {"main": 500, "tie": None, "pair": None, "jacks": None}
    assert limits.step == {"main": 1, "tie": 1, "pair": 10, "jacks": 1}
    assert limits.aggregate == {"jacks": None, "tie": None}
    assert limits.bank_cover_minor is None
    assert load_limits(POKER, limits.values) == limits
    assert limits.hash != load_limits(POKER, {}).hash


def test_lucky_9_limits_the_main_wager_alone() -> None:
    limits = load_limits(FIXED, {"max": {"main": 500}, "bank_cover_minor": 10_000})

    assert limits.max == {"main": 500}
    assert limits.aggregate == {}
    assert limits.bank_cover_minor == 10_000


def test_all_limit_faults_come_at_once() -> None:
    options = {
        "min": {"main": 150, "bonus": 5},
        "max": {"main": 100, "pair": 0},
        "step": {"main": 100, "jacks": "10"},
        "aggregate": {"main": 5},
        "ceiling": 1,
        "bank_cover_minor": -1,
    }

    assert sorted(limit_faults(POKER, options), key=str) == [
        ("contradiction", "limits.max.main"),
        ("contradiction", "limits.min.main"),
        ("option_value", "limits.bank_cover_minor"),
        ("option_value", "limits.max.pair"),
        ("option_value", "limits.step.jacks"),
        ("unknown_field", "limits.aggregate.main"),
        ("unknown_field", "limits.min.bonus"),
        ("unknown_limit", "limits.ceiling"),
    ]


@pytest.mark.parametrize("minimum", [{"main": -1}, {"main": "100"}, 7])
def test_what_cannot_be_read_contradicts_nothing(minimum: object) -> None:
    """A default that nobody wrote stands in its place, and is no multiple of the step."""
    options = {"min": minimum, "max": {"main": 150}, "step": {"main": 100, "pair": 3}}
    where = "limits.min" if minimum == 7 else "limits.min.main"
    found = [("option_value", where)]
    if minimum != 7:
        found.append(("contradiction", "limits.min.pair"))  # which takes the default 1
    assert limit_faults(POKER, options) == found


@pytest.mark.parametrize(
    ("policy", "faces", "cards"),
    [
        ("none", ["AS"], 0),
        ("one", [], 1),
        ("one", ["9S"], 1),
        ("first_card_value", [], 1),
        ("first_card_value", ["AS"], 2),
        ("first_card_value", ["9S", "KD"], 10),
        ("first_card_value", ["KD"], 11),
        ("first_card_value", ["?"], 1),
    ],
)
def test_cards_to_burn(policy: str, faces: list[str], cards: int) -> None:
    assert burn_cards_expected(policy, faces) == cards
