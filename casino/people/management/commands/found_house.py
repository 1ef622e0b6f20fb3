"""`manage.py found_house`: create the first administrator; everybody else is created by one."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.kernel.errors import DomainError
from casino.people.services import found_house


class Command(BaseCommand):
    """Creates the first administrator and prints the one-time code for the own password."""

    help = "Create the first administrator and print the one-time code for the own password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--number", required=True, help="the staff number; stays for ever")
        parser.add_argument("--badge", required=True)
        parser.add_argument("--name", required=True)

    def handle(self, *, number: str, badge: str, name: str, **options: Any) -> None:
        # `Any`: Django passes its own options beside ours.
        try:
            code = found_house(number=number, badge=badge, name=name, now=timezone.now())
        except DomainError as error:
            raise CommandError(f"{error.detail} ({error.code})") from error
        self.stdout.write(
            f"Administrator {number} is created. Within half an hour, set the password at"
            f" /own-secret/ with badge {badge} and the code {code}."
        )
