"""Fixtures of the settlement tests."""

import pytest
from pytest_django import Settings

from casino.people import hashing
from tests.factories.house import House, build_house, open_floor


@pytest.fixture(autouse=True)
def _fast_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()


@pytest.fixture
def house(db: None) -> House:
    """A house with one table that is open, its shoe ready."""
    house = build_house()
    open_floor(house)
    return house
