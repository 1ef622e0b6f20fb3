"""Rounds and round documents for property tests: sound ones of every game, and any JSON at all."""

import json
from random import Random

from hypothesis import strategies as st

from tables.games import GAMES, RoundState, Ruleset, hands, load_ruleset, next_step
from tables.games.cards import FULL_FACES, RANKS, SUITS
from tables.games.game import STAGES
from tables.games.options import Amounts, Choice, Fixed, Flag, Form, Group, Price, Whole

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


@st.composite
def sound_documents(draw: st.DrawFn) -> dict[str, object]:
    """Draw the document of a round that was played to its end, or voided on its way."""
    rules, state = draw(rounds())
    doc = document_of(rules, state)
    stage = draw(st.none() | st.sampled_from(STAGES))
    if stage is None:
        return doc
    most = {"betting": 0, "first_lap": 1, "second_lap": 2, "pair_settled": 2}.get(stage, 3)
    seats = doc["seats"]
    assert isinstance(seats, list)
    for hand in (*seats, doc[GAMES[rules.game].bank]):
        hand["cards"] = hand["cards"][:most]
    touched = st.booleans() | st.lists(st.sampled_from(sorted(state.wagers)), unique=True)
    return {**doc, "void": {"stage": stage, "affects_first_two_cards": draw(touched)}}


@st.composite
def broken_documents(draw: st.DrawFn) -> dict[str, object]:
    """Draw a sound document with one place of it replaced by something else."""
    doc: dict[str, object] = json.loads(json.dumps(draw(sound_documents())))
    target: object = doc
    while isinstance(target, dict | list) and target:
        keys = list(target) if isinstance(target, dict) else list(range(len(target)))
        key = draw(st.sampled_from(keys))
        deeper = target[key]
        if not isinstance(deeper, dict | list) or not deeper or draw(st.booleans()):
            target[key] = draw(SHAPED)
            break
        target = deeper
    return doc
