"""Fixtures of the API tests."""

from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from audit.findings.services import raise_finding
from tests.api.rights import clients
from tests.factories.house import SET_UP, bet, open_round
from tests.support.floors import PreparedFloor, cloned_floor


@pytest.fixture(scope="module")
def everybody(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, Client]]:
    """One client for each kind of person, at a house with a round in play and a finding."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        house = clone.house
        bet(house, open_round(house), {1: {"main": 10000}})
        raise_finding(
            kind="shoe.one_card_too_many",
            subject_kind="round",
            subject_key="T1/1/1",
            table_code="T1",
            detail={"face": "AS", "copies": 9, "copies_max": 8},
            raised_by=SET_UP,
            now=house.now,
        )
        yield clients(house)
