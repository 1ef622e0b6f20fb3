"""`manage.py check_database`: may the application serve on its database? `make run` asks first."""

import sys

from django.core.management.base import BaseCommand
from django.db import OperationalError

from audit.log.readiness import database_problems
from audit.log.report import Problem

_WHAT_TO_DO = """
Run the migrations as casino_owner (manage.py migrate --database=owner), then deploy/roles.sql as
superuser in the application's database; docs/configuration.md says how. If that changes nothing,
somebody changed the guards: nothing may be written until it is known who and why."""


class Command(BaseCommand):
    """Check role, migrations, guards, grants and house; exit with 1 when something is wrong."""

    help = (
        "Check that the database is as the application needs it: role, migrations, guards, house."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        """Check, print, and exit."""
        problems = _problems()
        for problem in problems:
            self.stdout.write(f"WRONG {problem}")
        if any(problem.code.startswith("guard.") for problem in problems):
            self.stdout.write(_WHAT_TO_DO)
        if problems:
            sys.exit(1)
        self.stdout.write("The database is as the application needs it.")


def _problems() -> list[Problem]:
    try:
        return database_problems()
    except OperationalError as error:
        return [Problem("guard.unreachable", "DATABASE_URL", str(error).strip())]
