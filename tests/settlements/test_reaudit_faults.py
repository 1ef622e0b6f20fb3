"""Many rounds and many seeded faults: all found and named, nothing else reported (trust R12)."""

import random
from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from settlements.reaudit import reaudit
from tables.models import Round
from tests.loader.history import History
from tests.loader.server import loaded_server
from tests.log.databases import unguarded
from tests.support.database import DatabaseServer
from tests.support.floors import FloorClone, PreparedFloor, cloned_floor

SIZES = [(100_000, 200), pytest.param((200_000, 5_000), marks=pytest.mark.long)]
SEED = 200
_PAYOUT = "(SELECT min(id) FROM settlements_payout WHERE part = 'final' AND round_id = %s)"
_COPIED = (
    "round_id, part, revision, seat, wager, stake_minor, outcome, odds_numerator,"
    " odds_denominator, profit_minor, owed_minor, handed_minor, breakage_numerator,"
    " breakage_denominator, cap_cut_minor, commission_minor, extra_owed_minor, bank_minor, bank,"
    " clause, why, entry_id"
)
_DOUBLED = (
    f"INSERT INTO settlements_payout ({_COPIED}) SELECT {_COPIED} FROM settlements_payout"
    f" WHERE id = {_PAYOUT}"
)
_MOVED = (
    "UPDATE tables_round SET table_id = (SELECT min(id) FROM tables_table t"
    " WHERE t.id <> table_id) WHERE id = %s"
)
# The statement, and the field that must be named.
FAULTS = {
    "off by one": (
        f"UPDATE settlements_payout SET owed_minor = owed_minor + 1 WHERE id = {_PAYOUT}",
        "owed_minor",
    ),
    "missing": (f"DELETE FROM settlements_payout WHERE id = {_PAYOUT}", "line"),
    "doubled": (
        _DOUBLED,
        "line_doubled",
    ),
    "wrong seat": (f"UPDATE settlements_payout SET seat = seat + 5 WHERE id = {_PAYOUT}", "line"),
    "wrong table": (
        _MOVED,
        "table_of_shoe",
    ),
    "wrong day": (
        "UPDATE tables_round SET gaming_day = gaming_day - 1 WHERE id = %s",
        "gaming_day",
    ),
    "rules changed in mid-shoe": (
        "UPDATE tables_round SET ruleset_id = (SELECT max(id) FROM tables_ruleset) WHERE id = %s",
        "ruleset_of_round",
    ),
}


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size[0]} rounds")
def loaded(
    request: pytest.FixtureRequest, test_server: DatabaseServer, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[PreparedFloor, int]]:
    """So many rounds, and how many faults to plant in them."""
    rounds, faults = request.param
    history = History(rounds, ("T1", "T2", "T3", "T4"), days=2, five_seats=False)
    with django_db_blocker.unblock(), loaded_server(test_server, history) as server:
        yield server, faults


@pytest.fixture
def database(
    loaded: tuple[PreparedFloor, int], django_db_blocker: DjangoDbBlocker
) -> Iterator[FloorClone]:
    """These rounds in a database of the test's own."""
    with django_db_blocker.unblock(), cloned_floor(loaded[0]) as clone:
        yield clone


def test_sound_rounds_show_no_difference(database: FloorClone) -> None:
    ids = Round.objects.values_list("pk", flat=True)
    audited = reaudit(ids.iterator())
    assert audited.rounds == Round.objects.count()
    assert (audited.read_alone, audited.found) == (0, ())


def test_every_seeded_fault_is_named_and_no_other(
    database: FloorClone, loaded: tuple[PreparedFloor, int]
) -> None:
    keys = dict(Round.objects.order_by("pk").values_list("pk", "key"))
    chosen = random.Random(SEED).sample(sorted(keys), loaded[1])
    names = [list(FAULTS)[n % len(FAULTS)] for n in range(len(chosen))]
    tables = ("tables_round", "settlements_payout")
    with unguarded(database.database.admin_url, *tables) as admin:
        admin.execute("ALTER TABLE settlements_payout DROP CONSTRAINT payout_one_per_wager")
        admin.execute("ALTER TABLE settlements_payout DROP CONSTRAINT payout_money_conserved")
        for round_id, name in zip(chosen, names, strict=True):
            done = admin.execute(FAULTS[name][0], [round_id])
            assert done.rowcount == 1, name
    found: dict[str, set[object]] = {}
    for part in reaudit(keys).found:
        fields = {difference["field"] for difference in part.differences}
        found.setdefault(part.round_key, set()).update(fields)
    assert set(found) == {keys[round_id] for round_id in chosen}
    for round_id, name in zip(chosen, names, strict=True):
        assert FAULTS[name][1] in found[keys[round_id]], name
