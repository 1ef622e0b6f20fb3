"""Every sentence of the four rules texts that states a result, quoted, with what shows it.

`sentences.jsonl` holds the sentences: text A (Poker Lucky 9), text B (Lucky 9 / Super 9), text C in
its Ukrainian and its Portuguese form, each by its part. A sentence that one round or a few show has
these rounds beside it; one about all hands, the deal, the bank or the draw names a test below.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest

from tables.games import (
    PRESETS,
    Fault,
    NewCard,
    RoundState,
    Ruleset,
    card_faults,
    cards_needed,
    decision_faults,
    live_seats,
    load_limits,
    load_procedures,
    load_ruleset,
    next_bank_seat,
    next_step,
    settle_document,
    wager_faults,
)
from tables.games.cards import RANKS
from tests.games.rounds import (
    FIXED,
    POKER,
    SOCIAL,
    deal_plan,
    dealt,
    document,
    fault_codes,
    outcomes,
    ruleset,
)

Sentence = dict[str, Any]  # Any: a line of the file
SENTENCES: list[Sentence] = [
    json.loads(line)
    for line in (Path(__file__).parent / "sentences.jsonl").read_text("utf-8").splitlines()
]
SHOWN_BY_ROUNDS = [each for each in SENTENCES if "rounds" in each]
GAMES = {"A": POKER, "B": FIXED, "C uk": SOCIAL, "C pt": SOCIAL}
POINTS = {rank: min(number, 10) % 10 for number, rank in enumerate("A23456789TJQK", start=1)}
ORDER = "AKQJT98765432"


def name_of(sentence: Sentence) -> str:
    return f"{sentence['text']}, {sentence['part']}: {sentence['words'][:60]}"


@pytest.mark.parametrize("sentence", SHOWN_BY_ROUNDS, ids=name_of)
def test_rounds_end_as_the_sentence_says(sentence: Sentence) -> None:
    for round_ in sentence["rounds"]:
        doc = document(
            *round_["seats"],
            bank=round_["bank"],
            game=GAMES[sentence["text"]],
            options=round_.get("options"),
            bank_draw=round_.get("bank_draw"),
        )
        if "faults" in round_:
            found = [f"{code} {where}" for code, where in fault_codes(doc)]
            assert set(round_["faults"]) <= set(found), (round_, found)
            continue
        assert [" ".join(map(str, line)) for line in outcomes(doc)] == round_["expect"], round_
        answer = settle_document(doc)
        if "bank_net" in round_:
            assert answer["banker_net_minor"] == round_["bank_net"]
        if "returned" in round_:
            lines = answer["lines"]
            assert isinstance(lines, list)
            assert [line["returned_minor"] for line in lines] == [round_["returned"]]


def test_every_sentence_is_shown() -> None:
    tests = {name for name in globals() if name.startswith("test_")}
    named = {each["shown_by"] for each in SENTENCES if "shown_by" in each}
    assert named - tests == set()
    # Each test below shows a sentence, but for those about the sentences themselves.
    assert tests - named == {
        "test_rounds_end_as_the_sentence_says",
        "test_every_sentence_is_shown",
        "test_the_two_forms_of_text_c_say_the_same",
    }
    assert all(("rounds" in each) != ("shown_by" in each) for each in SENTENCES)


def test_the_two_forms_of_text_c_say_the_same() -> None:
    shown = {
        text: [
            {key: each[key] for key in each.keys() - {"text", "words"}}
            for each in SENTENCES
            if each["text"] == text and each["part"].isdigit()
        ]
        for text in ("C uk", "C pt")
    }
    assert shown["C uk"] == shown["C pt"]
    assert len(shown["C uk"]) > 20


def result(seat: str, bank: str, *, game: str = POKER, **options: object) -> str:
    """The outcome of a main bet, both hands as faces."""
    (line,) = outcomes(document(f"1 main=100: {seat}", bank=bank, game=game, options=options))
    return str(line[2])


def cards(ranks: str, suits: str = "SHC") -> str:
    """Faces of these ranks, no two alike."""
    return " ".join(rank + suit for rank, suit in zip(ranks, suits, strict=False))


def faults_of(rules: Ruleset, state: RoundState, *, draw: int, face: str) -> list[Fault]:
    """Everything wrong with one further card."""
    procedures = load_procedures(rules.game, {})
    return list(card_faults(rules, procedures, state, {}, [NewCard(draw=draw, face=face)]))


# Text A.


def test_decks_and_seats() -> None:
    rules = ruleset()
    assert rules.options["decks"] == 8
    limits = load_limits(POKER, {})
    seats = {seat: {"main": 100} for seat in range(1, 7)}
    assert [fault.where for fault in wager_faults(rules, limits, seats)] == ["seats.6"]
    sevens = ("1 main=100: 7H 7H 7H", "2 main=100: 7H 7H 7H", "3 main=100: 7H 7H 7H")
    assert "too_many_copies" in {
        code for code, _ in fault_codes(document(*sevens, bank="5S 3D QC"))
    }
    eight = (*sevens[:2], "3 main=100: 7H 7H 2C")
    assert len(outcomes(document(*eight, bank="5S 3D QC"))) == 3


def test_rank_of_cards() -> None:
    # As kickers of the same pair, each card of the list beats all that stand behind it.
    for higher, lower in ((a, b) for i, a in enumerate(ORDER) for b in ORDER[i + 1 :]):
        pair = next(rank for rank in "23" + ORDER if rank not in (higher, lower))
        above, below = cards(pair * 2 + higher), cards(pair * 2 + lower, "DCH")
        assert result(above, below) == "win"
        assert result(below, above) == "lose"


def test_order_of_hands() -> None:
    trios = [rank * 3 for rank in ORDER]
    # With the highest kicker that is not of the pair, so that the order is the pair's.
    pairs = [rank * 2 + ("A" if rank != "A" else "K") for rank in ORDER]
    order = trios + pairs
    assert len(order) == 26
    for place, hand in enumerate(order):
        for lower in order[place + 1 :]:
            assert result(cards(hand), cards(lower, "DCH")) == "win", (hand, lower)
            assert result(cards(lower), cards(hand, "DCH")) == "lose", (hand, lower)


def test_values_of_game_a() -> None:
    # With a king and a queen a card counts as it is: who counts more wins, whatever its rank.
    for one, other in product("A23456789TJ", repeat=2):
        if POINTS[one] == POINTS[other]:
            continue
        expected = "win" if POINTS[one] > POINTS[other] else "lose"
        assert result(f"{one}S KH QC", f"{other}D KC QH") == expected, (one, other)


def test_jacks_closes_with_the_first_card() -> None:
    rules = ruleset()
    begun = RoundState({1: {"main": 100}}, (1,), {1: "AS"})
    assert next_step(rules, begun).kind == "deal"
    assert next_step(rules, RoundState({}, (), {})).kind == "bet"


def test_pair_bets_are_settled_before_the_third_card() -> None:
    rules = ruleset()
    two_laps = dealt(rules, {1: {"main": 100, "pair": 10}}, {1: "8C 8D", 0: "5S 3D"})
    assert next_step(rules, two_laps).kind == "sweep"
    (fault,) = faults_of(rules, two_laps, draw=5, face="KD")
    assert fault.code == "card.sweep_first"
    assert next_step(rules, replace(two_laps, swept=True)).lap == 3


def test_deal_of_game_a() -> None:
    plan = deal_plan(ruleset(), live_seats(ruleset(), {n: {"main": 5} for n in (4, 1, 3)}))
    assert [place.hand for place in plan] == [1, 3, 4, 0] * 3
    assert {hand: sum(place.hand == hand for place in plan) for hand in (0, 1, 3, 4)} == {
        0: 3,
        1: 3,
        3: 3,
        4: 3,
    }


# Texts B and C.


def test_people_and_pack() -> None:
    for game in (FIXED, SOCIAL):
        rules, limits = ruleset(game), load_limits(game, {})
        assert rules.options["decks"] == 1
        people = {seat: {"main": 5} for seat in range(1, 9)}  # and the banker
        assert list(wager_faults(rules, limits, people)) == []
        assert wager_faults(rules, limits, {9: {"main": 5}})[0].code == "seat.unknown"
        assert cards_needed(live_seats(rules, people)) == 27 <= 52
        again = document(
            "1 main=5: 9S KS / stand" if game == SOCIAL else "1 main=5: 9S KS",
            bank="9S KH",
            game=game,
        )
        assert "too_many_copies" in {code for code, _where in fault_codes(again)}


def test_values_of_games_b_and_c() -> None:
    for first, second in combinations_with_replacement(RANKS, 2):
        total = (POINTS[first] + POINTS[second]) % 10
        seat, bank = f"{first}S {second}H", "7D KC"
        if total <= 5:
            # With a king, which changes nothing, as the rule wants it.
            fixed_seat = f"{seat} KD"
        else:
            fixed_seat = seat
        expected = "win" if total > 7 else "push" if total == 7 else "lose"
        assert result(fixed_seat, bank, game=FIXED) == expected, (first, second)
        if total < 9:
            chosen = document(
                f"1 main=100: {seat} / stand", bank=bank, game=SOCIAL, bank_draw="stand"
            )
            assert outcomes(chosen)[0][2] == expected, (first, second)


def test_no_hand_busts() -> None:
    # Every two cards that must draw, with every third one, against a bank that stands on 6.
    for first, second, third in product(RANKS, repeat=3):
        if (POINTS[first] + POINTS[second]) % 10 > 5:
            continue
        total = (POINTS[first] + POINTS[second] + POINTS[third]) % 10
        expected = "win" if total > 6 else "push" if total == 6 else "lose"
        assert result(f"{first}S {second}H {third}C", "6D KD", game=FIXED) == expected


def test_who_draws_in_game_b() -> None:
    rules = ruleset(FIXED)
    for total, low in product(range(10), "6"):
        seat = f"{'T' if total == 0 else 'A' if total == 1 else total}S KS"
        step = next_step(rules, dealt(rules, {1: {"main": 5}}, {1: seat, 0: f"{low}D KD"}))
        assert (step.kind == "deal" and step.hand == 1) == (total <= 5), total
        bank = next_step(rules, dealt(rules, {1: {"main": 5}}, {1: "6S KH", 0: seat}))
        assert (bank.kind == "deal" and bank.hand == 0) == (total <= 5), total


def test_deal_of_game_b() -> None:
    rules = ruleset(FIXED)
    wagers = {seat: {"main": 5} for seat in (5, 1, 3)}
    live = live_seats(rules, wagers)
    assert [place.hand for place in deal_plan(rules, live)] == [1, 3, 5, 0] * 2
    state = dealt(rules, wagers, {1: "2S 3S", 3: "2H 3H", 5: "2C 3C", 0: "2D 3D"})
    asked = []
    for draw, face in zip(range(9, 13), ("9S", "9H", "9C", "9D"), strict=True):
        asked.append(next_step(rules, state).hand)
        state = replace(state, cards={**state.cards, draw: face})
    assert asked == [1, 3, 5, 0]
    assert next_step(rules, state).kind == "settle"


def test_a_natural_nine_beats_every_other_hand() -> None:
    for first, second, third in product(RANKS, repeat=3):
        two = (POINTS[first] + POINTS[second]) % 10
        if two == 9:
            continue
        hand = f"{first}S {second}H" if two > 5 else f"{first}S {second}H {third}C"
        # Another punter keeps the bank's draw open where the bank must draw.
        seats = ("1 main=100: 9D KD", "2 main=100: 6D KC")
        doc = document(*seats, bank=hand, game=FIXED, options={"decks": 8})
        assert outcomes(doc)[0][2:] == ("win", 100), hand


def test_a_total_of_zero_never_wins() -> None:
    for first, second, third in product(RANKS, repeat=3):
        two = (POINTS[first] + POINTS[second]) % 10
        total = (two + POINTS[third]) % 10 if two <= 5 else two
        bank = f"{first}S {second}H" + (f" {third}C" if two <= 5 else "")
        seat = "KD QC" if two > 7 else "KD QC TH"  # a natural bank stops the draw
        expected = "push" if total == 0 else "lose"
        assert result(seat, bank, game=FIXED, decks=8) == expected, bank


def test_a_full_table_has_its_ties_right() -> None:
    hands = ("7S KS", "6S QS", "8S JS", "7H KH", "9S TS", "6H QH", "7C KC", "2S 5S")
    seats = [f"{seat} main=100: {hand}" for seat, hand in enumerate(hands, start=1)]
    found = [line[2] for line in outcomes(document(*seats, bank="7D KD", game=FIXED))]
    assert found == ["push", "lose", "win", "push", "win", "lose", "push", "push"]


def test_nobody_decides_in_game_b() -> None:
    rules, procedures = ruleset(FIXED), load_procedures(FIXED, {})
    state = dealt(rules, {1: {"main": 5}}, {1: "2S 3H", 0: "6D KD"})
    assert next_step(rules, state).kind == "deal"
    faults = decision_faults(rules, procedures, state, hand=1, choice="stand")
    assert [fault.code for fault in faults] == ["decision.not_asked"]


def test_a_round_settles_by_itself() -> None:
    for game in (POKER, FIXED):
        bank, seat = ("5S 3D QC", "2H 7C KD") if game == POKER else ("6D KD", "7S KS")
        rules = ruleset(game)
        state = dealt(rules, {1: {"main": 5}}, {1: seat, 0: bank})
        assert next_step(rules, state).kind == "settle"


def next_bank(game: str, rotation: str, **result_of: Any) -> int:  # Any: money and winners
    procedures = load_procedures(game, {"bank": "players", "banker_rotation": rotation})
    return next_bank_seat(procedures, seats=(1, 3, 4, 6), bank_seat=4, **result_of)


def test_the_bank_passes_on() -> None:
    even: Mapping[str, Any] = {"bank_minor": 0, "winners": ()}  # Any: as above
    assert next_bank(FIXED, "clockwise", **even) == 6
    assert next_bank(FIXED, "winner_keeps", bank_minor=100, winners=()) == 4
    assert next_bank(FIXED, "winner_keeps", bank_minor=-100, winners=(3,)) == 3
    assert next_bank(FIXED, "fixed", bank_minor=-100, winners=(3,)) == 4
    assert next_bank(SOCIAL, "clockwise", **even) == 3  # to the right


def test_the_bank_covers_every_bet() -> None:
    for game, rate in ((FIXED, 3), (SOCIAL, 1)):
        limits = load_limits(game, {"bank_cover_minor": 100 * rate})
        rules = ruleset(game)
        assert list(wager_faults(rules, limits, {1: {"main": 60}, 2: {"main": 40}})) == []
        beyond = wager_faults(rules, limits, {1: {"main": 60}, 2: {"main": 41}})
        assert [(fault.code, fault.where) for fault in beyond] == [
            ("wager.over_cover", "seats.2.main")
        ]


def test_variations_are_presets() -> None:
    assert {code for code, preset in PRESETS.items() if preset.game == FIXED} == {
        "lucky-9",
        "super-9",
        "fixed-bank",
        "forced-draw",
        "multi-deck",
        "straight",
    }
    super_9 = load_ruleset(FIXED, PRESETS["super-9"].options)
    assert {
        name: value
        for name, value in super_9.options.items()
        if value != ruleset(FIXED).options[name]
    } == {"decks": 8}


def test_deal_of_game_c() -> None:
    rules = ruleset(SOCIAL)
    three = {seat: {"main": 5} for seat in (1, 2, 3)}
    live = live_seats(rules, three, bank_seat=4)
    assert live == (3, 2, 1)  # from the bank's right, against the clock
    plan = deal_plan(rules, live)
    assert [place.hand for place in plan] == [3, 2, 1, 0] * 2
    assert (len(plan), 52 - len(plan)) == (8, 44)


def test_who_decides_in_game_c() -> None:
    rules, procedures = ruleset(SOCIAL), load_procedures(SOCIAL, {"bank": "players"})
    wagers = {seat: {"main": 5} for seat in (3, 2, 1)}
    state = dealt(rules, wagers, {3: "2S 3S", 2: "8H KH", 1: "7C KC", 0: "6D KD"})
    asked = []
    for choice, hand in (("hit", 3), ("stand", 2), ("hit", 1), ("stand", 0)):
        step = next_step(rules, state)
        asked.append((step.kind, step.hand))
        for other in ("split", "double", "exchange"):
            faults = decision_faults(rules, procedures, state, hand=hand, choice=other)
            assert [fault.code for fault in faults] == ["decision.unknown"]
        state = replace(state, decisions={**state.decisions, hand: choice})
    assert asked == [("ask", 3), ("ask", 2), ("ask", 1), ("ask", 0)]
    # Who draws gets exactly one card.
    state = replace(state, cards={**state.cards, 9: "9S", 10: "9C"})
    assert next_step(rules, state).kind == "settle"
    (fault,) = faults_of(rules, state, draw=11, face="9H")
    assert fault.code == "card.after_end"
