"""`verify_log` and `replay_log` as commands, and what only a checkpoint outside can show."""

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from audit.log import verify
from audit.log.checkpoints import take_checkpoint
from audit.log.keys import generate_key, public_path
from audit.log.outside import note_path
from audit.log.place import Place
from audit.log.replay import replay_log
from audit.log.rows import Ref
from audit.log.verify import verify_log
from tests.log.databases import REHASH, unguarded
from tests.log.people import note, populate
from tests.support.database import CloneDatabase


@pytest.fixture
def staff(clone_db: CloneDatabase) -> Ref:
    """A person in a small log that is sound."""
    return populate()


def test_an_untouched_log_is_sound(staff: Ref) -> None:
    report = verify_log(place=None)
    assert (report.problems, report.entries, report.complete) == ([], 9, True)
    assert report.streams >= 4
    replayed = replay_log()
    assert (replayed.problems, replayed.facts, replayed.heads) == ([], 3, 2)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A key and a folder outside the database."""
    generate_key(tmp_path / "key", name="test.invalid/log")
    return Place("test.invalid/log", tmp_path / "key", tmp_path / "outside")


def test_a_cut_tail_shows_only_against_a_checkpoint_outside(
    staff: Ref, clone_db: CloneDatabase, place: Place
) -> None:
    """Trust R6, first attack: the log and its stored checkpoints end earlier, all consistent."""
    take_checkpoint(place=place)
    note("table/T1", "T1")
    take_checkpoint(place=place)
    with unguarded(clone_db.admin_url, "log_entry", "log_stream", "log_checkpoint") as admin:
        admin.execute("DELETE FROM log_checkpoint WHERE number = 2")
        admin.execute("DELETE FROM log_entry WHERE stream = 'table/T1' AND seq > 3")
        admin.execute(
            "UPDATE log_stream s SET seq = 3, hash = e.hash, last_at = e.at FROM log_entry e"
            " WHERE e.stream = 'table/T1' AND e.seq = 3 AND s.name = 'table/T1'"
        )
    without = Place(place.origin, place.key_file, place.folder / "elsewhere")
    assert verify_log(place=without).sound
    assert replay_log().sound
    report = verify_log(place=place, limit=10)
    assert [problem.code for problem in report.problems] == ["checkpoint.ahead", "checkpoint.entry"]


def test_a_rewritten_suffix_shows_only_against_a_checkpoint_outside(
    staff: Ref, clone_db: CloneDatabase, place: Place
) -> None:
    """Trust R6, second attack: correct hashes, and whoever did it holds the signing key."""
    take_checkpoint(place=place)
    with unguarded(clone_db.admin_url, "log_entry", "log_stream", "log_checkpoint") as admin:
        admin.execute(
            "UPDATE log_entry SET body = convert_to("
            " replace(convert_from(body, 'UTF8'), '\"T1\"', '\"T9\"'), 'UTF8'), subject = 'T9'"
            " WHERE stream = 'table/T1' AND seq = 3"
        )
        admin.execute(REHASH.format(stream="table/T1", seq=3))
        admin.execute(
            "UPDATE log_stream SET hash = (SELECT hash FROM log_entry"
            " WHERE stream = 'table/T1' AND seq = 3) WHERE name = 'table/T1'"
        )
        admin.execute("DELETE FROM log_checkpoint")
    forged = Place(place.origin, place.key_file, place.folder / "forged")
    take_checkpoint(place=forged)
    assert verify_log(place=forged).sound
    codes = [problem.code for problem in verify_log(place=place, limit=10).problems]
    assert codes == ["checkpoint.differs", "checkpoint.entry"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("UPDATE log_checkpoint SET note = set_byte(note, 60, 65) WHERE number = 2", "differs"),
        ("UPDATE log_checkpoint SET entries = 1 WHERE number = 2", "copy"),
        ("UPDATE log_checkpoint SET at = at + interval '1 s' WHERE number = 2", "copy"),
        ("UPDATE log_checkpoint SET at = 'infinity' WHERE number = 2", "copy"),
        (
            "UPDATE log_checkpoint SET hash = sha256(hash) WHERE number = 2",
            "copy",
        ),
        ("DELETE FROM log_checkpoint WHERE number = 2", "ahead"),
    ],
)
def test_a_changed_checkpoint_is_named(
    staff: Ref, clone_db: CloneDatabase, place: Place, change: str, code: str
) -> None:
    for _ in range(2):
        take_checkpoint(place=place)
    assert verify_log(place=place).sound
    with unguarded(clone_db.admin_url, "log_checkpoint") as admin:
        admin.execute(change)
    problem = verify_log(place=place).problems[0]
    assert (problem.code, problem.where) == (f"checkpoint.{code}", "checkpoint 2")


@pytest.mark.parametrize("cut", ["front", "both sides"])
def test_checkpoints_cut_off_at_the_front_are_named(
    staff: Ref, clone_db: CloneDatabase, place: Place, cut: str
) -> None:
    """Notes outside may be kept elsewhere; stored ones run from 1."""
    for _ in range(3):
        take_checkpoint(place=place)
    note_path(place.folder, 1).unlink()
    assert verify_log(place=place).sound
    if cut == "both sides":
        note_path(place.folder, 2).unlink()
    with unguarded(clone_db.admin_url, "log_checkpoint") as admin:
        admin.execute("DELETE FROM log_checkpoint WHERE number < 3")
    problem = verify_log(place=place).problems[0]
    missing = 2 if cut == "both sides" else 1
    assert (problem.code, problem.where) == ("checkpoint.missing", "checkpoint 1")
    assert problem.detail == f"the checkpoints up to {missing} are missing"


def test_a_changed_note_outside_is_named(staff: Ref, place: Place) -> None:
    take_checkpoint(place=place)
    path = next(place.folder.rglob("*.note"))
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b"number 1", b"number 7"))
    codes = [problem.code for problem in verify_log(place=place, limit=10).problems]
    assert codes == ["checkpoint.differs", "checkpoint.note"]


def test_a_checkpoint_that_is_taken_meanwhile_is_no_alarm(
    staff: Ref, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check of a long log reads for minutes; the job signs every minute."""
    take_checkpoint(place=place)
    monkeypatch.setattr(verify, "ROWS_PER_FETCH", 1)  # so that progress is told of a short log

    def sign() -> None:
        try:
            note("table/T1", "T1")
            take_checkpoint(place=place)
        finally:
            connection.close()

    def meanwhile(_done: int, _of: int) -> None:
        if not note_path(place.folder, 2).exists():
            with ThreadPoolExecutor(1) as pool:
                pool.submit(sign).result()

    report = verify_log(place=place, limit=10, progress=meanwhile)
    assert (report.problems, report.checkpoints, report.notes_outside) == ([], 1, 1)
    report = verify_log(place=place)
    assert (report.problems, report.checkpoints, report.notes_outside) == ([], 2, 2)


def test_without_a_place_the_checkpoints_are_said_to_be_unchecked(staff: Ref) -> None:
    assert "no LOG_NAME, key or folder" in verify_log(place=None).unchecked[0]


@pytest.mark.parametrize("content", [None, b"no key\n", b"\xff\xfe"])
def test_without_trusted_keys_the_check_fails(
    staff: Ref, place: Place, content: bytes | None
) -> None:
    take_checkpoint(place=place)
    public_path(place.key_file).unlink()
    if content is not None:
        public_path(place.key_file).write_bytes(content)
    report = verify_log(place=place)
    assert [problem.code for problem in report.problems] == ["checkpoint.keys"]
    assert "no trusted keys" in report.problems[0].detail


def test_the_first_wrong_thing_ends_the_check_and_all_names_all(
    staff: Ref, clone_db: CloneDatabase
) -> None:
    with unguarded(clone_db.admin_url, "log_entry") as admin:
        admin.execute("UPDATE log_entry SET actor = 'S0' WHERE stream = 'people'")
    assert len(verify_log(place=None).problems) == 1
    everything = verify_log(place=None, limit=100)
    assert (len(everything.problems), everything.complete) == (6, True)


def test_the_commands_print_and_end_with_a_status(staff: Ref, clone_db: CloneDatabase) -> None:
    out = io.StringIO()
    call_command("verify_log", stdout=out)
    call_command("replay_log", stdout=out)
    assert "Sound: 9 entries" in out.getvalue()
    assert "Sound: 9 entries, 3 facts and 2 heads." in out.getvalue()
    with unguarded(clone_db.admin_url, "log_entry", "people_staff") as admin:
        admin.execute("UPDATE log_entry SET actor = 'S0' WHERE stream = 'people'")
        admin.execute("UPDATE people_staff SET name = 'X'")
    for command, line in (
        ("verify_log", "WRONG entry people 1: the column actor differs"),
        ("replay_log", 'WRONG staff S1: name is "X", the log says "Ben Dela Cruz"'),
    ):
        out = io.StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command(command, "--all", "--quiet", stdout=out)
        assert ended.value.code == 1
        assert line in out.getvalue()
