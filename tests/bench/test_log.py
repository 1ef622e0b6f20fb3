"""What the log adds to a service call: a card keyed with it, and the same work without."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from audit.log.rows import Change, Receipt, Row
from tables.services import cards
from tests.bench.plans import ready_round
from tests.bench.report import medians, say
from tests.factories.house import House, key
from tests.support.floors import PreparedFloor, cloned_floor

CALLS = 50
RUNS = 7
_COPY = "CREATE TABLE bench_card (LIKE tables_card INCLUDING ALL)"
_GRANTS = "GRANT SELECT, INSERT ON bench_card TO casino_app"
_INSERT = (
    "INSERT INTO bench_card (entry_id, round_id, shoe_id, draw, revision, face, as_seen)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id"
)
_LOCK = "SELECT 1 FROM log_stream WHERE name = 'none'"


def lock_nothing(stream: str) -> None:
    """A statement in place of the lock."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)


def insert_only(*, facts: Sequence[Row], changes: Sequence[Change], **_rest: object) -> Receipt:
    """The same card as a row of a table that promises nothing; a changed head is left out."""
    names = ("round", "shoe", "draw", "revision", "face", "as_seen")
    with connection.cursor() as cursor:
        for row in facts:
            # Any: numbers and texts.
            values: list[Any] = [row.values[name] for name in names]
            cursor.execute(_INSERT, [0, *(getattr(value, "id", value) for value in values)])
    return Receipt(0, "none", 0, "", datetime(2026, 3, 1, tzinfo=UTC), ())


@contextmanager
def without_log() -> Iterator[None]:
    """Let the service write without the log."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "lock_stream", lock_nothing)
        patch.setattr(cards, "append", insert_only)
        yield


def taken_back(work: Callable[[], object]) -> None:
    """Do something some times, each time from the same state."""
    for _ in range(CALLS):
        point = transaction.savepoint()
        work()
        transaction.savepoint_rollback(point)


def unlogged(work: Callable[[], object]) -> None:
    """The same without the log."""
    with without_log():
        taken_back(work)


@pytest.mark.bench
def test_what_the_log_adds_to_a_card(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        with psycopg.connect(clone.database.admin_url) as admin:
            admin.execute(_COPY)
            admin.execute(_GRANTS)
        house: House = clone.house
        name = ready_round(house)
        key(house, name, {1: "AS"})
        work = partial(key, house, name, {2: "KS"})
        with transaction.atomic():
            taken_back(work)
            unlogged(work)
            times = medians(
                {"with": partial(taken_back, work), "without": partial(unlogged, work)}, runs=RUNS
            )
    each = {which: 1000 * seconds / CALLS for which, seconds in times.items()}
    added = each["with"] - each["without"]
    say(f"\nthe log in a service call: a card takes {each['with']:.2f} ms, without lock, entry and")
    say(f"  guards {each['without']:.2f} ms: it adds {added:.2f} ms (commit apart)")
