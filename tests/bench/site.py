"""The site as `make run` starts it: granian, the same arguments, on a database of the bench."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from casino import run
from casino.config import Config
from casino.people.middleware import TOKEN_HEADER
from tests.support.database import CloneDatabase

Json = dict[str, Any]  # documents of the API
_PATIENCE_S = 60.0


@contextmanager
def serving(database: CloneDatabase, folder: Path) -> Iterator[int]:
    """Serve a database; the value is the port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = {
        **database.environment(),
        "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
        "HTTPS": "false",
        "PORT": str(port),
        # Nobody listens there: no bell is rung by a card.
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "STATIC_FOLDER": str(folder),
    }
    settings = Config(PORT=port, BIND="127.0.0.1")
    child = run._web(run.Installation(settings, environment, folder, is_demo=False))
    try:
        deadline = time.monotonic() + _PATIENCE_S
        while not _answers(port):
            log = (folder / "web.log").read_text(errors="replace")[-2000:]
            assert time.monotonic() < deadline, log
            assert child.is_running(), log
            time.sleep(0.1)
        yield port
    finally:
        child.stop()


def _answers(port: int) -> bool:
    try:
        connection = Connection(port)
    except OSError:
        return False
    with connection.socket:
        return connection.send("GET", "/health/ready")[0] == 200


class Connection:
    """One kept-alive connection; as little client as possible, because it shares the machine."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {"Host": f"127.0.0.1:{port}", "Accept": "application/json"}

    def send(self, method: str, path: str, body: Json | None = None) -> tuple[int, bytes]:
        """Send one request; return its status and body."""
        return self.exchange(self.prepare(method, path, body))

    def prepare(self, method: str, path: str, body: Json | None = None) -> bytes:
        """A request as bytes, so that nothing of it is measured."""
        data = b"" if body is None else json.dumps(body).encode()
        headers = dict(self.headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        if body is not None:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
        return "\r\n".join(lines).encode() + data

    def exchange(self, request: bytes) -> tuple[int, bytes]:
        """Send prepared bytes; return status and body of the answer."""
        self.socket.sendall(request)
        received = b""
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._receive()
        head = received[:end].decode("latin-1").split("\r\n")
        length = 0
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "content-length":
                length = int(value)
            elif name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
        body = received[end + 4 :]
        while len(body) < length:
            body += self._receive()
        return int(head[0].split(" ", 2)[1]), body

    def _receive(self) -> bytes:
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionError("the server closed the connection")
        return piece


class TablePerson(Connection):
    """A person signed on at a tablet."""

    def __init__(self, port: int, *, badge: str, pin: str, role: str, token: str) -> None:
        super().__init__(port)
        self.headers[TOKEN_HEADER] = token
        self.headers["X-CSRFToken"] = self.call("GET", "sign-on")["csrf_token"]
        signed = self.call("POST", "sign-on", {"badge": badge, "secret": pin, "role": role})
        self.headers["X-CSRFToken"] = signed["csrf_token"]

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request that must succeed; return its document."""
        status, answer = self.send(method, f"/api/v1/{path}", body)
        assert 200 <= status < 300, (method, path, status, answer)
        document: Json = json.loads(answer)
        return document
