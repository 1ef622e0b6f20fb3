"""`manage.py replay_log`: rebuild facts and heads from the entries, compare, and fail loudly."""

from django.core.management.base import BaseCommand, CommandParser

from audit.log.management.printing import LIMIT_ALL, finish, progress_to
from audit.log.replay import replay_log


class Command(BaseCommand):
    """Replay the log; exit with 1 when a table says something else."""

    help = "Rebuild every fact and head from the log and compare them with the tables."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take `--all` and `--quiet`."""
        parser.add_argument(
            "--all", action="store_true", help=f"name every difference, up to {LIMIT_ALL}"
        )
        parser.add_argument("--quiet", action="store_true", help="no progress")

    def handle(
        self,
        *args: object,
        all: bool,  # noqa: A002  the option's name
        quiet: bool,
        **options: object,
    ) -> None:
        """Replay, print, and exit."""
        report = replay_log(
            limit=LIMIT_ALL if all else 1,
            progress=None if quiet else progress_to(self.stderr, "entries replayed"),
        )
        finish(
            self,
            report,
            f"{report.entries} entries, {report.facts} facts and {report.heads} heads",
        )
