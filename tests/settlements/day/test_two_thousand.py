"""A day of two thousand rounds at four tables: sound, with faults, and with its worker killed."""

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from audit.findings.models import Finding
from audit.log.keys import generate_key, public_path
from casino.embedded.process import Child
from casino.embedded.valkey import ValkeyServer
from casino.outbox.handlers import drain
from casino.outbox.models import OutboxItem
from settlements.day.runs import RECONCILER, start_day_run, turn_and_start
from settlements.models import DayCheck, DayRun, Settlement
from tables import acting
from tables.games import load_ruleset
from tables.models import Round
from tests.jobs.dealing import wait
from tests.loader.dealing import DealtShoe
from tests.loader.history import History
from tests.loader.server import loaded_server
from tests.settlements.day.loaded import ApiShoe
from tests.settlements.day.planting import explained, plant
from tests.support.database import DatabaseServer
from tests.support.floors import FloorClone, PreparedFloor, cloned_floor
from tests.support.worker import start_worker

TABLES = ("T1", "T2", "T3", "T4")
ROUNDS = 2000
KILLS = [5, pytest.param(20, marks=pytest.mark.long)]
POINTS = ("after_read", "before_commit", "after_claim", "before_result", "after_commit")
VERIFIER = Path(__file__).parents[3] / "deploy" / "verify_day.py"
LOG_NAME = "test.invalid/log"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where days are written, with a key of its own."""
    generate_key(tmp_path / "key", name=LOG_NAME)
    monkeypatch.setattr(settings, "LOG_NAME", LOG_NAME)
    monkeypatch.setattr(settings, "CHECKPOINT_KEY_FILE", tmp_path / "key")
    monkeypatch.setattr(settings, "CHECKPOINT_FOLDER", tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def day(test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker) -> Iterator[PreparedFloor]:
    """The day as loaded."""
    history = History(ROUNDS, TABLES)
    with django_db_blocker.unblock(), loaded_server(test_server, history) as server:
        yield server


@pytest.fixture
def dealt(
    day: PreparedFloor,
    place: Path,
    django_db_blocker: DjangoDbBlocker,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[FloorClone]:
    """The day with one shoe more, dealt through the API; its rounds are checked."""
    # The application's clock stands: the shoe is dealt on the day that was loaded.
    monkeypatch.setattr(acting, "timezone", SimpleNamespace(now=lambda: day.house.now))
    with django_db_blocker.unblock(), cloned_floor(day) as clone:
        generator = random.Random(2000)
        shoe = DealtShoe(load_ruleset("poker-lucky-9", {}), generator, five_seats=True)
        assert ApiShoe(clone.house, shoe).deal() == 21
        work()
        yield clone


def work() -> None:
    """Do all that waits, as a worker does."""
    while drain():
        pass


def reconcile(floor: FloorClone) -> DayRun:
    """Turn the day and work its run off."""
    turn_and_start(now=floor.house.now + timedelta(days=1))
    work()
    run = DayRun.objects.get()
    assert run.state == DayRun.State.DONE
    return run


def problems(run: DayRun) -> set[tuple[str, str]]:
    """Code and place of everything that a run found."""
    return {
        (problem["code"], problem["where"])
        for check in DayCheck.objects.filter(run=run)
        for problem in check.problems
    }


def verifier(folder: Path, key: Path) -> subprocess.CompletedProcess[str]:
    """Verify the files of a run with Python alone."""
    command = [sys.executable, "-I", str(VERIFIER), str(folder), str(public_path(key))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_sound_day_has_nothing_to_report_and_verifies(dealt: FloorClone, place: Path) -> None:
    run = reconcile(dealt)
    assert problems(run) == set()
    examined = DayCheck.objects.filter(run=run, check_name="shoe").values_list(
        "examined", flat=True
    )
    assert sum(examined) == Settlement.objects.count() == 2 * Round.objects.count()
    folder = place / "days" / run.day.isoformat() / "run-1"
    result = verifier(folder, place / "key")
    assert result.returncode == 0, result.stdout
    log = folder / "log.jsonl"
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    assert verifier(folder, place / "key").returncode == 1


def test_each_planted_fault_is_named_and_nothing_else(dealt: FloorClone) -> None:
    faults = plant(dealt.database.admin_url)
    run = reconcile(dealt)
    found = problems(run)
    for name, fault in faults.items():
        assert fault.must <= found, name
    assert found <= set(explained(faults))
    assert Finding.objects.filter(subject_kind__in=["round", "number", "log"]).count() >= len(
        faults
    )


@pytest.fixture
def environment(dealt: FloorClone, broker: ValkeyServer, place: Path) -> dict[str, str]:
    """What a worker of this day needs."""
    return dealt.database.environment() | {
        "REDIS_URL": broker.url,
        "SWEEP_S": "0.3",
        "LOG_NAME": LOG_NAME,
        "CHECKPOINT_KEY_FILE": str(place / "key"),
        "CHECKPOINT_FOLDER": str(place),
    }


@pytest.mark.parametrize("kills", KILLS)
def test_a_worker_killed_between_and_in_the_chunks_changes_nothing(
    dealt: FloorClone, environment: dict[str, str], tmp_path: Path, kills: int
) -> None:
    turn_and_start(now=dealt.house.now + timedelta(days=1))
    run = DayRun.objects.get()
    between = len(run.plan) // kills
    for n in range(kills):
        killed = kill_at(POINTS[n % len(POINTS)], environment, log=tmp_path / f"worker-{n}.log")
        assert killed.popen.returncode == -signal.SIGKILL
        # Time passes: the dead worker's lease has run out, and what it held comes first.
        OutboxItem.objects.filter(lease_until__isnull=False).update(lease_until=run.started_at)
        drain(limit=between)
    work()
    assert is_done(run)
    assert not OutboxItem.objects.exists()
    start_day_run(day=run.day, now=dealt.house.now, by=RECONCILER)
    work()
    first, second = (results(run) for run in DayRun.objects.order_by("number"))
    assert len(first) == len(run.plan)
    assert first == second


def kill_at(point: str, environment: dict[str, str], *, log: Path) -> Child:
    """Let a worker work until it is killed at a place."""
    worker = start_worker({**environment, "KILL_POINT": point}, log=log)
    try:
        wait(lambda: not worker.is_running(), seconds=60)
    finally:
        worker.kill()
    return worker


def is_done(run: DayRun) -> bool:
    """Whether a run is closed."""
    return DayRun.objects.get(pk=run.pk).state == DayRun.State.DONE


def results(run: DayRun) -> list[tuple[object, ...]]:
    """What a run found, chunk by chunk; the log itself has grown meanwhile."""
    checks = DayCheck.objects.filter(run=run).order_by("chunk")
    return [
        (
            check.chunk,
            check.check_name,
            check.subject,
            check.problems,
            check.figures,
            None if check.check_name == "log" else check.examined,
        )
        for check in checks
    ]
