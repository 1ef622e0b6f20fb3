"""Findings raised and decided at once: with the lock of the stream `audit`, and without it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier

import pytest
from django.db import IntegrityError, connection

from audit.findings import services
from audit.findings.errors import FindingNoteDiffersError
from audit.findings.models import Finding, FindingNote
from audit.log.models import Entry
from audit.log.services import append
from casino.people.person import Person
from tests.findings.people import auditor, other_auditor, raise_one, supervisor
from tests.support.database import CloneDatabase


def test_the_same_finding_raised_at_once_is_one(clone_db: CloneDatabase) -> None:
    numbers = _at_once([raise_one] * 6)
    assert set(numbers) == {"F-1"}
    assert Finding.objects.count() == 1
    assert Entry.objects.filter(stream="audit").count() == 1


def test_different_findings_raised_at_once_leave_no_gap(clone_db: CloneDatabase) -> None:
    numbers = _at_once([_raise_another(place) for place in range(8)])
    assert sorted(numbers, key=str) == [f"F-{serial}" for serial in range(1, 9)]


def test_without_the_lock_a_number_is_given_twice(
    clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _lockless(monkeypatch, parties=2):
        results = _at_once([_raise_another(1), _raise_another(2)])
    # The unique key keeps the records sound; the loser gets a raw error instead of a number.
    assert sorted(isinstance(result, IntegrityError) for result in results) == [False, True]
    assert Finding.objects.count() == 1


def test_two_auditors_decide_at_once_with_one_effect(clone_db: CloneDatabase) -> None:
    number = _answered()
    results = _at_once([_accept(number, by=auditor), _accept(number, by=other_auditor)])
    assert sorted(isinstance(result, FindingNoteDiffersError) for result in results) == [
        False,
        True,
    ]
    assert FindingNote.objects.filter(state_after="accepted").count() == 1


def test_without_the_lock_the_second_auditor_meets_a_raw_error(
    clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = _answered()
    with _lockless(monkeypatch, parties=2):
        results = _at_once([_accept(number, by=auditor), _accept(number, by=other_auditor)])
    assert sorted(isinstance(result, IntegrityError) for result in results) == [False, True]


def _answered() -> str:
    number = raise_one()
    services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    return number


def _raise_another(place: int) -> Callable[[], str]:
    return lambda: raise_one(by_minor=place)


def _accept(number: str, *, by: Person) -> Callable[[], services.Stepped]:
    return lambda: services.accept_finding(number, n=2, text="Seen.", person=by)


@contextmanager
def _lockless(monkeypatch: pytest.MonkeyPatch, *, parties: int) -> Iterator[None]:
    """Take the lock away, and let nobody write before all have read."""
    everyone_has_read = Barrier(parties, timeout=10)

    def append_together(**what: object) -> object:
        everyone_has_read.wait()
        return append(**what)  # type: ignore[arg-type]  # handed on as it came

    with monkeypatch.context() as patch:
        patch.setattr(services, "lock_stream", lambda stream: None)
        patch.setattr(services, "append", append_together)
        yield


def _at_once(calls: list[Callable[[], object]]) -> list[object]:
    """Run all calls in threads of their own that start together; an error is a result."""
    start = Barrier(len(calls), timeout=10)

    def run(call: Callable[[], object]) -> object:
        try:
            start.wait()
            return call()
        except Exception as error:  # noqa: BLE001  the test looks at it
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
