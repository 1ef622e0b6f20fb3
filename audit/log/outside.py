"""The checkpoints outside the database: one file each, added and never replaced.

    <folder>/000001/000001834.note       thousand, number

A file is complete or absent: it is written under another name, synchronised, and then linked to
its own, which fails where a file is there already.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from audit.log.errors import OutsideError

_PER_FOLDER = 1000


def note_path(folder: Path, number: int) -> Path:
    """Where the note of a checkpoint lies."""
    return folder / f"{number // _PER_FOLDER:06d}" / f"{number:09d}.note"


def write_note(folder: Path, number: int, note: bytes) -> None:
    """Store a note for good before returning. The same note again is accepted.

    Raises OutsideError where another note has this number, OSError when the disk refuses.
    """
    path = note_path(folder, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o444)
        try:
            os.link(name, path)
        except FileExistsError:
            if path.read_bytes() != note:
                raise OutsideError(f"another checkpoint {number} lies at {path}") from None
    finally:
        Path(name).unlink()
    synchronise(path.parent)
    synchronise(folder)


def last_number(folder: Path) -> int:
    """The number of the newest note outside; 0 when there is none."""
    for shard in sorted(_shards(folder), reverse=True):
        numbers = [int(path.stem) for path in shard.glob("[0-9]*.note") if path.stem.isdigit()]
        if numbers:
            return max(numbers)
    return 0


def read_notes(folder: Path) -> Iterator[tuple[int, bytes]]:
    """All notes outside, in the order of their numbers."""
    for shard in sorted(_shards(folder)):
        for path in sorted(shard.glob("[0-9]*.note")):
            if path.stem.isdigit():
                yield int(path.stem), path.read_bytes()


def lay_aside(folder: Path, *, after: int) -> list[Path]:
    """Move the notes with a number above `after` into a folder beside; return where they lie.

    They stay as they were: they prove what the log once held.
    """
    notes = [number for number, _ in read_notes(folder) if number > after]
    if not notes:
        return []
    tried = 1
    while (aside := folder / f"superseded-{after:09d}-{tried}").exists():
        tried += 1
    aside.mkdir()
    moved = []
    for number in notes:
        path = note_path(folder, number)
        moved.append(path.rename(aside / path.name))
    synchronise(aside)
    synchronise(folder)
    return moved


def _shards(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if path.is_dir() and path.name.isdigit()]


def synchronise(folder: Path) -> None:
    """Make the names in a folder outlast a loss of power, as a file's own content does."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
