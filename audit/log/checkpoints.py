"""Taking checkpoints: read all heads, sign, store, and only then write outside and answer.

One lock makes "read, sign, store" one step, so two signers cannot sign two lines of history. A
checkpoint that would contradict the one before it, in the database or outside, is an alarm and not
written.
"""

from datetime import datetime, timedelta

from django.db import connection

from audit.chain.checkpoint import (
    CheckpointText,
    extends,
    format_checkpoint,
    parse_checkpoint,
    text_hash,
)
from audit.chain.note import open_note, sign_note
from audit.log.errors import OutsideError
from audit.log.keys import Signer, check_signature, load_signer, load_trusted
from audit.log.models import Checkpoint
from audit.log.outside import last_number, note_path, write_note
from audit.log.place import Place, required_place
from audit.log.selectors import last_checkpoint, stream_heads
from audit.log.services import service
from casino.kernel.clock import parse_instant

# Promised are 1,000 entries and 60 seconds; the job that asks comes round every few seconds.
DUE_ENTRIES = 500
DUE_AFTER = timedelta(seconds=50)

_LOCK = 0x4C4F47  # an advisory lock of our own: nobody else in this database takes this number


def take_checkpoint(*, place: Place | None = None, only_if_due: bool = False) -> Checkpoint | None:
    """Sign where all streams stand now; return the checkpoint, stored, outside too.

    With `only_if_due`, none is taken before enough entries or time have passed, and the answer is
    None. Notes that an earlier call stored but could not write outside are written first. Raises
    OutsideError when the log contradicts what was signed, KeyMissingError, OSError.
    """
    if connection.in_atomic_block:
        raise OutsideError("a checkpoint is stored before it is answered: not inside a transaction")
    place = place or required_place()
    signer = load_signer(place.key_file)
    _publish(place)
    taken = _store(place, signer, only_if_due)
    if taken is not None:
        write_note(place.folder, taken.number, bytes(taken.note))
    return taken


@service
def _store(place: Place, signer: Signer, only_if_due: bool) -> Checkpoint | None:
    _take_turns()
    last = last_checkpoint()
    now, heads = stream_heads()
    entries = sum(head.seq for head in heads)
    if only_if_due and not _is_due(last, entries, parse_instant(now)):
        return None
    before = None if last is None else _reopen(place, last)
    text = CheckpointText(
        origin=place.origin,
        number=1 if before is None else before.number + 1,
        # A clock that was put back does not put the order back.
        at=now if before is None else max(now, before.at),
        previous_hash=bytes(32) if last is None else bytes(last.hash),
        heads=heads,
    )
    if before is not None and (reason := extends(text, before)) is not None:
        raise OutsideError(reason)
    written = format_checkpoint(text)
    return Checkpoint.objects.create(
        number=text.number,
        at=parse_instant(text.at),
        entries=entries,
        previous_hash=text.previous_hash,
        hash=text_hash(written),
        note=sign_note(written, key=signer.key, sign=signer.sign),
    )


def _take_turns() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _is_due(last: Checkpoint | None, entries: int, now: datetime) -> bool:
    if last is None:
        return entries > 0
    fresh = entries - last.entries
    return fresh >= DUE_ENTRIES or (fresh != 0 and now - last.at >= DUE_AFTER)


def _reopen(place: Place, row: Checkpoint) -> CheckpointText:
    """Read a stored checkpoint as strictly as a stranger's. Raises NoteError, CheckpointError."""
    note = bytes(row.note)
    text = open_note(note, keys=load_trusted(place.key_file), check=check_signature)
    return parse_checkpoint(text, origin=place.origin)


def _publish(place: Place) -> None:
    """Write outside what is stored but not there yet; refuse when the outside is ahead."""
    outside = last_number(place.folder)
    last = last_checkpoint()
    stored = 0 if last is None else last.number
    if outside > stored:
        raise OutsideError(
            f"checkpoint {outside} lies outside, the log has {stored}: it was cut or restored"
        )
    if outside:
        row = Checkpoint.objects.get(number=outside)
        if note_path(place.folder, outside).read_bytes() != bytes(row.note):
            raise OutsideError(f"checkpoint {outside} outside is another than the stored one")
    for row in Checkpoint.objects.filter(number__gt=outside).order_by("number").iterator():
        write_note(place.folder, row.number, bytes(row.note))
