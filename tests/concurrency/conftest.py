"""A floor for the races of one module; every test opens a round of its own on it."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.support.floors import FloorClone, PreparedFloor, cloned_floor


@pytest.fixture(scope="module")
def races(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[FloorClone]:
    """A database for the module: making one for each race would take longer than the races."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        yield clone
