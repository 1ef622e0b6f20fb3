import time
from datetime import datetime, timedelta

import psycopg
import pytest
from django.db import InternalError, connection, transaction

from audit.log.reading import snapshot
from casino.kernel.errors import InvariantError
from casino.outbox import handlers, holding, leases
from casino.outbox.errors import LeaseLostError
from casino.outbox.handlers import drain, handles
from casino.outbox.holding import held
from casino.outbox.leases import ATTEMPTS_MAX, Lease, claim, fail, finish, renew
from casino.outbox.models import OutboxItem
from casino.outbox.services import unpark_item
from tests.outbox.inserting import TOPIC
from tests.support.database import CloneDatabase

pytestmark = pytest.mark.usefixtures("results_db")


def _ask(*keys: str) -> None:
    OutboxItem.objects.bulk_create(OutboxItem(topic=TOPIC, key=key) for key in keys)


def _results() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM test_result ORDER BY key")
        return [str(row[0]) for row in cursor.fetchall()]


def _end_lease() -> None:
    """Let time pass: the lease has run out."""
    past = "UPDATE outbox_outboxitem SET lease_until = now() - interval '1 second'"
    with connection.cursor() as cursor:
        cursor.execute(past)


def test_work_is_done_once_and_its_row_is_gone() -> None:
    _ask("a", "b", "c")
    assert drain() == 3
    assert drain() == 0
    assert _results() == ["a", "b", "c"]
    assert not OutboxItem.objects.exists()


def test_a_claimed_row_is_nobody_elses_until_its_lease_ends() -> None:
    _ask("a")
    (first,) = claim([TOPIC], limit=10)
    assert claim([TOPIC], limit=10) == []
    _end_lease()
    (second,) = claim([TOPIC], limit=10)
    assert (second.id, second.number) == (first.id, first.number + 1)


def test_no_more_is_claimed_than_was_asked_for_where_the_planner_knows_of_one_row(
    results_db: CloneDatabase,
) -> None:
    _ask("a")
    with psycopg.connect(results_db.admin_url, autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE outbox_outboxitem")
    _ask("b", "c", "d")
    assert [lease.key for lease in claim([TOPIC], limit=1)] == ["a"]
    assert [lease.key for lease in claim([TOPIC], limit=2)] == ["b", "c"]


def test_a_result_counts_only_under_the_current_lease() -> None:
    _ask("a")
    (slow,) = claim([TOPIC], limit=1)
    _end_lease()
    (quick,) = claim([TOPIC], limit=1)
    with pytest.raises(LeaseLostError):
        handlers._handlers[TOPIC](slow)
    assert _results() == []
    handlers._handlers[TOPIC](quick)
    assert _results() == ["a"]
    with pytest.raises(LeaseLostError):
        renew(quick)


def test_without_the_lease_number_both_would_count(results_db: CloneDatabase) -> None:
    """The twin: what the number is for. Deleting by id alone lets the slow worker through."""
    _ask("a")
    claim([TOPIC], limit=1)
    _end_lease()
    claim([TOPIC], limit=1)
    with psycopg.connect(results_db.app_url) as slow:
        deleted = slow.execute("DELETE FROM outbox_outboxitem WHERE key = 'a'").rowcount
    assert deleted == 1


def test_an_expired_lease_that_nobody_took_still_counts() -> None:
    _ask("a")
    (lease,) = claim([TOPIC], limit=1)
    _end_lease()
    handlers._handlers[TOPIC](lease)
    assert _results() == ["a"]


def test_renewing_holds_a_row() -> None:
    _ask("a")
    (lease,) = claim([TOPIC], limit=1, lease=timedelta(seconds=-1))
    renew(lease, duration=timedelta(seconds=60))
    assert claim([TOPIC], limit=1) == []


def _lease_ends() -> datetime:
    ends = OutboxItem.objects.get().lease_until
    assert ends is not None
    return ends


def test_a_row_is_held_while_one_transaction_works_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction that only reads can renew nothing; beside it the lease is renewed."""
    monkeypatch.setattr(holding, "_BEAT_S", 0.05)
    _ask("a")
    (lease,) = claim([TOPIC], limit=1)
    began = _lease_ends()
    with held(lease), snapshot():
        with pytest.raises(InternalError, match="read-only"), transaction.atomic():
            renew(lease)
        time.sleep(1)
    assert _lease_ends() > began
    assert claim([TOPIC], limit=1) == []
    ended = _lease_ends()
    time.sleep(0.3)
    assert _lease_ends() == ended, "nobody holds it after the step"


def test_a_lease_that_was_lost_is_not_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "_BEAT_S", 0.05)
    _ask("a")
    (slow,) = claim([TOPIC], limit=1)
    _end_lease()
    (quick,) = claim([TOPIC], limit=1)
    began = _lease_ends()
    with held(slow):
        time.sleep(0.5)
    assert _lease_ends() == began
    renew(quick)


def test_a_step_that_hangs_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "_BEAT_S", 0.05)
    monkeypatch.setattr(holding, "HELD_MAX", timedelta(0))
    _ask("a")
    (lease,) = claim([TOPIC], limit=1)
    began = _lease_ends()
    with held(lease):
        time.sleep(0.3)
    assert _lease_ends() == began


def test_two_workers_never_claim_the_same_row(results_db: CloneDatabase) -> None:
    _ask("a", "b")
    with psycopg.connect(results_db.app_url) as other:
        other.execute("SELECT 1 FROM outbox_outboxitem WHERE key = 'a' FOR UPDATE")
        assert [lease.key for lease in claim([TOPIC], limit=10)] == ["b"]


def test_an_error_gives_the_row_back_with_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(lease: Lease) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("INSERT INTO test_result VALUES (%s)", [lease.key])
            finish(lease)
            raise RuntimeError("no\x00good \ud800")

    monkeypatch.setitem(handlers._handlers, TOPIC, broken)
    _ask("a")
    assert drain() == 1
    item = OutboxItem.objects.get()
    assert item.last_error.startswith("RuntimeError: no")
    assert (item.attempts, item.lease_until, item.parked_at) == (1, None, None)
    assert drain() == 0  # Not before its pause is over.
    assert _results() == []


def test_work_that_always_fails_is_parked_and_can_be_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leases, "_BACKOFF_S_MAX", 0)

    def broken(lease: Lease) -> None:
        raise RuntimeError("never")

    with monkeypatch.context() as patch:
        patch.setitem(handlers._handlers, TOPIC, broken)
        _ask("a")
        assert drain() == ATTEMPTS_MAX
    assert OutboxItem.objects.get().parked_at is not None
    assert drain() == 0
    unpark_item(TOPIC, key="a")
    assert drain() == 1
    assert _results() == ["a"]


def test_work_that_kills_every_worker_is_parked() -> None:
    _ask("a")
    for _ in range(ATTEMPTS_MAX):
        assert len(claim([TOPIC], limit=1)) == 1
        _end_lease()
    assert claim([TOPIC], limit=1) == []
    item = OutboxItem.objects.get()
    assert item.parked_at is not None
    assert "without a word" in item.last_error


def test_failing_after_the_lease_was_lost_touches_nothing() -> None:
    _ask("a")
    (slow,) = claim([TOPIC], limit=1)
    _end_lease()
    claim([TOPIC], limit=1)
    fail(slow, error="too late")
    item = OutboxItem.objects.get()
    assert (item.last_error, item.lease_number) == ("", 2)


def test_a_handler_that_does_not_finish_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handlers._handlers, TOPIC, lambda lease: None)
    _ask("a")
    drain()
    assert "without finishing" in OutboxItem.objects.get().last_error


def test_finish_wants_a_transaction() -> None:
    _ask("a")
    (lease,) = claim([TOPIC], limit=1)
    with pytest.raises(RuntimeError, match="transaction"):
        finish(lease)


def test_a_topic_has_one_handler() -> None:
    with pytest.raises(InvariantError):
        handles(TOPIC)(lambda lease: None)


def test_a_topic_without_a_handler_waits() -> None:
    OutboxItem.objects.create(topic="test.unknown", key="a")
    assert drain() == 0
    assert OutboxItem.objects.waiting().count() == 1
