"""What long history costs: the re-audit, the verification, and a card beside it (design 12).

BENCH_HISTORY rounds of five seats are loaded first. Nothing is asserted about time.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import pytest
from django.db import connection, transaction
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
from tests.support.database import DatabaseServer
from tests.support.floors import PreparedFloor, cloned_floor

ROUNDS = int(os.environ.get("BENCH_HISTORY", "200000"))
TABLES = tuple(f"T{n}" for n in range(1, 9))
DAYS = 25
LONG_RUNS = 3
CARD_RUNS = 7
_READ = ("settlements_settlement", "tables_seatwagers", "tables_card", "settlements_payout")


@dataclass(frozen=True, slots=True)
class Both:
    """A house without history and the same with it."""

    none: PreparedFloor
    long: PreparedFloor


@pytest.fixture(scope="module")
def both(test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker) -> Iterator[Both]:
    """Load the history once."""
    with django_db_blocker.unblock(), loaded_server(test_server, History(0, TABLES)) as none:
        start = perf_counter()
        with loaded_server(test_server, History(ROUNDS, TABLES, days=DAYS)) as long:
            seconds = perf_counter() - start
            say(f"\nhistory: {ROUNDS:,} rounds of five seats loaded in {seconds:,.0f} s")
            yield Both(none, long)


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
    both: Both, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), cloned_floor(both.long):
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
def test_a_card_with_history_and_without(both: Both, django_db_blocker: DjangoDbBlocker) -> None:
    plans: dict[str, CardPlans] = {}
    times: dict[str, list[float]] = {"none": [], "long": []}
    with django_db_blocker.unblock():
        for _ in range(CARD_RUNS):
            for name, prepared in (("none", both.none), ("long", both.long)):
                with cloned_floor(prepared) as clone, transaction.atomic():
                    round_ = ready_round(clone.house)
                    times[name].append(key_single_cards(clone.house, round_))
                    if name not in plans:
                        plans[name] = card_plans(clone.house, ready_round(clone.house))
    say(f"\na card keyed by the service, without history and with {ROUNDS:,} rounds")
    for statement in plans["none"]:
        none, long = plans["none"][statement], plans["long"][statement]
        same = "same plan" if none.shape == long.shape else "ANOTHER PLAN"
        say(f"  {statement:8s} {same}, buffers {none.buffers} and {long.buffers}")
        for gone in sorted(set(none.shape) - set(long.shape)):
            say(f"           without: {gone}")
        for come in sorted(set(long.shape) - set(none.shape)):
            say(f"           with:    {come}")
    middle = {name: sorted(taken)[len(taken) // 2] for name, taken in times.items()}
    ratio = middle["long"] / middle["none"]
    each = " and ".join(f"{1000 * seconds:.2f} ms" for seconds in middle.values())
    say(f"  time {each}, ratio {ratio:.2f} ({met(ratio, aim=1.3, at_most=True)})")
