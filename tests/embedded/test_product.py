"""`make run` on a house's own servers: it serves, and it stops at once where the database is not
as the application needs it.
"""

import socket
from pathlib import Path

import psycopg
import pytest

from audit.log.keys import generate_key
from casino.embedded.valkey import ValkeyServer
from tests.embedded.running import Run, end
from tests.support.database import CloneDatabase


@pytest.fixture
def settings_of_house(
    clone_db: CloneDatabase, broker: ValkeyServer, tmp_path: Path
) -> dict[str, str]:
    """What a house sets: its servers, the secrets, the place of the checkpoints."""
    checkpoints, key = tmp_path / "checkpoints", tmp_path / "checkpoint.key"
    checkpoints.mkdir()
    generate_key(key, name="house.invalid/casino-log")
    return {
        "DATABASE_URL": clone_db.app_url,
        "DATABASE_OWNER_URL": clone_db.owner_url,
        "REDIS_URL": broker.url,
        "SECRET_KEY": "only-for-tests " * 4,
        "LOG_NAME": "house.invalid/casino-log",
        "CHECKPOINT_KEY_FILE": str(key),
        "CHECKPOINT_FOLDER": str(checkpoints),
        "STATIC_FOLDER": str(tmp_path / "static"),
        "ALLOWED_HOSTS": "127.0.0.1",
        "HTTPS": "false",
    }


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_product_serves_on_the_servers_of_a_house(
    settings_of_house: dict[str, str], port: int, tmp_path: Path
) -> None:
    run = Run(port, tmp_path / "run.log", **settings_of_house)
    try:
        run.wait_for("Ctrl-C ends everything")
        said = run.log.read_text()
        assert "1001" not in said, "a house is no demo"
        end(run)
        assert run.popen.returncode == 0
    finally:
        run.popen.kill()


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("REVOKE INSERT ON tables_card FROM casino_app", "the application may SELECT; expected"),
        ("GRANT UPDATE ON log_entry TO casino_app", "the application may INSERT, SELECT, UPDATE"),
        ("ALTER TABLE log_entry DISABLE TRIGGER ALL", "is not always enabled"),
    ],
)
def test_a_database_without_its_guards_or_rights_stops_the_start(
    settings_of_house: dict[str, str],
    clone_db: CloneDatabase,
    port: int,
    tmp_path: Path,
    done: str,
    said: str,
) -> None:
    with psycopg.connect(clone_db.admin_url) as admin:
        admin.execute(done.encode())
    run = Run(port, tmp_path / "run.log", **settings_of_house)
    assert run.popen.wait(60) == 1
    told = run.log.read_text()
    assert said in told
    assert "deploy/roles.sql" in told
    assert "the site answers" not in told
