"""Where checkpoints are signed and kept, as the settings name it."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from audit.log.errors import KeyMissingError


@dataclass(frozen=True, slots=True)
class Place:
    """Where checkpoints are signed and kept: the log's name, the key file, the folder outside."""

    origin: str
    key_file: Path
    folder: Path


def configured_place() -> Place:
    """The place named by the settings. Raises KeyMissingError when one is not set."""
    if not settings.CHECKPOINT_KEY_FILE or not settings.CHECKPOINT_FOLDER:
        raise KeyMissingError("set CHECKPOINT_KEY_FILE and CHECKPOINT_FOLDER")
    return Place(
        origin=settings.LOG_NAME,
        key_file=Path(settings.CHECKPOINT_KEY_FILE),
        folder=Path(settings.CHECKPOINT_FOLDER),
    )
