"""`manage.py make_key`: make the key that signs checkpoints, where the settings name its file."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.log.errors import KeyMissingError
from audit.log.keys import generate_key, public_path
from audit.log.place import required_place


class Command(BaseCommand):
    """Makes the key; one that stands is never replaced."""

    help = "Make the key that signs checkpoints in CHECKPOINT_KEY_FILE, for the log LOG_NAME."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own types
        """Make it and say where it lies."""
        try:
            place = required_place()
            key = generate_key(place.key_file, name=place.origin)
        except KeyMissingError as error:
            raise CommandError(f"{error}.") from error
        except FileExistsError as error:
            raise CommandError(f"{place.key_file} is there already; it stays.") from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.") from error
        self.stdout.write(
            f"The key {key} signs checkpoints from now on. Keep {place.key_file} secret and in the"
            f" backup; give {public_path(place.key_file)} to whoever checks the log."
        )
