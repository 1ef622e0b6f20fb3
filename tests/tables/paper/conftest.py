"""Fixtures of the tests of rounds that were dealt on paper."""

import pytest

from tables.selectors.round_read import RoundName
from tests.factories.house import House
from tests.tables.paper.sheets import reserve


@pytest.fixture
def name(floor: House) -> RoundName:
    """One round dealt on paper."""
    return reserve(floor, 1, after=0).rounds[0]
