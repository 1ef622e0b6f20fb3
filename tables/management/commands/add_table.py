"""`manage.py add_table`: create a table in a pit."""

from argparse import ArgumentParser
from typing import Any

from audit.log.rows import Actor
from tables.management.administering import AdministratorCommand
from tables.services.house import SEATS_DEFAULT, create_table


class Command(AdministratorCommand):
    """Creates a table; it has no rules yet."""

    help = "Create a table. Its first terms come by give_terms, or a manager sets them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the code, `--pit`, `--name` and `--seats`."""
        super().add_arguments(parser)
        parser.add_argument("code", help="never used again: T1")
        parser.add_argument("--pit", required=True, help="the pit's code")
        parser.add_argument("--name", required=True)
        parser.add_argument("--seats", type=int, default=SEATS_DEFAULT)

    def act(self, by: Actor, options: dict[str, Any]) -> str:
        """Create it."""
        code, pit = options["code"], options["pit"]
        create_table(code=code, name=options["name"], pit=pit, seats=options["seats"], by=by)
        return f"Table {code} is created in pit {pit}. Give it terms and enrol its tablet."
