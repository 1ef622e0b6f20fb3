"""What comes next, and where cards go."""

from dataclasses import replace
from itertools import combinations

import pytest

from tables.games import (
    RoundState,
    Step,
    TakenOut,
    cards_needed,
    hands,
    live_seats,
    load_procedures,
    next_step,
    stakes_in_play,
)
from tests.games.rounds import FIXED, SOCIAL, deal_plan, dealt, ruleset

POKER_RULES = ruleset()
OPEN_RULES = ruleset(side_requires_main=False)
FACES = [f"{rank}{suit}" for rank in "A23456789" for suit in "SH"]


def test_poker_deals_three_laps_with_the_house_last() -> None:
    plan = deal_plan(POKER_RULES, (2, 5))

    assert [place.hand for place in plan] == [2, 5, 0] * 3
    assert [place.draw for place in plan] == list(range(1, 10))
    assert [place.lap for place in plan] == [1] * 3 + [2] * 3 + [3] * 3
    assert [place.nth for place in plan] == [place.lap for place in plan]


@pytest.mark.parametrize("seats", [s for n in range(1, 6) for s in combinations(range(1, 6), n)])
def test_poker_plan_takes_the_cards_that_the_shoe_must_hold(seats: tuple[int, ...]) -> None:
    assert len(deal_plan(POKER_RULES, seats)) == cards_needed(seats) == 3 * (len(seats) + 1)


def test_only_seats_with_a_main_wager_are_live() -> None:
    wagers = {3: {"main": 100}, 1: {"main": 100, "pair": 10}, 4: {"pair": 10}, 5: {}}

    assert live_seats(POKER_RULES, wagers) == (1, 3)


def test_without_need_of_main_a_lone_jacks_wager_buys_no_hand() -> None:
    wagers = {1: {"pair": 10}, 2: {"jacks": 10}, 3: {"tie": 10}}

    assert live_seats(OPEN_RULES, wagers) == (1,)
    assert live_seats(ruleset(side_requires_main=False, tie_odds=[8, 1]), wagers) == (1, 3)


def test_betting_goes_on_until_something_is_at_stake() -> None:
    assert next_step(POKER_RULES, RoundState({}, (), {})) == Step("bet")
    assert next_step(POKER_RULES, RoundState({1: {"pair": 5}}, (), {})) == Step("bet")
    first = Step("deal", draw=1, hand=2, lap=1, open_draws=(1,))
    assert next_step(POKER_RULES, RoundState({2: {"main": 5}}, (), {})) == first


def test_a_lone_jacks_wager_deals_to_the_house_only() -> None:
    state = RoundState({2: {"jacks": 5}}, (), {})

    assert next_step(OPEN_RULES, state) == Step("deal", 1, 0, 1, (1,))
    assert next_step(OPEN_RULES, replace(state, cards={1: "AS", 2: "2S", 3: "3S"})).kind == "settle"


def test_poker_goes_draw_by_draw_then_opens_third_cards_in_any_order() -> None:
    state = RoundState({1: {"main": 5}, 4: {"main": 5}}, (1, 4), {})
    for draw in range(1, 7):
        assert next_step(POKER_RULES, state).open_draws == (draw,)
        state = replace(state, cards={**state.cards, draw: FACES[draw]})

    assert next_step(POKER_RULES, state) == Step("deal", 7, 1, 3, (7, 8, 9))
    state = replace(state, cards={**state.cards, 8: "KD"})
    assert next_step(POKER_RULES, state) == Step("deal", 7, 1, 3, (7, 9))
    state = replace(state, cards={**state.cards, 7: "QD", 9: "JD"})
    assert next_step(POKER_RULES, state) == Step("settle")
    assert next_step(POKER_RULES, replace(state, settled=True)) == Step("done")


def test_sweep_comes_before_the_first_third_card_where_a_pair_wager_lies() -> None:
    state = dealt(POKER_RULES, {1: {"main": 5, "pair": 5}}, {1: "8S 8H", 0: "2S 3H"})

    assert next_step(POKER_RULES, state) == Step("sweep")
    assert next_step(POKER_RULES, replace(state, swept=True)).kind == "deal"


@pytest.mark.parametrize(
    "taken", [TakenOut(1, "pair", 23), TakenOut(1, None, 25), TakenOut(1, "pair", 24, 5)]
)
def test_no_sweep_for_a_pair_wager_that_is_out_of_play(taken: TakenOut) -> None:
    state = dealt(POKER_RULES, {1: {"main": 5, "pair": 5}}, {1: "8S 8H", 0: "2S 3H"})

    kept = {1: (1, 1), 3: (1, 2)}
    out = replace(state, taken_out=(taken,), departures=kept)
    assert next_step(POKER_RULES, out).kind == "deal"


def test_stakes_in_play_leave_out_what_went_back() -> None:
    state = RoundState(
        {1: {"main": 100, "pair": 10}, 2: {"main": 50}, 3: {"jacks": 9}},
        (1, 2),
        {},
        taken_out=(TakenOut(1, "main", 24, 40), TakenOut(2, None, 20), TakenOut(9, "tie", 23)),
    )

    assert stakes_in_play(state) == {1: {"main": 60, "pair": 10}, 3: {"jacks": 9}}
    assert state.wagers[1]["main"] == 100


def test_hands_show_what_is_known() -> None:
    state = RoundState({1: {"main": 5}}, (1,), {1: "AS", 2: "KD", 4: "?", 5: "2C"})

    assert hands(POKER_RULES, state) == {1: ("AS", None, "2C"), 0: ("KD", "?", None)}


def test_lucky_9_runs_clockwise_and_the_home_game_the_other_way() -> None:
    wagers = {seat: {"main": 5} for seat in (6, 1, 3)}

    assert live_seats(ruleset(FIXED), wagers) == (1, 3, 6)
    assert live_seats(ruleset(SOCIAL), wagers) == (6, 3, 1)


def test_the_direction_is_a_procedure_and_the_deal_begins_after_the_bank() -> None:
    wagers = {seat: {"main": 5} for seat in (6, 1, 3)}
    turned = load_procedures(FIXED, {"deal_direction": "anticlockwise"})
    clockwise = load_procedures(SOCIAL, {"deal_direction": "clockwise"})

    assert live_seats(ruleset(FIXED), wagers, procedures=turned) == (6, 3, 1)
    assert live_seats(ruleset(SOCIAL), wagers, procedures=clockwise) == (1, 3, 6)
    assert live_seats(ruleset(FIXED), wagers, bank_seat=2) == (3, 6, 1)
    assert live_seats(ruleset(SOCIAL), wagers, bank_seat=4) == (3, 1, 6)


def test_lucky_9_deals_two_laps_and_then_who_must_draw() -> None:
    rules = ruleset(FIXED)
    wagers = {seat: {"main": 5} for seat in (1, 2, 3)}
    assert [place.hand for place in deal_plan(rules, (1, 2, 3))] == [1, 2, 3, 0] * 2

    state = dealt(rules, wagers, {1: "KS 5S", 2: "KH 6S", 3: "2S 3H", 0: "KD 4D"})
    assert next_step(rules, state) == Step("deal", 9, 1, 3, (9,))
    state = replace(state, cards={**state.cards, 9: "9S"})
    assert next_step(rules, state) == Step("deal", 10, 3, 3, (10,))
    state = replace(state, cards={**state.cards, 10: "9H"})
    assert next_step(rules, state) == Step("deal", 11, 0, 3, (11,))
    state = replace(state, cards={**state.cards, 11: "9D"})
    assert next_step(rules, state) == Step("settle")
    assert hands(rules, state)[3] == ("2S", "3H", "9H")


def fixed_step(seat: str, bank: str, **options: object) -> Step:
    rules = ruleset(FIXED, **options)
    return next_step(rules, dealt(rules, {1: {"main": 5}}, {1: seat, 0: bank}))


def test_who_draws_in_lucky_9() -> None:
    assert fixed_step("KS 5S", "KD 8D") == Step("settle")  # B4
    assert fixed_step("KS 5S", "KD 8D", banker_natural_stops_draws=False).hand == 1
    assert fixed_step("KS 8S", "KD 2D") == Step("settle")  # B5: nothing is open
    assert fixed_step("KS 8S", "KD 2D", natural_priority="nine_only").hand == 0
    assert fixed_step("KS 9S", "KD 2D", natural_priority="nine_only") == Step("settle")
    assert fixed_step("KS 9S", "KD 2D", natural_priority="total_only").hand == 0
    assert fixed_step("KS 7S", "KD 6D") == Step("settle")
    assert fixed_step("KS 7S", "KD 6D", forced_draw="to_7").hand == 1
    assert fixed_step("KS 8S", "KD 9D", forced_draw="all").hand == 1


def test_a_card_never_known_leaves_lucky_9_to_be_voided() -> None:
    assert fixed_step("KS ?", "KD 2D").hand == 0
    assert fixed_step("KS 5S", "KD ?") == Step("settle")


def test_the_home_game_settles_naturals_then_asks_in_turn() -> None:
    rules = ruleset(SOCIAL)
    wagers = {seat: {"main": 5} for seat in (1, 2, 3)}
    laid = {3: "9S KS", 2: "8S KH", 1: "2S 3H", 0: "KD 4D"}
    state = dealt(rules, wagers, laid)

    assert next_step(rules, state) == Step("sweep")
    state = replace(state, swept=True)
    assert next_step(rules, state) == Step("ask", hand=2)
    state = replace(state, decisions={2: "hit"})
    assert next_step(rules, state) == Step("ask", hand=1, open_draws=(9,))
    state = replace(state, decisions={2: "hit", 1: "stand"})
    assert next_step(rules, state) == Step("ask", hand=0, open_draws=(9,))
    state = replace(state, decisions={2: "hit", 1: "stand", 0: "hit"})
    assert next_step(rules, state) == Step("deal", 9, 2, 3, (9, 10))
    state = replace(state, cards={**state.cards, 10: "5C"})
    assert next_step(rules, state) == Step("deal", 9, 2, 3, (9,))
    state = replace(state, cards={**state.cards, 9: "AC"})
    assert next_step(rules, state) == Step("settle")


def test_a_natural_bank_and_all_natural_seats_leave_nothing_to_ask() -> None:
    rules = ruleset(SOCIAL)
    for seat, bank in (("2S 3H", "9D KD"), ("9S KS", "2D KD")):
        state = dealt(rules, {1: {"main": 5}}, {1: seat, 0: bank}, swept=True)
        assert next_step(rules, state) == Step("settle")


def test_no_sweep_without_naturals() -> None:
    rules = ruleset(SOCIAL)

    state = dealt(rules, {1: {"main": 5}}, {1: "2S 3H", 0: "8D KD"})

    assert next_step(rules, state) == Step("ask", hand=1)


def test_the_bank_is_not_asked_where_silence_voids_the_last_open_bet() -> None:
    state = RoundState({1: {"main": 5}}, (1,), {1: "2S", 2: "8D", 3: "3H", 4: "KD"})
    silent = replace(state, decisions={1: "no_decision"})

    assert next_step(ruleset(SOCIAL, no_decision="void_bet"), silent) == Step("settle")
    assert next_step(ruleset(SOCIAL), silent) == Step("ask", hand=0)


def test_a_hand_out_of_play_is_not_asked() -> None:
    rules = ruleset(SOCIAL)
    state = dealt(rules, {2: {"main": 5}, 1: {"main": 5}}, {2: "2S ?", 1: "2C 4C", 0: "8D KD"})

    first = {1: (2, 1), 4: (2, 2)}
    out = replace(state, taken_out=(TakenOut(2, None, 20),), departures=first)
    assert next_step(rules, out).hand == 1
    second = {2: (1, 1), 5: (1, 2)}
    out = replace(state, taken_out=(TakenOut(1, None, 20),), departures=second)
    assert next_step(rules, out).kind == "settle"
