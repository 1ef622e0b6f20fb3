"""A floor on which a little of everything has happened, for tests that go around the services."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from casino.outbox.handlers import drain
from tables.services.shoe_end import end_shoe
from tests.factories.house import bet, key, open_floor, open_round, play_round
from tests.support.floors import FloorClone, PreparedFloor, cloned_floor

MAIN = {"main": 10000}


@pytest.fixture(scope="module")
def played(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[FloorClone]:
    """T1 with a round in play after two settled ones; T2 with a shoe that has ended."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as clone:
        house = clone.house
        hands = {
            1: ["2H", "7C", "KD"],
            3: ["8S", "8D", "3C"],
            0: ["5S", "3D", "QC"],
        }
        wagers = {1: MAIN, 3: {"main": 20000, "pair": 700, "jacks": 500}}
        for _ in range(2):
            play_round(house, wagers, hands)
        open_floor(house, "T2")
        play_round(house, {1: MAIN}, {1: hands[1], 0: hands[0]}, table="T2")
        end_shoe(table="T2", shoe=1, stub_cards=409, by=house.acting("supervisor"))
        while drain():
            pass
        name = open_round(house)
        bet(house, name, {1: MAIN})
        key(house, name, {1: "2H"})
        yield clone
