import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from casino.embedded.process import Child, start_child
from casino.supervisor import (
    Process,
    StopRequested,
    Supervisor,
    SupervisorError,
    stop_signals,
)


def _sleeper(name: str = "sleeper") -> Process:
    return Process(name, lambda: start_child(["sleep", "60"], name=name))


def _pid(process: Process) -> int:
    assert process.child is not None
    return process.child.popen.pid


def test_what_ends_is_started_again_and_all_ends_together() -> None:
    said: list[str] = []
    supervisor = Supervisor(say=said.append)
    first, second = _sleeper("first"), _sleeper("second")
    supervisor.start(first)
    supervisor.start(second)
    killed = _pid(second)
    os.kill(killed, signal.SIGKILL)
    supervisor.watch(until=lambda: _pid(second) != killed)
    pids = [_pid(first), _pid(second)]
    supervisor.stop()
    assert said == ["second ended (exit status -9); starting it again"]
    assert [pid for pid in pids if psutil.pid_exists(pid)] == []


def test_what_ends_over_and_over_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.supervisor._POLL_S", 0.02)
    supervisor = Supervisor(say=lambda text: None)
    supervisor.start(Process("broken", lambda: start_child(["false"], name="broken")))
    with pytest.raises(SupervisorError, match="broken ends again and again"):
        supervisor.watch()
    supervisor.stop()


def test_a_child_that_ignores_the_end_signal_is_killed_with_its_children() -> None:
    script = "trap '' TERM; sleep 60 & echo $!; wait; sleep 60"
    child = start_child(["sh", "-c", script], name="stubborn")
    time.sleep(0.3)
    below = psutil.Process(child.popen.pid).children()
    child.stop(patience_s=0.3)
    assert not child.is_running()
    _gone(*(process.pid for process in below))


def test_the_first_signal_asks_and_later_ones_do_not_disturb() -> None:
    before = signal.getsignal(signal.SIGINT)  # ignored where a shell started us in the background
    with stop_signals():
        with pytest.raises(StopRequested):
            os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = """
import time
from casino.embedded.process import start_child
print(start_child(["sleep", "60"], name="sleeper").popen.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    _gone(pid)


def _gone(*pids: int, within_s: float = 5) -> None:
    deadline = time.monotonic() + within_s
    while any(map(_lives, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in pids if _lives(pid)] == []


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_output_goes_to_the_log(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    child: Child = start_child(["sh", "-c", "echo said; echo wrong >&2"], name="talker", log=log)
    child.popen.wait(5)
    child.stop()
    assert log.read_text() == "said\nwrong\n"
