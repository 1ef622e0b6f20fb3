"""An embedded Valkey server: a bell, not a store.

Unix socket only, no persistence, no eviction: what it holds may be lost at any time, because every
job is a row in the database (the outbox).
"""

import signal
import time
from pathlib import Path
from urllib.parse import quote

import redis

from casino.embedded.binaries import Binaries
from casino.embedded.errors import EmbeddedError
from casino.embedded.folder import Folder
from casino.embedded.process import Child, start_child

_START_PATIENCE_S = 20.0


class ValkeyServer:
    """A broker with its socket in `folder`."""

    def __init__(self, folder: Folder, binaries: Binaries, *, name: str = "valkey") -> None:
        self.folder = folder
        self.binaries = binaries
        self.name = name
        self.child: Child | None = None

    @property
    def socket(self) -> Path:
        """The server's Unix socket."""
        return self.folder.sockets / f"{self.name}.sock"

    @property
    def url(self) -> str:
        """The address as Celery (kombu) and redis-py read it."""
        return f"redis+socket://{quote(str(self.socket))}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.socket.unlink(missing_ok=True)
        self.child = start_child(
            [
                str(self.binaries.valkey),
                *("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"),
                *("--save", "", "--appendonly", "no"),
                *("--maxmemory", "256mb", "--maxmemory-policy", "noeviction"),
                *("--daemonize", "no", "--dir", str(self.folder.sockets)),
            ],
            name=self.name,
            end_signal=signal.SIGTERM,
            account=self.folder.account,
            folder=Path("/"),
            log=self.folder.logs / f"{self.name}.log",
        )
        self._wait(self.child)

    def stop(self) -> None:
        """Stop the server; what it held is gone."""
        if self.child is not None:
            self.child.stop()
            self.child = None

    def kill(self) -> None:
        """End the server by SIGKILL, as a crash does."""
        if self.child is not None:
            self.child.kill()
            self.child = None

    def _wait(self, child: Child) -> None:
        deadline = time.monotonic() + _START_PATIENCE_S
        while time.monotonic() < deadline and child.is_running():
            try:
                with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2) as client:
                    client.ping()
                    return
            except redis.ConnectionError:
                time.sleep(0.02)
        child.stop()
        log = (self.folder.logs / f"{self.name}.log").read_text(errors="replace")
        raise EmbeddedError("Valkey did not start:\n" + log[-2000:])
