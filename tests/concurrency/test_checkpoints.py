"""Checkpoints taken while eight tables write: each one is a state that the house was in.

Every writer notes, before it writes, what it knows to be committed at the other tables. Where a
checkpoint holds an entry, it must hold all that the writer of the entry knew: it is one state.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Condition

import pytest
from django.db import connection

from audit.chain.checkpoint import StreamHead, parse_checkpoint
from audit.chain.note import open_note
from audit.log import checkpoints
from audit.log.checkpoints import take_checkpoint
from audit.log.keys import check_signature, generate_key, load_trusted
from audit.log.models import Checkpoint, Entry, Stream
from audit.log.place import Place
from audit.log.rows import Actor
from audit.log.selectors import stream_heads
from audit.log.services import append, lock_stream, service
from audit.log.verify import verify_log
from tests.support.floors import TABLES, FloorClone

ORIGIN = "test.invalid/log"
CHECKPOINTS = 12
WRITER = Actor("1001", "dealer", "dealer")
PATIENCE_S = 30.0


@service
def note(table: str) -> int:
    """One entry at a table; answers with its number."""
    lock_stream(f"table/{table}")
    return append(stream=f"table/{table}", action="test.noted", subject=table, actor=WRITER).seq


class Tables:
    """Eight tables at which one thread each writes until it is told to stop."""

    def __init__(self) -> None:
        self.committed = {name: seq for name, seq in _heads().items() if name in _STREAMS}
        self.known: dict[tuple[str, int], dict[str, int]] = {}
        self.changed = Condition()
        self.stopping = False

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Let all of them write while the block runs."""
        with ThreadPoolExecutor(len(TABLES)) as pool:
            runs = [pool.submit(self._write, table) for table in TABLES]
            try:
                yield
            finally:
                self.stopping = True
            for run in runs:
                run.result(PATIENCE_S)

    def wait_for(self, stream: str, seq: int) -> None:
        """Wait until this entry was committed."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.committed[stream] >= seq, PATIENCE_S)

    def lacking(self, heads: dict[str, int]) -> list[str]:
        """Say which entries a statement of heads holds without what they came after."""
        return [
            f"{stream} {seq} came after {other} {least}, the checkpoint has {heads[other]}"
            for stream, seq in heads.items()
            for other, least in self.known.get((stream, seq), {}).items()
            if heads[other] < least
        ]

    def _write(self, table: str) -> None:
        stream = f"table/{table}"
        try:
            while not self.stopping:
                before = dict(self.committed)
                seq = note(table)
                with self.changed:
                    self.known[stream, seq] = before
                    self.committed[stream] = seq
                    self.changed.notify_all()
        finally:
            connection.close()


_STREAMS = {f"table/{table}" for table in TABLES}


def _heads() -> dict[str, int]:
    return dict(Stream.objects.values_list("name", "seq"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A key and a folder outside the database."""
    generate_key(tmp_path / "key", name=ORIGIN)
    return Place(ORIGIN, tmp_path / "key", tmp_path / "outside")


def heads_of(taken: Checkpoint, place: Place) -> dict[str, int]:
    """What a checkpoint says of the tables."""
    text = open_note(bytes(taken.note), keys=load_trusted(place.key_file), check=check_signature)
    said = parse_checkpoint(text, origin=ORIGIN).heads
    return {head.stream: head.seq for head in said if head.stream in _STREAMS}


def test_checkpoints_while_eight_tables_write_are_consistent(
    floor_clone: FloorClone, place: Place
) -> None:
    tables, taken = Tables(), []
    with tables.writing():
        for _ in range(CHECKPOINTS):
            acknowledged = dict(tables.committed)
            checkpoint = take_checkpoint(place=place)
            assert checkpoint is not None
            taken.append(checkpoint)
            heads = heads_of(checkpoint, place)
            assert all(heads[name] >= seq for name, seq in acknowledged.items())
    assert [line for each in taken for line in tables.lacking(heads_of(each, place))] == []
    # They were taken while others wrote, or this would prove nothing.
    moved = [heads_of(each, place) for each in (taken[0], taken[-1])]
    assert all(moved[1][stream] > moved[0][stream] for stream in _STREAMS)
    assert verify_log(place=place).problems == []


def test_every_head_of_a_checkpoint_is_an_entry_with_that_hash(
    floor_clone: FloorClone, place: Place
) -> None:
    tables = Tables()
    with tables.writing():
        taken = take_checkpoint(place=place)
    assert taken is not None
    text = open_note(bytes(taken.note), keys=load_trusted(place.key_file), check=check_signature)
    for head in parse_checkpoint(text, origin=ORIGIN).heads:
        if head.seq:
            entry = Entry.objects.get(stream=head.stream, seq=head.seq)
            assert bytes(entry.hash) == head.hash


def test_heads_read_one_after_the_other_are_no_state_of_the_house(
    floor_clone: FloorClone, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: without the one statement for all heads the vector test fails."""
    tables = Tables()

    def one_by_one() -> tuple[str, tuple[StreamHead, ...]]:
        now, early = stream_heads()
        first = next(head for head in early if head.stream == "table/T1")
        # T2 writes an entry that knows of an entry of T1 which the head read above is behind.
        tables.wait_for("table/T1", first.seq + 1)
        tables.wait_for("table/T2", tables.committed["table/T2"] + 2)
        late = {head.stream: head for head in stream_heads()[1]}
        return now, tuple(first if head == first else late[head.stream] for head in early)

    monkeypatch.setattr(checkpoints, "stream_heads", one_by_one)
    with tables.writing():
        taken = take_checkpoint(place=place)
    assert taken is not None
    assert any("came after table/T1" in line for line in tables.lacking(heads_of(taken, place)))
