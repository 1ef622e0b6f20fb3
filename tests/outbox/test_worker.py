"""Real workers, a real broker, and SIGKILL."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from casino import config
from casino.embedded.process import Child
from casino.embedded.valkey import ValkeyServer
from casino.outbox import bell
from casino.outbox.models import OutboxItem
from casino.outbox.sweeping import do_late_work
from tests.outbox.inserting import TOPIC
from tests.support.database import CloneDatabase
from tests.support.worker import start_worker

APP = "tests.outbox.inserting"
# The check of a round is killed at every point in tests/jobs; here the rest runs in long size.
POINTS = (
    "before_claim",
    "before_commit",
    "after_commit",
    *(
        pytest.param(point, marks=pytest.mark.long)
        for point in ("bell_heard", "after_claim", "after_read", "before_result", "after_result")
    ),
)

Start = Callable[..., Child]


@pytest.fixture
def start(results_db: CloneDatabase, broker: ValkeyServer, tmp_path: Path) -> Iterator[Start]:
    """Start workers on the test's database and broker; all end with the test."""
    children: list[Child] = []

    def start(**extra: str) -> Child:
        environment = {
            **results_db.environment(),
            "REDIS_URL": broker.url,
            "SWEEP_S": "0.5",
            **extra,
        }
        child = start_worker(environment, app=APP, log=tmp_path / "worker.log")
        children.append(child)
        return child

    yield start
    for child in children:
        child.stop()


def _wait(condition: Callable[[], bool], *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "nothing happened in time"
        time.sleep(0.05)


def _done() -> bool:
    return not OutboxItem.objects.exists()


def _results() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM test_result")
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_killed_anywhere_loses_nothing_and_doubles_nothing(
    point: str, start: Start
) -> None:
    OutboxItem.objects.create(topic=TOPIC, key="a")
    killed = start(KILL_POINT=point)
    _wait(lambda: not killed.is_running())
    assert killed.popen.returncode == -9
    start()
    _wait(_done)
    assert _results() == 1


def test_ten_bells_are_one_piece_of_work_and_a_broker_may_restart(
    start: Start, broker: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell._bell, "silent_until", 0.0)
    monkeypatch.setattr(bell, "config", lambda: config.Config(REDIS_URL=broker.url))
    from casino.celery import app

    monkeypatch.setattr(app.conf, "broker_url", broker.url)
    worker = start(SWEEP_S="60")
    OutboxItem.objects.create(topic=TOPIC, key="a")
    for _ in range(10):
        bell._bell.ring()
    _wait(_done)
    assert _results() == 1

    broker.kill()
    OutboxItem.objects.create(topic=TOPIC, key="b")
    started = time.monotonic()
    bell.ring()
    assert time.monotonic() - started < 2
    assert bell._bell.silent_until > 0
    broker.start()
    monkeypatch.setattr(bell._bell, "silent_until", 0.0)
    bell.ring()
    _wait(_done)
    assert _results() == 2
    assert worker.is_running()


def test_the_sweep_alone_gets_work_done(start: Start) -> None:
    start()
    OutboxItem.objects.create(topic=TOPIC, key="a")
    _wait(_done)
    assert _results() == 1


def test_beat_does_late_work_itself_but_none_that_takes_long(results_db: CloneDatabase) -> None:
    ago = timezone.now() - timedelta(seconds=60)
    for topic in ("log.check", "day.check", "day.close", "ruleset.slow_odds"):
        OutboxItem.objects.create(topic=topic, key="x", created_at=ago)
    assert do_late_work() == 0
    OutboxItem.objects.create(topic=TOPIC, key="a", created_at=ago)
    assert do_late_work() == 1
    assert _results() == 1
    assert set(OutboxItem.objects.values_list("attempts", flat=True)) == {0}
    assert OutboxItem.objects.count() == 4
