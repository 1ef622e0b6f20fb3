"""A run of the supervisor as `make run` starts it, what it says, and its end."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import psutil

from casino.embedded.state import CHECKOUT

_PATIENCE_S = 180.0


class Run:
    """One run of the supervisor with its output in a file, and these settings alone."""

    def __init__(self, port: int, log: Path, **settings: str) -> None:
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "HOME", "LANG", "TMPDIR")
        }
        environment |= {"PORT": str(port), **settings}
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


def _alive(processes: list[psutil.Process]) -> list[str]:
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # Zombies count as gone.
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
    return found


def end(run: Run, with_signal: signal.Signals = signal.SIGINT, *, processes_min: int = 5) -> None:
    """End a run as Ctrl-C or a crash does; nothing may be left of it."""
    processes = run.processes()
    assert len(processes) > processes_min
    run.popen.send_signal(with_signal)
    run.popen.wait(40)
    deadline = time.monotonic() + 20
    while _alive(processes) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _alive(processes) == []
