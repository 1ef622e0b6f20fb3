"""`manage.py add_pit`: create a pit, a group of tables under one supervisor."""

from argparse import ArgumentParser
from typing import Any

from audit.log.rows import Actor
from tables.management.administering import AdministratorCommand
from tables.services.house import create_pit


class Command(AdministratorCommand):
    """Creates a pit."""

    help = "Create a pit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the code and `--name`."""
        super().add_arguments(parser)
        parser.add_argument("code", help="never used again: P1")
        parser.add_argument("--name", required=True)

    def act(self, by: Actor, options: dict[str, Any]) -> str:
        """Create it."""
        create_pit(code=options["code"], name=options["name"], by=by)
        return f"Pit {options['code']} is created. Add its tables."
