"""Reads of the log: streams, entries of a subject, the last checkpoint."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from audit.chain.checkpoint import StreamHead
from audit.log.models import Checkpoint, Entry

ENTRIES_MAX = 1000


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry as a page shows it. `hash` is hex; `body` is what was hashed, read as JSON."""

    id: int
    stream: str
    seq: int
    at: datetime
    hash: str
    action: str
    subject: str
    actor: str
    actor_name: str
    role: str
    device: str | None
    request_id: str
    body: Mapping[str, object]


def entries_of(subject: str, *, limit: int = ENTRIES_MAX) -> Sequence[EntryView]:
    """The entries about a subject (a natural key such as T1/7/12), oldest first."""
    found = Entry.objects.filter(subject=subject).order_by("id")[: min(limit, ENTRIES_MAX)]
    return [_view(entry) for entry in found]


def entries_at(stream: str, seqs: Sequence[int]) -> Sequence[EntryView]:
    """Return the entries of a stream with these numbers, in their order."""
    found = Entry.objects.filter(stream=stream, seq__in=list(seqs)).order_by("seq")
    return [_view(entry) for entry in found]


def last_checkpoint() -> Checkpoint | None:
    """The newest checkpoint; None before the first."""
    return Checkpoint.objects.order_by("-number").first()


def stream_heads() -> tuple[str, tuple[StreamHead, ...]]:
    """All heads as they stood at one instant, in the order of their names, and that instant.

    One statement, so that no stream is seen later than another. The instant is the database's, in
    the log's form, and not before the time of any entry.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT to_char(greatest(clock_timestamp(), (SELECT max(last_at) FROM log_stream))"
            " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), s.name, s.seq, s.hash"
            " FROM (SELECT 1) AS one LEFT JOIN log_stream s ON true"
            ' ORDER BY s.name COLLATE "C"'
        )
        rows = cursor.fetchall()
    heads = [StreamHead(name, seq, bytes(value)) for _, name, seq, value in rows if name]
    return rows[0][0], tuple(heads)


def _view(entry: Entry) -> EntryView:
    body = json.loads(bytes(entry.body))
    return EntryView(
        id=entry.pk,
        stream=entry.stream,
        seq=entry.seq,
        at=entry.at,
        hash=bytes(entry.hash).hex(),
        action=entry.action,
        subject=entry.subject,
        actor=entry.actor,
        actor_name=str(body["actor"]["name"]),
        role=entry.role,
        device=entry.device,
        request_id=entry.request_id,
        body=body,
    )
