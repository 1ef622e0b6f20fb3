"""Findings raised and decided at once: with the lock of the stream `audit`, and without it."""

from collections.abc import Callable

from django.db import IntegrityError

from audit.findings import services
from audit.findings.errors import FindingNoteDiffersError
from audit.findings.models import Finding, FindingNote
from audit.log.models import Entry
from casino.people.person import Person
from tests.concurrency.racing import all_read_first, at_once
from tests.findings.people import auditor, other_auditor, raise_one, supervisor
from tests.support.database import CloneDatabase


def test_the_same_finding_raised_at_once_is_one(clone_db: CloneDatabase) -> None:
    numbers = at_once([raise_one] * 6)
    assert set(numbers) == {"F-1"}
    assert Finding.objects.count() == 1
    assert Entry.objects.filter(stream="audit").count() == 1


def test_different_findings_raised_at_once_leave_no_gap(clone_db: CloneDatabase) -> None:
    numbers = at_once([_raise_another(place) for place in range(8)])
    assert sorted(numbers, key=str) == [f"F-{serial}" for serial in range(1, 9)]


def test_without_the_lock_a_number_is_given_twice(clone_db: CloneDatabase) -> None:
    with all_read_first(services, parties=2):
        results = at_once([_raise_another(1), _raise_another(2)])
    # The unique key keeps the records sound; the loser gets a raw error instead of a number.
    assert sorted(isinstance(result, IntegrityError) for result in results) == [False, True]
    assert Finding.objects.count() == 1


def test_two_auditors_decide_at_once_with_one_effect(clone_db: CloneDatabase) -> None:
    number = _answered()
    results = at_once([_accept(number, by=auditor), _accept(number, by=other_auditor)])
    assert sorted(isinstance(result, FindingNoteDiffersError) for result in results) == [
        False,
        True,
    ]
    assert FindingNote.objects.filter(state_after="accepted").count() == 1


def test_without_the_lock_the_second_auditor_meets_a_raw_error(clone_db: CloneDatabase) -> None:
    number = _answered()
    with all_read_first(services, parties=2):
        results = at_once([_accept(number, by=auditor), _accept(number, by=other_auditor)])
    assert sorted(isinstance(result, IntegrityError) for result in results) == [False, True]


def _answered() -> str:
    number = raise_one()
    services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    return number


def _raise_another(place: int) -> Callable[[], str]:
    return lambda: raise_one(by_minor=place)


def _accept(number: str, *, by: Person) -> Callable[[], services.Stepped]:
    return lambda: services.accept_finding(number, n=2, text="Seen.", person=by)
