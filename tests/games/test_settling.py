"""What is owed in a round as it stands: sweep and final, voids, what is out of play."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tables.games import (
    Line,
    StageError,
    TakenOut,
    UnsettledError,
    explain,
    next_step,
    settle,
    void,
    with_taken_back,
)
from tests.games.rounds import FIXED, SOCIAL, dealt, ruleset

RULES = ruleset()
WAGERS = {1: {"main": 10000, "pair": 1000}, 2: {"main": 101, "jacks": 500}}
HANDS = {1: "8C 8D KH", 2: "2H 7C KD", 0: "JS JD 2C"}
STATE = dealt(RULES, WAGERS, HANDS)


def told(lines: tuple[Line, ...]) -> list[tuple[int, str, str, int, str]]:
    return [(x.seat, x.wager, x.outcome, x.returned_minor, x.part) for x in lines]


def reasons(error: UnsettledError) -> list[tuple[object, object]]:
    return [(fault["code"], fault["where"]) for fault in error.faults]


def test_the_sweep_holds_the_pair_wagers_alone() -> None:
    swept = settle(RULES, dealt(RULES, WAGERS, {1: "8C 8D", 2: "2H 7C", 0: "JS JD"}), "sweep")

    assert told(swept.lines) == [(1, "pair", "win", 11000, "sweep")]
    assert swept.bank_minor == -10000
    assert settle(RULES, STATE, "sweep") == swept


def test_the_final_part_holds_the_rest_from_the_dealers_right_to_the_left() -> None:
    final = settle(RULES, STATE, "final")

    assert told(final.lines) == [
        (2, "main", "lose", 0, "final"),
        (2, "jacks", "win", 6000, "final"),
        (1, "main", "lose", 0, "final"),
    ]
    assert final.bank_minor == 101 - 5500 + 10000


def test_a_line_says_where_every_centavo_went() -> None:
    rules = ruleset(max_payout_minor={"main": 90})
    state = dealt(rules, {1: {"main": 101}}, {1: "2H 7C KD", 0: "5S 3D QC"})

    [line] = settle(rules, state, "final").lines

    assert (line.profit_minor, line.cap_cut_minor) == (90, 5)
    assert line.breakage == Fraction(95, 100)
    assert line.commission == line.commission_minor == 0
    exact = Fraction(101 * 95, 100)
    assert exact == line.profit_minor + line.cap_cut_minor + line.breakage + line.commission
    assert line.bank_minor == -90
    assert explain(line.why) == "2+7+0 = 9 beats 5+3+0 = 8"


def test_commission_is_kept_exactly_and_in_whole_minor_units() -> None:
    rules = ruleset(FIXED, commission=[5, 100])
    state = dealt(rules, {1: {"main": 101}}, {1: "4H 3C", 0: "KD 6S"})

    [line] = settle(rules, state, "final").lines

    assert (line.profit_minor, line.commission, line.commission_minor) == (95, Fraction(101, 20), 5)
    assert line.breakage == Fraction(95, 100)
    assert line.profit_minor + line.commission + line.breakage == 101


def test_nothing_is_settled_before_the_cards_are_there() -> None:
    with pytest.raises(UnsettledError) as caught:
        settle(RULES, dealt(RULES, WAGERS, {1: "8C 8D", 2: "2H 7C KD", 0: "JS JD"}), "final")
    assert reasons(caught.value) == [("card_missing", "draw 7"), ("card_missing", "draw 9")]

    with pytest.raises(UnsettledError) as caught:
        settle(RULES, dealt(RULES, WAGERS, {1: "8C", 2: "2H", 0: "JS"}), "sweep")
    assert reasons(caught.value) == [("card_count", "seats.1.cards")]


def test_a_face_never_known_settles_nothing_unless_its_hand_is_out_of_play() -> None:
    state = dealt(RULES, WAGERS, {**HANDS, 1: "8C ? KH"})

    for part in ("sweep", "final"):
        with pytest.raises(UnsettledError) as caught:
            settle(RULES, state, part)
        assert reasons(caught.value) == [("card_unknown", "seats.1.cards[1]")]

    kept = {1: (1, 1), 4: (1, 2), 7: (1, 3)}
    out = replace(state, taken_out=(TakenOut(1, None, 20),), departures=kept)
    assert settle(RULES, out, "sweep").lines == ()
    assert [line.seat for line in settle(RULES, out, "final").lines] == [2, 2]


def test_only_the_stake_that_counts_is_settled() -> None:
    state = replace(STATE, taken_out=(TakenOut(1, "main", 24, 4000), TakenOut(2, "jacks", 23)))

    final = settle(RULES, state, "final")

    assert [(x.seat, x.wager, x.stake_minor) for x in final.lines] == [
        (2, "main", 101),
        (1, "main", 6000),
    ]


def test_a_side_wager_whose_main_went_back_stays_judged_by_what_was_placed() -> None:
    state = replace(STATE, taken_out=(TakenOut(1, "main", 24),))

    assert told(settle(RULES, state, "sweep").lines) == [(1, "pair", "win", 11000, "sweep")]
    assert {line.seat for line in settle(RULES, state, "final").lines} == {2}


def test_what_stands_of_a_hand_out_of_play_is_settled_in_the_sweep_alone() -> None:
    kept = {1: (1, 1), 4: (1, 2), 7: (1, 3)}
    dead = TakenOut(1, None, 9, stands=("pair",))
    state = replace(STATE, taken_out=(dead,), departures=kept, cards={**STATE.cards, 7: "?"})

    assert told(settle(RULES, state, "sweep").lines) == [(1, "pair", "win", 11000, "sweep")]
    assert {line.seat for line in settle(RULES, state, "final").lines} == {2}
    assert told(void(RULES, state, "opened", False).lines)[-1] == (
        1,
        "pair",
        "win",
        11000,
        "sweep",
    )


def test_what_goes_back_with_a_hand_is_void_in_the_sweep_and_in_no_other_part() -> None:
    wagers = {1: {"main": 10000, "pair": 1000}, 2: {"main": 101, "pair": 500}}
    capped = TakenOut(1, "pair", 24, returned_minor=400)
    dead = TakenOut(1, None, 9, reverses=("pair",))
    state = replace(dealt(RULES, wagers, HANDS), taken_out=(dead, capped), cards={})
    faces = dealt(RULES, wagers, {1: "8C 8D", 2: "2H 7C", 0: "JS JD"}).cards
    kept = {1: (1, 1), 4: (1, 2)}
    state = replace(state, cards=faces, departures=kept)

    swept = settle(RULES, state, "sweep")
    assert told(swept.lines) == [
        (2, "pair", "lose", 0, "sweep"),
        (1, "pair", "void", 600, "sweep"),
    ]
    assert (swept.lines[1].stake_minor, swept.lines[1].clause) == (600, "A20")
    assert explain(swept.lines[1].why).startswith("the hand is void")
    assert swept.bank_minor == 500
    voided = void(RULES, state, "pair_settled", (2,))
    assert {line.seat for line in voided.lines} == {2}, "it went back before"
    assert with_taken_back(RULES, state, ()) == (swept.lines[1],)


def test_a_void_returns_what_is_open_and_leaves_what_was_swept() -> None:
    voided = void(RULES, STATE, "third_lap", False)

    assert told(voided.lines) == [
        (2, "main", "void", 101, "final"),
        (2, "jacks", "void", 500, "final"),
        (1, "main", "void", 10000, "final"),
        (1, "pair", "win", 11000, "sweep"),
    ]
    assert voided.bank_minor == -10000


@pytest.mark.parametrize(
    ("stage", "touched", "outcome", "part"),
    [
        ("second_lap", False, "void", "final"),
        ("pair_settled", False, "win", "sweep"),
        ("pair_settled", True, "void", "sweep"),
        ("opened", [1], "void", "sweep"),
        ("opened", [2], "win", "sweep"),
        ("third_pass", [], "win", "sweep"),
    ],
)
def test_the_stage_and_the_fault_decide_what_becomes_of_pair_wagers(
    stage: str, touched: bool | list[int], outcome: str, part: str
) -> None:
    state = STATE
    if stage in ("second_lap", "pair_settled"):
        state = dealt(RULES, WAGERS, {1: "8C 8D", 2: "2H 7C", 0: "JS JD"})

    pair = void(RULES, state, stage, touched).lines[-1]

    assert (pair.wager, pair.outcome, pair.part) == ("pair", outcome, part)


def test_a_round_is_voided_with_whatever_cards_lie_there() -> None:
    for hands in ({1: "8C", 2: "2H", 0: ""}, {1: "?", 2: "2H 7C", 0: "JS"}):
        state = dealt(RULES, WAGERS, hands)
        assert {line.outcome for line in void(RULES, state, "second_lap", True).lines} == {"void"}


def test_a_void_that_lets_a_pair_wager_stand_needs_its_cards() -> None:
    with pytest.raises(UnsettledError) as caught:
        void(RULES, dealt(RULES, WAGERS, {**HANDS, 1: "8C ? KH"}), "third_lap", False)

    assert reasons(caught.value) == [("card_unknown", "seats.1.cards[1]")]


def test_a_round_has_no_other_stages() -> None:
    with pytest.raises(StageError):
        void(RULES, STATE, "showdown", False)


def test_home_naturals_are_swept_and_stand() -> None:
    rules = ruleset(SOCIAL)
    wagers = {1: {"main": 200}, 2: {"main": 300}}
    state = dealt(rules, wagers, {1: "9H KS", 2: "8D KD", 0: "AC 6D"})

    assert told(settle(rules, state, "sweep").lines) == [(1, "main", "win", 400, "sweep")]
    with pytest.raises(UnsettledError) as caught:
        settle(rules, replace(state, swept=True), "final")
    assert reasons(caught.value) == [("decision_missing", "seats.2")]

    played = replace(
        dealt(
            rules,
            wagers,
            {1: "9H KS", 2: "8D KD", 0: "AC 6D 2S"},
            decisions={2: "stand", 0: "hit"},
        ),
        swept=True,
    )
    assert next_step(rules, played).kind == "settle"
    assert told(settle(rules, played, "final").lines) == [(2, "main", "lose", 0, "final")]
    assert sorted(told(void(rules, played, "opened", False).lines)) == [
        (1, "main", "win", 400, "sweep"),
        (2, "main", "void", 300, "final"),
    ]


def test_a_void_of_the_home_game_needs_the_cards_that_made_naturals() -> None:
    rules = ruleset(SOCIAL)
    state = dealt(rules, {1: {"main": 200}}, {1: "9H KS", 0: "AC ?"})

    with pytest.raises(UnsettledError) as caught:
        void(rules, state, "opened", False)

    assert reasons(caught.value) == [("card_unknown", "banker.cards[1]")]
    assert told(void(rules, state, "opened", True).lines) == [(1, "main", "void", 200, "sweep")]
