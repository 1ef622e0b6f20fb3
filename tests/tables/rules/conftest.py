"""Fixtures of the life of rules: the prepared floor with enough managers."""

import pytest

from tests.factories.house import House
from tests.support.api import ApiPerson
from tests.tables.rules.managers import Managers, hire_managers


@pytest.fixture
def managers(floor: House) -> Managers:
    """A floor in a transaction that is rolled back, and its managers."""
    return hire_managers(floor)


@pytest.fixture
def manager(managers: Managers) -> ApiPerson:
    """The manager in a browser."""
    return ApiPerson(managers.house, "manager")
