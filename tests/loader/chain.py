"""One stream of the log while it is loaded: entries chained in Python, rows kept for COPY."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any

import psycopg
from django.db.models import Model
from psycopg import sql

from audit.chain import canonical, entry_hash
from audit.log.build import build
from audit.log.registry import declared
from audit.log.rows import Actor, Change, Ref, Row
from tests.loader.templates import canonical_text, copy_text

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)
_SIGNATURE = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_START = Struct(">hiqi").pack
_PLACE = Struct(">iqiqi").pack
_LENGTH = Struct(">i").pack
_XID = Struct(">iq").pack(8, 0)
_ENTRY_COLUMNS = (
    *("id", "stream", "seq", "at", "prev_hash", "hash", "body"),
    *("action", "subject", "actor", "role", "device", "request_id", "xid"),
)


@dataclass(slots=True)
class Head:
    """A head that is still changing: written when the stream is flushed for the last time."""

    table: str
    columns: tuple[str, ...]
    id: int
    values: dict[str, object]


@dataclass(slots=True)
class Stream:
    """A stream from where it stands; ids are taken from ranges of its own."""

    name: str
    seq: int
    hash: bytes
    at: datetime
    ids: dict[str, int]
    heads: dict[tuple[str, int], Head] = field(default_factory=dict)
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = field(default_factory=dict)
    entries: list[bytes] = field(default_factory=list)
    written: int = 0
    _actor: dict[Actor, tuple[str, str, bytes]] = field(default_factory=dict)

    def next_id(self, table: str) -> int:
        """The next id of a table."""
        self.ids[table] = found = self.ids[table] + 1
        return found

    def keep(self, table: str, columns: tuple[str, ...], line: str) -> None:
        """Keep a row for the next flush."""
        self.rows.setdefault((table, columns), []).append(line)

    def entry(
        self, *, action: str, subject: str, actor: Actor, facts: str, heads: str, data: str = "{}"
    ) -> int:
        """Chain an entry whose facts and heads are canonical text already; return its id."""
        first, last, tail = self._described(actor)
        body = (
            f'{{"action":"{action}",{first}"data":{data},{last}"facts":[{facts}],"heads":[{heads}],'
            f'"request":{canonical_text(actor.request_id)},"role":"{actor.role!s}",'
            f'"subject":{canonical_text(subject)},"v":1}}'
        ).encode()
        return self._chain(body, action=action, subject=subject, tail=tail)

    def next_entry_id(self) -> int:
        """The id that the next entry will get: rows are laid before their entry is chained."""
        return self.ids["log_entry"] + 1

    def _described(self, actor: Actor) -> tuple[str, str, bytes]:
        known = self._actor.get(actor)
        if known is None:
            who = canonical_text({"key": actor.key, "name": actor.name})
            texts = (actor.key, str(actor.role), actor.device, actor.request_id)
            tail = b"".join(
                _LENGTH(-1) if text is None else _LENGTH(len(text.encode())) + text.encode()
                for text in texts
            )
            device = f'"device":{canonical_text(actor.device)},'
            known = self._actor[actor] = (f'"actor":{who},', device, tail + _XID)
        return known

    def _chain(self, body: bytes, *, action: str, subject: str, tail: bytes) -> int:
        before, self.seq, self.at = self.hash, self.seq + 1, self.at + _US
        at = f"{self.at:%Y-%m-%dT%H:%M:%S.%f}Z"
        self.hash = entry_hash(prev_hash=before, stream=self.name, seq=self.seq, at=at, body=body)
        entry_id, name = self.next_id("log_entry"), self.name.encode()
        self.entries.append(
            b"".join(
                (
                    _START(len(_ENTRY_COLUMNS), 8, entry_id, len(name)),
                    name,
                    _PLACE(8, self.seq, 8, (self.at - _EPOCH) // _US, 32),
                    before,
                    _LENGTH(32),
                    self.hash,
                    _LENGTH(len(body)),
                    body,
                    _LENGTH(len(action)),
                    action.encode(),
                    _LENGTH(len(subject)),
                    subject.encode(),
                    tail,
                )
            )
        )
        self.written += 1
        return entry_id

    def append(
        self,
        *,
        action: str,
        subject: str,
        actor: Actor,
        facts: Sequence[Row] = (),
        new_heads: Sequence[Row] = (),
        changes: Sequence[Change] = (),
        data: dict[str, object] | None = None,
    ) -> list[int]:
        """Append as the service does, for what is rare; return the ids of facts, then of heads."""
        built = build(facts=facts, new_heads=new_heads, changes=changes, work=())
        entry_id = self.entry(
            action=action,
            subject=subject,
            actor=actor,
            facts=canonical(built.facts).decode()[1:-1],
            heads=canonical(built.heads).decode()[1:-1],
            data=canonical({} if data is None else data).decode(),
        )
        ids = [self._row(row, entry_id) for row in facts]
        ids += [self._head(row) for row in new_heads]
        for change in changes:
            table = declared(change.model)
            assert isinstance(change.ref.id, int)
            self.change(
                change.model,
                change.ref.id,
                {
                    table.columns[name].column: table.columns[name].to_sql(value)
                    for name, value in change.values.items()
                },
            )
        return ids

    def change(self, model: type[Model], row: int, values: dict[str, object]) -> None:
        """Change a head that this stream has made; keys are columns."""
        self.heads[model._meta.db_table, row].values.update(values)

    def _row(self, row: Row, entry_id: int) -> int:
        table = declared(row.model)
        number = self.next_id(table.table)
        values = _values(row)
        names = ("id", *values, "entry_id")
        texts = [str(number), *map(copy_text, values.values()), str(entry_id)]
        self.keep(table.table, names, "\t".join(texts) + "\n")
        return number

    def _head(self, row: Row) -> int:
        table = declared(row.model)
        number = self.next_id(table.table)
        values = _values(row)
        columns = ("id", *values, "stream")
        self.heads[table.table, number] = Head(table.table, columns, number, values)
        return number

    def close_heads(self) -> None:
        """Lay the heads as they stand; they do not change any more."""
        for head in self.heads.values():
            texts = [str(head.id), *map(copy_text, head.values.values()), self.name]
            self.keep(head.table, head.columns, "\t".join(texts) + "\n")
        self.heads.clear()

    def flush(self, admin: "psycopg.Connection[Any]") -> None:  # Any: rows of any shape
        """Write what was kept."""
        if self.entries:
            names = sql.SQL(", ").join(map(sql.Identifier, _ENTRY_COLUMNS))
            command = sql.SQL("COPY log_entry ({}) FROM STDIN (FORMAT BINARY)").format(names)
            with admin.cursor().copy(command) as copy:
                copy.write(_SIGNATURE + b"".join(self.entries) + b"\xff\xff")
        for (table, columns), lines in self.rows.items():
            names = sql.SQL(", ").join(map(sql.Identifier, columns))
            command = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
            with admin.cursor().copy(command) as copy:
                copy.write("".join(lines).encode())
        self.entries.clear()
        self.rows.clear()


def _values(row: Row) -> dict[str, object]:
    """A row's columns as SQL takes them, defaults filled in."""
    table = declared(row.model)
    return {
        column.column: column.to_sql(row.values[name] if name in row.values else column.missing())
        for name, column in table.columns.items()
    }


def ref(number: int, key: str) -> Ref:
    """A row that the loader has made."""
    return Ref(number, key)
