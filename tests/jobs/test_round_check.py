"""The worker that checks rounds: killed anywhere, rung too often, its broker gone (R1, R15)."""

import signal
import time

import pytest
import redis

from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.embedded.valkey import ValkeyServer
from casino.outbox import bell
from casino.outbox.handlers import drain
from casino.outbox.models import OutboxItem
from settlements.models import CheckResult
from tests.jobs.dealing import (
    LEASE_S,
    SWEEP_S,
    Dealing,
    Workers,
    all_done,
    assert_checked_once,
    wait,
)

POINTS = (
    "bell_heard",
    "before_claim",
    "after_claim",
    "after_read",
    "before_result",
    "after_result",
    "before_commit",
    "after_commit",
)
# What a start, a poll and a busy machine may add to lease and sweep.
SLACK_S = 4.0
KILLS = 2


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_killed_at_any_point_loses_and_doubles_nothing(
    point: str, dealing: Dealing, workers: Workers
) -> None:
    dealing.round()
    for _kill in range(KILLS):
        killed = workers.start(sweep_s=0.3, kill_point=point)
        wait(lambda worker=killed: not worker.is_running())  # type: ignore[misc]  # bound now
        assert killed.popen.returncode == -signal.SIGKILL
    killed_at = time.monotonic()
    survivor = workers.start()
    workers.wait_ready(survivor)
    ready_at = time.monotonic()
    done_at = wait(all_done)
    assert done_at - max(killed_at, ready_at) <= LEASE_S + SWEEP_S + SLACK_S
    assert_checked_once()


@pytest.mark.parametrize("when", ["idle", "shutting_down"])
def test_a_worker_killed_without_work_loses_nothing(
    when: str, dealing: Dealing, workers: Workers
) -> None:
    for _kill in range(KILLS):
        worker = workers.start(idle=True, kill_point=when if when == "shutting_down" else "")
        workers.wait_ready(worker)
        dealing.round()
        worker.popen.send_signal(signal.SIGTERM if when == "shutting_down" else signal.SIGKILL)
        wait(lambda worker=worker: not worker.is_running())  # type: ignore[misc]  # bound now
        assert worker.popen.returncode == -signal.SIGKILL
        worker.kill()
    assert OutboxItem.objects.count() == 2 * KILLS
    workers.start(sweep_s=0.3)
    wait(all_done)
    assert_checked_once()


@pytest.mark.usefixtures("rung_bell")
def test_the_same_bell_rung_ten_times_is_one_check(dealing: Dealing, workers: Workers) -> None:
    worker = workers.start(idle=True)
    workers.wait_ready(worker)
    for _round in range(3):
        dealing.round()
        for _ring in range(10):
            bell._bell.ring()
    wait(all_done)
    assert_checked_once()


def test_two_workers_share_the_work(dealing: Dealing, workers: Workers) -> None:
    for _worker in range(2):
        workers.start(sweep_s=0.2)
    for _round in range(5):
        dealing.round()
    wait(all_done)
    assert_checked_once()


@pytest.mark.usefixtures("rung_bell")
def test_a_broker_lost_and_back_loses_no_check(
    dealing: Dealing, workers: Workers, broker: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = workers.start(sweep_s=1)
    workers.wait_ready(worker)
    for _loss in range(5):
        broker.kill()
        started = time.monotonic()
        dealing.round()
        assert time.monotonic() - started < 5, "an absent broker held up the table"
        time.sleep(1)
        broker.start()
        monkeypatch.setattr(bell._bell, "silent_until", 0.0)
        wait(all_done)
        dealing.round()
        _flush(broker)
        wait(all_done)
    assert worker.is_running()
    assert_checked_once()


@pytest.mark.long
@pytest.mark.usefixtures("rung_bell")
def test_a_broker_absent_for_a_minute(
    dealing: Dealing, workers: Workers, broker: ValkeyServer
) -> None:
    worker = workers.start(sweep_s=1)
    workers.wait_ready(worker)
    broker.kill()
    for _round in range(6):
        dealing.round()
        time.sleep(10)
    assert OutboxItem.objects.count() == 12
    broker.start()
    wait(all_done)
    assert worker.is_running()
    assert_checked_once()


def test_the_records_are_sound_after_all_of_that(dealing: Dealing) -> None:
    """Runs last in this module: what the killed workers left behind verifies and replays."""
    dealing.round()
    drain()
    verified, replayed = verify_log(place=None), replay_log()
    assert verified.problems == []
    assert replayed.problems == []
    checks = Entry.objects.filter(stream="jobs", action="round.checked").count()
    assert checks == CheckResult.objects.count()


def _flush(broker: ValkeyServer) -> None:
    with redis.Redis(unix_socket_path=str(broker.socket)) as client:
        client.flushall()
