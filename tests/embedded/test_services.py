import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from django.db import connection

from casino.embedded.account import Account
from casino.embedded.binaries import usable_binaries
from casino.embedded.errors import EmbeddedError
from casino.embedded.folder import Folder, default_folder, open_folder, shared_store
from casino.embedded.postgres import PostgresServer
from casino.embedded.valkey import ValkeyServer
from tests.support.database import CloneDatabase, DatabaseServer


@pytest.fixture
def cluster(server_folder: Folder) -> PostgresServer:
    binaries = usable_binaries(account=server_folder.account, store=shared_store())
    return PostgresServer(server_folder, binaries)


def _setting(url: str, name: str) -> str:
    with psycopg.connect(url) as opened:
        row = opened.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def test_a_cluster_is_private_durable_and_needs_its_password(
    cluster: PostgresServer, server_folder: Folder
) -> None:
    cluster.start()
    try:
        url = cluster.admin_url()
        assert _setting(url, "fsync") == "on"
        assert _setting(url, "listen_addresses") == ""
        assert _setting(url, "server_encoding") == "UTF8"
        assert cluster.child is not None
        process = psutil.Process(cluster.child.popen.pid)
        assert process.uids().real == server_folder.account.uid != 0
        inet = [c for c in process.net_connections("inet") if c.status == psutil.CONN_LISTEN]
        assert inet == []
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(url.replace(cluster.password("postgres"), "wrong"))
    finally:
        cluster.stop()
    assert stat.S_IMODE(server_folder.postgres.stat().st_mode) == 0o700
    assert stat.S_IMODE((server_folder.path / "secrets.json").stat().st_mode) == 0o600
    hba = (server_folder.postgres / "pg_hba.conf").read_text().splitlines()
    assert [line for line in hba if not line.startswith("#")] == ["local all all scram-sha-256"]
    assert not (server_folder.sockets / "password").exists()


def test_a_second_start_keeps_the_data(cluster: PostgresServer) -> None:
    cluster.start()
    with psycopg.connect(cluster.admin_url()) as opened:
        opened.execute("CREATE TABLE kept (n int)")
    cluster.stop()
    cluster.start()
    with psycopg.connect(cluster.admin_url()) as opened:
        assert opened.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    cluster.stop()


def test_a_start_that_fails_says_why(cluster: PostgresServer) -> None:
    cluster.create()
    with pytest.raises(EmbeddedError, match="unrecognized configuration parameter"):
        cluster.start(options=["-c", "no_such_setting=1"])


def test_the_broker_keeps_nothing_and_evicts_nothing(broker: ValkeyServer) -> None:
    client = redis.Redis(unix_socket_path=str(broker.socket), decode_responses=True)
    assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    assert client.config_get("save")["save"] == ""
    client.set("bell", "1")
    client.close()
    broker.kill()
    broker.start()
    assert client.get("bell") is None
    client.close()


def test_servers_end_when_their_supervisor_is_killed(server_folder: Folder) -> None:
    script = f"""
import time
from pathlib import Path
from casino.embedded.account import Account
from casino.embedded.binaries import usable_binaries
from casino.embedded.folder import open_folder, shared_store
from casino.embedded.postgres import PostgresServer
from casino.embedded.valkey import ValkeyServer
folder = open_folder(Path({str(server_folder.path)!r}))
binaries = usable_binaries(account=folder.account, store=shared_store())
servers = [PostgresServer(folder, binaries), ValkeyServer(folder, binaries)]
for server in servers:
    server.start()
print(*[server.child.popen.pid for server in servers], flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdout is not None
        pids = [int(pid) for pid in supervisor.stdout.readline().split()]
        assert len(pids) == 2
        supervisor.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while any(psutil.pid_exists(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in pids if psutil.pid_exists(pid)] == []


def test_one_supervisor_at_a_time(server_folder: Folder) -> None:
    with server_folder.lock(), pytest.raises(EmbeddedError, match="running already"):
        server_folder.lock()


def test_a_long_path_gets_a_short_socket(server_folder: Folder) -> None:
    folder = open_folder(server_folder.path / ("x" * 90))
    assert len(os.fsencode(folder.sockets)) < 80
    assert stat.S_IMODE(folder.sockets.stat().st_mode) == 0o700
    folder.sockets.rmdir()


def test_what_somebody_laid_in_the_place_of_the_sockets_is_not_touched(
    server_folder: Folder, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir(mode=0o755)
    victim.chmod(0o755)
    before = victim.stat()
    folder = Folder(server_folder.path / ("y" * 90), server_folder.account)
    folder.sockets.symlink_to(victim)
    try:
        with pytest.raises(EmbeddedError, match="belongs to somebody else"):
            folder.prepare()
    finally:
        folder.sockets.unlink()
    after = victim.stat()
    assert (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)


def test_a_folder_that_the_servers_cannot_reach_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match="cannot pass through"):
        Folder(tmp_path / "demo", Account(1, 1, dropped=True)).prepare()


def test_root_keeps_its_data_outside_the_checkout(tmp_path: Path) -> None:
    inside = default_folder(tmp_path).is_relative_to(tmp_path)
    assert inside == (os.geteuid() != 0)


def test_a_clone_is_the_migrated_database_as_the_application(clone_db: CloneDatabase) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_database()")
        assert cursor.fetchone() == ("casino_app", clone_db.name)
        cursor.execute("SELECT count(*) FROM django_migrations")
        assert cursor.fetchone()[0] > 0


def test_a_clone_is_dropped(test_server: DatabaseServer) -> None:
    with test_server.clone() as clone:
        lingering = psycopg.connect(clone.owner_url)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(clone.admin_url)
    lingering.close()


@pytest.mark.django_db
def test_the_transaction_of_db_is_the_applications() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_setting('lock_timeout')")
        assert cursor.fetchone() == ("casino_app", "3s")
