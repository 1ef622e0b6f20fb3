"""The log of a day as files: every entry as JSON Lines, and a signed manifest beside them.

    <folder>/2026-03-01/run-1/log.jsonl, <other files>, manifest.note

Entries are written byte for byte: a line holds stream, number, time, hash and the canonical text
that was hashed, so that the chain can be recomputed from the file alone. A run never overwrites
another; the same day gives the same log each time.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path

from psycopg import sql

from audit.chain import START
from audit.chain.manifest import Manifest, ManifestFile, ManifestStream, format_manifest
from audit.chain.note import sign_note
from audit.log.days import DayRange, day_ranges, is_day_over
from audit.log.errors import DayNotOverError
from audit.log.keys import load_signer
from audit.log.models import Entry
from audit.log.outside import synchronise
from audit.log.place import Place
from audit.log.reading import instant_sql, snapshot, stream_rows
from casino.kernel.money import Currency

LOG_FILE = "log.jsonl"
MANIFEST_FILE = "manifest.note"

_ENTRIES = sql.SQL(
    "SELECT seq, {}, hash, body FROM log_entry"
    " WHERE stream = %s AND seq BETWEEN %s AND %s ORDER BY seq"
).format(instant_sql("at"))


def day_folder(place: Place, day: date, run: int) -> Path:
    """Return where the files of a run lie."""
    return place.folder / "days" / day.isoformat() / f"run-{run}"


def write_day_log(
    day: date, *, run: int, place: Place, currency: Currency, files: Mapping[str, bytes]
) -> bytes:
    """Write the log of a day that is over with `files` beside it; return the signed manifest.

    A file that is there already is kept when it holds the same, so that a run that was killed goes
    on. Raises DayNotOverError, FileExistsError when another content lies there, OSError.
    """
    if not is_day_over(day):
        raise DayNotOverError(day=day.isoformat())
    folder = day_folder(place, day, run)
    folder.mkdir(parents=True, exist_ok=True)
    for above in (folder.parent, folder.parent.parent, place.folder):
        synchronise(above)
    ranges = day_ranges(day)
    described = [_write_lines(folder / LOG_FILE, ranges)]
    for name, content in sorted(files.items()):
        _write_once(folder / name, content)
        described.append(ManifestFile(name, len(content), sha256(content).digest()))
    manifest = Manifest(
        origin=place.origin,
        day=day.isoformat(),
        run=run,
        currency=currency.code,
        exponent=currency.exponent,
        files=tuple(described),
        streams=tuple(_stream(part) for part in ranges),
    )
    signer = load_signer(place.key_file)
    note = sign_note(format_manifest(manifest), key=signer.key, sign=signer.sign)
    _write_once(folder / MANIFEST_FILE, note)
    return note


def lay_days_aside(place: Place, *, keep: Collection[tuple[date, int]]) -> list[Path]:
    """Rename the folders of all runs but these; return where they lie.

    After a restore their numbers are given again. They stay as they were signed.
    """
    kept = {day_folder(place, day, run) for day, run in keep}
    moved = []
    for folder in sorted((place.folder / "days").glob("*/run-*")):
        if folder in kept:
            continue
        tried = 1
        while (aside := folder.with_name(f"superseded-{folder.name}-{tried}")).exists():
            tried += 1
        moved.append(folder.rename(aside))
        synchronise(folder.parent)
    return moved


def day_lines(ranges: list[DayRange]) -> Iterator[bytes]:
    """Yield each entry of a day as one line of JSON, streams in the order of their names."""
    with snapshot():
        for part in ranges:
            if part.last is None or part.last < part.first:
                continue
            rows = stream_rows(_ENTRIES, [part.stream, part.first, part.last])
            for seq, at, entry_hash, body in rows:
                line = {
                    "stream": part.stream,
                    "seq": seq,
                    # A time that was changed into none is no reason to sign no day.
                    "at": at or "",
                    "hash": bytes(entry_hash).hex(),
                    # Nor is a body that was changed into no text: its hash tells.
                    "body": bytes(body).decode(errors="replace"),
                }
                yield json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _write_lines(path: Path, ranges: list[DayRange]) -> ManifestFile:
    digest, size = sha256(), 0
    unfinished = path.with_suffix(".writing")
    with unfinished.open("wb") as file:
        for line in day_lines(ranges):
            file.write(line)
            digest.update(line)
            size += len(line)
        file.flush()
        os.fsync(file.fileno())
    if path.exists() and sha256(path.read_bytes()).digest() != digest.digest():
        raise FileExistsError(f"{path} holds another log of this day")
    unfinished.replace(path)
    synchronise(path.parent)
    return ManifestFile(path.name, size, digest.digest())


def _write_once(path: Path, content: bytes) -> None:
    """Write a file that is complete or absent; the same content again is accepted."""
    if path.exists():
        if path.read_bytes() != content:
            raise FileExistsError(f"{path} holds something else")
        return
    unfinished = path.with_suffix(".writing")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    synchronise(path.parent)


def _stream(part: DayRange) -> ManifestStream:
    """Return a stream's part with the hashes just before and at its end."""
    last = part.first - 1 if part.last is None else part.last
    hashes = dict(
        Entry.objects.filter(stream=part.stream, seq__in=[part.first - 1, last]).values_list(
            "seq", "hash"
        )
    )
    before = bytes(hashes[part.first - 1]) if part.first > 1 else START
    after = bytes(hashes[last]) if last >= part.first else before
    return ManifestStream(part.stream, part.first, last, before, after)
