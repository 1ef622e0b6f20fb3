"""Are the guards there? Triggers, functions, declarations, grants, sequences as expected.

Triggers can be dropped by the owner of the database and disabled by a superuser; both are silent.
So every verification looks here first, and says so before it says anything about entries.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection
from psycopg import sql

from audit.log.expected import (
    GRANTS,
    LOG_TABLES,
    ExpectedFunction,
    ExpectedTable,
    expected_functions,
    expected_tables,
)
from audit.log.reading import fetch_all
from audit.log.report import Collector, EnoughError

APP_ROLE = "casino_app"
_SEARCH_PATH = ["search_path=pg_catalog, pg_temp"]
_OPEN_FUNCTIONS = ("lock_stream", "create_stream")
_PRIVILEGES = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


@dataclass(frozen=True, slots=True)
class _Function:
    """A function as it is in the database."""

    source: str
    language: str
    definer: bool
    config: list[str] | None
    owned: bool
    executable: bool
    public: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it is in the database; `odd` and `disabled` must both be false."""

    comment: str | None
    odd: bool
    disabled: bool
    grants: frozenset[str]


def check_guards(problems: Collector) -> bool:
    """Compare the guards with what is expected, functions first; needs a transaction.

    Returns whether the log's own tables are there to be read.
    """
    before = fetch_all("SELECT current_setting('search_path')")[0][0]
    # With nothing on the path the server writes every name in full.
    fetch_all("SELECT set_config('search_path', 'pg_catalog', true)")
    try:
        _check_functions(problems)
        readable = _check_tables(problems)
        _check_sequences(problems)
        _check_role(problems)
    except EnoughError:
        _restore_path(before)
        raise
    _restore_path(before)
    return readable


def _restore_path(path: str) -> None:
    fetch_all("SELECT set_config('search_path', %s, true)", [path])


def _check_functions(problems: Collector) -> None:
    rows = fetch_all(
        "SELECT n.nspname, p.proname, pg_get_function_identity_arguments(p.oid),"
        " p.prosrc, l.lanname, p.prosecdef, p.proconfig,"
        " p.proowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('public.log_entry')),"
        " has_function_privilege(%s, p.oid, 'EXECUTE')"
        "   AND has_schema_privilege(%s, n.oid, 'USAGE'),"
        " EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a"
        "   WHERE a.grantee = 0)"
        " FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang"
        " JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
        # What an extension brings runs with the caller's rights, unless it says otherwise.
        " AND (p.prosecdef OR NOT EXISTS (SELECT FROM pg_depend d"
        "   WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))"
        " ORDER BY n.nspname <> 'public', n.nspname, p.proname, 3",
        [APP_ROLE, APP_ROLE],
    )
    present = {tuple(row[:3]): _Function(*row[3:]) for row in rows}
    for item in expected_functions().values():
        found = present.pop(("public", item.name, item.arguments), None)
        if found is None:
            problems.add(
                "guard.function_missing", f"function {item.name}", "expected the function to exist"
            )
        else:
            _check_function(problems, item, found)
    for (schema, name, arguments), found in present.items():
        where = f"function {name if schema == 'public' else f'{schema}.{name}'}({arguments})"
        is_ours = schema == "public" and (name.startswith("log_") or name in _OPEN_FUNCTIONS)
        if is_ours or found.executable:
            what = "the application may execute it" if found.executable else "it is named as ours"
            problems.add("guard.function_unknown", where, f"nobody declared it, and {what}")


def _check_function(problems: Collector, item: ExpectedFunction, found: _Function) -> None:
    where = f"function {item.name}"
    if found.source != item.source or found.language != "plpgsql":
        problems.add("guard.function_text", where, "its text is not that of the migrations")
    if found.definer != item.definer or found.config != _SEARCH_PATH or not found.owned:
        problems.add("guard.function_rights", where, "its owner, rights or path were changed")
    if found.public or found.executable != (item.name in _OPEN_FUNCTIONS):
        problems.add("guard.function_grant", where, "others may execute it than should")


def _check_tables(problems: Collector) -> bool:
    tables = _tables()
    readable = tables.keys() >= LOG_TABLES
    triggers = _triggers()
    for item in expected_tables():
        found = tables.pop(item.table, None)
        if found is None:
            problems.add(
                "guard.table_missing", f"table {item.table}", "expected the table to exist"
            )
        else:
            _check_triggers(problems, item, triggers.get(item.table, {}))
            _check_table(problems, item, found)
    for table, found in tables.items():
        if found.grants - _allowed(table, found):
            problems.add(
                "guard.table_undeclared",
                f"table {table}",
                "the application may use a table that nobody declared",
            )
    return readable


def _allowed(table: str, found: _Table) -> frozenset[str]:
    """What the application may do to a table that is not in the registry: Django's own."""
    if table == "django_migrations":
        return frozenset({"SELECT"})
    return GRANTS["working"] if found.comment == "working" else frozenset()


def _check_table(problems: Collector, item: ExpectedTable, found: _Table) -> None:
    where = f"table {item.table}"
    if found.comment != item.comment:
        problems.add("guard.comment", where, f"declared {found.comment}, expected {item.comment}")
    if found.odd:
        problems.add("guard.table_shape", where, "it has rules, row security, parents or children")
    if found.disabled:
        problems.add("guard.foreign_key_off", where, "its foreign keys are switched off")
    if found.grants != item.grants:
        problems.add(
            "guard.grants",
            where,
            f"the application may {', '.join(sorted(found.grants)) or 'nothing'};"
            f" expected {', '.join(sorted(item.grants)) or 'nothing'}",
        )


def _check_triggers(
    problems: Collector, item: ExpectedTable, present: Mapping[str, tuple[str, str]]
) -> None:
    where = f"table {item.table}"
    expected = {definition.split()[2]: definition for definition in item.triggers}
    for name, definition in sorted(expected.items()):
        if name not in present:
            problems.add("guard.trigger_missing", where, f"expected the trigger {name}")
        elif present[name][0] != definition:
            problems.add(
                "guard.trigger_changed", where, f"the trigger {name} is not the migrations' one"
            )
        elif present[name][1] != "A":
            problems.add("guard.trigger_off", where, f"the trigger {name} is not always enabled")
    for name in sorted(present.keys() - expected.keys()):
        problems.add("guard.trigger_unknown", where, f"nobody declared the trigger {name}")


def _tables() -> dict[str, _Table]:
    """Comment, oddities and the application's rights of everything in the schema, by name."""
    rows = fetch_all(
        "SELECT c.relname, obj_description(c.oid, 'pg_class'),"
        " c.relhasrules OR c.relrowsecurity OR c.relforcerowsecurity OR c.relkind <> 'r'"
        "   OR EXISTS (SELECT FROM pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent)),"
        " EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgisinternal"
        "   AND t.tgenabled <> 'O'),"
        " ARRAY(SELECT r FROM unnest(%(rights)s::text[]) AS r"
        "   WHERE has_table_privilege(%(role)s, c.oid, r)"
        "     OR r IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')"
        "       AND has_any_column_privilege(%(role)s, c.oid, r))"
        " FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace"
        " AND c.relkind IN ('r', 'p', 'f', 'v', 'm') ORDER BY c.relname",
        {"role": APP_ROLE, "rights": list(_PRIVILEGES)},
    )
    return {
        name: _Table(comment, odd, disabled, frozenset(grants))
        for name, comment, odd, disabled, grants in rows
    }


def _triggers() -> dict[str, dict[str, tuple[str, str]]]:
    """Definition and state of every trigger that is not a foreign key's, by table and name."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for table, name, definition, state in fetch_all(
        "SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled"
        " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace"
    ):
        found.setdefault(table, {})[name] = (definition, state)
    return found


def _check_sequences(problems: Collector) -> None:
    """A sequence that was set back gives numbers that are taken: nothing can be written then."""
    given = fetch_all(
        "SELECT c.relname, a.attname, s.last_value FROM pg_sequences s"
        " JOIN pg_class q ON q.relname = s.sequencename"
        "   AND q.relnamespace = 'public'::regnamespace"
        " JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = q.oid"
        "   AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')"
        " JOIN pg_class c ON c.oid = d.refobjid"
        " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid"
        " WHERE s.schemaname = 'public' AND c.relname = ANY(%s)"
        # What may not be read is no reason for a wrong answer; its grants are looked at above.
        " AND has_sequence_privilege(q.oid, 'SELECT, USAGE')"
        " AND has_table_privilege(c.oid, 'SELECT') ORDER BY c.relname",
        [[item.table for item in expected_tables()]],
    )
    if not given:
        return
    highest = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT max({}) FROM public.{}").format(
            sql.Identifier(column), sql.Identifier(table)
        )
        for table, column, _last in given
    )
    taken = fetch_all(highest.as_string(connection.connection))
    for (table, _column, last), (number,) in zip(given, taken, strict=True):
        # Nothing is known of one that has given no number since it was set: the next write tells.
        if number is not None and last is not None and last < number:
            problems.add(
                "guard.sequence_behind",
                f"table {table}",
                f"its sequence stands at {last}, its rows go up to {number}",
            )


def _check_role(problems: Collector) -> None:
    where = f"role {APP_ROLE}"
    rows = fetch_all(
        "SELECT r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication"
        "   OR r.rolbypassrls,"
        " EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid),"
        " has_schema_privilege(r.oid, 'public', 'CREATE')"
        "   OR has_database_privilege(r.oid, current_database(), 'CREATE, TEMP'),"
        " EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid)"
        "   OR EXISTS (SELECT FROM pg_proc p WHERE p.proowner = r.oid)"
        " FROM pg_roles r WHERE r.rolname = %s",
        [APP_ROLE],
    )
    if not rows:
        problems.add("guard.role_missing", where, "expected the role to exist")
        return
    powers, member, creates, owns = rows[0]
    if powers or member:
        problems.add("guard.role_powers", where, "it has powers or memberships beyond its grants")
    if creates or owns:
        problems.add("guard.role_owns", where, "it may create or owns things in the database")
