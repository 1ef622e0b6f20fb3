"""The manifest of a day: what its files hold, and where each stream began and ended. Pure text.

    <origin>/day
    2026-03-01 run 1
    house PHP 2
    file log.jsonl 48213 <SHA-256, base64>
    stream table/T1 17 403 <hash before 17, base64> <hash of 403, base64>

Files and streams stand in the order of their names. A stream without entries of the day stands with
last = first - 1 and the same hash twice. The text is signed as a note, as checkpoints are.
docs/day.md describes it for other languages.
"""

import base64
import re
from dataclasses import dataclass

from audit.chain.note import NoteError

_HEAD = re.compile(r"(\d{4}-\d\d-\d\d) run ([1-9]\d{0,8})", re.ASCII)
_HOUSE = re.compile(r"house ([A-Z]{3}) (\d)", re.ASCII)
_FILE = re.compile(r"file ([a-z0-9][a-z0-9.-]{0,80}) (\d{1,15}) (\S{44})", re.ASCII)
_STREAM = re.compile(r"stream (\S{1,80}) (\d{1,15}) (\d{1,15}) (\S{44}) (\S{44})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """A file of the day: its name, size in bytes and SHA-256."""

    name: str
    size: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class ManifestStream:
    """A stream's part of the day: entries `first` to `last`, and the hashes around them."""

    stream: str
    first: int
    last: int
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is signed at the end of a day."""

    origin: str
    day: str
    run: int
    currency: str
    exponent: int
    files: tuple[ManifestFile, ...]
    streams: tuple[ManifestStream, ...]


def format_manifest(manifest: Manifest) -> str:
    """Write a manifest as the text that is signed."""
    lines = [
        f"{manifest.origin}/day",
        f"{manifest.day} run {manifest.run}",
        f"house {manifest.currency} {manifest.exponent}",
    ]
    lines += [
        f"file {file.name} {file.size} {_encode(file.sha256)}"
        for file in sorted(manifest.files, key=lambda file: file.name)
    ]
    lines += [
        f"stream {part.stream} {part.first} {part.last}"
        f" {_encode(part.before)} {_encode(part.after)}"
        for part in sorted(manifest.streams, key=lambda part: part.stream)
    ]
    return "\n".join(lines) + "\n"


def parse_manifest(text: str) -> Manifest:
    """Read a manifest's text; the inverse of `format_manifest`. Raises NoteError."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 3 or not lines[0].endswith("/day"):
        raise NoteError(reason="it is not the manifest of a day")
    head, house = _HEAD.fullmatch(lines[1]), _HOUSE.fullmatch(lines[2])
    if head is None or house is None:
        raise NoteError(reason="its day or house is not readable")
    manifest = Manifest(
        origin=lines[0].removesuffix("/day"),
        day=head[1],
        run=int(head[2]),
        currency=house[1],
        exponent=int(house[2]),
        files=tuple(_file(line) for line in lines[3:] if line.startswith("file ")),
        streams=tuple(_stream(line) for line in lines[3:] if line.startswith("stream ")),
    )
    if format_manifest(manifest) != text:
        raise NoteError(reason="its lines are not in order, or not all of them are known")
    return manifest


def _file(line: str) -> ManifestFile:
    found = _FILE.fullmatch(line)
    if found is None:
        raise NoteError(reason="a line of a file is not readable")
    return ManifestFile(found[1], int(found[2]), _decode(found[3]))


def _stream(line: str) -> ManifestStream:
    found = _STREAM.fullmatch(line)
    if found is None:
        raise NoteError(reason="a line of a stream is not readable")
    return ManifestStream(
        found[1], int(found[2]), int(found[3]), _decode(found[4]), _decode(found[5])
    )


def _encode(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise NoteError(reason="a hash is not base64") from None
