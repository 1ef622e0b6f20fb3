"""Commands that set a house up: each signs an administrator on, who stands in the log."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from audit.log.rows import Actor
from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import Origin
from casino.people.services import SignerInput, verify_signers

_CONSOLE = Origin(address="console")


class AdministratorCommand(ABC, BaseCommand):
    """Asks for an administrator's password, acts in that name, and prints what was done."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take `--by`."""
        parser.add_argument("--by", required=True, metavar="BADGE", help="an administrator's badge")

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own types
        """Sign on, act, print; exit with 1 where something is refused, with every fault."""
        try:
            self.stdout.write(self.act(_administrator(options["by"]), options))
        except DomainError as error:
            lines = [f"{error.detail} ({error.code})"]
            lines += [f"  {fault['where']}: {fault['detail']}" for fault in error.faults]
            raise CommandError("\n".join(lines)) from error

    @abstractmethod
    def act(self, by: Actor, options: dict[str, Any]) -> str:
        """Do it and say what was done."""


def _administrator(badge: str) -> Actor:
    signer = SignerInput(
        badge=badge, secret=getpass(f"Password of {badge}: "), role=Role.ADMINISTRATOR
    )
    (verified,) = verify_signers([signer], origin=_CONSOLE, now=timezone.now())
    return Actor(key=verified.staff.key, name=verified.name, role=verified.role)
