"""Fixtures of the tests of irregularities."""

import pytest

from tests.factories.house import House
from tests.settlements.correcting import hire, put_in_charge


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open and its shoe ready; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor, "manager")
    return floor
