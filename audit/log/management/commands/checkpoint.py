"""`manage.py checkpoint`: sign where all streams stand and store it, outside too."""

from django.core.management.base import BaseCommand, CommandParser

from audit.log.checkpoints import take_checkpoint


class Command(BaseCommand):
    """Take a checkpoint now."""

    help = "Sign where all streams of the log stand now; store it in the database and outside."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take `--if-due`."""
        parser.add_argument(
            "--if-due", action="store_true", help="only when enough entries or time have passed"
        )

    def handle(self, *args: object, if_due: bool, **options: object) -> None:
        """Print the number and the hash of what was taken."""
        taken = take_checkpoint(only_if_due=if_due)
        if taken is None:
            self.stdout.write("No checkpoint is due.")
        else:
            self.stdout.write(
                f"Checkpoint {taken.number}: {taken.entries} entries, {bytes(taken.hash).hex()}"
            )
