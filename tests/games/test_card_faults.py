"""What is wrong with cards about to be keyed: every fault at once, each with what was expected."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tables.games import NewCard, RoundState, Ruleset, card_faults, load_procedures
from tests.games.rounds import FIXED, SOCIAL, dealt, ruleset

RULES = ruleset()
PROCEDURES = load_procedures("poker-lucky-9", {})
RANK_ONLY = load_procedures("poker-lucky-9", {"card_detail": "rank"})
EMPTY = RoundState({1: {"main": 5}, 3: {"main": 5, "pair": 5}}, (1, 3), {})


def codes(
    *cards: tuple[int, str] | NewCard,
    state: RoundState = EMPTY,
    rules: Ruleset = RULES,
    seen: Mapping[str, int] | None = None,
    **kinds: object,
) -> list[tuple[str, str]]:
    new = [card if isinstance(card, NewCard) else NewCard(*card) for card in cards]
    procedures = RANK_ONLY if kinds.get("rank_only") else PROCEDURES
    faults = card_faults(rules, procedures, state, seen or {}, new)
    assert all(fault.detail.startswith("expected") for fault in faults)
    return [(fault.code, fault.where) for fault in faults]


def test_cards_in_turn_have_no_fault() -> None:
    assert codes((1, "AS"), (2, "KD"), (3, "2C"), (4, "AS")) == []


def test_cards_of_a_call_count_in_the_order_of_draws() -> None:
    assert codes((2, "KD"), (1, "AS")) == []


def test_every_fault_of_a_call_is_named() -> None:
    found = codes((1, "XX"), (2, "K"), (2, "AS"), (5, "2C"), (99, "2C"), seen={"2C": 7})

    assert found == [
        ("card.unknown", "cards[0]"),
        ("card.detail", "cards[1]"),
        ("card.one_too_many", "cards[4]"),
        ("card.twice", "cards[2]"),
        ("card.out_of_turn", "cards[3]"),
        ("card.no_such_draw", "cards[4]"),
    ]


@pytest.mark.parametrize("face", ["", "1S", "AX", "as", "10S", "ASS", "S", "AS "])
def test_unknown_card(face: str) -> None:
    assert codes((1, face)) == [("card.unknown", "cards[0]")]


def test_detail_is_a_procedure() -> None:
    assert codes((1, "A")) == [("card.detail", "cards[0]")]
    assert codes((1, "AS"), rank_only=True) == [("card.detail", "cards[0]")]
    assert codes((1, "A"), rank_only=True) == []


def test_one_copy_too_many_is_a_question_that_as_seen_answers() -> None:
    faults = card_faults(RULES, PROCEDURES, EMPTY, {"AS": 8}, [NewCard(1, "AS")])

    assert [fault.code for fault in faults] == ["card.one_too_many"]
    assert faults[0].data == {"draw": 1, "face": "AS", "copies": 9, "copies_max": 8}
    assert codes(NewCard(1, "AS", as_seen=True), seen={"AS": 8}) == []
    assert codes((1, "AS"), seen={"AS": 7}) == []


def test_copies_within_one_call_count() -> None:
    found = codes((1, "AS"), (2, "AS"), (3, "AS"), seen={"AS": 6})

    assert found == [("card.one_too_many", "cards[2]")]


def test_copies_by_rank_alone() -> None:
    assert codes((1, "A"), seen={"A": 31}, rank_only=True) == []
    assert codes((1, "A"), seen={"A": 30, "AS": 2}, rank_only=True) == [
        ("card.one_too_many", "cards[0]")
    ]


def test_fewer_decks_hold_fewer_copies() -> None:
    assert codes((1, "AS"), seen={"AS": 1}, rules=ruleset(decks=1)) == [
        ("card.one_too_many", "cards[0]")
    ]


def test_a_face_that_nobody_saw_is_a_question_too() -> None:
    assert codes((1, "?")) == [("card.face_unknown", "cards[0]")]
    assert codes(NewCard(1, "?", as_seen=True)) == []


def test_a_card_keyed_already() -> None:
    state = replace(EMPTY, cards={1: "AS"})

    assert codes((1, "AS"), (2, "KD"), state=state, seen={"AS": 8}) == []
    assert codes((1, "KD"), state=state) == [("card.already_keyed", "cards[0]")]


def test_out_of_turn_names_the_draw_expected() -> None:
    [fault] = card_faults(RULES, PROCEDURES, EMPTY, {}, [NewCard(3, "AS")])

    assert fault.code == "card.out_of_turn"
    assert fault.detail == "expected draw 1 for seat 1 next"
    assert fault.data["expected_draw"] == 1
    assert fault.data["expected_hand"] == 1


def test_third_cards_wait_for_the_sweep_then_come_in_any_order() -> None:
    wagers = {1: {"main": 5}, 3: {"main": 5, "pair": 5}}
    state = dealt(RULES, wagers, {1: "AS 2S", 3: "3S 4S", 0: "5S 6S"})

    assert codes((7, "7S"), (9, "8S"), state=state) == [
        ("card.sweep_first", "cards[0]"),
        ("card.sweep_first", "cards[1]"),
    ]
    assert codes((9, "8S"), (7, "7S"), state=replace(state, swept=True)) == []


def test_a_call_may_not_run_over_the_sweep() -> None:
    whole = [(draw, f"{rank}S") for draw, rank in enumerate("A23456789", start=1)]

    assert codes(*whole) == [("card.sweep_first", f"cards[{n}]") for n in (6, 7, 8)]


def test_after_the_end() -> None:
    state = dealt(RULES, {1: {"main": 5}}, {1: "AS 2S 3S", 0: "4S 5S 6S"})

    assert codes((7, "7S"), state=state) == [("card.after_end", "cards[0]")]


def test_no_wager_no_card() -> None:
    assert codes((1, "AS"), state=RoundState({}, (), {})) == [("card.no_such_draw", "cards[0]")]


@pytest.mark.parametrize("draw", [0, -1, 10, 10**9])
def test_no_such_draw(draw: int) -> None:
    assert codes((draw, "AS")) == [("card.no_such_draw", "cards[0]")]


def test_the_hand_that_the_client_believes() -> None:
    assert codes(NewCard(1, "AS", hand=1)) == []
    assert codes(NewCard(1, "AS", hand=3)) == [("card.wrong_hand", "cards[0]")]
    assert codes(NewCard(1, "AS", hand=0)) == [("card.wrong_hand", "cards[0]")]
    assert codes(NewCard(1, "AS", hand=2)) == [("card.empty_seat", "cards[0]")]


def test_live_seats_are_found_while_betting_is_open() -> None:
    assert codes((1, "AS"), state=replace(EMPTY, live=())) == []


def test_the_home_game_wants_the_decision_before_the_card() -> None:
    rules = ruleset(SOCIAL)
    state = dealt(rules, {1: {"main": 5}}, {1: "2S 3S", 0: "8D KD"})

    assert codes((5, "4S"), state=state, rules=rules) == [("card.ask_first", "cards[0]")]
    asked = replace(state, decisions={1: "hit"})
    assert codes((5, "4S"), state=asked, rules=rules) == []


def test_lucky_9_forbids_a_third_card_that_the_rule_does_not_demand() -> None:
    rules = ruleset(FIXED)
    state = dealt(rules, {1: {"main": 5}}, {1: "KS 7S", 0: "8D KD"})

    assert codes((5, "4S"), state=state, rules=rules) == [("card.after_end", "cards[0]")]
