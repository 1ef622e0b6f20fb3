"""`manage.py verify_log`: guards, chains and checkpoints; says what is wrong first, and fails."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from audit.log.management.printing import LIMIT_ALL, finish, progress_to
from audit.log.place import place_of
from audit.log.verify import verify_log


class Command(BaseCommand):
    """Verify the log; exit with 1 when something is wrong."""

    help = "Check the guards, every entry of every stream, and the checkpoints."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take `--all`, `--key-file`, `--folder` and `--quiet`."""
        parser.add_argument(
            "--all", action="store_true", help=f"name every problem, up to {LIMIT_ALL}"
        )
        parser.add_argument(
            "--key-file",
            type=Path,
            default=settings.CHECKPOINT_KEY_FILE,
            help="the signing key; the trusted public keys lie beside it with .pub added",
        )
        parser.add_argument(
            "--folder",
            type=Path,
            default=settings.CHECKPOINT_FOLDER,
            help="where the checkpoints outside the database lie",
        )
        parser.add_argument("--quiet", action="store_true", help="no progress")

    def handle(
        self,
        *args: object,
        all: bool,  # noqa: A002  the option's name
        key_file: Path | None,
        folder: Path | None,
        quiet: bool,
        **options: object,
    ) -> None:
        """Verify, print, and exit."""
        report = verify_log(
            place=place_of(key_file, folder),
            limit=LIMIT_ALL if all else 1,
            progress=None if quiet else progress_to(self.stderr, "entries verified"),
        )
        finish(
            self,
            report,
            f"{report.entries} entries in {report.streams} streams,"
            f" {report.checkpoints} checkpoints stored and {report.notes_outside} outside",
        )
