"""A PostgreSQL server for one run of the tests, and clones of one migrated template database.

Embedded by default: a cluster in a temporary folder, copied from one that was migrated earlier for
the same migrations and kept outside the checkout. With TEST_ADMIN_URL (a superuser's address) that
server is used instead; it must be one for tests alone, because the roles' passwords are set there.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
from django.db import connections
from psycopg import sql
from psycopg.conninfo import make_conninfo

from casino import config
from casino.embedded.binaries import usable_binaries
from casino.embedded.database import (
    APP_ROLE,
    OWNER_ROLE,
    Addresses,
    prepare_database,
)
from casino.embedded.folder import open_folder, shared_store
from casino.embedded.postgres import PostgresServer
from casino.embedded.state import schema_state

_TEMPLATE = "casino_template"
_KEPT_TEMPLATES = 4
# Of this process, whichever template a clone is made from.
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class CloneDatabase:
    """A database of a test's own: committed to freely, dropped afterwards."""

    name: str
    app_url: str
    owner_url: str
    admin_url: str

    def environment(self) -> dict[str, str]:
        """What a child process needs to work on this database as the application."""
        return {
            **os.environ,
            "DATABASE_URL": self.app_url,
            "SECRET_KEY": "only-for-tests",
            "HOUSE_NAME": "Test House",
            "LOG_NAME": "tests.invalid/casino-log",
            "CHECKPOINT_KEY_FILE": "/nonexistent",
            "CHECKPOINT_FOLDER": "/nonexistent",
        }


class DatabaseServer:
    """A server that holds the migrated template and hands out clones of it."""

    def __init__(self, template: Addresses, template_name: str) -> None:
        self._template = template
        self._template_name = template_name

    @property
    def admin_url(self) -> str:
        """The superuser's address of the server's maintenance database."""
        return make_conninfo(self._template.admin, dbname="postgres")

    @contextmanager
    def clone(self) -> Iterator[CloneDatabase]:
        """Make a database from the template, and drop it at the end."""
        name = f"casino_test_{os.getpid()}_{next(_NUMBERS)}"
        identifier = sql.Identifier(name)
        owner, app = sql.Identifier(OWNER_ROLE), sql.Identifier(APP_ROLE)
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
                    identifier, owner, sql.Identifier(self._template_name)
                )
            )
            # Rights on a database itself are not part of what a template hands on.
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(identifier))
            connection.execute(
                sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(identifier, app)
            )
        try:
            yield CloneDatabase(
                name=name,
                app_url=make_conninfo(self._template.app, dbname=name),
                owner_url=make_conninfo(self._template.owner, dbname=name),
                admin_url=make_conninfo(self._template.admin, dbname=name),
            )
        finally:
            with psycopg.connect(self.admin_url, autocommit=True) as connection:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(identifier))


@contextmanager
def database_server() -> Iterator[DatabaseServer]:
    """The server of this run: the one at TEST_ADMIN_URL, or an embedded one."""
    admin_url = os.environ.get("TEST_ADMIN_URL")
    if admin_url:
        yield _external_server(admin_url)
        return
    kept = _kept_cluster()
    path = Path(tempfile.mkdtemp(prefix="casino-tests-"))
    try:
        # The clone of the files keeps owners and modes; a file system that can, shares blocks.
        subprocess.run(["cp", "-a", f"{kept}/.", str(path)], check=True)
        server = _embedded_server(path)
        server.start()
        try:
            yield DatabaseServer(server.addresses(_TEMPLATE), _TEMPLATE)
        finally:
            server.stop()
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def default_database(url: str) -> Iterator[None]:
    """Point Django's default connection at another database, in every thread's next use."""
    connections["default"].close()
    before = connections.settings["default"]
    described = dict(config.database(url, lock_timeout_ms=config.config().lock_timeout_ms))
    connections.settings["default"] = connections.configure_settings({"default": described})[
        "default"
    ]
    del connections["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = before
        del connections["default"]


def _external_server(admin_url: str) -> DatabaseServer:
    key = hashlib.sha256(f"casino tests {admin_url}".encode()).hexdigest()
    passwords = {OWNER_ROLE: f"owner-{key}", APP_ROLE: f"app-{key}"}
    name = f"{_TEMPLATE}_{_state()[:16]}"
    template = Addresses(
        admin=make_conninfo(admin_url, dbname=name),
        owner=make_conninfo(
            admin_url, dbname=name, user=OWNER_ROLE, password=passwords[OWNER_ROLE]
        ),
        app=make_conninfo(admin_url, dbname=name, user=APP_ROLE, password=passwords[APP_ROLE]),
    )
    prepare_database(template, name=name, passwords=passwords)
    return DatabaseServer(template, name)


def _embedded_server(path: Path) -> PostgresServer:
    folder = open_folder(path)
    binaries = usable_binaries(account=folder.account, store=shared_store())
    return PostgresServer(folder, binaries)


def _kept_cluster() -> Path:
    """A stopped cluster with the template in it, for exactly these migrations; made if missing."""
    store = shared_store() / "tests"
    kept = store / _state()
    if kept.exists():
        os.utime(kept)
        return kept
    store.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix="part-", dir=store))
    try:
        server = _embedded_server(part)
        server.start()
        try:
            server.prepare(_TEMPLATE)
        finally:
            server.stop()
        shutil.rmtree(server.folder.logs)
        if server.folder.sockets != part / "run":
            shutil.rmtree(server.folder.sockets)
        try:
            part.rename(kept)
        except OSError:
            if not kept.exists():  # Else another run was faster with the same.
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    _prune(store)
    return kept


def _prune(store: Path) -> None:
    kept = [path for path in store.iterdir() if not path.name.startswith("part-")]
    abandoned = time.time() - 3600
    old = [p for p in store.glob("part-*") if p.stat().st_mtime < abandoned]
    newest_first = sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True)
    for path in (*newest_first[_KEPT_TEMPLATES:], *old):
        shutil.rmtree(path, ignore_errors=True)


def _state() -> str:
    """The template's name among those kept: schema and account."""
    return hashlib.sha256(f"{schema_state()} {os.geteuid()}".encode()).hexdigest()[:32]
