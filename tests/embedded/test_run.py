"""`make run` from its first line to Ctrl-C, and again."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from casino.embedded.state import CHECKOUT

_PATIENCE_S = 90.0


class _Run:
    """One run of the supervisor with its output in a file."""

    def __init__(self, folder: Path, port: int, log: Path) -> None:
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "HOME", "LANG", "TMPDIR")
        }
        environment |= {"DATA_FOLDER": str(folder), "PORT": str(port)}
        self.url = f"http://127.0.0.1:{port}"
        self.log = log
        self.began = time.monotonic()
        with log.open("wb") as output:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "casino.run"],
                cwd=CHECKOUT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for(self, pattern: str) -> str:
        """Wait until the output matches; return the match."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            text = self.log.read_text(errors="replace")
            if found := re.search(pattern, text):
                return found[0]
            assert self.popen.poll() is None, text
            time.sleep(0.1)
        raise AssertionError(f"{pattern} did not come:\n{self.log.read_text()}")

    def wait_for_site(self) -> float:
        """Wait until the site answers; return the seconds since the start."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/health/ready", timeout=2) as answer:
                    assert answer.status == 200
                    return time.monotonic() - self.began
            except OSError:
                assert self.popen.poll() is None, self.log.read_text()
                time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def processes(self) -> list[psutil.Process]:
        """The supervisor and everything below it."""
        top = psutil.Process(self.popen.pid)
        return [top, *top.children(recursive=True)]


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


def _alive(processes: list[psutil.Process]) -> list[str]:
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # Zombies count as gone.
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
    return found


def _end(run: _Run, with_signal: signal.Signals) -> None:
    """End a run as Ctrl-C or a crash does; nothing may be left of it."""
    processes = run.processes()
    assert len(processes) > 10  # PostgreSQL's, Valkey, web, worker, beat
    run.popen.send_signal(with_signal)
    run.popen.wait(40)
    deadline = time.monotonic() + 20
    while _alive(processes) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _alive(processes) == []


def test_a_start_a_second_start_and_their_ends(folder: Path, port: int, tmp_path: Path) -> None:
    first = _Run(folder, port, tmp_path / "first.log")
    try:
        first.wait_for(r"round 3, \d+ of 416 cards")
        sign_in = first.wait_for(r"dealer +1001 +\d+ +\S+")
        _end(first, signal.SIGINT)
        assert first.popen.returncode == 0
    finally:
        first.popen.kill()

    second = _Run(folder, port, tmp_path / "second.log")
    try:
        assert second.wait_for_site() < 10
        assert second.wait_for(r"dealer +1001 +\d+ +\S+") == sign_in
        third = _Run(folder, port + 1, tmp_path / "third.log")
        assert third.popen.wait(30) == 1
        assert "running already" in third.log.read_text()
        second.wait_for("Ctrl-C ends everything")
        worker = next(p for p in second.processes() if "worker" in p.cmdline())
        worker.kill()
        second.wait_for(r"worker ended \(exit status -9\); starting it again")
        # A supervisor that is killed takes everything with it all the same.
        _end(second, signal.SIGKILL)
    finally:
        second.popen.kill()


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
        run = _Run(folder, holder.getsockname()[1], tmp_path / "run.log")
        assert run.popen.wait(30) == 1
    assert "Set PORT to a free one" in run.log.read_text()
