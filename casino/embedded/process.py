"""Child processes that never outlive us.

Each child gets a process group of its own, so that Ctrl-C at the terminal reaches only the
supervisor, which then ends them in order. Should the supervisor itself be killed, the kernel sends
each child its end signal (Linux; elsewhere an orphan is ended by the next start's lock).
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from casino.embedded.account import Account

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Child:
    """A running child with the signal that ends it politely."""

    name: str
    popen: subprocess.Popen[bytes]
    end_signal: signal.Signals

    def is_running(self) -> bool:
        """Whether the child has not ended yet."""
        return self.popen.poll() is None

    def stop(self, *, patience_s: float = 10.0) -> None:
        """End the child politely, then by force together with whatever it started."""
        if self.is_running():
            with contextlib.suppress(ProcessLookupError):
                self.popen.send_signal(self.end_signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(patience_s)
        self.kill()

    def kill(self) -> None:
        """End the child's whole process group by SIGKILL and reap the child."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()


def start_child(
    command: Sequence[str],
    *,
    name: str,
    end_signal: signal.Signals = signal.SIGTERM,
    account: Account | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    log: Path | None = None,
) -> Child:
    """Start a command as a child that ends when we do; its output goes to `log`, or to ours."""
    dropped = account is not None and account.dropped
    output = log.open("ab") if log else None
    try:
        popen = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            cwd=folder,
            env=dict(environment) if environment is not None else None,
            start_new_session=True,
            user=account.uid if account and dropped else None,
            group=account.gid if account and dropped else None,
            extra_groups=[] if dropped else None,
            preexec_fn=_die_with_parent(end_signal),
        )
    finally:
        if output:
            output.close()
    return Child(name, popen, end_signal)


def _die_with_parent(end_signal: signal.Signals) -> Callable[[], None] | None:
    """Ask the kernel, in the child and after its account was changed, to tie it to us."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def bind() -> None:
        prctl(_PR_SET_PDEATHSIG, int(end_signal), 0, 0, 0)
        if os.getppid() != parent:  # The parent died before the kernel knew.
            os._exit(1)

    return bind
