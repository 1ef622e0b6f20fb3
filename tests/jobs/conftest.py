"""One open table for all tests of the worker, on a database and with workers of their own.

Rounds are settled here, in the test's process; the workers that check them are real processes.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from casino import config
from casino.celery import app
from casino.embedded.process import Child
from casino.embedded.valkey import ValkeyServer
from casino.outbox import bell
from casino.people import hashing
from tests.factories.house import build_house, open_floor
from tests.jobs.dealing import Dealing, Workers
from tests.support.database import CloneDatabase, DatabaseServer, default_database


@pytest.fixture(scope="module")
def floor_db(
    test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker
) -> Iterator[CloneDatabase]:
    """A database for the whole module; every test leaves it with all rounds checked."""
    with (
        test_server.clone() as clone,
        django_db_blocker.unblock(),
        default_database(clone.app_url),
    ):
        yield clone


@pytest.fixture(scope="module")
def dealing(floor_db: CloneDatabase) -> Dealing:
    """A dealer at an open table, with a shuffled shoe."""
    with override_settings(PASSWORD_HASHERS=["tests.factories.people.FastArgon2"]):
        hashing._nobody.cache_clear()
        house = build_house()
        open_floor(house)
    hashing._nobody.cache_clear()
    return Dealing(house)


@pytest.fixture
def workers(floor_db: CloneDatabase, broker: ValkeyServer, tmp_path: Path) -> Iterator[Workers]:
    """Starts workers on the module's database and the test's broker; all end with the test."""
    started: list[Child] = []
    yield Workers(floor_db.environment() | {"REDIS_URL": broker.url}, tmp_path, started)
    for child in started:
        child.kill()


@pytest.fixture
def rung_bell(broker: ValkeyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bell of this process ring at the test's broker."""
    monkeypatch.setattr(bell._bell, "silent_until", 0.0)
    monkeypatch.setattr(bell, "config", lambda: config.Config(REDIS_URL=broker.url))
    monkeypatch.setattr(app.conf, "broker_url", broker.url)
