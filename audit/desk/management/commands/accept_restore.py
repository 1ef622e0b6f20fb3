"""Accept a log that was restored from an older backup, signed by an auditor."""

from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from audit.desk.services import accept_restore
from audit.log.restored import find_behind
from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.services import SignerInput


class Command(BaseCommand):
    """`manage.py accept_restore --badge 6001`: asks for the secret, says what is lost."""

    help = "Accept a log that is older than its outside checkpoints; an auditor signs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--badge", required=True)
        parser.add_argument("--reason", required=True)

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own types
        behind = find_behind()
        if behind and not behind.lost:
            self.stdout.write(f"no entry is lost; checkpoint {behind.checkpoint} is not here")
        for stream, (held, signed) in sorted((behind.lost if behind else {}).items()):
            self.stdout.write(f"{stream}: {signed} entries were signed, {held} are here")
        signer = SignerInput(badge=options["badge"], secret=getpass(), role=Role.AUDITOR)
        try:
            moved = accept_restore(signer=signer, reason=options["reason"], now=timezone.now())
        except DomainError as error:
            raise CommandError(error.detail) from error
        for path in moved:
            self.stdout.write(f"laid aside: {path}")
