"""What the loader writes is what the services would have written."""

import json
from typing import Any

import pytest

from audit.log.days import turn_days
from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from settlements.reaudit import reaudit
from tables.models import Round, Shoe
from tables.selectors.house import gaming_day_at
from tests.factories.house import House, build_house, open_floor, play_round
from tests.loader.history import History, load
from tests.support.database import CloneDatabase
from tests.support.floors import FloorClone

TABLES = ("T1", "T2")


@pytest.fixture
def house(clone_db: CloneDatabase) -> House:
    house = build_house(tables=TABLES)
    turn_days(gaming_day_at(house.now))
    return house


def shape(value: object) -> object:
    """The keys of a document, whatever its values; why a wager won has parameters of its own."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items() if key != "params"}
    return [shape(item) for item in value] if isinstance(value, list) else "value"


def body(action: str, *, table: str) -> Any:  # Any: a JSON document
    """What the first entry of an action says at a table."""
    found = Entry.objects.filter(action=action, stream=f"table/{table}").earliest("id")
    return json.loads(bytes(found.body))


ACTIONS = (
    *("session.started", "count.keyed", "session.opened", "shoe.started", "shoe.checked"),
    *("shoe.burned", "round.opened", "wagers.placed", "card.dealt", "round.swept"),
    "round.settled",
)


def test_entries_are_laid_out_as_the_services_lay_them_out(floor_clone: FloorClone) -> None:
    hands = {seat: ["2H", "7C", "KD"] for seat in range(1, 6)} | {0: ["5S", "3D", "QC"]}
    play_round(
        floor_clone.house,
        {seat: {"main": 10000, "pair": 10000, "jacks": 10000} for seat in range(1, 6)},
        hands,
    )
    load(History(1, ("T2",)), house=floor_clone.house, database=floor_clone.database)
    for action in ACTIONS:
        by_service, loaded = body(action, table="T1"), body(action, table="T2")
        if action == "card.dealt":
            # The loader keys laps, the factory keys two laps at once.
            by_service["facts"], loaded["facts"] = by_service["facts"][:1], loaded["facts"][:1]
            by_service["heads"], loaded["heads"] = [], []
        assert shape(loaded) == shape(by_service)


def test_a_loaded_history_verifies_replays_and_is_owed_as_paid(
    house: House, clone_db: CloneDatabase
) -> None:
    loaded = load(History(150, TABLES, days=3), house=house, database=clone_db)
    load(History(60, TABLES, five_seats=False), house=house, database=clone_db)
    assert Round.objects.count() == 210
    assert loaded.entries < Entry.objects.count()
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []
    audited = reaudit(Round.objects.values_list("pk", flat=True))
    assert (audited.rounds, audited.read_alone, audited.found) == (210, 0, ())
    # And the services go on from there.
    open_floor(house)
    shoe = Shoe.objects.filter(table__code="T1").latest("number").number
    play_round(
        house,
        {1: {"main": 10000, "pair": 1000}},
        {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]},
        shoe=shoe,
    )
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []
