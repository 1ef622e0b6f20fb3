"""May the application serve on this database? Asked before it does; nothing is written.

The log proves something only while the guards stand and the application may write but not change
history. A database that was restored, moved or migrated by hand can lack either, silently.
"""

from collections.abc import Callable, Iterable

from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import ProgrammingError

from audit.log.guards import APP_ROLE, check_guards
from audit.log.reading import fetch_all, snapshot
from audit.log.report import Collector, EnoughError, Problem, Report

Check = Callable[[], Iterable[Problem]]

_PROBLEMS_MAX = 20
_CHECKS: list[Check] = []
_DURABLE = ("fsync", "full_page_writes", "synchronous_commit")


def register_check(check: Check) -> None:
    """Ask this too before the application serves: an app above knows what must fit in its rows."""
    _CHECKS.append(check)


def database_problems() -> list[Problem]:
    """Return what keeps the application from serving here, first things first.

    It must be signed on as the application's role, every migration must have run, and guards,
    declarations and grants must be as the migrations and `deploy/roles.sql` leave them. What is
    committed must be on disk: a receipt that a crash can take back is none.
    """
    report = Report()
    problems = Collector(report, _PROBLEMS_MAX)
    try:
        with snapshot():
            if _is_the_role(problems) and _is_migrated(problems):
                _check_durability(problems)
                check_guards(problems)
                if report.sound:
                    _ask_apps(problems)
    except EnoughError:
        pass
    return report.problems


def _ask_apps(problems: Collector) -> None:
    for check in _CHECKS:
        for problem in check():
            problems.add(problem.code, problem.where, problem.detail)


def _is_the_role(problems: Collector) -> bool:
    role = fetch_all("SELECT session_user, current_user")[0]
    if set(role) == {APP_ROLE}:
        return True
    problems.add(
        "guard.role_other", "DATABASE_URL", f"signs on as {role[0]}, expected the role {APP_ROLE}"
    )
    return False


def _check_durability(problems: Collector) -> None:
    for setting in _DURABLE:
        if fetch_all(f"SHOW {setting}")[0][0] == "off":
            problems.add("guard.not_durable", f"setting {setting}", "is off, expected on")


def _is_migrated(problems: Collector) -> bool:
    try:
        with transaction.atomic():
            executor = MigrationExecutor(connection)
            plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except ProgrammingError:
        problems.add("guard.grants", "table django_migrations", "the application cannot read it")
        return True
    waiting = [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]
    if not waiting:
        return True
    problems.add(
        "guard.migrations", f"{len(waiting)} migrations", f"not run yet: {', '.join(waiting[:3])}"
    )
    return False
