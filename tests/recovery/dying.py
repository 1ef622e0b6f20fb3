"""The site behind a door that a test may have slammed: committed, and not a byte of it answered.

A request that names a file in the header X-Dies-Into is answered into that file, as the client
would have had it; then the process that served it gets SIGKILL. Run as a program it serves one
process a request, forked from one that has loaded everything, so that thousands may die.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from socketserver import ForkingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.util import setup_testing_defaults

from django.db import connections

from casino.wsgi import application as site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """Serve a request, or die of it."""
    path = environ.get("HTTP_X_DIES_INTO")
    if path is None:
        return site(environ, start_response)
    statuses: list[str] = []

    def take_status(status: str, *_rest: object) -> Callable[[bytes], object]:
        statuses.append(status)
        return _discard

    pieces = site(environ, take_status)
    said = statuses[0].split(" ")[0].encode() + b" " + b"".join(pieces)
    Path(path).write_bytes(said)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def _discard(_data: bytes) -> None:
    """Take what an application writes past its answer: ours never does."""


class _Server(ForkingMixIn, WSGIServer):
    """One process a request."""


class _Quiet(WSGIRequestHandler):
    """Requests are not written down."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as it is named there
        """Say nothing."""


def serve(port: int) -> None:
    """Serve until the end; what is loaded at the first request is loaded before the first fork."""
    environ: dict[str, object] = {"PATH_INFO": "/api/v1/tables"}
    setup_testing_defaults(environ)
    b"".join(site(environ, lambda *_said: _discard))
    connections.close_all()
    with make_server("127.0.0.1", port, application, _Server, _Quiet) as server:
        server.serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
