"""`manage.py give_terms`: let a table deal under a preset, while the house is set up."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from audit.log.rows import Actor
from casino.kernel import jsonio
from tables.games import PRESETS
from tables.management.administering import AdministratorCommand
from tables.services.house import set_first_terms


class Command(AdministratorCommand):
    """Gives a table its first terms; once the house plays, managers set terms."""

    help = "Give a table its first terms: a preset, and limits from a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the table's code, `--preset` and `--limits`."""
        super().add_arguments(parser)
        parser.add_argument("code", help="the table's code")
        parser.add_argument("--preset", required=True, help=", ".join(PRESETS))
        parser.add_argument(
            "--limits", required=True, type=Path, help="file: JSON, amounts in minor units"
        )

    def act(self, by: Actor, options: dict[str, Any]) -> str:
        """Publish the rules where they are new, and set the terms."""
        code, preset = options["code"], options["preset"]
        limits = _limits(options["limits"])
        set_first_terms(table=code, preset=preset, limits=limits, now=timezone.now(), by=by)
        return f"Table {code} deals {PRESETS[preset].name}."


def _limits(path: Path) -> dict[str, object]:
    try:
        document = jsonio.loads(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    if not isinstance(document, dict):
        raise CommandError(f'{path}: expected an object such as {{"min": {{"main": 10000}}}}.')
    return document
