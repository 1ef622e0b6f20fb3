"""One service, one transaction: joined, retried whole, never half (trust R19)."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from audit.log.errors import AppendError, BusyError
from audit.log.models import Entry
from audit.log.services import RETRIES_MAX, append, create_stream, lock_stream, service
from tests.concurrency.racing import PATIENCE_S
from tests.log.people import ADMINISTRATOR, hire, note
from tests.support.database import CloneDatabase


def fail(state: str) -> None:
    """A real error of the server with this code; the transaction is aborted with it."""
    with connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '{state}'; END $$")


def test_an_append_outside_a_transaction_is_refused(clone_db: CloneDatabase) -> None:
    with pytest.raises(AppendError):
        append(stream="people", action="test.noted", subject="x", actor=ADMINISTRATOR)
    assert not Entry.objects.exists()


def test_a_service_that_calls_services_is_one_transaction(clone_db: CloneDatabase) -> None:
    @service
    def both() -> None:
        hire("S1")
        hire("S2")
        raise RuntimeError("after both")

    with pytest.raises(RuntimeError):
        both()
    assert not Entry.objects.exists()


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_lost_transaction_runs_again_whole(clone_db: CloneDatabase, state: str) -> None:
    calls = []

    @service
    def work() -> str:
        calls.append(1)
        note("people")
        if len(calls) <= RETRIES_MAX:
            fail(state)
        return "done"

    assert work() == "done"
    assert len(calls) == RETRIES_MAX + 1
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_it_is_given_up_after_five_retries(clone_db: CloneDatabase, state: str) -> None:
    calls = []

    @service
    def work() -> None:
        calls.append(1)
        note("people")
        fail(state)

    with pytest.raises(BusyError):
        work()
    assert len(calls) == RETRIES_MAX + 1
    assert not Entry.objects.exists()


def test_another_error_is_not_retried(clone_db: CloneDatabase) -> None:
    calls = []

    @service
    def work() -> None:
        calls.append(1)
        fail("23505")

    with pytest.raises(DatabaseError):
        work()
    assert len(calls) == 1


def test_a_lock_that_is_not_free_in_time_is_a_conflict(clone_db: CloneDatabase) -> None:
    with psycopg.connect(clone_db.app_url) as rival:
        rival.execute("SELECT lock_stream('people')")
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        with pytest.raises(BusyError) as caught:
            note("people")
        assert caught.value.code == "log.busy"
        assert caught.value.status == 409
        note("house")
    note("people")
    assert Entry.objects.count() == 2


def test_inside_a_foreign_transaction_nothing_is_retried(clone_db: CloneDatabase) -> None:
    calls = []

    @service
    def work() -> None:
        calls.append(1)
        fail("40001")

    with pytest.raises((BusyError, OperationalError)), transaction.atomic():
        work()
    assert len(calls) == 1


def test_two_thousand_lost_transactions_have_one_effect_each(clone_db: CloneDatabase) -> None:
    """Trust R19 at its CI size: failures at three places, on up to seven attempts in a row."""
    workers, each = 8, 250
    for worker in range(workers):
        create_stream(f"table/W{worker}")

    def work(worker: int) -> int:
        chance = random.Random(worker)
        done = 0
        for number in range(each):
            failures = chance.choice((0, 0, 1, 1, 2, 3, RETRIES_MAX + 1))
            done += _one_effect(f"table/W{worker}", f"{worker}-{number}", failures, chance)
        connection.close()
        return done

    with ThreadPoolExecutor(workers) as pool:
        done = sum(pool.map(work, range(workers)))
    assert 0 < done < workers * each
    subjects = list(Entry.objects.values_list("subject", flat=True))
    assert len(subjects) == len(set(subjects)) == done


def _one_effect(stream: str, subject: str, failures: int, chance: random.Random) -> int:
    left = failures
    place, state = chance.randrange(3), chance.choice(("40001", "40P01"))

    @service
    def work() -> None:
        nonlocal left
        failing, left = left > 0, left - 1
        if failing and place == 0:
            fail(state)
        lock_stream(stream)
        if failing and place == 1:
            fail(state)
        note(stream, subject)
        if failing:
            fail(state)

    try:
        work()
    except BusyError:
        assert failures > RETRIES_MAX
        return 0
    return 1


def test_a_real_deadlock_ends_with_both_effects(clone_db: CloneDatabase) -> None:
    with psycopg.connect(clone_db.admin_url, autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {clone_db.name} SET deadlock_timeout = '20ms'")
    connection.close()
    create_stream("table/A")
    create_stream("table/B")
    both_hold_one = Barrier(2, timeout=PATIENCE_S)
    attempts: list[str] = []

    def crosswise(first: str, second: str) -> Callable[[], None]:
        def run() -> None:
            waited = False

            @service
            def work() -> None:
                nonlocal waited
                attempts.append(first)
                note(first, first)
                if not waited:
                    waited = True
                    both_hold_one.wait()
                note(second, first)

            work()
            connection.close()

        return run

    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(crosswise("table/A", "table/B")),
            pool.submit(crosswise("table/B", "table/A")),
        ]
        for run in runs:
            run.result(timeout=PATIENCE_S)
    assert len(attempts) > 2
    assert Entry.objects.filter(subject="table/A").count() == 2
    assert Entry.objects.filter(subject="table/B").count() == 2
