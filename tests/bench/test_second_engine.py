"""How fast the second engine settles columns, beside one pass over them and the engine that pays.

`make bench` prints it. Rates depend on the machine; what counts is the ratio, from runs that were
interleaved, in processor time of one core. Asserts only that the work was done.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from time import process_time

import numpy as np
import pytest

from settlements.bulk import Columns, Result, compile_ruleset, settle_columns
from tables.games import load_ruleset
from tests.bulk.dealing import random_poker_columns
from tests.bulk.engines import live_settlements
from tests.bulk.rulesets import POKER, options

ROUNDS = 1_000_000
RUNS = 7
LIVE_ROUNDS = 2_000
STAKE_MAX = 10**9
KINDS = [("main",), ("main", "pair", "jacks"), ("main", "tie", "pair", "jacks")]
RULESET = options(POKER, tie_odds=[300, 1])


def full_tables() -> Columns:
    """Deal a million full tables, every kind of wager on every seat, chips as stakes."""
    generator = np.random.default_rng(1)
    faces = generator.integers(1, 14, (3, 6, ROUNDS), dtype=np.int8)
    stakes = {
        kind: 500 * generator.integers(1, 200, (5, ROUNDS), dtype=np.int64).T for kind in KINDS[-1]
    }
    return Columns(cards=faces[:, 1:].T, bank=faces[:, 0].T, stakes=stakes)


def one_pass(columns: Columns, result: Result) -> None:
    """Go once over all that was read and written."""
    columns.cards.max()
    columns.bank.max()
    for kind, lines in result.kinds.items():
        columns.stakes[kind].max()
        lines.verdict.max()
    result.bank_minor.max()
    result.fault.max()


def seconds(work: Callable[[], object]) -> float:
    """Take the processor time of one run: the machine may be busy with other work."""
    start = process_time()
    work()
    return process_time() - start


def interleaved(*works: Callable[[], object]) -> Sequence[float]:
    """Take the median time of each work, runs taken in turn."""
    times = [[seconds(work) for work in works] for _ in range(RUNS)]
    return [median(column) for column in zip(*times, strict=True)]


def say(line: str) -> None:
    """Print a line of the bench."""
    sys.stdout.write(f"{line}\n")


@pytest.mark.bench
def test_settling_columns_of_poker_lucky_9() -> None:
    compiled, tables = compile_ruleset(POKER, RULESET), full_tables()
    say("\nsecond engine, five seats, one core: rounds/s, one pass over the same arrays, ratio")
    for kinds in KINDS:
        columns = Columns(tables.cards, tables.bank, {kind: tables.stakes[kind] for kind in kinds})
        result = settle_columns(compiled, columns)
        assert not result.fault.any()
        settled, passed = interleaved(
            partial(settle_columns, compiled, columns), partial(one_pass, columns, result)
        )
        say(
            f"  {'+'.join(kinds):22s} {ROUNDS / settled / 1e6:6.1f} M"
            f"  {ROUNDS / passed / 1e6:6.1f} M  {passed / settled:.2f}"
        )


@pytest.mark.bench
def test_settling_columns_beside_the_engine_that_pays() -> None:
    compiled, ruleset = compile_ruleset(POKER, RULESET), load_ruleset(POKER, RULESET)
    generator = np.random.default_rng(2)
    columns = random_poker_columns(generator, rounds=LIVE_ROUNDS, options=RULESET)
    many = repeated(columns, 100)
    assert not settle_columns(compiled, many).fault.any()
    bulk, live = interleaved(
        lambda: settle_columns(compiled, many),
        lambda: [live_settlements(ruleset, columns, row) for row in range(LIVE_ROUNDS)],
    )
    bulk_rate, live_rate = many.rounds / bulk, LIVE_ROUNDS / live
    say(f"\nrandom tables: second engine {bulk_rate:,.0f} rounds/s, the engine that pays")
    say(f"  {live_rate:,.0f} (laying the round out included), ratio {bulk_rate / live_rate:,.0f}")


def repeated(columns: Columns, times: int) -> Columns:
    """Repeat a batch, without the stakes that no table takes."""
    return Columns(
        cards=np.asfortranarray(np.tile(columns.cards, (times, 1, 1))),
        bank=np.asfortranarray(np.tile(columns.bank, (times, 1))),
        stakes={
            kind: np.asfortranarray(np.tile(np.minimum(column, STAKE_MAX), (times, 1)))
            for kind, column in columns.stakes.items()
        },
    )
