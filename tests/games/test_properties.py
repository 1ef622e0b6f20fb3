"""Documents by the thousand, sound and broken: never an exception, never a wrong total."""

import json
from fractions import Fraction
from random import Random

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
    load_ruleset,
    next_step,
    settle,
    settle_document,
    void,
    wager_faults,
)
from tables.games.cards import FULL_FACES, RANKS, SUITS
from tables.games.game import STAGES
from tables.games.options import Amounts, Choice, Fixed, Flag, Form, Group, Price, Whole
from tests.games.rounds import POKER, SOCIAL

STAKES = st.integers(1, 10**6) | st.just(2**53 - 1)


def option_values(form: Form) -> st.SearchStrategy[object]:
    """Return the sound values of an option."""
    if isinstance(form, Group):
        members = {name: option_values(member) for name, member in form.members.items()}
        return st.fixed_dictionaries({}, optional=members)
    if isinstance(form, Choice):
        return st.sampled_from(form.values)
    if isinstance(form, Flag):
        return st.booleans()
    if isinstance(form, Whole):
        return st.integers(form.low, min(form.high, 500))
    if isinstance(form, Price):
        low = 0 if form.share else 1
        pair = st.tuples(st.integers(low, 20), st.integers(20 if form.share else 1, 30)).map(list)
        return pair | st.none() if form.nullable else pair
    if isinstance(form, Amounts):
        return st.dictionaries(st.sampled_from(form.kinds), st.integers(0, 10**6))
    assert isinstance(form, Fixed)
    return st.just(form.default)


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draw a sound ruleset of any game."""
    game = draw(st.sampled_from(list(GAMES)))
    options = draw(option_values(GAMES[game].schema))
    assert isinstance(options, dict)
    return load_ruleset(game, options)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Ruleset, RoundState]:
    """Draw a whole round played to its end as the engine asks for it."""
    rules = draw(rulesets())
    game = GAMES[rules.game]
    seats = draw(st.lists(st.integers(1, game.seats_max), min_size=1, unique=True))
    wagers = {
        seat: draw(st.dictionaries(st.sampled_from(game.kinds), STAKES, min_size=1))
        for seat in seats
    }
    state = RoundState(wagers, (), {})
    live = tuple(seat for seat in sorted(wagers) if game.has_hand(rules, wagers[seat]))
    decks = game.decks(rules)
    shoe = [rank + suit for rank in RANKS for suit in SUITS] * decks
    Random(draw(st.integers(0, 2**32))).shuffle(shoe)
    state = RoundState(wagers, live, {})
    while (step := next_step(rules, state)).kind not in ("bet", "settle"):
        if step.kind == "deal":
            assert step.draw is not None
            cards = {**state.cards, step.draw: shoe[len(state.cards)]}
            state = RoundState(wagers, live, cards, state.swept, state.decisions)
        elif step.kind == "ask":
            assert step.hand is not None
            choice = draw(st.sampled_from(["hit", "stand", "no_decision"]))
            decisions = {**state.decisions, step.hand: choice}
            state = RoundState(wagers, live, state.cards, state.swept, decisions)
        else:
            state = RoundState(wagers, live, state.cards, True, state.decisions)
    return rules, state


def document_of(rules: Ruleset, state: RoundState) -> dict[str, object]:
    """Return the document of a played round."""
    from tables.games import hands

    laid = hands(rules, state)
    game = GAMES[rules.game]

    def hand(number: int) -> dict[str, object]:
        faces = [face for face in laid.get(number, ()) if face]
        told: dict[str, object] = {"cards": faces}
        if game.asks:
            told["draw"] = state.decisions.get(number, "none")
        return told

    seats = [{"seat": n, "bets": dict(bets), **hand(n)} for n, bets in state.wagers.items()]
    return {
        "id": "drawn",
        "game": rules.game,
        "options": rules.options,
        "seats": seats,
        game.bank: hand(0),
    }


def check_line(line: Line) -> None:
    """Check that a line says where every minor unit went."""
    assert line.profit_minor >= 0
    assert line.cap_cut_minor >= 0
    assert line.extra_owed_minor >= 0
    assert explain(line.why)
    if line.outcome == "win":
        assert line.odds is not None
        assert line.returned_minor == line.stake_minor + line.profit_minor
        if line.stake_minor:
            exact = Fraction(line.stake_minor * line.odds[0], line.odds[1])
            parts = line.profit_minor + line.cap_cut_minor + line.commission + line.breakage
            assert exact == parts
    else:
        assert line.odds is None
        assert line.profit_minor == line.cap_cut_minor == line.commission == line.breakage == 0
        assert line.returned_minor == (0 if line.outcome == "lose" else line.stake_minor)


@given(rounds())
@settings(max_examples=150, deadline=None)
def test_money_is_conserved_and_both_ways_settle_alike(
    played: tuple[Ruleset, RoundState],
) -> None:
    rules, state = played
    parts = [settle(rules, state, "sweep"), settle(rules, state, "final")]
    lines = [line for part in parts for line in part.lines]
    staked = sum(stake for bets in state.wagers.values() for stake in bets.values())
    back = sum(line.returned_minor for line in lines)
    owed = sum(line.extra_owed_minor for line in lines)

    assert sum(part.bank_minor for part in parts) == staked - back + owed
    for line in lines:
        check_line(line)

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
        check_line(line)
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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        "id",
        "game",
        "options",
        "seats",
        "house",
        "banker",
        "void",
        "cards",
        "draw",
        "bets",
        "seat",
        "main",
        "pair",
        "stage",
        "affects_first_two_cards",
        "colon",
        "decks",
        "tie_odds",
        "x",
    ]
)
WORDS = st.sampled_from([*GAMES, *sorted(FULL_FACES)[:9], "?", "A", "hit", "none", *STAGES])
SHAPED = st.recursive(
    WORDS | st.integers(-2, 9) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=7),
    max_leaves=40,
)


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


@given(rounds(), st.data())
@settings(max_examples=200, deadline=None)
def test_breaking_one_place_of_a_sound_document_never_raises(
    played: tuple[Ruleset, RoundState], data: st.DataObject
) -> None:
    doc = json.loads(json.dumps(document_of(*played)))
    target: object = doc
    while isinstance(target, dict | list) and target:
        keys = list(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        deeper = target[key]
        if not isinstance(deeper, dict | list) or not deeper or data.draw(st.booleans()):
            target[key] = data.draw(SHAPED)
            break
        target = deeper

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
