"""Decisions, the staffed bank's own rule, and who banks next."""

from dataclasses import replace

import pytest

from tables.games import (
    decision_faults,
    house_decision,
    load_procedures,
    next_bank_seat,
)
from tests.games.rounds import FIXED, SOCIAL, dealt, ruleset

RULES = ruleset(SOCIAL)
PLAYERS = load_procedures(SOCIAL, {"bank": "players"})
STAFFED = load_procedures(SOCIAL, {})
STATE = dealt(RULES, {2: {"main": 5}, 1: {"main": 5}}, {2: "2S 3H", 1: "8S KH", 0: "KD 5D"})


def codes(hand: int, choice: str, *, state: object = STATE, house: bool = False) -> list[str]:
    faults = decision_faults(
        RULES,
        STAFFED if house else PLAYERS,
        state,  # type: ignore[arg-type]  # a RoundState, spelled short in the tests
        hand=hand,
        choice=choice,
    )
    assert all(fault.detail.startswith("expected") for fault in faults)
    return [fault.code for fault in faults]


def test_each_hand_decides_in_turn() -> None:
    assert codes(2, "hit") == []
    assert codes(2, "stand") == []
    assert codes(2, "no_decision") == []
    assert codes(1, "hit") == ["decision.out_of_turn"]
    assert codes(0, "hit") == ["decision.out_of_turn"]


def test_all_faults_of_a_decision() -> None:
    assert codes(1, "double") == ["decision.unknown", "decision.out_of_turn"]


def test_a_decision_binds_once_the_third_card_lies_there() -> None:
    hit = replace(STATE, decisions={2: "hit"})
    assert codes(2, "stand", state=hit) == []

    drawn = replace(hit, cards={**hit.cards, 7: "9C"})
    assert codes(2, "stand", state=drawn) == ["decision.binding"]
    assert codes(2, "hit", state=drawn) == []


def test_a_signal_may_be_taken_back_before_its_third_card() -> None:
    hit = replace(STATE, decisions={2: "hit"})
    assert codes(2, "", state=hit) == []
    assert codes(1, "", state=hit) == ["decision.unknown"]
    assert codes(2, "", state=replace(hit, cards={**hit.cards, 7: "9C"})) == ["decision.binding"]


def test_third_cards_that_lie_stay_with_their_hands() -> None:
    both = replace(STATE, decisions={2: "stand", 1: "hit"})
    drawn = replace(both, cards={**both.cards, 7: "9C"})
    assert codes(2, "hit", state=both) == []
    assert codes(2, "hit", state=drawn) == ["decision.moves_cards"]
    assert codes(2, "no_decision", state=drawn) == []


def test_nobody_is_asked_where_nothing_is_open() -> None:
    assert codes(1, "hit", state=replace(STATE, decisions={2: "hit", 1: "stand", 0: "hit"})) == []
    natural = dealt(RULES, {1: {"main": 5}}, {1: "2S 3H", 0: "9D KD"}, swept=True)
    assert codes(1, "hit", state=natural) == ["decision.not_asked"]


def test_a_staffed_bank_follows_its_written_rule() -> None:
    asked = replace(STATE, decisions={2: "stand", 1: "stand"})

    assert codes(0, "hit", state=asked, house=True) == []
    assert codes(0, "stand", state=asked, house=True) == ["decision.house_policy"]
    assert codes(0, "stand", state=asked) == []


@pytest.mark.parametrize(
    ("policy", "draws"), [("draw_0_to_5", 5), ("draw_0_to_6", 6), ("draw_0_to_0", 0)]
)
def test_house_draw_policy(policy: str, draws: int) -> None:
    procedures = load_procedures(SOCIAL, {"house_draw_policy": policy})

    found = [house_decision(procedures, total=total) for total in range(9)]

    assert found == ["hit" if total <= draws else "stand" for total in range(9)]


def next_bank(
    rotation: str, *, game: str = FIXED, bank_minor: int = 0, winners: tuple[int, ...] = ()
) -> int:
    procedures = load_procedures(game, {"bank": "players", "banker_rotation": rotation})
    return next_bank_seat(
        procedures, seats=(1, 3, 4, 6), bank_seat=4, bank_minor=bank_minor, winners=winners
    )


def test_a_fixed_bank_stays() -> None:
    assert next_bank("fixed", bank_minor=-5, winners=(1,)) == 4


def test_the_bank_passes_on_in_dealing_order() -> None:
    assert next_bank("clockwise") == 6
    assert next_bank("clockwise", game=SOCIAL) == 3


def test_the_winner_keeps_the_bank() -> None:
    assert next_bank("winner_keeps", bank_minor=100, winners=(1,)) == 4
    assert next_bank("winner_keeps", bank_minor=0, winners=(1,)) == 4
    assert next_bank("winner_keeps", bank_minor=-5, winners=(3, 1)) == 1
    assert next_bank("winner_keeps", bank_minor=-5, winners=(3,)) == 3


def test_a_bank_alone_keeps_the_bank() -> None:
    procedures = load_procedures(FIXED, {"bank": "players", "banker_rotation": "clockwise"})

    kept = next_bank_seat(procedures, seats=(2,), bank_seat=2, bank_minor=0, winners=())

    assert kept == 2
