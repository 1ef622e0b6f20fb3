"""Two calls at once, in an order that a test states: no sleeping, no luck.

The first call stands right before its write, holding what it holds, until the second one waits for
a lock or is done. With the lock the second waits and then sees what the first wrote. The twin takes
the lock away: the second overtakes, and the first writes what it believed long ago.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Barrier, Event, get_ident
from types import ModuleType

import psycopg
import pytest
from django.db import IntegrityError, connection

from audit.log.services import append
from casino.kernel.errors import DomainError
from settlements.services import (
    corrections,
    irregularities,
    reversals,
    settle,
    shoe_voids,
    voids,
)
from tables.services import (
    cards,
    disputes,
    house,
    rounds,
    rule_approval,
    rule_life,
    sessions,
    shoe_end,
    shoes,
    terms,
)
from tables.services.irregularities import record
from tests.support.database import CloneDatabase

Call = Callable[[], object]
PATIENCE_S = 60.0
_LOCKING = (
    cards,
    corrections,
    disputes,
    house,
    irregularities,
    record,
    reversals,
    rounds,
    rule_approval,
    rule_life,
    sessions,
    settle,
    shoe_end,
    shoe_voids,
    shoes,
    terms,
    voids,
)
_WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    " AND wait_event IN ('transactionid', 'tuple')"
)


@dataclass(frozen=True, slots=True)
class Overlapped:
    """What became of two calls: an answer or an error each, and whether the second had to wait."""

    first: object
    second: object
    waited: bool


def overlap(first: Call, second: Call, *, writes: ModuleType, clone: CloneDatabase) -> Overlapped:
    """Let `second` arrive while `first` stands before the `append` of the module that writes."""
    stands, may_write = Event(), Event()
    place: list[int] = []

    def append_late(**what: object) -> object:
        if get_ident() in place:
            stands.set()
            assert may_write.wait(PATIENCE_S), "nobody let the first call go on"
        return append(**what)  # type: ignore[arg-type]  # handed on as it came

    def in_first() -> object:
        place.append(get_ident())
        return first()

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(writes, "append", append_late)
        one = pool.submit(outcome, in_first)
        try:
            one.add_done_callback(lambda _: stands.set())
            assert stands.wait(PATIENCE_S), "the first call did not come to its write"
            assert not one.done(), f"the first call wrote nothing: {one.result()!r}"
            two = pool.submit(outcome, second)
            waited = _waits_or_ends(two, clone)
        finally:
            may_write.set()
        return Overlapped(one.result(PATIENCE_S), two.result(PATIENCE_S), waited)


def at_once(calls: Sequence[Call]) -> list[object]:
    """Run all calls in threads of their own that start together; an error is a result."""
    start = Barrier(len(calls), timeout=PATIENCE_S)

    def run(call: Call) -> object:
        start.wait()
        return outcome(call)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def outcome(call: Call) -> object:
    """Answer with what a call returned or raised, and close this thread's connection."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001  the test looks at it
        return error
    finally:
        connection.close()


@contextmanager
def lock_taken_away() -> Iterator[None]:
    """Let every service of the floor go on without the lock of its stream."""
    with pytest.MonkeyPatch.context() as patch:
        for module in _LOCKING:
            patch.setattr(module, "lock_stream", lambda stream: None)
        yield


@contextmanager
def all_read_first(module: ModuleType, *, parties: int) -> Iterator[None]:
    """Take the lock away from a service's module, and let nobody write before all have read."""
    everyone_has_read = Barrier(parties, timeout=PATIENCE_S)

    def append_together(**what: object) -> object:
        everyone_has_read.wait()
        return append(**what)  # type: ignore[arg-type]  # handed on as it came

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "lock_stream", lambda stream: None)
        patch.setattr(module, "append", append_together)
        yield


def code_of(result: object) -> str:
    """The code of a refusal, empty for an answer; an error without a code fails the test."""
    if isinstance(result, DomainError):
        return result.code
    assert not isinstance(result, Exception), repr(result)
    return ""


def constraint_of(result: object) -> str:
    """The name of the constraint that a raw error of the database names."""
    assert isinstance(result, IntegrityError), repr(result)
    cause = result.__cause__
    assert isinstance(cause, psycopg.Error)
    return str(cause.diag.constraint_name)


def _waits_or_ends(future: "Future[object]", clone: CloneDatabase) -> bool:
    """Whether the call was seen waiting for a lock before it ended."""
    ended = Event()
    future.add_done_callback(lambda _: ended.set())
    with psycopg.connect(clone.admin_url, autocommit=True) as watching:
        for _ in range(int(PATIENCE_S / 0.005)):
            if ended.wait(0.005):
                return False
            row = watching.execute(_WAITING, [clone.name]).fetchone()
            if row is not None and row[0]:
                return True
    raise AssertionError("the second call neither waited for a lock nor ended")
