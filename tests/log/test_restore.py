"""After dump and restore into a new cluster: old entries serve nobody, the log is still sound.

Transaction numbers begin anew in a new cluster, so an old entry's number comes round again. The
test waits for exactly that transaction and tries to hang a fact on the old entry in it.
"""

import subprocess
from collections.abc import Iterator

import psycopg
import pytest
from pytest_django.plugin import DjangoDbBlocker

from audit.log.models import Entry, Stream
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.embedded.binaries import usable_binaries
from casino.embedded.database import (
    APP_ROLE,
    OWNER_ROLE,
    apply_roles,
    create_database,
    set_passwords,
)
from casino.embedded.folder import Folder, shared_store
from casino.embedded.postgres import PostgresServer
from tests.log.people import note, populate
from tests.support.database import CloneDatabase, default_database

_INSERT = (
    "INSERT INTO people_rolegrant (staff_id, role, revision, granted, entry_id)"
    " SELECT id, 'manager', 1, true, %s FROM people_staff WHERE number = 'S1'"
)


@pytest.fixture
def new_cluster(server_folder: Folder) -> Iterator[PostgresServer]:
    """An empty server of this test's own."""
    binaries = usable_binaries(account=server_folder.account, store=shared_store())
    server = PostgresServer(server_folder, binaries)
    server.start(options=("-c", "fsync=off"))
    yield server
    server.stop()


def _dump_and_restore(clone: CloneDatabase, server: PostgresServer) -> None:
    target = server.addresses("restored")
    create_database(server.admin_url(), "restored")
    apply_roles(target.admin)
    set_passwords(
        server.admin_url(), {role: server.password(role) for role in (OWNER_ROLE, APP_ROLE)}
    )
    dumped = subprocess.run(
        [server.binaries.program("pg_dump"), "--dbname", clone.admin_url],
        check=True,
        capture_output=True,
    ).stdout
    subprocess.run(
        [
            server.binaries.program("psql"),
            *("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"),
            *("--dbname", target.admin, "--output=/dev/null"),
        ],
        input=dumped,
        check=True,
    )
    apply_roles(target.admin)


def _spend_transactions_until(url: str, number: int) -> None:
    """Let the server count up, so that the next transaction is this one."""
    with psycopg.connect(url, autocommit=True) as raw:
        while True:
            row = raw.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
            assert row is not None
            assert row[0] < number, "too late: let the old cluster count further ahead"
            if row[0] == number - 1:
                return


def test_an_old_entry_serves_nobody_in_a_new_cluster(
    clone_db: CloneDatabase, new_cluster: PostgresServer, django_db_blocker: DjangoDbBlocker
) -> None:
    populate()
    # The old cluster counts ahead, so that the new one reaches the same number later.
    with psycopg.connect(clone_db.app_url, autocommit=True) as raw:
        for _ in range(1500):
            raw.execute("SELECT pg_current_xact_id()")
    receipt = note("people")
    old = Entry.objects.get(pk=receipt.entry_id)
    _dump_and_restore(clone_db, new_cluster)
    target = new_cluster.addresses("restored")
    with psycopg.connect(target.admin, autocommit=True) as admin:
        admin.execute("ALTER SEQUENCE log_entry_id_seq RESTART WITH 5000")
        admin.execute("ALTER SEQUENCE people_rolegrant_id_seq RESTART WITH 5000")
    with default_database(target.app):
        assert verify_log(place=None).sound
        assert replay_log().sound
        assert bytes(Stream.objects.get(name="people").hash).hex() == receipt.hash
    _spend_transactions_until(target.app, old.xid)
    with psycopg.connect(target.app) as raw:
        row = raw.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
        assert row == (old.xid,), "the old entry's number has come round again"
        with pytest.raises(psycopg.Error, match="entry of its own transaction"), raw.transaction():
            raw.execute(_INSERT, [old.pk])
        with pytest.raises(psycopg.Error, match="needs an entry of its stream"), raw.transaction():
            raw.execute("UPDATE people_staff SET name = 'Quiet'")
    with default_database(target.app):
        after = note("people")
        assert (after.seq, after.entry_id) == (receipt.seq + 1, 5000)
        assert verify_log(place=None).sound
