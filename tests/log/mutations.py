"""Every way in which a log can be tampered with (trust R5), and what must be named first for it.

Each act changes one thing as the superuser whose database it is, and says what `verify_log` has to
name: a code, and the first place at which the log is no longer what was chained or signed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from audit.log.place import Place
from tests.log.databases import REHASH

Named = tuple[str, str]  # the code of a problem, and where it is
TABLES = ("log_entry", "log_stream", "log_checkpoint")
_COLUMNS = "at, prev_hash, hash, body, action, subject, actor, role, device, request_id, xid"
_COPIES = ("action", "subject", "actor", "role", "device", "request_id")


@dataclass(frozen=True, slots=True)
class SignedLog:
    """A log whose every entry was signed: lengths by stream, and its checkpoints.

    `signed` holds, for each checkpoint, how far each stream had come; `stale` and `foreign` are
    notes that are not what they say, each with the place outside where it lies under its number.
    """

    lengths: Mapping[str, int]
    signed: Sequence[Mapping[str, int]]
    place: Place
    stale: Sequence[tuple[int, bytes, Place]]
    foreign: Sequence[tuple[int, bytes, Place]]


class Forger:
    """Changes rows of a log that may not be changed; the guards are aside meanwhile."""

    def __init__(self, log: SignedLog, generator: random.Random) -> None:
        self.log, self.random = log, generator
        self.place = log.place

    def execute(self, statement: str, *parameters: str | int | bytes) -> None:
        """Run a statement that changes something."""
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            assert cursor.rowcount, statement

    def value(self, query: str, *parameters: str | int | bytes) -> int:
        """Read one number."""
        with connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return int(cursor.fetchone()[0])

    def entry(self, *, but_last: bool = False) -> tuple[str, int]:
        """Choose an entry: first, last and any other are equally likely."""
        stream = self.stream()
        last = self.log.lengths[stream] - but_last
        return stream, self.random.choice((1, last, self.random.randint(1, last)))

    def stream(self) -> str:
        """Choose a stream."""
        return self.random.choice(sorted(self.log.lengths))

    def make_room(self, stream: str, seq: int) -> None:
        """Move the entries from this number on up by one."""
        for change in ("-(seq + 1)", "-seq"):
            self.execute(
                f"UPDATE log_entry SET seq = {change} WHERE stream = %s AND (seq >= %s OR seq < 0)",
                *(stream, seq),
            )

    def copy(self, source: tuple[str, int], target: tuple[str, int]) -> None:
        """Put a copy of an entry somewhere."""
        self.execute(
            f"INSERT INTO log_entry (stream, seq, {_COLUMNS}) SELECT %s, %s, {_COLUMNS}"
            " FROM log_entry WHERE stream = %s AND seq = %s",
            *(*target, *source),
        )

    def chain(self, stream: str, seq: int) -> None:
        """Give an entry the hash before it, and the hash that it then deserves."""
        self.execute(
            "UPDATE log_entry SET prev_hash = coalesce((SELECT hash FROM log_entry"
            " WHERE stream = %s AND seq = %s), decode(repeat('00', 32), 'hex'))"
            " WHERE stream = %s AND seq = %s",
            *(stream, seq - 1, stream, seq),
        )
        self.execute(REHASH.format(stream=stream, seq=seq).replace("%", "%%"))


def _at(stream: str, seq: int) -> str:
    return f"entry {stream} {seq}"


def _flip(forger: Forger, column: str) -> tuple[str, int]:
    """Flip one bit of a column of an entry."""
    where = forger.entry()
    bits = 8 * forger.value(
        f"SELECT octet_length({column}) FROM log_entry WHERE stream = %s AND seq = %s", *where
    )
    bit = forger.random.randrange(bits)
    forger.execute(
        f"UPDATE log_entry SET {column} = set_bit({column}, %s, 1 - get_bit({column}, %s))"
        " WHERE stream = %s AND seq = %s",
        *(bit, bit, *where),
    )
    return where


def _bit_of_body(forger: Forger) -> Named:
    return "entry.hash", _at(*_flip(forger, "body"))


def _bit_of_hash(forger: Forger) -> Named:
    return "entry.hash", _at(*_flip(forger, "hash"))


def _bit_of_previous(forger: Forger) -> Named:
    return "entry.previous", _at(*_flip(forger, "prev_hash"))


def _bit_of_time(forger: Forger) -> Named:
    where = forger.entry()
    later = 2 ** forger.random.randrange(40)
    forger.execute(
        "UPDATE log_entry SET at = at + %s * interval '1 us' WHERE stream = %s AND seq = %s",
        *(later, *where),
    )
    return "entry.hash", _at(*where)


def _copied_column(forger: Forger) -> Named:
    where = forger.entry()
    column = forger.random.choice(_COPIES)
    forger.execute(
        f"UPDATE log_entry SET {column} = concat({column}, 'x') WHERE stream = %s AND seq = %s",
        *where,
    )
    return "entry.copy", _at(*where)


def _bit_of_head(forger: Forger) -> Named:
    stream, bit = forger.stream(), forger.random.randrange(256)
    forger.execute(
        "UPDATE log_stream SET hash = set_bit(hash, %s, 1 - get_bit(hash, %s)) WHERE name = %s",
        *(bit, bit, stream),
    )
    return "stream.head", f"stream {stream}"


def _number_of_head(forger: Forger) -> Named:
    stream = forger.stream()
    forger.execute("UPDATE log_stream SET seq = seq + 1 WHERE name = %s", stream)
    return "stream.head", f"stream {stream}"


def _swapped(forger: Forger) -> Named:
    stream = forger.stream()
    one, two = sorted(forger.random.sample(range(1, forger.log.lengths[stream] + 1), 2))
    for old, new in ((one, -1), (two, one), (-1, two)):
        forger.execute(
            "UPDATE log_entry SET seq = %s WHERE stream = %s AND seq = %s", new, stream, old
        )
    return "entry.previous", _at(stream, one)


def _delete(forger: Forger, stream: str, seq: int) -> None:
    forger.execute("DELETE FROM log_entry WHERE stream = %s AND seq = %s", stream, seq)


def _first_deleted(forger: Forger) -> Named:
    stream = forger.stream()
    _delete(forger, stream, 1)
    return "entry.missing", _at(stream, 1)


def _middle_deleted(forger: Forger) -> Named:
    stream = forger.stream()
    seq = forger.random.randint(2, forger.log.lengths[stream] - 1)
    _delete(forger, stream, seq)
    return "entry.missing", _at(stream, seq)


def _last_deleted(forger: Forger) -> Named:
    stream = forger.stream()
    _delete(forger, stream, forger.log.lengths[stream])
    return "stream.head", f"stream {stream}"


def _inserted(forger: Forger) -> Named:
    """One that deserves its hash and follows the one before: the next one does not follow it."""
    stream, seq = forger.entry()
    forger.make_room(stream, seq)
    forger.copy((stream, seq + 1), (stream, seq))
    forger.execute(
        "UPDATE log_entry SET body = convert_to(replace(convert_from(body, 'UTF8'),"
        ' \'"request":"request-1"\', \'"request":"request-2"\'), \'UTF8\'),'
        " request_id = 'request-2' WHERE stream = %s AND seq = %s",
        *(stream, seq),
    )
    forger.chain(stream, seq)
    return "entry.previous", _at(stream, seq + 1)


def _added(forger: Forger) -> Named:
    stream = forger.stream()
    last = forger.log.lengths[stream]
    forger.copy((stream, last), (stream, last + 1))
    forger.chain(stream, last + 1)
    return "stream.head", f"stream {stream}"


def _duplicated(forger: Forger) -> Named:
    stream, seq = forger.entry(but_last=True)
    forger.make_room(stream, seq + 1)
    forger.copy((stream, seq), (stream, seq + 1))
    return "entry.previous", _at(stream, seq + 1)


def _number_given_twice(forger: Forger) -> Named:
    stream, seq = forger.entry()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_entry DROP CONSTRAINT log_entry_seq_per_stream")
    forger.copy((stream, seq), (stream, seq))
    return "entry.number", _at(stream, seq)


def _renumbered(forger: Forger) -> Named:
    stream, seq = forger.entry()
    new = forger.log.lengths[stream] + forger.random.randint(1, 9)
    forger.execute("UPDATE log_entry SET seq = %s WHERE stream = %s AND seq = %s", new, stream, seq)
    return "entry.missing", _at(stream, seq)


def _all_renumbered(forger: Forger) -> Named:
    stream, seq = forger.entry()
    forger.make_room(stream, seq)
    return "entry.missing", _at(stream, seq)


def _exchanged_between_tables(forger: Forger) -> Named:
    one, two = sorted(forger.random.sample(sorted(forger.log.lengths), 2))
    places = [(s, forger.random.randint(1, forger.log.lengths[s])) for s in (one, two)]
    for new, old in ((("", 0), places[0]), (places[0], places[1]), (places[1], ("", 0))):
        forger.execute(
            "UPDATE log_entry SET stream = %s, seq = %s WHERE stream = %s AND seq = %s",
            *(*new, *old),
        )
    # Two first entries both follow nothing: only the table in the hash tells them apart.
    code = "entry.hash" if places[0][1] == places[1][1] == 1 else "entry.previous"
    return code, _at(*places[0])


def _moved_to_another_table(forger: Forger) -> Named:
    one, two = sorted(forger.random.sample(sorted(forger.log.lengths), 2))
    target = (one, forger.log.lengths[one] + 1)
    forger.execute(
        "UPDATE log_entry SET stream = %s, seq = %s WHERE stream = %s AND seq = %s",
        *(*target, two, forger.random.randint(1, forger.log.lengths[two])),
    )
    return "entry.previous", _at(*target)


def _suffix_recomputed(forger: Forger) -> Named:
    """Another content, and everything after it chained correctly, the head too."""
    stream, seq = forger.entry()
    forger.execute(
        "UPDATE log_entry SET body = convert_to(replace(convert_from(body, 'UTF8'),"
        ' \'"request":"request-1"\', \'"request":"request-2"\'), \'UTF8\'),'
        " request_id = 'request-2' WHERE stream = %s AND seq = %s",
        *(stream, seq),
    )
    for each in range(seq, forger.log.lengths[stream] + 1):
        forger.chain(stream, each)
    forger.execute(
        "UPDATE log_stream s SET hash = e.hash FROM log_entry e"
        " WHERE s.name = %s AND e.stream = s.name AND e.seq = s.seq",
        stream,
    )
    signed = [signed.get(stream, 0) >= seq for signed in forger.log.signed]
    return "checkpoint.entry", f"checkpoint {1 + signed.index(True)}"


def _note_put_in(forger: Forger, notes: Sequence[tuple[int, bytes, Place]]) -> Named:
    """Another note, in the log and outside: nothing but its signature can tell."""
    number, note, forger.place = forger.random.choice(notes)
    forger.execute("UPDATE log_checkpoint SET note = %s WHERE number = %s", note, number)
    return "checkpoint.note", f"checkpoint {number}"


def _signature_of_another_checkpoint(forger: Forger) -> Named:
    return _note_put_in(forger, forger.log.stale)


def _signature_of_another_key(forger: Forger) -> Named:
    return _note_put_in(forger, forger.log.foreign)


def _bit_of_stored_note(forger: Forger) -> Named:
    number = forger.random.randint(1, len(forger.log.signed))
    bits = 8 * forger.value(
        "SELECT octet_length(note) FROM log_checkpoint WHERE number = %s", number
    )
    bit = forger.random.randrange(bits)
    forger.execute(
        "UPDATE log_checkpoint SET note = set_bit(note, %s, 1 - get_bit(note, %s))"
        " WHERE number = %s",
        *(bit, bit, number),
    )
    return "checkpoint.differs", f"checkpoint {number}"


def _older_backup_restored(forger: Forger) -> Named:
    """Everything as it was at an earlier checkpoint, and sound in itself."""
    number = forger.random.randint(1, len(forger.log.signed) - 1)
    signed = forger.log.signed[number - 1]
    forger.execute("DELETE FROM log_checkpoint WHERE number > %s", number)
    for stream in forger.log.lengths:
        forger.execute(
            "WITH gone AS (DELETE FROM log_entry WHERE stream = %s AND seq > %s)"
            " UPDATE log_stream SET seq = %s, hash = coalesce((SELECT hash FROM log_entry"
            " WHERE stream = %s AND seq = %s), decode(repeat('00', 32), 'hex')),"
            " last_at = coalesce((SELECT at FROM log_entry"
            " WHERE stream = %s AND seq = %s), last_at) WHERE name = %s",
            *(stream, signed.get(stream, 0), signed.get(stream, 0)),
            *(stream, signed.get(stream, 0), stream, signed.get(stream, 0), stream),
        )
    return "checkpoint.ahead", f"checkpoint {number + 1}"


MUTATIONS: Mapping[str, Callable[[Forger], Named]] = {
    "a bit of a body": _bit_of_body,
    "a bit of a hash": _bit_of_hash,
    "a bit of a previous hash": _bit_of_previous,
    "a bit of a time": _bit_of_time,
    "a column beside the body": _copied_column,
    "a bit of a head's hash": _bit_of_head,
    "a head's number": _number_of_head,
    "two swapped": _swapped,
    "first deleted": _first_deleted,
    "one in the middle deleted": _middle_deleted,
    "last deleted": _last_deleted,
    "one inserted": _inserted,
    "one added at the end": _added,
    "one duplicated": _duplicated,
    "a number given twice": _number_given_twice,
    "one renumbered": _renumbered,
    "all that follow renumbered": _all_renumbered,
    "two exchanged between tables": _exchanged_between_tables,
    "one moved to another table": _moved_to_another_table,
    "suffix recomputed": _suffix_recomputed,
    "stale signature": _signature_of_another_checkpoint,
    "foreign key": _signature_of_another_key,
    "a bit of a stored note": _bit_of_stored_note,
    "older backup restored": _older_backup_restored,
}
