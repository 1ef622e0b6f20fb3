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


def configured_place() -> Place | None:
    """The place named by the settings, None where they do not name it whole."""
    return place_of(settings.CHECKPOINT_KEY_FILE, settings.CHECKPOINT_FOLDER)


def required_place() -> Place:
    """The place named by the settings. Raises KeyMissingError when one is not set."""
    place = configured_place()
    if place is None:
        raise KeyMissingError("set LOG_NAME, CHECKPOINT_KEY_FILE and CHECKPOINT_FOLDER")
    return place


def place_of(key_file: Path | None, folder: Path | None) -> Place | None:
    """The place of this log's checkpoints, where its name, key and folder are known."""
    if not settings.LOG_NAME or not key_file or not folder:
        return None
    return Place(origin=settings.LOG_NAME, key_file=Path(key_file), folder=Path(folder))
