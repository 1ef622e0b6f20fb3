"""Fixtures of the people tests."""

import pytest
from pytest_django import Settings

from casino.people import hashing
from tests.factories.people import People


@pytest.fixture(autouse=True)
def _fast_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()


@pytest.fixture
def people(db: None) -> People:
    """A house with an administrator."""
    return People()
