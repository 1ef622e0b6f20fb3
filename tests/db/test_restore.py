"""After dump and restore into a new cluster an old entry explains nothing new.

Transaction ids begin anew there, so one day the id comes round that an old entry carries. The
guards look at the time as well, and a time does not come round.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from pytest_django.plugin import DjangoDbBlocker

from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.embedded.binaries import installed_binaries, usable_binaries
from casino.embedded.database import (
    APP_ROLE,
    OWNER_ROLE,
    Addresses,
    apply_roles,
    create_database,
    set_passwords,
)
from casino.embedded.folder import open_folder, shared_store
from casino.embedded.postgres import PostgresServer
from tests.db.rows import note
from tests.factories.house import House, play_round
from tests.support.database import default_database
from tests.support.floors import FloorClone, PreparedFloor, cloned_floor

DATABASE = "restored"
# More than a restore takes, so that the ids of the new cluster are behind the last entry's.
AHEAD = 5000
_TURN = "DO $$ BEGIN FOR i IN 1..{} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
_FACT = (
    "INSERT INTO tables_card (round_id, shoe_id, draw, revision, face, as_seen, entry_id)"
    " SELECT round_id, shoe_id, 9, 1, '9S', false, {entry} FROM tables_card LIMIT 1"
)
_HEAD = "UPDATE tables_round SET stage = 'voided' WHERE stream = 'table/T1'"
# The guard of facts as it would be if it looked at the transaction alone.
_WITHOUT_TIME = """
CREATE OR REPLACE FUNCTION public.log_fact_insert() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM 1 FROM public.log_entry e
        WHERE e.id = NEW.entry_id AND e.xid = pg_current_xact_id_if_assigned();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no entry' USING ERRCODE = 'LG004';
    END IF;
    RETURN NEW;
END
$body$
"""


@dataclass(frozen=True, slots=True)
class Restored:
    """The house in its new cluster, and the last entry that was written in the old one."""

    addresses: Addresses
    house: House
    entry: int
    xid: int


def turn(url: str, *, times: int) -> None:
    """Use up transaction ids, one at a time."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_TURN.format(times))


def next_xid(url: str) -> int:
    """The id that the next transaction which writes will have."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
        ).fetchone()
    assert row is not None
    return int(row[0])


def state_of(connection: psycopg.Connection, statement: str) -> str:
    """Try a statement; answer with its SQLSTATE, "" where it went well."""
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(statement)
    except psycopg.Error as error:
        return str(error.sqlstate)
    return ""


def dump(url: str, path: Path) -> None:
    """Dump a database as a backup does."""
    program = installed_binaries().program("pg_dump")
    subprocess.run([program, f"--dbname={url}", f"--file={path}"], check=True)


def restore(server: PostgresServer, path: Path) -> Addresses:
    """Make the roles in a new cluster and read the dump into it."""
    addresses = server.addresses(DATABASE)
    create_database(server.admin_url(), DATABASE)
    apply_roles(addresses.admin)
    set_passwords(addresses.admin, {role: server.password(role) for role in (OWNER_ROLE, APP_ROLE)})
    program = installed_binaries().program("psql")
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
    subprocess.run(
        [program, *options, f"--dbname={addresses.admin}", f"--file={path}"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    apply_roles(addresses.admin)
    return addresses


@pytest.fixture(scope="module")
def restored(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[Restored]:
    """Play a round, write one more entry far ahead in transaction ids, dump and restore."""
    with django_db_blocker.unblock(), cloned_floor(prepared_floor) as floor, moved(floor) as made:
        yield made


@contextmanager
def moved(floor: FloorClone) -> Iterator[Restored]:
    """Move the house into a cluster of its own."""
    database = floor.database
    hands = {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]}
    play_round(floor.house, {1: {"main": 10000}}, hands)
    turn(database.admin_url, times=AHEAD)
    with psycopg.connect(database.app_url) as app:
        entry = note(app, "table/T1")
        row = app.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
        assert row is not None
    with tempfile.TemporaryDirectory(prefix="casino-tests-") as name:
        folder = open_folder(Path(name))
        binaries = usable_binaries(account=folder.account, store=shared_store())
        server = PostgresServer(folder, binaries)
        # Nothing but this test may use up transaction ids.
        server.start(options=("-c", "autovacuum=off"))
        try:
            dump(database.admin_url, folder.logs / "house.sql")
            addresses = restore(server, folder.logs / "house.sql")
            yield Restored(addresses, floor.house, entry, int(row[0]))
        finally:
            server.stop()


def test_an_old_entry_serves_nobody_when_its_transaction_id_comes_round(
    restored: Restored,
) -> None:
    admin_url = restored.addresses.admin
    with default_database(restored.addresses.app):
        assert verify_log(place=None).problems == []
        assert replay_log().problems == []
    turn(admin_url, times=restored.xid - next_xid(admin_url))
    fact = _FACT.format(entry=restored.entry)
    with psycopg.connect(admin_url) as connection:
        row = connection.execute(
            "SELECT e.xid = pg_current_xact_id(), s.xid = pg_current_xact_id()"
            " FROM log_entry e JOIN log_stream s ON s.name = e.stream WHERE e.id = %s",
            [restored.entry],
        ).fetchone()
        assert row == (True, True), "the id has come round, for the entry and for its stream"
        for role in (APP_ROLE, OWNER_ROLE):
            connection.execute(f"SET LOCAL ROLE {role}")
            assert state_of(connection, fact) == "LG004"
            assert state_of(connection, _HEAD) == "LG005"
            connection.execute("RESET ROLE")
        # The twin: with the id alone, the old entry would explain a card that was never dealt.
        connection.execute(_WITHOUT_TIME)
        connection.execute(f"SET LOCAL ROLE {APP_ROLE}")
        assert state_of(connection, fact) == ""
        connection.rollback()
    with psycopg.connect(restored.addresses.app) as app:
        assert state_of(app, fact) == "LG004"


def test_the_restored_house_plays_on_and_its_chains_go_on(restored: Restored) -> None:
    with default_database(restored.addresses.app):
        hands = {1: ["2S", "7D", "KH"], 0: ["5H", "3C", "QS"]}
        name = play_round(restored.house, {1: {"main": 10000}}, hands)
        assert name.key == "T1/1/2"
        assert verify_log(place=None).problems == []
        assert replay_log().problems == []
