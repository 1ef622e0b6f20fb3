"""Documents by the thousand, sound and broken: never an exception, never a wrong total."""

import json
from collections.abc import Mapping, Set
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.games import (
    GAMES,
    SENTENCES,
    Line,
    NewCard,
    RoundState,
    Ruleset,
    card_faults,
    decision_faults,
    explain,
    load_limits,
    load_procedures,
    settle,
    settle_document,
    void,
    wager_faults,
)
from tables.games.game import STAGES
from tests.games.rounds import POKER, SOCIAL
from tests.games.strategies import (
    JSON,
    NAMES,
    SHAPED,
    broken_documents,
    document_of,
    rounds,
    rulesets,
)


def check_line(line: Line, *, staked: int, extras: Set[Fraction]) -> None:
    """Check that a line says where every minor unit went; a Colon's extra is on the main stake.

    `extras` are what may be owed beyond a lost stake of one, nothing among them.
    """
    assert line.profit_minor >= 0
    assert line.cap_cut_minor >= 0
    assert line.extra_owed_minor >= 0
    assert explain(line.why)
    if line.outcome == "win":
        assert line.odds is not None
        assert line.returned_minor == line.stake_minor + line.profit_minor
        exact = Fraction(staked * line.odds[0], line.odds[1])
        parts = line.profit_minor + line.cap_cut_minor + line.commission + line.breakage
        assert exact == parts
    else:
        assert line.odds is None
        assert line.profit_minor == line.cap_cut_minor == line.commission == 0
        assert (line.extra_owed_minor - line.breakage) / staked in extras
        assert line.returned_minor == (0 if line.outcome == "lose" else line.stake_minor)


def extras_of(rules: Ruleset, line: Line) -> Set[Fraction]:
    """Return what a line of one staked may owe beyond it: a bank's Colon less even money (B13)."""
    colon = rules.options.get("colon")
    if line.clause != "B13" or not isinstance(colon, Mapping):
        return {Fraction(0)}
    return {max(Fraction(*colon[name]) - 1, Fraction(0)) for name in ("odds", "nine_odds")}


def staked_on(state: RoundState, line: Line) -> int:
    """Return the stake that a line is paid on (B10)."""
    return state.wagers[line.seat]["main" if line.wager == "colon_bonus" else line.wager]


@given(rounds())
@settings(max_examples=350, deadline=None)
def test_money_is_conserved_and_both_ways_settle_alike(
    played: tuple[Ruleset, RoundState],
) -> None:
    money_is_conserved(played)


@pytest.mark.long
@given(rounds())
@settings(max_examples=10_000, deadline=None)
def test_money_is_conserved_in_ten_thousand_rounds(played: tuple[Ruleset, RoundState]) -> None:
    money_is_conserved(played)


def money_is_conserved(played: tuple[Ruleset, RoundState]) -> None:
    """Settle a round as a table does and as a document: alike, and nothing comes from nowhere."""
    rules, state = played
    parts = [settle(rules, state, "sweep"), settle(rules, state, "final")]
    lines = [line for part in parts for line in part.lines]
    staked = sum(stake for bets in state.wagers.values() for stake in bets.values())
    back = sum(line.returned_minor for line in lines)
    owed = sum(line.extra_owed_minor for line in lines)

    assert sum(part.bank_minor for part in parts) == staked - back + owed
    for line in lines:
        check_line(line, staked=staked_on(state, line), extras=extras_of(rules, line))

    answer = settle_document(document_of(rules, state))
    assert answer["faults"] == []
    assert answer[f"{GAMES[rules.game].bank}_net_minor"] == staked - back + owed
    told = answer["lines"]
    assert isinstance(told, list)
    assert sorted((x["seat"], x["bet"], x["returned_minor"]) for x in told) == sorted(
        (line.seat, line.wager, line.returned_minor) for line in lines
    )
    assert len(told) >= sum(len(bets) for bets in state.wagers.values())


@given(rounds(), st.sampled_from(STAGES), st.booleans() | st.lists(st.integers(1, 8)))
@settings(max_examples=100, deadline=None)
def test_a_void_returns_every_stake_but_what_stands(
    played: tuple[Ruleset, RoundState], stage: str, touched: bool | list[int]
) -> None:
    rules, state = played
    laps = {"betting": 0, "first_lap": 1, "second_lap": 2, "pair_settled": 2}.get(stage, 3)
    most = laps * (len(state.live) + 1)
    cards = {draw: face for draw, face in state.cards.items() if draw <= most}
    early = RoundState(state.wagers, state.live, cards, state.swept, state.decisions)

    voided = void(rules, early, stage, touched)

    for line in voided.lines:
        check_line(line, staked=staked_on(state, line), extras=extras_of(rules, line))
        if line.part == "final":
            assert line.outcome in ("void", "rejected")
        stands = line.outcome in ("win", "lose", "push")
        assert not stands or (line.part == "sweep" and stage in STAGES[3:])
    reversed_all = void(rules, early, stage, True)
    assert all(line.outcome in ("void", "rejected") for line in reversed_all.lines)
    assert reversed_all.bank_minor == 0


@given(rounds())
@settings(max_examples=75, deadline=None)
def test_cards_keyed_as_asked_have_no_fault_and_others_never_raise(
    played: tuple[Ruleset, RoundState],
) -> None:
    rules, state = played
    procedures = load_procedures(rules.game, {})
    empty = RoundState(state.wagers, state.live, {}, True, state.decisions)
    cards = [NewCard(draw, face) for draw, face in state.cards.items()]

    assert card_faults(rules, procedures, empty, {}, cards) == []
    odd = [NewCard(card.draw + 1, face) for card, face in zip(cards, ["", "?", "A", "ZZ"])]
    for fault in card_faults(rules, procedures, state, {"AS": 99}, odd):
        assert fault.code.startswith("card.")
    for hand in (0, 1, 9):
        decision_faults(rules, procedures, state, hand=hand, choice="hit")


@given(JSON | SHAPED | st.dictionaries(NAMES, SHAPED, max_size=9))
@settings(max_examples=400, deadline=None)
def test_no_document_raises(doc: object) -> None:
    answer = settle_document(doc)

    json.dumps(answer)
    faults = answer["faults"]
    assert isinstance(faults, list)
    for fault in faults:
        assert fault["code"] == fault["code"].lower()
        assert fault["detail"].startswith("expected")


@given(broken_documents())
@settings(max_examples=350, deadline=None)
def test_breaking_one_place_of_a_sound_document_never_raises(doc: dict[str, object]) -> None:
    answered_whatever_is_broken(doc)


@pytest.mark.long
@given(broken_documents())
@settings(max_examples=10_000, deadline=None)
def test_ten_thousand_broken_documents_never_raise(doc: dict[str, object]) -> None:
    answered_whatever_is_broken(doc)


def answered_whatever_is_broken(doc: dict[str, object]) -> None:
    """Settle a document: a net result or faults, never both, and what JSON can hold."""
    answer = settle_document(doc)

    json.dumps(answer)
    net = answer.get("house_net_minor", answer.get("banker_net_minor"))
    assert (net is None) == bool(answer["faults"])


@given(rulesets(), st.dictionaries(st.integers(-1, 9), st.dictionaries(NAMES, JSON)))
@settings(max_examples=150, deadline=None)
def test_no_wagers_raise(rules: Ruleset, wagers: dict[int, dict[str, object]]) -> None:
    limits = load_limits(rules.game, {"max": {"main": 4}, "bank_cover_minor": 3})

    for fault in wager_faults(rules, limits, wagers):  # type: ignore[arg-type]  # the point
        assert fault.code.startswith(("wager.", "seat."))


def test_every_reason_has_a_sentence_that_needs_no_more_than_it_gets() -> None:
    for sentence in SENTENCES.values():
        assert sentence.format(own="8-8-K", bank="8-8-9", pair="4-4")


def test_the_home_game_is_drawn_too() -> None:
    assert set(GAMES) >= {POKER, SOCIAL}
