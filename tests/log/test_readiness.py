"""Before the application serves: role, migrations, guards and rights, each missing in its turn."""

import subprocess
import sys

import psycopg
import pytest

from audit.log.readiness import database_problems
from casino.embedded.state import CHECKOUT
from tests.factories.house import build_house
from tests.log.databases import ROLES
from tests.support.database import CloneDatabase, default_database


def check(clone: CloneDatabase, **environment: str) -> tuple[int, str]:
    """Exit status and output of `manage.py check_database`."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check_database"],
        cwd=CHECKOUT,
        env=clone.environment() | {"DJANGO_SETTINGS_MODULE": "tests.settings"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def web(clone: CloneDatabase, **environment: str) -> tuple[int, str]:
    """Exit status and output of a web process that is only loaded."""
    here = {"DJANGO_SETTINGS_MODULE": "tests.settings", "REDIS_URL": "redis://127.0.0.1:1/0"}
    done = subprocess.run(
        [sys.executable, "-c", "import casino.wsgi"],
        cwd=CHECKOUT,
        env=clone.environment() | here | {"HTTPS": "false"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def administer(clone: CloneDatabase, statement: str) -> None:
    """Do something as the superuser."""
    with psycopg.connect(clone.admin_url) as admin:
        admin.execute(statement.encode())


NEW_TEXT = (
    "CREATE OR REPLACE FUNCTION public.log_refuse() RETURNS trigger LANGUAGE plpgsql"
    " SET search_path = pg_catalog, pg_temp AS 'BEGIN RETURN NEW; END'"
)
BROKEN = [
    ("REVOKE INSERT ON tables_card FROM casino_app", "guard.grants", "table tables_card"),
    ("REVOKE UPDATE ON tables_round FROM casino_app", "guard.grants", "table tables_round"),
    ("GRANT UPDATE ON log_entry TO casino_app", "guard.grants", "table log_entry"),
    ("GRANT DELETE ON settlements_payout TO casino_app", "guard.grants", "settlements_payout"),
    ("GRANT TRUNCATE ON tables_card TO PUBLIC", "guard.grants", "table tables_card"),
    ("GRANT UPDATE (face) ON tables_card TO casino_app", "guard.grants", "table tables_card"),
    ("GRANT UPDATE ON log_stream TO casino_app", "guard.grants", "table log_stream"),
    ("COMMENT ON TABLE tables_card IS 'head'", "guard.comment", "table tables_card"),
    (
        "ALTER TABLE tables_card DISABLE TRIGGER log_fact_insert",
        "guard.trigger_off",
        "table tables_card",
    ),
    (
        "ALTER TABLE log_entry ENABLE REPLICA TRIGGER log_entry_chain",
        "guard.trigger_off",
        "table log_entry",
    ),
    ("DROP TRIGGER log_head_write ON tables_round", "guard.trigger_missing", "table tables_round"),
    (
        NEW_TEXT,
        "guard.function_text",
        "function log_refuse",
    ),
    (
        "GRANT EXECUTE ON FUNCTION public.log_fact_insert() TO casino_app",
        "guard.function_grant",
        "function log_fact_insert",
    ),
    ("GRANT CREATE ON SCHEMA public TO casino_app", "guard.role_owns", "role casino_app"),
    (
        "DELETE FROM django_migrations WHERE app = 'settlements' AND name LIKE '0009%'",
        "guard.migrations",
        "settlements.0009_",
    ),
    ("REVOKE SELECT ON django_migrations FROM casino_app", "guard.grants", "django_migrations"),
]


@pytest.mark.parametrize(
    ("name", "stated", "said"),
    [
        ("CURRENCY", "USD", "CURRENCY: is USD, expected PHP as in the log"),
        ("CURRENCY_EXPONENT", "0", "CURRENCY_EXPONENT: is 0, expected 2 as in the log"),
        ("HOUSE_NAME", "Other House", "HOUSE_NAME: is Other House, expected Test House as in"),
    ],
)
def test_the_environment_of_another_house_stops_the_start(
    clone_db: CloneDatabase, name: str, stated: str, said: str
) -> None:
    build_house()
    assert check(clone_db) == (0, "The database is as the application needs it.\n")
    status, told = check(clone_db, **{name: stated})
    assert (status, said in told, "deploy/roles.sql" in told) == (1, True, False)
    assert web(clone_db)[0] == 0
    status, told = web(clone_db, **{name: stated})
    assert (status, said in told) == (1, True)


def test_a_site_whose_database_is_away_starts_and_waits_for_it(clone_db: CloneDatabase) -> None:
    assert web(clone_db, DATABASE_URL="postgresql://nobody@/none?host=/nonexistent")[0] == 0


def test_a_database_as_migrations_and_roles_leave_it_is_ready(clone_db: CloneDatabase) -> None:
    assert database_problems() == []
    assert check(clone_db) == (0, "The database is as the application needs it.\n")


@pytest.mark.parametrize(("statement", "code", "where"), BROKEN, ids=lambda value: value[:60])
def test_whatever_is_missing_or_too_much_is_named(
    clone_db: CloneDatabase, statement: str, code: str, where: str
) -> None:
    administer(clone_db, statement)
    problems = database_problems()
    assert [problem.code for problem in problems] == [code]
    assert where in str(problems[0])


def test_an_answer_before_the_commit_is_on_disk_is_no_receipt(clone_db: CloneDatabase) -> None:
    """A house, or its provider, may have traded durability for speed."""
    administer(clone_db, f"ALTER DATABASE {clone_db.name} SET synchronous_commit = off")
    status, said = check(clone_db)
    assert status == 1
    assert "WRONG setting synchronous_commit: is off, expected on (guard.not_durable)" in said


def test_rights_that_were_never_granted_are_what_roles_sql_grants(clone_db: CloneDatabase) -> None:
    """As after a migration: the first run of deploy/roles.sql again makes it ready."""
    administer(clone_db, "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM casino_app")
    status, said = check(clone_db)
    assert status == 1
    assert "the application may nothing; expected INSERT, SELECT" in said
    assert "deploy/roles.sql" in said
    administer(clone_db, ROLES.read_text())
    assert check(clone_db)[0] == 0


@pytest.mark.parametrize("who", ["casino_owner", "superuser"])
def test_the_application_signs_on_in_its_own_role_alone(clone_db: CloneDatabase, who: str) -> None:
    """As the owner or a superuser it could change history."""
    url = clone_db.owner_url if who == "casino_owner" else clone_db.admin_url
    with default_database(url):
        problems = database_problems()
    assert [problem.code for problem in problems] == ["guard.role_other"]
    assert "expected the role casino_app" in str(problems[0])


def test_a_database_that_cannot_be_reached_is_said(clone_db: CloneDatabase) -> None:
    status, said = check(clone_db, DATABASE_URL="host=/nonexistent dbname=casino user=casino_app")
    assert status == 1
    assert "DATABASE_URL: " in said
    assert "(guard.unreachable)" in said
    assert "Traceback" not in said
