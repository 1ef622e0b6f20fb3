"""What long history costs: the re-audit, the verification, and a card beside it (design 12).

BENCH_HISTORY rounds of five seats are loaded first. Nothing is asserted about time.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from statistics import median
from time import perf_counter

import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from audit.log.reading import snapshot, stream_rows
from audit.log.verify import _ENTRIES, verify_log
from settlements.reaudit import reaudit
from settlements.selectors.columns import copy_out
from tables.models import Round
from tests.bench.plans import CardPlans, card_plans, key_single_cards, ready_round
from tests.bench.report import medians, met, say
from tests.loader.history import History
from tests.loader.server import loaded_server
from tests.support.database import DatabaseServer, default_database
from tests.support.floors import PreparedFloor, cloned_floor

ROUNDS = int(os.environ.get("BENCH_HISTORY", "200000"))
TABLES = tuple(f"T{n}" for n in range(1, 9))
DAYS = 25
ONE_DAY = 1000
LONG_RUNS = 3
CARD_RUNS = 7
_READ = ("settlements_settlement", "tables_seatwagers", "tables_card", "settlements_payout")


@pytest.fixture(scope="module")
def floors(
    test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[int, PreparedFloor]]:
    """The same house by the rounds of its history: none, one day's, all; loaded once.

    Where a table is all but empty, PostgreSQL rightly reads it from end to end: plans are compared
    from one day on.
    """
    with django_db_blocker.unblock(), ExitStack() as stack:
        found = {}
        for rounds, days in ((0, 1), (ONE_DAY, 1), (ROUNDS, DAYS)):
            start = perf_counter()
            history = History(rounds, TABLES, days=days)
            found[rounds] = stack.enter_context(loaded_server(test_server, history))
            seconds = perf_counter() - start
        say(f"\nhistory: {ROUNDS:,} rounds of five seats loaded in {seconds:,.0f} s")
        yield found


def copy_rows() -> None:
    """COPY out what a re-audit reads, whole rows, and look at nothing."""
    for table in _READ:
        copy_out(f"COPY (SELECT * FROM {table} WHERE id > 0) TO STDOUT (FORMAT BINARY)", [])


def read_entries() -> None:
    """Read every entry as the verification does, and look at nothing."""
    with snapshot():
        for _ in stream_rows(_ENTRIES):
            pass


@pytest.mark.bench
def test_the_history_is_audited_again_and_verified(
    floors: dict[int, PreparedFloor], django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), cloned_floor(floors[ROUNDS]):
        ids = list(Round.objects.order_by("pk").values_list("pk", flat=True))
        assert reaudit(ids).found == ()
        works: dict[str, Callable[[], object]]
        works = {"reaudit": partial(reaudit, ids), "copy": copy_rows}
        times = medians(works, runs=LONG_RUNS)
        rate, ratio = len(ids) / times["reaudit"], times["copy"] / times["reaudit"]
        say(f"  re-audit: {rate:,.0f} rounds/s ({met(rate, aim=15000)})")
        say(f"  to the raw COPY of the same rows: {ratio:.2f} ({met(ratio, aim=0.3)})")
        assert verify_log(place=None).problems == []
        works = {"verify": partial(verify_log, place=None), "read": read_entries}
        times = medians(works, runs=LONG_RUNS)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM log_entry")
            entries = cursor.fetchone()[0]
        ratio = times["read"] / times["verify"]
        say(f"  verify_log: {entries / times['verify']:,.0f} entries/s of {entries:,}")
        say(f"  to reading the rows: {ratio:.2f} ({met(ratio, aim=0.3)})")


@pytest.mark.bench
def test_a_card_with_history_and_without(
    floors: dict[int, PreparedFloor], django_db_blocker: DjangoDbBlocker
) -> None:
    plans: dict[int, CardPlans] = {}
    times: dict[int, list[float]] = {rounds: [] for rounds in floors}
    with django_db_blocker.unblock(), ExitStack() as stack:
        clones = {
            rounds: stack.enter_context(prepared.server.clone())
            for rounds, prepared in floors.items()
        }
        for _ in range(CARD_RUNS):
            for rounds, prepared in floors.items():
                with default_database(clones[rounds].app_url):
                    name = ready_round(prepared.house)
                    times[rounds].append(key_single_cards(prepared.house, name))
        for rounds, prepared in floors.items():
            with default_database(clones[rounds].app_url):
                plans[rounds] = card_plans(prepared.house, ready_round(prepared.house))
    say(f"\na card keyed by the service, after {ROUNDS:,} rounds, one day's {ONE_DAY:,} and none")
    for statement, long in plans[ROUNDS].items():
        day, none = plans[ONE_DAY][statement], plans[0][statement]
        same = "same plan" if day.shape == long.shape else "another plan"
        say(
            f"  {statement:8s} {same} as after one day;"
            f" buffers {long.buffers}, {day.buffers}, {none.buffers}"
        )
        for node in sorted(set(long.shape) ^ set(day.shape)):
            say(f"           differs: {node}")
    each = {rounds: median(taken) for rounds, taken in times.items()}
    for rounds in (ONE_DAY, 0):
        ratio = each[ROUNDS] / each[rounds]
        say(
            f"  time {1000 * each[ROUNDS]:.2f} ms, after {rounds:,}: {1000 * each[rounds]:.2f} ms,"
            f" ratio {ratio:.2f} ({met(ratio, aim=1.3, at_most=True)})"
        )
