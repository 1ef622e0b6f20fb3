"""Are the checkpoints good, do they follow one another, and does the log still say what they said?

The notes outside count as much as the stored ones: where the two differ, or the outside knows of
more, the log was cut, rewritten or restored from a backup.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import cast

from psycopg import sql

from audit.chain.checkpoint import (
    CheckpointError,
    CheckpointText,
    StreamHead,
    extends,
    format_checkpoint,
    parse_checkpoint,
    text_hash,
)
from audit.chain.note import NoteError, VerifierKey, open_note
from audit.log.keys import check_signature, load_trusted
from audit.log.outside import read_notes
from audit.log.place import Place
from audit.log.reading import fetch_all, instant_sql, stream_rows
from audit.log.report import Collector, Report

_ROWS = sql.SQL(
    "SELECT number, {}, entries, previous_hash, hash, note FROM log_checkpoint ORDER BY number"
).format(instant_sql("at"))
_HEADS_AT_ONCE = 2000

_Row = tuple[int, str | None, int, bytes, bytes, bytes]


def check_checkpoints(place: Place, report: Report, problems: Collector, *, newest: int) -> None:
    """Check all checkpoints, stored and outside; needs a transaction.

    Outside they count up to `newest`, which lay there before the transaction read anything.
    """
    try:
        keys = load_trusted(place.key_file)
    except (OSError, NoteError, UnicodeDecodeError) as error:
        # Whoever names a key expects signatures to be checked: not to is no way to pass.
        detail = f"no trusted keys, so that no checkpoint was checked ({error})"
        problems.add("checkpoint.keys", "checkpoints", detail)
        return
    before: CheckpointText | None = None
    waiting: list[tuple[int, StreamHead]] = []
    is_first = True
    for number, row, outside in _side_by_side(place, newest=newest):
        # Notes outside may be kept elsewhere; the log itself holds every one since the first.
        if is_first and number > 1:
            detail = f"the checkpoints up to {number - 1} are missing"
            problems.add("checkpoint.missing", "checkpoint 1", detail)
        is_first = False
        agree = _compare_sides(number, row, outside, problems)
        note = outside if outside is not None else row[5] if row is not None else b""
        read = _read(place, keys, number, note, problems)
        if read is None:
            before = None
            continue
        report.checkpoints += row is not None
        report.notes_outside += outside is not None
        _check_order(read, row if agree else None, before, problems)
        waiting += _changed_heads(read, before)
        before = read
        if len(waiting) >= _HEADS_AT_ONCE:
            _check_heads(waiting, problems)
            waiting.clear()
    _check_heads(waiting, problems)


def _side_by_side(place: Place, *, newest: int) -> Iterator[tuple[int, _Row | None, bytes | None]]:
    """Stored and outside checkpoints, merged by number."""
    rows = cast(Iterator[_Row], stream_rows(_ROWS))
    notes = takewhile(lambda note: note[0] <= newest, read_notes(place.folder))
    row, note = next(rows, None), next(notes, None)
    while row is not None or note is not None:
        numbers = [side[0] for side in (row, note) if side is not None]
        number = min(numbers)
        mine = row if row is not None and row[0] == number else None
        theirs = note[1] if note is not None and note[0] == number else None
        yield number, mine, theirs
        row = next(rows, None) if mine is not None else row
        note = next(notes, None) if theirs is not None else note


def _compare_sides(
    number: int,
    row: _Row | None,
    outside: bytes | None,
    problems: Collector,
) -> bool:
    """Say whether the stored note is there and the one outside, if any, is the same."""
    if row is None:
        problems.add(
            "checkpoint.ahead",
            f"checkpoint {number}",
            "it lies outside and not in the log: the log was cut or restored",
        )
    elif outside is not None and outside != row[5]:
        problems.add(
            "checkpoint.differs",
            f"checkpoint {number}",
            "the note outside is another than the stored one",
        )
    else:
        return True
    return False


def _read(
    place: Place, keys: Sequence[VerifierKey], number: int, note: bytes, problems: Collector
) -> CheckpointText | None:
    try:
        text = open_note(note, keys=keys, check=check_signature)
        read = parse_checkpoint(text, origin=place.origin)
    except (NoteError, CheckpointError) as error:
        problems.add("checkpoint.note", f"checkpoint {number}", error.detail)
        return None
    if read.number != number:
        problems.add(
            "checkpoint.number", f"checkpoint {number}", f"its note says number {read.number}"
        )
    return read


def _check_order(
    read: CheckpointText, row: _Row | None, before: CheckpointText | None, problems: Collector
) -> None:
    where = f"checkpoint {read.number}"
    if before is not None:
        reason = extends(read, before)
        if reason is not None:
            problems.add("checkpoint.order", where, reason)
    elif read.number == 1 and read.previous_hash != bytes(32):
        problems.add("checkpoint.order", where, "the first one names a checkpoint before it")
    if row is not None and not _columns_agree(read, row):
        problems.add("checkpoint.copy", where, "the columns beside the note differ from it")


def _columns_agree(read: CheckpointText, row: _Row) -> bool:
    return (
        row[1] == read.at
        and row[2] == read.entries
        and row[3] == read.previous_hash
        and row[4] == text_hash(format_checkpoint(read))
    )


def _changed_heads(
    read: CheckpointText, before: CheckpointText | None
) -> Iterator[tuple[int, StreamHead]]:
    """The heads that the checkpoint before did not name: the others are checked already."""
    known = set() if before is None else set(before.heads)
    for head in read.heads:
        if head not in known and head.seq:
            yield read.number, head


def _check_heads(waiting: list[tuple[int, StreamHead]], problems: Collector) -> None:
    """Every head that a checkpoint names is an entry of the log, with that hash."""
    if not waiting:
        return
    found = fetch_all(
        "SELECT n FROM unnest(%s::text[], %s::bigint[], %s::bytea[]) WITH ORDINALITY"
        " AS h(stream, seq, hash, n)"
        " WHERE NOT EXISTS (SELECT FROM log_entry e"
        "   WHERE e.stream = h.stream AND e.seq = h.seq AND e.hash = h.hash) ORDER BY n",
        [
            [head.stream for _, head in waiting],
            [head.seq for _, head in waiting],
            [head.hash for _, head in waiting],
        ],
    )
    for (position,) in found:
        number, head = waiting[position - 1]
        problems.add(
            "checkpoint.entry",
            f"checkpoint {number}",
            f"the log has no longer the entry {head.stream} {head.seq} that it signed",
        )
