"""Notice at the first write that the database is older than what was signed (trust R18).

An outside checkpoint that names entries which the database does not hold means that an older backup
was restored, or that entries were cut off. Nothing is written then until an auditor has accepted it
by a signed command; the checkpoints that no longer hold are laid aside, never deleted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakSet

import psycopg
from django.db import connection

from audit.chain.checkpoint import CheckpointText, parse_checkpoint
from audit.chain.note import open_note
from audit.log.errors import LogBehindError
from audit.log.keys import check_signature, load_trusted
from audit.log.outside import last_number, lay_aside, note_path
from audit.log.place import Place, configured_place
from audit.log.selectors import last_checkpoint

_accepting: ContextVar[bool] = ContextVar("accepting_a_restore", default=False)


@dataclass(frozen=True, slots=True)
class Behind:
    """The newest outside checkpoint, and by stream what the database holds and what it signed.

    Nothing is lost where the database holds every entry and only the checkpoint itself is not in
    it: a backup from between the two.
    """

    checkpoint: int
    lost: dict[str, tuple[int, int]]


# The connections on which the log was found to hold what was signed. A restore drops every one,
# also those of a process that lives on; while the log is behind, every write looks again.
_sound: WeakSet[psycopg.Connection] = WeakSet()


def refuse_if_behind() -> None:
    """Refuse a write to a log that is behind its checkpoints.

    Looks once a connection if all is well. Needs a transaction. Raises LogBehindError.
    """
    if connection.connection in _sound or _accepting.get():
        return
    behind = find_behind()
    if behind is not None:
        raise LogBehindError(checkpoint=behind.checkpoint, streams=sorted(behind.lost))
    _sound.add(connection.connection)


def find_behind() -> Behind | None:
    """Compare the newest outside checkpoint with the log; None when the log holds all of it.

    The checkpoint is one of its own: none is signed while the outside is ahead of the stored ones.
    """
    place = configured_place()
    number = last_number(place.folder) if place else 0
    if place is None or number == 0:
        return None
    stated = _read(place, note_path(place.folder, number))
    heads = {head.stream: (head.seq, head.hash) for head in stated.heads if head.seq}
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM log_stream")
        reached = dict(cursor.fetchall())
        cursor.execute(
            "SELECT e.stream, e.hash FROM log_entry e JOIN unnest(%s::text[], %s::bigint[])"
            " AS h (stream, seq) ON h.stream = e.stream AND h.seq = e.seq",
            [list(heads), [seq for seq, _ in heads.values()]],
        )
        hashes = {stream: bytes(value) for stream, value in cursor.fetchall()}
    lost = {
        stream: (reached.get(stream, 0), seq)
        for stream, (seq, value) in heads.items()
        if hashes.get(stream) != value
    }
    last = last_checkpoint()
    stored = last.number if last else 0
    return Behind(number, lost) if lost or number > stored else None


@contextmanager
def accepting() -> Iterator[None]:
    """Let the one write through that says who accepted the restored log."""
    token = _accepting.set(True)
    try:
        yield
    finally:
        _accepting.reset(token)


def supersede_checkpoints() -> list[Path]:
    """Lay aside the outside checkpoints that the restored log does not hold; return where.

    The next checkpoint then follows the newest that the database still has.
    """
    place = configured_place()
    if place is None:
        return []
    last = last_checkpoint()
    return lay_aside(place.folder, after=last.number if last else 0)


def _read(place: Place, path: Path) -> CheckpointText:
    keys = load_trusted(place.key_file)
    text = open_note(path.read_bytes(), keys=keys, check=check_signature)
    return parse_checkpoint(text, origin=place.origin)
