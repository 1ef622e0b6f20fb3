"""Fixtures of all tests: real PostgreSQL, a real broker, no network.

`db` (pytest-django) runs a test as the application role in a transaction that is rolled back.
A test that commits takes `clone_db` instead: a database of its own, dropped afterwards.
"""

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker

from casino.embedded.binaries import usable_binaries
from casino.embedded.folder import Folder, open_folder, shared_store
from casino.embedded.valkey import ValkeyServer
from tests.support.database import (
    CloneDatabase,
    DatabaseServer,
    database_server,
    default_database,
)
from tests.support.floors import floor, floor_clone, prepared_floor, shared_floor

# How quick an example is says how busy the machine is, and nothing of what it tests.
settings.register_profile(
    "patient", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")

__all__ = ["floor", "floor_clone", "prepared_floor", "shared_floor"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse tests that would flush: the application role may not, and a clone is quicker."""
    for item in items:
        marker = item.get_closest_marker("django_db")
        flushes = {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
        if flushes or (marker and (marker.kwargs.get("transaction") or len(marker.args) > 0)):
            raise pytest.UsageError(f"{item.nodeid}: a test that commits takes `clone_db`")


@pytest.fixture(scope="session")
def test_server() -> Iterator[DatabaseServer]:
    """The PostgreSQL server of this run. Without a usable one the run stops."""
    manager = database_server()
    try:
        server = manager.__enter__()
    except Exception as error:  # noqa: BLE001  whatever it is, no test may run without the database
        where = "at TEST_ADMIN_URL" if os.environ.get("TEST_ADMIN_URL") else "embedded"
        pytest.exit(f"No usable PostgreSQL ({where}) for the tests: {error}", returncode=3)
    yield server
    manager.__exit__(None, None, None)


@pytest.fixture(scope="session")
def django_db_setup(
    test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The database behind `db`: one clone for the whole run, reached as the application role."""
    with test_server.clone() as clone, default_database(clone.app_url):
        yield
        with django_db_blocker.unblock():
            connections["default"].close()


@pytest.fixture
def clone_db(
    request: pytest.FixtureRequest,
    test_server: DatabaseServer,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[CloneDatabase]:
    """A database of the test's own, which Django's default connection now leads to."""
    if "db" in request.fixturenames or request.node.get_closest_marker("django_db"):
        pytest.fail("take either `db` or `clone_db`")
    with (
        test_server.clone() as clone,
        django_db_blocker.unblock(),
        default_database(clone.app_url),
    ):
        yield clone


@pytest.fixture
def server_folder() -> Iterator[Folder]:
    """A folder for embedded servers, which their own account can reach (unlike `tmp_path`)."""
    with tempfile.TemporaryDirectory(prefix="casino-tests-") as name:
        yield open_folder(Path(name))


@pytest.fixture
def broker(server_folder: Folder) -> Iterator[ValkeyServer]:
    """A broker of the test's own: it may be stopped, killed and started again."""
    binaries = usable_binaries(account=server_folder.account, store=shared_store())
    server = ValkeyServer(server_folder, binaries)
    server.start()
    forget_connections()
    yield server
    forget_connections()
    server.stop()


def forget_connections() -> None:
    """Let this process's bell begin anew: pools would lead to the broker of an earlier test."""
    from celery import current_app

    from casino.outbox.bell import _bell

    current_app._after_fork()  # type: ignore[attr-defined]  # what Celery does after a fork
    _bell.silent_until = 0.0


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuse connections that would leave the machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        local = self.family not in (socket.AF_INET, socket.AF_INET6) or (
            isinstance(address, tuple) and address[0] in ("127.0.0.1", "::1", "localhost")
        )
        if not local:
            raise PermissionError(f"tests do not use the network: {address!r}")
        connect(self, address)  # type: ignore[arg-type]  # whatever the caller passed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield
