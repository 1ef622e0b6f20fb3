"""Fixtures of the findings tests."""

import pytest
from pytest_django import Settings

from casino.people import hashing
from tests.factories.people import People


@pytest.fixture
def people(db: None, settings: Settings) -> People:
    """A house with an administrator; others are created when a test asks for them by name."""
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()
    return People()
