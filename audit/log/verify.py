"""`verify_log`: the guards, then every entry of every stream, then the checkpoints.

It proves that no entry was changed, removed, added or moved since it was chained, up to what a
chain can show: a tail that was cut, or a suffix rewritten with correct hashes, shows only against a
checkpoint kept outside (docs/log-format.md). It must not write.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from psycopg import sql

from audit.chain import START, BodyError, entry_hash, read_canonical
from audit.log.guards import check_guards
from audit.log.outside import last_number
from audit.log.place import Place
from audit.log.reading import ROWS_PER_FETCH, instant_sql, snapshot, stream_rows
from audit.log.report import Collector, EnoughError, Progress, Report
from audit.log.verify_checkpoints import check_checkpoints

BODY_KEYS = frozenset(
    ("v", "action", "actor", "role", "device", "subject", "request", "facts", "heads", "data")
)
VERSION = 1

# The time comes as the text that was hashed: a time that has no such text is not an error of ours.
_HEADS = sql.SQL("SELECT name, seq, hash, {} FROM log_stream").format(instant_sql("last_at"))
_ENTRIES = sql.SQL(
    "SELECT stream, seq, {}, prev_hash, hash, body,"
    " action, subject, actor, role, device, request_id"
    " FROM log_entry ORDER BY stream, seq"
).format(instant_sql("at"))


class _Row(NamedTuple):
    """An entry as the query above gives it."""

    stream: str
    seq: int
    at: str | None
    prev_hash: bytes
    hash: bytes
    body: bytes
    action: str
    subject: str
    actor: str
    role: str
    device: str | None
    request_id: str


def verify_log(*, place: Place | None, limit: int = 1, progress: Progress | None = None) -> Report:
    """Check the whole log; stop at `limit` problems and name the first broken row first.

    Without a `place` no checkpoint's signature can be checked, and the report says so.
    """
    report = Report()
    problems = Collector(report, limit)
    # A checkpoint that is taken while this reads is not of its instant: the next check looks at it.
    newest = last_number(place.folder) if place else 0
    try:
        with snapshot():
            if not check_guards(problems):
                return report
            _check_streams(report, problems, progress)
            if place is None:
                report.unchecked.append("checkpoints: no LOG_NAME, key or folder is configured")
            else:
                check_checkpoints(place, report, problems, newest=newest)
    except EnoughError:
        pass
    return report


class _Chain:
    """The chain of one stream while it is read: what the next entry must follow."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.seq = 0
        self.hash = START
        self.at = ""


def _check_streams(report: Report, problems: Collector, progress: Progress | None) -> None:
    heads = {name: rest for name, *rest in stream_rows(_HEADS)}
    expected = sum(seq for seq, *_ in heads.values())
    seen = set()
    chain = None
    for row in map(_Row._make, stream_rows(_ENTRIES)):
        if chain is None or chain.stream != row.stream:
            if chain is not None:
                _check_head(chain, heads, problems)
            chain = _Chain(row.stream)
            seen.add(row.stream)
        _check_entry(chain, row, problems)
        report.entries += 1
        if progress is not None and report.entries % (5 * ROWS_PER_FETCH) == 0:
            progress(report.entries, expected)
    if chain is not None:
        _check_head(chain, heads, problems)
    for name in sorted(heads.keys() - seen):
        _check_head(_Chain(name), heads, problems)
    report.streams = len(heads)


def _check_entry(chain: _Chain, row: _Row, problems: Collector) -> None:
    if row.seq != chain.seq + 1:
        _report_gap(chain, row.seq, problems)
    elif row.prev_hash != chain.hash:
        problems.add("entry.previous", _of(row), "its previous hash is not the hash before")
    computed = entry_hash(
        prev_hash=row.prev_hash if len(row.prev_hash) == len(START) else START,
        stream=row.stream,
        seq=row.seq,
        at=row.at or "",
        body=row.body,
    )
    if computed != row.hash:
        problems.add("entry.hash", _of(row), "its content does not give its hash")
    if row.at is None or row.at < chain.at:
        problems.add("entry.time", _of(row), "it is older than the entry before")
    try:
        body = read_canonical(row.body)
    except BodyError as error:
        problems.add("entry.body", _of(row), error.detail)
    else:
        _check_copies(body, row, problems)
    chain.seq, chain.hash, chain.at = row.seq, row.hash, row.at or ""


def _report_gap(chain: _Chain, seq: int, problems: Collector) -> None:
    where = _where(chain.stream, chain.seq + 1)
    if seq == chain.seq + 2:
        problems.add("entry.missing", where, "this entry is missing")
    elif seq > chain.seq:
        problems.add("entry.missing", where, f"the entries up to {seq - 1} are missing")
    else:
        problems.add("entry.number", _where(chain.stream, seq), "its number was given twice")


def _check_copies(body: object, row: _Row, problems: Collector) -> None:
    """The columns beside the body are copies of it, for queries; the body is what counts."""
    if not isinstance(body, dict) or body.keys() != BODY_KEYS or body["v"] != VERSION:
        problems.add("entry.layout", _of(row), f"its body is not of version {VERSION}")
        return
    actor = body["actor"]
    copies = (
        body["action"],
        body["subject"],
        actor.get("key") if isinstance(actor, dict) else None,
        body["role"],
        body["device"],
        body["request"],
    )
    if copies == row[6:]:
        return
    for name, of_body, column in zip(_Row._fields[6:], copies, row[6:], strict=True):
        if of_body != column:
            problems.add("entry.copy", _of(row), f"the column {name} differs from the body")


def _check_head(chain: _Chain, heads: Mapping[str, Iterable[object]], problems: Collector) -> None:
    where = f"stream {chain.stream}"
    head = heads.get(chain.stream)
    if head is None:
        problems.add("stream.missing", where, "it has entries and no head")
        return
    seq, last_hash, last_at = head
    assert isinstance(last_hash, bytes)
    if seq != chain.seq:
        problems.add("stream.head", where, f"its head says {seq}, its last entry is {chain.seq}")
    elif last_hash != chain.hash:
        problems.add("stream.head", where, "the hash of its head is not that of its last entry")
    elif seq and last_at != chain.at:
        # From it the next entry takes the earliest time that it may have.
        problems.add("stream.head", where, "the time of its head is not that of its last entry")


def _of(row: _Row) -> str:
    return _where(row.stream, row.seq)


def _where(stream: str, seq: object) -> str:
    return f"entry {stream} {seq}"
