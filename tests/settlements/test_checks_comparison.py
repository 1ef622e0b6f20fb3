"""Comparison of written parts with the second engine: many clean ones, and seeded faults (R12)."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from settlements.comparison import PartRead, PayoutRead, differences, mispaid
from tables.games import (
    RoundState,
    Ruleset,
    live_seats,
    load_procedures,
    load_ruleset,
    settle,
    void,
)
from tests.settlements.reading import part_read

OPTIONS: list[dict[str, object]] = [
    {},
    {"tie_odds": [8, 1], "tie_break": "high_card_only", "side_on_tie": "push_unsettled"},
    {"side_requires_main": False, "tie_odds": [100, 1], "jacks_scope": "pair_only"},
    {"mixed_compare": "by_count", "kicker_by": "points", "tie_value": "points"},
    {"rounding": {"unit_minor": 25, "mode": "up"}, "max_payout_minor": {"main": 9000}},
    {"pair_bet_on_void": "reversed", "main_odds": {"trio": [7, 3]}},
]
STAGES = ("first_lap", "second_lap", "pair_settled", "third_lap", "opened")
SHOE = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 8


def test_parts_that_are_right_have_no_differences() -> None:
    chance = random.Random(20260301)
    for number in range(600):
        for read in _round(chance, options=OPTIONS[number % len(OPTIONS)]):
            assert differences(read) == (), read
            assert mispaid(read) == ()


def test_seeded_faults_are_all_found_and_named() -> None:
    chance = random.Random(9)
    found = 0
    while found < 200:
        read = chance.choice(_round(chance, options=chance.choice(OPTIONS)))
        if not read.payouts:
            continue
        make, field = chance.choice(FAULTS)
        broken = make(read, chance)
        fields = {str(difference["field"]) for difference in differences(broken)}
        assert field in fields, (broken, fields)
        found += 1


def _payout(change: Callable[[PayoutRead], PayoutRead]) -> Callable[..., PartRead]:
    def make(read: PartRead, chance: random.Random) -> PartRead:
        place = chance.randrange(len(read.payouts))
        payouts = list(read.payouts)
        payouts[place] = change(payouts[place])
        return replace(read, payouts=tuple(payouts))

    return make


def _by_one(name: str) -> Callable[..., PartRead]:
    def change(paid: PayoutRead) -> PayoutRead:
        changed: Any = {name: getattr(paid, name) + 1}  # a field of any of the two number types
        return replace(paid, **changed)

    return _payout(change)


def _doubled(read: PartRead, chance: random.Random) -> PartRead:
    return replace(read, payouts=(*read.payouts, replace(chance.choice(read.payouts))))


def _missing(read: PartRead, chance: random.Random) -> PartRead:
    gone = chance.choice(read.payouts)
    return replace(read, payouts=tuple(paid for paid in read.payouts if paid is not gone))


FAULTS: list[tuple[Callable[..., PartRead], str]] = [
    (_by_one("stake_minor"), "stake_minor"),
    (_by_one("owed_minor"), "owed_minor"),
    (_by_one("profit_minor"), "profit_minor"),
    (_by_one("bank_minor"), "bank_minor"),
    (_by_one("cap_cut_minor"), "cap_cut_minor"),
    (_by_one("commission_minor"), "commission_minor"),
    (_by_one("extra_owed_minor"), "extra_owed_minor"),
    (_by_one("breakage"), "breakage"),
    (_payout(lambda paid: replace(paid, outcome="won")), "outcome"),
    (_payout(lambda paid: replace(paid, odds=(99, 1))), "odds"),
    (_payout(lambda paid: replace(paid, bank="seat 1")), "bank"),
    (_payout(lambda paid: replace(paid, seat=9)), "line"),
    (_payout(lambda paid: replace(paid, wager="colon_bonus")), "line"),
    (_missing, "line"),
    (_doubled, "line_doubled"),
    (lambda read, _: replace(read, handle_minor=read.handle_minor + 1), "handle_minor"),
    (lambda read, _: replace(read, bank_owed_minor=read.bank_owed_minor - 1), "bank_owed_minor"),
    (
        lambda read, _: replace(read, bank_handed_minor=read.bank_handed_minor - 1),
        "bank_handed_minor",
    ),
    (lambda read, _: replace(read, live=(*read.live, 9)), "live_seats"),
    (
        lambda read, _: replace(read, hashes={**read.hashes, "shoe": "0" * 64}),
        "ruleset_of_shoe",
    ),
    (lambda read, _: replace(read, places={"stream": ("table/T2", "table/T1")}), "stream"),
    (
        lambda read, _: replace(read, places={"gaming_day": ("2026-03-01", "2026-03-02")}),
        "gaming_day",
    ),
]


@pytest.mark.parametrize(
    ("change", "field", "recomputed"),
    [
        ({"cards": {1: "2H", 2: "5S"}}, "fault", "card_count"),
        ({"cards": {1: "2H", 2: "5S", 3: "7C", 4: "3D", 5: "?", 6: "QC"}}, "fault", "face_unknown"),
        ({"cards": {1: "XX"}}, "refused", "expected a card, got 'XX'"),
        ({"game": "snap"}, "refused", "no deal order is known here for the game 'snap'"),
        ({"kind": "voided", "void_stage": "lunch"}, "refused", None),
        ({"cards": dict.fromkeys(range(1, 9), "2H")}, "refused", None),
    ],
)
def test_what_cannot_be_recomputed_is_a_difference(
    change: dict[str, Any], field: str, recomputed: str | None
) -> None:
    read = replace(_simple(), **change)
    (difference,) = differences(read)
    assert difference["field"] == field
    assert recomputed is None or difference["recomputed"] == recomputed


def test_a_difference_names_its_place() -> None:
    read = _simple()
    paid = replace(read.payouts[0], owed_minor=1, handed_minor=1)
    found = differences(replace(read, payouts=(paid,)))
    assert found == (
        {"seat": 2, "wager": "main", "field": "owed_minor", "stored": 1, "recomputed": 19500},
        {
            "seat": None,
            "wager": None,
            "field": "bank_handed_minor",
            "stored": -9500,
            "recomputed": 9999,
        },
    )


def test_a_deal_against_the_clock_is_laid_as_it_was_dealt() -> None:
    """No such terms of game A are published any more (A27); a shoe may still be pinned to some."""
    ruleset = load_ruleset("poker-lucky-9", {})
    wagers = {1: {"main": 10000}, 3: {"main": 10000}}
    turned = load_procedures("poker-lucky-9", {"deal_direction": "anticlockwise"})
    live = live_seats(ruleset, wagers, procedures=turned)
    assert live == (3, 1)
    faces = ["7H", "2S", "5S", "7C", "3D", "4D", "2D", "KD", "QC"]  # seat 3 has the sevens
    state = RoundState(wagers=wagers, live=live, cards=dict(enumerate(faces, start=1)))
    lines = settle(ruleset, state, "final").lines
    assert {(line.seat, line.outcome) for line in lines} == {(1, "lose"), (3, "win")}
    read = part_read(ruleset, state, lines, part="final", direction="anticlockwise")
    assert differences(read) == ()


def test_a_mispay_is_not_a_difference() -> None:
    read = _simple()
    paid = replace(read.payouts[0], handed_minor=19000)
    read = replace(read, payouts=(paid,), bank_handed_minor=-9000)
    assert differences(read) == ()
    assert mispaid(read) == (paid,)


def _simple() -> PartRead:
    """One main wager that wins 95 for 100 with a count of 9 against 8."""
    cards = dict(enumerate(["2H", "5S", "7C", "3D", "KD", "QC"], start=1))
    state = RoundState(wagers={2: {"main": 10000}}, live=(2,), cards=cards)
    ruleset = load_ruleset("poker-lucky-9", {})
    return part_read(ruleset, state, settle(ruleset, state, "final").lines, part="final")


def _round(chance: random.Random, *, options: dict[str, object]) -> list[PartRead]:
    """A random round of one to five seats, settled or voided: each part as it would be written."""
    ruleset = load_ruleset("poker-lucky-9", options)
    wagers = _wagers(chance, free_sides=not options.get("side_requires_main", True))
    live = live_seats(ruleset, wagers)
    if not live:
        return _round(chance, options=options)
    lap = len(live) + 1
    cards = dict(enumerate(chance.sample(SHOE, 3 * lap), start=1))
    state = RoundState(wagers=wagers, live=live, cards=cards)
    two_laps = replace(state, cards={draw: cards[draw] for draw in range(1, 2 * lap + 1)})
    swept = part_read(ruleset, two_laps, settle(ruleset, two_laps, "sweep").lines, part="sweep")
    if chance.random() < 0.5:
        return [
            swept,
            part_read(ruleset, state, settle(ruleset, state, "final").lines, part="final"),
        ]
    return [swept, *_voided(chance, ruleset, state, lap=lap)]


def _wagers(chance: random.Random, *, free_sides: bool) -> dict[int, dict[str, int]]:
    wagers: dict[int, dict[str, int]] = {}
    for seat in chance.sample(range(1, 6), chance.randint(1, 5)):
        stakes = {
            kind: chance.randint(1, 50_000)
            for kind in ("tie", "pair", "jacks")
            if chance.random() < 0.4
        }
        if not free_sides or chance.random() < 0.6:
            stakes = {"main": chance.randint(1, 50_000), **stakes}
        if stakes:
            wagers[seat] = stakes
    return wagers


def _voided(
    chance: random.Random, ruleset: Ruleset, state: RoundState, *, lap: int
) -> list[PartRead]:
    stage = chance.choice(STAGES)
    keyed = {"first_lap": lap - 1, "second_lap": 2 * lap, "pair_settled": 2 * lap}.get(stage)
    cards = {draw: face for draw, face in state.cards.items() if keyed is None or draw <= keyed}
    state = replace(state, cards=cards)
    touched = tuple(seat for seat in state.live if chance.random() < 0.4)
    lines = void(ruleset, state, stage, touched).lines
    voided: dict[str, Any] = {"kind": "voided", "void_stage": stage, "void_seats": touched}
    parts = [
        part_read(ruleset, state, [line for line in lines if line.part == part], part=part)
        for part in ("sweep", "final")
        if part == "final" or any(line.part == "sweep" for line in lines)
    ]
    return [replace(read, **voided) for read in parts]
