"""The engine that pays and the second engine agree on Poker Lucky 9, or a test says where not."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from settlements.bulk import Columns, compile_ruleset, settle_columns
from settlements.bulk.codes import FACES, Verdict
from settlements.bulk.poker_tables import CLASSES, NO_CLASS, STRIDE, PokerTables, compile_poker
from tables.games import load_ruleset
from tables.games.poker_hands import Comparison, OrderRules, PokerHand, compare_hands, read_hand
from tables.games.poker_options import poker_rules
from tests.bulk.dealing import random_poker_columns
from tests.bulk.engines import NAMES, differences, plant
from tests.bulk.rulesets import COMPARISONS, POKER, options, random_poker

HANDS = [read_hand("".join(NAMES[face] for face in faces)) for faces in CLASSES]
TABLES = 200_000
TABLES_PER_RULESET = 500
RULESETS_PER_TASK = 20
Signs = NDArray[np.int64]
Faces = tuple[int, int, int]


def live_signs(order: OrderRules) -> Signs:
    """Compare all pairs of hands with the engine that pays."""
    return np.sign(
        [[compare_hands(mine, theirs, rules=order).result for theirs in HANDS] for mine in HANDS]
    )


def bulk_signs(tables: PokerTables) -> Signs:
    """Read all pairs of hands from the second engine's table."""
    verdicts = tables.main.reshape(STRIDE, STRIDE)[:NO_CLASS, :NO_CLASS]
    return np.where(verdicts >= Verdict.WIN, 1, np.where(verdicts == Verdict.LOSE, -1, 0))


def disagreements(live: Signs, bulk: Signs) -> list[tuple[str, str]]:
    """Name the pairs of hands on which the engines differ."""
    return [
        (HANDS[mine].label, HANDS[theirs].label)
        for mine, theirs in np.argwhere(live != bulk).tolist()
    ]


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda chosen: "-".join(chosen.values()))
def test_all_pairs_of_hands_under_every_comparison(comparison: dict[str, str]) -> None:
    ruleset = load_ruleset(POKER, comparison)
    tables = compile_poker(ruleset.options)
    assert disagreements(live_signs(poker_rules(ruleset).order), bulk_signs(tables)) == []


def meetings(houses: Sequence[Faces] = CLASSES) -> Columns:
    """Lay out all hands that meet these house hands, five seats at a time."""
    hands = np.array(CLASSES, dtype=np.int8)
    tables = len(houses) * NO_CLASS // 5
    return Columns(
        cards=np.tile(hands.reshape(-1, 5, 3), (len(houses), 1, 1)),
        bank=np.repeat(np.array(houses, dtype=np.int8), NO_CLASS // 5, axis=0),
        stakes={
            "main": np.full((tables, 5), 101, dtype=np.int64),
            "tie": np.full((tables, 5), 1, dtype=np.int64),
            "pair": np.zeros((tables, 5), dtype=np.int64),
            "jacks": np.tile(np.array([7, 0, 0, 0, 0], dtype=np.int64), (tables, 1)),
        },
    )


def test_all_meetings_of_hands_come_to_the_same_money() -> None:
    assert differences(POKER, options(POKER, tie_odds=[443, 1]), meetings()) == []


@pytest.mark.parametrize("scope", ["hand_order", "same_rank_trio", "pair_only"])
def test_all_house_hands_for_the_jacks_wager(scope: str) -> None:
    hands = np.array(CLASSES, dtype=np.int8)
    stakes = np.zeros((NO_CLASS, 5), dtype=np.int64)
    stakes[:, 2] = 333
    nothing = np.zeros_like(stakes)
    columns = Columns(
        cards=np.zeros((NO_CLASS, 5, 3), dtype=np.int8),
        bank=hands,
        stakes={"main": nothing, "tie": nothing, "pair": nothing, "jacks": stakes},
    )
    alone = options(POKER, jacks_scope=scope, side_requires_main=False)
    assert differences(POKER, alone, columns) == []


def test_all_first_two_cards_for_the_pair_wager() -> None:
    pairs = np.array(list(product(range(1, 14), repeat=2)), dtype=np.int8)
    cards = np.zeros((len(pairs), 5, 3), dtype=np.int8)
    cards[:, 4, :2] = pairs
    cards[:, 4, 2] = 1
    stakes = np.zeros((len(pairs), 5), dtype=np.int64)
    stakes[:, 4] = 77
    columns = Columns(
        cards=cards,
        bank=np.full((len(pairs), 3), FACES["9"], dtype=np.int8),
        stakes={"main": stakes, "tie": 0 * stakes, "pair": stakes, "jacks": 0 * stakes},
    )
    assert differences(POKER, options(POKER), columns) == []


def compare_random_tables(seed: int) -> list[str]:
    """Compare one task's share of random tables; runs in a process of its own."""
    random, generator = Random(seed), np.random.default_rng(seed)
    found: list[str] = []
    for _ in range(RULESETS_PER_TASK):
        ruleset = random_poker(random)
        columns = random_poker_columns(generator, rounds=TABLES_PER_RULESET, options=ruleset)
        assert not settle_columns(compile_ruleset(POKER, ruleset), columns).fault.any()
        found += [
            f"seed {seed}, {ruleset}: {each}" for each in differences(POKER, ruleset, columns)
        ]
    return found


def test_random_full_tables(workers: ProcessPoolExecutor) -> None:
    tasks = range(TABLES // (TABLES_PER_RULESET * RULESETS_PER_TASK))
    for found in workers.map(compare_random_tables, tasks):
        assert found[:3] == []


def test_random_voids() -> None:
    random, generator = Random(7), np.random.default_rng(7)
    standing = refused = 0
    for _ in range(20):
        ruleset = random_poker(random)
        columns = random_poker_columns(generator, rounds=100, options=ruleset)
        stage = generator.integers(1, 7, columns.rounds).astype(np.int8)
        dealt = np.array([0, 0, 1, 2, 2, 3, 3])[stage]
        lost = np.arange(3)[None, None, :] >= dealt[:, None, None]
        cards = np.where(lost, 0, columns.cards)
        unknown = (generator.random(cards.shape) < 0.03) & (cards > 0)
        columns = replace(
            columns,
            cards=np.where(unknown, FACES["?"], cards).astype(np.int8),
            bank=np.where(lost[:, 0], 0, columns.bank),
            stage=stage,
            touched=generator.random((columns.rounds, 5)) < 0.3,
        )
        assert differences(POKER, ruleset, columns)[:3] == []
        result = settle_columns(compile_ruleset(POKER, ruleset), columns)
        standing += int(np.count_nonzero(result.kinds["pair"].verdict >= Verdict.WIN))
        refused += int(np.count_nonzero(result.fault))
    assert min(standing, refused) > 20


def test_rounds_that_do_not_lie_right_are_refused_by_both() -> None:
    random, generator = Random(8), np.random.default_rng(8)
    refused = 0
    for _ in range(20):
        ruleset = random_poker(random)
        columns = random_poker_columns(generator, rounds=100, options=ruleset)
        third = generator.random((100, 5)) < 0.05
        columns.cards[third, 2] = 0
        unknown = (generator.random(columns.cards.shape) < 0.01) & (columns.cards > 0)
        columns.cards[unknown] = FACES["?"]
        assert differences(POKER, ruleset, columns)[:3] == []
        refused += int(((columns.cards > 0).sum(axis=2) == 2).any(axis=1).sum())
    assert refused > 100


def test_a_fault_planted_in_the_second_engine_is_found() -> None:
    tables = compile_ruleset(POKER, options(POKER))
    assert isinstance(tables, PokerTables)
    main = tables.main.copy()
    mine, theirs = CLASSES.index((13, 12, 7)), CLASSES.index((13, 12, 6))
    main[mine * STRIDE + theirs] = Verdict.PUSH
    faulty = replace(tables, main=main)
    order = poker_rules(load_ruleset(POKER, {})).order
    assert disagreements(live_signs(order), bulk_signs(faulty)) == [("A-K-8", "A-K-7")]
    found = differences(POKER, options(POKER), meetings([CLASSES[theirs]]), compiled=faulty)
    assert len([each for each in found if "seat=" in each]) == 1


def test_a_fault_planted_in_the_engine_that_pays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def kings_forget_their_kicker(
        own: PokerHand, house: PokerHand, *, rules: OrderRules
    ) -> Comparison:
        right = compare_hands(own, house, rules=rules)
        if own.pair_rank == house.pair_rank and (own.label, house.label) == ("K-K-3", "K-K-2"):
            return right._replace(result=0)
        return right

    plant(monkeypatch, compare_hands, kings_forget_their_kicker)
    found = differences(
        POKER, options(POKER, tie_odds=[443, 1]), meetings([(12, 12, 1), (12, 12, 2)])
    )
    assert len([each for each in found if "wager='main'" in each]) == 1
    assert len([each for each in found if "wager='tie'" in each]) == 1
