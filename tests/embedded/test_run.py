"""`make run` from its first line to Ctrl-C, and again."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from casino.embedded.state import CHECKOUT
from tests.embedded.running import Run, end


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="casino-tests-") as name:
        Path(name).chmod(0o711)  # The servers' account passes through.
        yield Path(name) / "demo"


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_start_a_second_start_and_their_ends(folder: Path, port: int, tmp_path: Path) -> None:
    first = Run(port, tmp_path / "first.log", DATA_FOLDER=str(folder))
    try:
        first.wait_for(r"round 3, \d+ of 416 cards")
        sign_in = first.wait_for(r"dealer +1001 +\d+ +\S+")
        end(first, processes_min=10)
        assert first.popen.returncode == 0
    finally:
        first.popen.kill()

    second = Run(port, tmp_path / "second.log", DATA_FOLDER=str(folder))
    try:
        assert second.wait_for_site() < 10
        assert second.wait_for(r"dealer +1001 +\d+ +\S+") == sign_in
        third = Run(port + 1, tmp_path / "third.log", DATA_FOLDER=str(folder))
        assert third.popen.wait(30) == 1
        assert "running already" in third.log.read_text()
        second.wait_for("Ctrl-C ends everything")
        # Checkpoints and the turn of the day have a process that nothing else can keep busy.
        (jobs,) = serving(second, "jobs")
        worker, *_pool = serving(second, "outbox")
        for name, process in {"worker": worker, "jobs": jobs}.items():
            process.kill()
            second.wait_for(rf"{name} ended \(exit status -9\); starting it again")
        # A supervisor that is killed takes everything with it all the same.
        end(second, signal.SIGKILL, processes_min=10)
    finally:
        second.popen.kill()


def serving(run: Run, queue: str) -> list[psutil.Process]:
    """The processes of the worker of one queue, its parent first."""
    return [each for each in run.processes() if ("-Q", queue) in pairwise(each.cmdline())]


def test_a_missing_secret_stops_the_start_of_the_product(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "casino.run"],
        cwd=CHECKOUT,
        env={"PATH": os.environ["PATH"], "DATABASE_URL": "postgresql://nowhere/x", "PORT": "18999"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    for name in ("SECRET_KEY", "REDIS_URL", "CHECKPOINT_KEY_FILE", "CHECKPOINT_FOLDER"):
        assert name in done.stderr


def test_a_port_in_use_is_said(folder: Path, tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        run = Run(holder.getsockname()[1], tmp_path / "run.log", DATA_FOLDER=str(folder))
        assert run.popen.wait(30) == 1
    assert "Set PORT to a free one" in run.log.read_text()
