"""Keeping several processes running together, and ending them together.

Whatever ends by itself is started again, unless it does so over and over; then everything stops.
It must not know what the processes do.
"""

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import IO, Protocol

from casino.embedded.process import Child

_RESTARTS_MAX = 5
_RESTARTS_WITHIN_S = 60.0
_POLL_S = 0.3


class SupervisorError(RuntimeError):
    """A process ends over and over; the text names it and its log."""


class StopRequested(BaseException):
    """Somebody wants everything to end: Ctrl-C, SIGTERM or SIGHUP."""


class Server(Protocol):
    """An embedded server, which knows itself how it is started and stopped."""

    child: Child | None

    def start(self) -> None: ...

    def stop(self) -> None: ...


@dataclass
class Process:
    """A process that a function starts."""

    name: str
    launch: Callable[[], Child]
    child: Child | None = None

    def start(self) -> None:
        """Start the process."""
        self.child = self.launch()

    def stop(self) -> None:
        """End the process and whatever it started."""
        if self.child is not None:
            self.child.stop()
            self.child = None


@dataclass
class Supervisor:
    """The running processes, in the order in which they were started.

    What is in the same layer ends at once, the last layer first. `kept` holds open files whose
    locks must last as long.
    """

    say: Callable[[str], None]
    layers: list[list[Server]] = field(default_factory=list)
    kept: list[IO[bytes]] = field(default_factory=list)
    _restarts: dict[int, deque[float]] = field(default_factory=dict)

    def start(self, *servers: Server) -> None:
        """Start servers that may end together, on top of those before."""
        layer: list[Server] = []
        self.layers.append(layer)
        for server in servers:
            layer.append(server)
            server.start()

    def watch(self, *, until: Callable[[], bool] = lambda: False) -> None:
        """Start again what ends by itself; returns when `until` says so.

        Raises SupervisorError for a process that ends over and over.
        """
        while not until():
            for server in (server for layer in self.layers for server in layer):
                if server.child is not None and not server.child.is_running():
                    self._restart(server, server.child)
            time.sleep(_POLL_S)

    def stop(self) -> None:
        """End everything, the last layer first."""
        while self.layers:
            layer = self.layers.pop()
            threads = [threading.Thread(target=server.stop) for server in layer]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def _restart(self, server: Server, child: Child) -> None:
        code = child.popen.returncode
        child.kill()  # What it had started may still hold its port.
        now = time.monotonic()
        recent = self._restarts.setdefault(id(server), deque())
        recent.append(now)
        while recent and now - recent[0] > _RESTARTS_WITHIN_S:
            recent.popleft()
        if len(recent) > _RESTARTS_MAX:
            raise SupervisorError(f"{child.name} ends again and again (exit status {code})")
        self.say(f"{child.name} ended (exit status {code}); starting it again")
        server.start()


@contextmanager
def stop_signals() -> Iterator[None]:
    """Turn the first SIGINT, SIGTERM or SIGHUP into StopRequested; ignore those that follow."""
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        for each in signals:
            signal.signal(each, signal.SIG_IGN)
        raise StopRequested

    before = {each: signal.signal(each, stop) for each in signals}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
