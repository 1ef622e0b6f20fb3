"""Every table is declared fact, head or working row: in the database and to the log alike."""

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from casino.embedded.database import apply_roles
from tests.support.database import CloneDatabase, default_database

# Django's own record of migrations, written by the owner alone.
UNDECLARED = {"django_migrations"}
# The log's own tables declare themselves in its migrations; a stream is a head of nobody's entry.
OF_THE_LOG = {"log_stream", "log_entry", "log_checkpoint"}
_OURS = [app.label for app in apps.get_app_configs() if app.label != "sessions" and app.models]


def _comments(url: str) -> dict[str, str | None]:
    with psycopg.connect(url) as opened:
        rows = opened.execute(
            "SELECT relname, obj_description(oid, 'pg_class') FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        ).fetchall()
    return {str(table): comment for table, comment in rows}


def test_every_table_is_declared(clone_db: CloneDatabase) -> None:
    declared = {t: c for t, c in _comments(clone_db.app_url).items() if t not in UNDECLARED}
    strangers = {t: c for t, c in declared.items() if c not in ("fact", "head", "working")}
    assert strangers == {}, "declare the table: log_guard_fact, log_guard_head, log_declare_working"


def test_the_log_knows_every_table_as_the_database_does(clone_db: CloneDatabase) -> None:
    from audit.log.registry import all_declared

    known = {each.table: each.kind.value for each in all_declared()}
    comments = _comments(clone_db.app_url)
    ours = {
        model._meta.db_table
        for model in apps.get_models()
        if model._meta.app_label in _OURS and model._meta.managed
    }
    assert {t: comments[t] for t in ours - OF_THE_LOG} == {
        t: kind for t, kind in known.items() if t in ours
    }


def test_running_the_roles_again_changes_nothing(clone_db: CloneDatabase) -> None:
    def grants() -> list[tuple[object, ...]]:
        with psycopg.connect(clone_db.admin_url) as opened:
            return opened.execute(
                "SELECT relname, relacl::text FROM pg_class WHERE relnamespace ="
                " 'public'::regnamespace ORDER BY relname"
            ).fetchall()

    before = grants()
    apply_roles(clone_db.admin_url)
    assert grants() == before


@pytest.mark.parametrize("label", _OURS)
def test_the_last_migration_goes_back_and_forward(clone_db: CloneDatabase, label: str) -> None:
    with default_database(clone_db.owner_url):
        executor = MigrationExecutor(connection)
        (leaf,) = executor.loader.graph.leaf_nodes(label)
        parents = [key for key in executor.loader.graph.node_map[leaf].parents if key[0] == label]
        before = parents[0].key[1] if parents else "zero"
        shape = _shape(clone_db.owner_url)
        call_command("migrate", label, before, verbosity=0)
        call_command("migrate", verbosity=0)
        assert _shape(clone_db.owner_url) == shape


def _shape(url: str) -> list[tuple[object, ...]]:
    """Tables with their declarations, columns, constraints and triggers."""
    with psycopg.connect(url) as opened:
        return opened.execute(_SHAPE).fetchall()


_SHAPE = """
SELECT 'table', relname, obj_description(oid, 'pg_class') FROM pg_class
 WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
UNION ALL
SELECT 'column', attrelid::regclass::text, attname || ' ' || format_type(atttypid, atttypmod)
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
 WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT 'constraint', conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT 'trigger', tgrelid::regclass::text, tgname || tgenabled::text || pg_get_triggerdef(oid)
  FROM pg_trigger WHERE NOT tgisinternal
ORDER BY 1, 2, 3
"""


def test_the_owner_runs_migrations_and_the_application_cannot(clone_db: CloneDatabase) -> None:
    assert settings.DATABASES.keys() == {"default"}
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        psycopg.connect(clone_db.app_url) as app,
    ):
        app.execute("CREATE TABLE smuggled (n int)")
