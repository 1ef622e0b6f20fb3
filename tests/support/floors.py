"""A house that is built once in a run, and floors of a test's own made from it in no time.

`prepared_floor` builds it: eight tables, T1 open with a shoe ready, the others closed. A test that
does not commit takes `floor`; one that does takes `floor_clone`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.db.models import Model
from pytest_django.plugin import DjangoDbBlocker

from audit.log.rows import Ref
from casino.embedded.database import Addresses
from tests.factories.house import House, build_house, open_floor
from tests.support.database import CloneDatabase, DatabaseServer, default_database

TABLES = tuple(f"T{n}" for n in range(1, 10))


@dataclass(frozen=True, slots=True)
class PreparedFloor:
    """The house that was built, and the server that hands out databases with it."""

    house: House
    server: DatabaseServer


@dataclass(frozen=True, slots=True)
class FloorClone:
    """A floor of a test's own: committed to freely, dropped afterwards."""

    house: House
    database: CloneDatabase


@contextmanager
def cloned_floor(prepared: PreparedFloor) -> Iterator[FloorClone]:
    """Make a floor and lead Django's default connection to it."""
    with prepared.server.clone() as clone, default_database(clone.app_url):
        yield FloorClone(prepared.house, clone)


@pytest.fixture(scope="session")
def prepared_floor(
    test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker
) -> Iterator[PreparedFloor]:
    """Build the house once."""
    with test_server.clone() as clone:
        with django_db_blocker.unblock(), default_database(clone.app_url):
            house = build_house(tables=TABLES)
            open_floor(house)
        addresses = Addresses(admin=clone.admin_url, owner=clone.owner_url, app=clone.app_url)
        yield PreparedFloor(house, DatabaseServer(addresses, clone.name))


@pytest.fixture(scope="session")
def shared_floor(prepared_floor: PreparedFloor) -> Iterator[CloneDatabase]:
    """The one database behind `floor`."""
    with prepared_floor.server.clone() as clone:
        yield clone


@pytest.fixture
def floor(
    prepared_floor: PreparedFloor,
    shared_floor: CloneDatabase,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    """The house in a transaction that is rolled back: quick, for tests that do not commit."""
    with (
        django_db_blocker.unblock(),
        default_database(shared_floor.app_url),
        transaction.atomic(),
    ):
        yield prepared_floor.house
        transaction.set_rollback(True)


@pytest.fixture
def floor_clone(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[FloorClone]:
    """A database of the test's own with the house in it."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        yield clone


def ref_of(row: Model) -> Ref:
    """A row by its id and its natural key."""
    natural: str = row.NATURAL  # type: ignore[attr-defined]  # every model that facts refer to
    return Ref(row.pk, str(getattr(row, natural)))
