"""Checkpoints: due or not, stored before answered, one line of history whoever races."""

import io
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from threading import Barrier, Event

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from pytest_django.fixtures import Settings

from audit.chain.checkpoint import extends, parse_checkpoint
from audit.chain.note import NoteError, open_note
from audit.log import checkpoints
from audit.log.checkpoints import take_checkpoint
from audit.log.errors import KeyMissingError, OutsideError
from audit.log.keys import check_signature, generate_key, load_signer, load_trusted, public_path
from audit.log.models import Checkpoint, Entry
from audit.log.outside import last_number, note_path, read_notes, write_note
from audit.log.place import Place
from audit.log.selectors import stream_heads
from audit.log.services import create_stream
from audit.log.tasks import take_checkpoint_if_due
from audit.log.verify import verify_log
from tests.chain import independent
from tests.concurrency.racing import PATIENCE_S
from tests.log.databases import unguarded
from tests.log.people import note
from tests.support.database import CloneDatabase

ORIGIN = "test.invalid/log"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A key and a folder outside the database."""
    generate_key(tmp_path / "key", name=ORIGIN)
    return Place(ORIGIN, tmp_path / "key", tmp_path / "outside")


def verified(place: Place) -> list[dict[str, object]]:
    """All notes outside, read by the verifier that shares no code."""
    keys = [str(key) for key in load_trusted(place.key_file)]
    return [independent.verify(text, keys[0]) for _, text in read_notes(place.folder)]


def test_an_empty_log_has_a_checkpoint_and_the_next_follows(
    clone_db: CloneDatabase, place: Place
) -> None:
    take_checkpoint(place=place)
    note("people")
    taken = take_checkpoint(place=place)
    assert taken is not None
    assert (taken.number, taken.entries) == (2, 1)
    first, second = verified(place)
    assert (first["number"], first["previous"]) == (1, "00" * 32)
    assert (second["number"], second["previous"]) == (2, first["hash"])
    entry = Entry.objects.get()
    heads = second["heads"]
    assert isinstance(heads, dict)
    assert heads["people"] == (1, bytes(entry.hash).hex())
    assert note_path(place.folder, 2).read_bytes() == bytes(taken.note)
    assert stat.S_IMODE(note_path(place.folder, 2).stat().st_mode) == 0o444
    assert verify_log(place=place).sound


def test_it_is_due_after_entries_or_after_a_while(
    clone_db: CloneDatabase, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def due() -> Checkpoint | None:
        return take_checkpoint(place=place, only_if_due=True)

    assert due() is None
    note("people")
    assert due() is not None
    note("people")
    assert due() is None
    monkeypatch.setattr(checkpoints, "DUE_ENTRIES", 2)
    assert due() is None
    note("people")
    assert due() is not None
    monkeypatch.setattr(checkpoints, "DUE_AFTER", timedelta())
    assert due() is None, "nothing new: nothing to say"
    note("people")
    assert due() is not None


def test_the_thresholds_keep_the_promise() -> None:
    """Every 1,000 entries and every 60 s at least (trust R7): beat rings every five."""
    assert checkpoints.DUE_ENTRIES <= 500
    assert checkpoints.DUE_AFTER.total_seconds() <= 55


def test_the_job_and_the_command_use_the_settings(
    clone_db: CloneDatabase, place: Place, settings: Settings
) -> None:
    settings.LOG_NAME = ORIGIN
    settings.CHECKPOINT_KEY_FILE = place.key_file
    settings.CHECKPOINT_FOLDER = place.folder
    take_checkpoint_if_due()
    assert not Checkpoint.objects.exists()
    note("people")
    take_checkpoint_if_due()
    out = io.StringIO()
    call_command("checkpoint", stdout=out)
    call_command("checkpoint", "--if-due", stdout=out)
    assert "Checkpoint 2: 1 entries" in out.getvalue()
    assert "No checkpoint is due." in out.getvalue()
    call_command("verify_log", stdout=out)
    assert "2 checkpoints stored and 2 outside" in out.getvalue()
    settings.CHECKPOINT_FOLDER = None
    with pytest.raises(KeyMissingError):
        take_checkpoint()


def test_it_is_never_taken_inside_a_transaction(clone_db: CloneDatabase, place: Place) -> None:
    with pytest.raises(OutsideError), transaction.atomic():
        take_checkpoint(place=place)


def test_what_could_not_be_written_outside_is_written_later(
    clone_db: CloneDatabase, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path, number: int, text: bytes) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write_note", full)
        with pytest.raises(OSError, match="no space"):
            take_checkpoint(place=place)
    assert (Checkpoint.objects.count(), last_number(place.folder)) == (1, 0)
    take_checkpoint(place=place)
    assert [number for number, _ in read_notes(place.folder)] == [1, 2]
    assert verify_log(place=place).sound


def test_a_log_that_was_cut_signs_nothing_more(clone_db: CloneDatabase, place: Place) -> None:
    """Restored or cut: what lies outside is ahead, and that is an alarm (pitfall 14)."""
    note("people")
    take_checkpoint(place=place)
    take_checkpoint(place=place)
    with unguarded(clone_db.admin_url, "log_checkpoint") as admin:
        admin.execute("DELETE FROM log_checkpoint WHERE number = 2")
    with pytest.raises(OutsideError, match="cut or restored"):
        take_checkpoint(place=place)
    path = note_path(place.folder, 2)
    path.unlink()
    with unguarded(clone_db.admin_url, "log_entry", "log_stream") as admin:
        admin.execute("DELETE FROM log_entry")
        admin.execute("UPDATE log_stream SET seq = 0, hash = decode(repeat('00', 32), 'hex')")
    with pytest.raises(OutsideError, match="shorter"):
        take_checkpoint(place=place)


def test_another_note_under_the_same_number_is_never_replaced(tmp_path: Path) -> None:
    write_note(tmp_path, 7, b"one")
    write_note(tmp_path, 7, b"one")
    with pytest.raises(OutsideError):
        write_note(tmp_path, 7, b"two")
    assert list(read_notes(tmp_path)) == [(7, b"one")]
    assert [path.name for path in (tmp_path / "000000").iterdir()] == ["000000007.note"]


def test_notes_are_read_in_order_beyond_a_thousand(tmp_path: Path) -> None:
    for number in (1, 999, 1000, 2001):
        write_note(tmp_path, number, b"x")
    (tmp_path / "000000" / ".writing-half").write_bytes(b"half")
    (tmp_path / "readme").write_bytes(b"")
    assert [number for number, _ in read_notes(tmp_path)] == [1, 999, 1000, 2001]
    assert last_number(tmp_path) == 2001
    assert last_number(tmp_path / "nowhere") == 0


def test_a_new_key_follows_an_old_one(clone_db: CloneDatabase, place: Place) -> None:
    take_checkpoint(place=place)
    place.key_file.unlink()
    generate_key(place.key_file, name=ORIGIN)
    take_checkpoint(place=place)
    assert len(load_trusted(place.key_file)) == 2
    assert verify_log(place=place).sound
    old, new = load_trusted(place.key_file)
    public_path(place.key_file).write_text(f"{new}\n")
    assert verify_log(place=place).problems[0].code == "checkpoint.note"
    assert old.name == new.name


def test_a_key_is_private_and_made_once(tmp_path: Path) -> None:
    key = generate_key(tmp_path / "key", name=ORIGIN)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert load_signer(tmp_path / "key").key == key
    with pytest.raises(FileExistsError):
        generate_key(tmp_path / "key", name=ORIGIN)
    with pytest.raises(NoteError):
        generate_key(tmp_path / "other", name="a name with spaces")
    text = (tmp_path / "key").read_text()
    (tmp_path / "key").write_text(text.replace(key.id.hex(), "00000000"))
    with pytest.raises(NoteError):
        load_signer(tmp_path / "key")


def test_the_line_of_checkpoints_is_held_by_the_database(
    clone_db: CloneDatabase, place: Place
) -> None:
    taken = take_checkpoint(place=place)
    assert taken is not None
    for number, previous in ((2, bytes(32)), (3, taken.hash), (1, taken.hash), (0, bytes(32))):
        with pytest.raises((IntegrityError, DatabaseError)), transaction.atomic():
            Checkpoint.objects.create(
                number=number,
                at=taken.at,
                entries=0,
                previous_hash=previous,
                hash=b"\x07" * 32,
                note=b"x",
            )


def test_racing_signers_sign_one_line_of_history(clone_db: CloneDatabase, place: Place) -> None:
    """Trust R7: two hundred checkpoints by two signers while somebody writes."""
    together = Barrier(2, timeout=PATIENCE_S)
    ended = Event()

    def sign() -> None:
        for _ in range(100):
            together.wait()
            take_checkpoint(place=place)
        connection.close()

    def write() -> None:
        while not ended.is_set():
            note("people")
        connection.close()

    _run_until([sign, sign], [write], ended)
    notes = verified(place)
    assert [found["number"] for found in notes] == list(range(1, 201))
    for before, after in pairwise(notes):
        assert after["previous"] == before["hash"]
    assert verify_log(place=place).sound


def test_without_the_lock_a_racing_signer_meets_a_raw_error(
    clone_db: CloneDatabase, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the unique number keeps history one line, but somebody gets no answer."""
    both_have_read = Barrier(2, timeout=PATIENCE_S)

    def read_together() -> object:
        heads = stream_heads()
        both_have_read.wait()
        return heads

    monkeypatch.setattr(checkpoints, "_take_turns", lambda: None)
    monkeypatch.setattr(checkpoints, "stream_heads", read_together)

    def sign() -> str:
        try:
            take_checkpoint(place=place)
        except IntegrityError:
            return "raw error"
        finally:
            connection.close()
        return "signed"

    with ThreadPoolExecutor(2) as pool:
        results = [run.result(timeout=PATIENCE_S) for run in (pool.submit(sign), pool.submit(sign))]
    assert sorted(results) == ["raw error", "signed"]


def test_checkpoints_taken_while_eight_tables_write_are_consistent(
    clone_db: CloneDatabase, place: Place
) -> None:
    for table in range(8):
        create_stream(f"table/T{table}")
    ended = Event()

    def write(table: int) -> Callable[[], None]:
        def run() -> None:
            while not ended.is_set():
                note(f"table/T{table}")
            connection.close()

        return run

    def sign() -> None:
        for _ in range(30):
            take_checkpoint(place=place)
        connection.close()

    _run_until([sign], [write(table) for table in range(8)], ended)
    keys = load_trusted(place.key_file)
    texts = [
        parse_checkpoint(open_note(text, keys=keys, check=check_signature), origin=ORIGIN)
        for _, text in read_notes(place.folder)
    ]
    assert all(extends(after, before) is None for before, after in pairwise(texts))
    assert texts[-1].entries > texts[0].entries
    for text in texts:
        latest = Entry.objects.filter(at__gt=text.at)
        for head in text.heads:
            assert not latest.filter(stream=head.stream, seq__lte=head.seq).exists()
    assert verify_log(place=place).sound


def _run_until(
    finite: list[Callable[[], None]], endless: list[Callable[[], None]], ended: Event
) -> None:
    with ThreadPoolExecutor(len(finite) + len(endless)) as pool:
        others = [pool.submit(run) for run in endless]
        runs = [pool.submit(run) for run in finite]
        try:
            for run in runs:
                run.result(timeout=120)
        finally:
            ended.set()
        for other in others:
            other.result(timeout=30)
