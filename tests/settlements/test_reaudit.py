"""Rounds audited again as columns: the same differences as one by one, and all of them (R12)."""

import random
from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from settlements.comparison import differences, mispaid
from settlements.models import Settlement
from settlements.reaudit import PartFound, reaudit
from settlements.selectors.checks import read_subject
from tables.models import Round
from tests.factories.house import bet, key, open_floor, open_round, play_round, settle_part
from tests.loader.history import History
from tests.loader.server import loaded_server
from tests.log.databases import unguarded
from tests.support.database import DatabaseServer
from tests.support.floors import FloorClone, PreparedFloor, cloned_floor

ROUNDS = 400
TABLES = ("T1", "T2")
SEED = 12


@pytest.fixture(scope="module")
def dealt(
    test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker
) -> Iterator[PreparedFloor]:
    """Rounds at two tables, of one to five seats."""
    history = History(ROUNDS, TABLES, five_seats=False)
    with django_db_blocker.unblock(), loaded_server(test_server, history) as server:
        yield server


@pytest.fixture
def database(dealt: PreparedFloor, django_db_blocker: DjangoDbBlocker) -> Iterator[FloorClone]:
    """These rounds in a database of the test's own."""
    with django_db_blocker.unblock(), cloned_floor(dealt) as clone:
        yield clone


def one_by_one() -> list[PartFound]:
    """What the comparison of single settlements finds."""
    found = []
    settled = Settlement.objects.order_by("round_id", "-part", "revision")
    for name, part, revision in settled.values_list("round__key", "part", "revision"):
        subject = read_subject(name, part=part, revision=revision)
        assert subject is not None
        unequal, wrong = differences(subject.read), mispaid(subject.read)
        if unequal or wrong:
            found.append(PartFound(name, part, revision, unequal, wrong))
    return found


def ids() -> list[int]:
    """All rounds."""
    return list(Round.objects.order_by("pk").values_list("pk", flat=True))


def test_sound_rounds_are_all_read_as_columns(database: FloorClone) -> None:
    audited = reaudit(ids())
    assert audited.rounds == ROUNDS
    assert audited.settlements == Settlement.objects.count()
    assert (audited.read_alone, audited.found) == (0, ())


# Each is an UPDATE or DELETE of one row; %s is the id of a round.
FAULTS = {
    "payout up by one": "UPDATE settlements_payout SET owed_minor = owed_minor + 1,"
    " bank_minor = bank_minor - 1 WHERE id = (SELECT min(id) FROM settlements_payout"
    " WHERE round_id = %s)",
    "profit changed": "UPDATE settlements_payout SET profit_minor = profit_minor + 1"
    " WHERE id = (SELECT min(id) FROM settlements_payout WHERE round_id = %s)",
    "breakage changed": "UPDATE settlements_payout SET breakage_numerator = 1,"
    " breakage_denominator = 2 WHERE id = (SELECT max(id) FROM settlements_payout"
    " WHERE round_id = %s)",
    "payout missing": "DELETE FROM settlements_payout WHERE id = (SELECT max(id)"
    " FROM settlements_payout WHERE round_id = %s)",
    "wrong seat": "UPDATE settlements_payout SET seat = seat + 5 WHERE id = (SELECT max(id)"
    " FROM settlements_payout WHERE round_id = %s)",
    "another bank": "UPDATE settlements_payout SET bank = '3' WHERE id = (SELECT min(id)"
    " FROM settlements_payout WHERE round_id = %s)",
    "handed otherwise": "UPDATE settlements_payout SET handed_minor = handed_minor + 500"
    " WHERE id = (SELECT min(id) FROM settlements_payout WHERE round_id = %s)",
    "card changed": "UPDATE tables_card SET face = '?' WHERE id = (SELECT min(id)"
    " FROM tables_card WHERE round_id = %s)",
    "card missing": "DELETE FROM tables_card WHERE id = (SELECT max(id) FROM tables_card"
    " WHERE round_id = %s)",
    "stake changed": "UPDATE tables_seatwagers SET main_minor = main_minor + 1"
    " WHERE id = (SELECT min(id) FROM tables_seatwagers WHERE round_id = %s)",
    "handle changed": "UPDATE settlements_settlement SET handle_minor = handle_minor + 1"
    " WHERE part = 'final' AND round_id = %s",
    "another day": "UPDATE tables_round SET gaming_day = gaming_day + 1 WHERE id = %s",
    "another table": "UPDATE tables_round SET table_id = (SELECT max(id) FROM tables_table"
    " WHERE id <> table_id) WHERE id = %s",
    "another ruleset": "UPDATE settlements_settlement SET ruleset_id = (SELECT max(id)"
    " FROM tables_ruleset) WHERE part = 'final' AND round_id = %s",
    "live seats changed": "UPDATE tables_round SET live_seats = live_seats[2:] WHERE id = %s",
}


TOUCHED = (
    *("tables_round", "tables_card", "tables_seatwagers"),
    *("settlements_settlement", "settlements_payout"),
)


def test_every_fault_is_named_as_one_by_one_and_nothing_else(database: FloorClone) -> None:
    chosen = random.Random(SEED).sample(ids(), len(FAULTS))
    faults = dict(zip(chosen, FAULTS.items(), strict=True))
    with unguarded(database.database.admin_url, *TOUCHED) as admin:
        for round_id, (name, statement) in faults.items():
            done = admin.execute(statement, [round_id])
            assert done.rowcount == 1, name
    keys = dict(Round.objects.filter(pk__in=chosen).values_list("key", "pk"))
    audited = reaudit(ids())
    assert audited.found == tuple(one_by_one())
    found = {faults[keys[part.round_key]][0] for part in audited.found}
    assert found == set(FAULTS)
    assert audited.read_alone == len(FAULTS)


def test_what_the_services_wrote_is_compared_as_columns_too(database: FloorClone) -> None:
    house = database.house
    open_floor(house)
    shoe = Round.objects.filter(table__code="T1").order_by("-shoe__number")[0].shoe.number + 1
    sound = play_round(
        house,
        {2: {"main": 10000, "pair": 1000}, 4: {"main": 20000, "jacks": 500}},
        {2: ["2H", "7C", "KD"], 4: ["8S", "8D", "3C"], 0: ["5S", "3D", "QC"]},
        shoe=shoe,
    )
    undone = open_round(house, shoe=shoe)
    bet(house, undone, {1: {"main": 10000}})
    key(house, undone, {1: "4C"})
    key(house, undone, {1: "5C"}, revision=2)
    key(house, undone, {2: "6C", 3: "7D", 4: "8H", 5: "9H", 6: "TS"})
    settle_part(house, undone, "final")
    for name in (sound, undone):
        audited = reaudit([Round.objects.get(key=name.key).pk])
        assert (audited.rounds, audited.read_alone, audited.found) == (1, 0, ())
