"""Comparison of written parts of Lucky 9 with the second engine: clean ones, and seeded faults."""

import random
from dataclasses import replace
from typing import Any

import pytest

from settlements.comparison import PartRead, differences
from tables.games import (
    RoundState,
    Ruleset,
    live_seats,
    load_procedures,
    load_ruleset,
    next_step,
    settle,
    void,
)
from tests.settlements.reading import part_read

FIXED, SOCIAL = "lucky-9", "lucky-9-social"
RULESETS: list[tuple[str, dict[str, object]]] = [
    (FIXED, {}),
    (FIXED, {"decks": 8, "natural_priority": "total_only", "banker_natural_stops_draws": False}),
    (FIXED, {"natural_priority": "nine_only", "forced_draw": "to_7"}),
    (FIXED, {"forced_draw": "all", "natural_priority": "total_only"}),
    (FIXED, {"colon": {"on_loss": "bonus_part"}, "commission": [5, 100]}),
    (FIXED, {"banker_colon_collects": "multiple", "colon": {"odds": [5, 2]}}),
    (FIXED, {"colon": {"enabled": False}, "decks": 2}),
    (SOCIAL, {}),
    (SOCIAL, {"no_decision": "void_bet", "odds": [19, 20]}),
]
STAGES = ("first_lap", "second_lap", "pair_settled", "third_lap", "opened")
PACK = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]


@pytest.mark.parametrize(("game", "options"), RULESETS)
def test_parts_that_are_right_have_no_differences(game: str, options: dict[str, object]) -> None:
    chance = random.Random(str(options))
    for _ in range(60):
        for read in _round(chance, game, options):
            assert differences(read) == (), read


def test_seeded_faults_are_found() -> None:
    chance = random.Random(9)
    found = 0
    while found < 100:
        game, options = chance.choice(RULESETS)
        read = chance.choice(_round(chance, game, options))
        if not read.payouts:
            continue
        change = chance.choice(FAULTS)
        assert differences(change(read)), (change, read)
        found += 1


def _other_bank(read: PartRead) -> PartRead:
    paid = replace(read.payouts[0], bank="house" if read.bank_seat else "7")
    return replace(read, payouts=(paid, *read.payouts[1:]))


FAULTS = (
    _other_bank,
    lambda read: replace(read, payouts=read.payouts[1:]),
    lambda read: replace(read, live=read.live[::-1] if len(read.live) > 1 else (8,)),
    lambda read: replace(read, bank_owed_minor=read.bank_owed_minor + 1),
    lambda read: replace(read, payouts=(replace(read.payouts[0], owed_minor=7), *read.payouts[1:])),
)


def _round(chance: random.Random, game: str, options: dict[str, object]) -> list[PartRead]:
    """A random round with up to eight punters, the bank at a seat or the house's, by part."""
    ruleset = load_ruleset(game, options)
    bank_seat = chance.choice([None, *range(1, 10)])
    direction = chance.choice(["clockwise", "anticlockwise"])
    procedures = load_procedures(
        game, {"bank": "players" if bank_seat else "house", "deal_direction": direction}
    )
    seats = [seat for seat in range(1, 10 if bank_seat else 9) if seat != bank_seat]
    wagers = {
        seat: {"main": chance.randint(1, 50_000)}
        for seat in chance.sample(seats, chance.randint(1, 8))
    }
    live = live_seats(ruleset, wagers, procedures=procedures, bank_seat=bank_seat)
    state = RoundState(wagers=wagers, live=live, cards={})
    pack = chance.sample(PACK, len(PACK))
    at = {"direction": direction, "bank_seat": bank_seat}
    parts: list[PartRead] = []
    stop = chance.choice(STAGES) if chance.random() < 0.4 else None
    while (step := next_step(ruleset, state)).kind != "settle":
        if stop is not None and stop == _stage(state, step.kind, step.lap):
            break
        if step.kind == "sweep":
            lines = settle(ruleset, state, "sweep").lines
            parts.append(part_read(ruleset, state, lines, part="sweep", **at))
            state = replace(state, swept=True)
        elif step.kind == "ask":
            assert step.hand is not None
            choice = chance.choice(["hit", "stand", "no_decision"])
            state = replace(state, decisions={**state.decisions, step.hand: choice})
        else:
            draw = chance.choice(step.open_draws)
            state = replace(state, cards={**state.cards, draw: pack.pop()})
    if stop is None:
        lines = settle(ruleset, state, "final").lines
        return [*parts, part_read(ruleset, state, lines, part="final", **at)]
    stage = stop if next_step(ruleset, state).kind != "settle" else "opened"
    return [*parts, *_voided(chance, ruleset, state, stage=stage, **at)]


def _stage(state: RoundState, kind: str, lap: int | None) -> str:
    if kind == "sweep" or (kind == "deal" and lap == 2):
        return "second_lap"
    if kind == "deal" and lap == 1:
        return "first_lap"
    return "third_lap" if len(state.cards) > 2 * (len(state.live) + 1) else "pair_settled"


def _voided(
    chance: random.Random, ruleset: Ruleset, state: RoundState, *, stage: str, **at: Any
) -> list[PartRead]:
    touched = tuple(seat for seat in state.live if chance.random() < 0.4)
    lines = void(ruleset, state, stage, touched).lines
    kind: dict[str, Any] = {"kind": "voided", "void_stage": stage, "void_seats": touched}
    by_part = {part: [line for line in lines if line.part == part] for part in ("sweep", "final")}
    reversed_ = any(line.outcome == "void" for line in by_part["sweep"])
    return [
        replace(part_read(ruleset, state, found, part=part, **at), **kind)
        for part, found in by_part.items()
        if part == "final" or reversed_
    ]
