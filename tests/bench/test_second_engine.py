"""How fast the second engine settles columns, beside one pass over them and the engine that pays.

`make bench` prints it. Rates depend on the machine; what counts is the ratio, from runs that were
interleaved, in processor time of one core. Asserts only that the work was done.
"""

from functools import partial
from time import process_time

import numpy as np
import pytest

from settlements.bulk import Columns, Result, compile_ruleset, settle_columns
from tables.games import load_ruleset
from tests.bench.report import medians, met, say
from tests.bulk.dealing import random_poker_columns
from tests.bulk.engines import live_settlements
from tests.bulk.rulesets import POKER, options

ROUNDS = 1_000_000
RUNS = 7
AIM = 20  # million rounds a second
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


@pytest.mark.bench
def test_settling_columns_of_poker_lucky_9() -> None:
    compiled, tables = compile_ruleset(POKER, RULESET), full_tables()
    say("\nsecond engine, five seats, one core: rounds/s, one pass over the same arrays, ratio")
    for kinds in KINDS:
        columns = Columns(tables.cards, tables.bank, {kind: tables.stakes[kind] for kind in kinds})
        result = settle_columns(compiled, columns)
        assert not result.fault.any()
        settle, once = (
            partial(settle_columns, compiled, columns),
            partial(one_pass, columns, result),
        )
        times = medians({"settle": settle, "pass": once}, runs=RUNS, clock=process_time)
        rate = ROUNDS / times["settle"] / 1e6
        say(
            f"  {'+'.join(kinds):22s} {rate:6.1f} M  {ROUNDS / times['pass'] / 1e6:6.1f} M"
            f"  {times['pass'] / times['settle']:.2f}"
            + (f"  ({met(rate, aim=AIM)})" if len(kinds) == 1 else "")
        )


@pytest.mark.bench
def test_settling_columns_beside_the_engine_that_pays() -> None:
    compiled, ruleset = compile_ruleset(POKER, RULESET), load_ruleset(POKER, RULESET)
    generator = np.random.default_rng(2)
    columns = random_poker_columns(generator, rounds=LIVE_ROUNDS, options=RULESET)
    many = repeated(columns, 100)
    assert not settle_columns(compiled, many).fault.any()
    times = medians(
        {
            "bulk": lambda: settle_columns(compiled, many),
            "live": lambda: [live_settlements(ruleset, columns, row) for row in range(LIVE_ROUNDS)],
        },
        runs=RUNS,
        clock=process_time,
    )
    bulk_rate, live_rate = many.rounds / times["bulk"], LIVE_ROUNDS / times["live"]
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
