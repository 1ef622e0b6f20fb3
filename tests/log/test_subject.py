"""The proof of one subject: its stretch of a stream, read again where it is shown."""

import json
from pathlib import Path

import psycopg
import pytest

from audit.log.checkpoints import take_checkpoint
from audit.log.keys import generate_key
from audit.log.place import Place
from audit.log.replay import replay_log
from audit.log.subject import prove_subject
from audit.log.verify import verify_log
from tests.log.databases import REHASH, unguarded
from tests.log.people import note, populate
from tests.support.database import CloneDatabase

pytestmark = pytest.mark.usefixtures("clone_db")


def named(subject: str = "S1") -> list[tuple[str, str]]:
    """Code and place of what a subject's proof finds."""
    proof = prove_subject(subject, stream="people")
    assert proof is not None
    return [(problem.code, problem.where) for problem in proof.problems]


def test_a_body_without_a_canonical_form_is_named_and_ends_no_check(
    clone_db: CloneDatabase,
) -> None:
    """The database takes what the application's role writes; nobody may stumble over it later."""
    populate()
    row: object = 1
    for _ in range(17):
        row = {"a": row}
    said = {"facts": [{"kind": "role_grant", "row": row}], "heads": [], "data": {}}
    who = {"actor": {"key": "S9", "name": "Ana"}, "role": "dealer", "device": None, "request": ""}
    body = json.dumps(
        said | who | {"v": 1, "action": "test.noted", "subject": "S1"},
        separators=(",", ":"),
        sort_keys=True,
    )
    with psycopg.connect(clone_db.app_url) as raw:
        raw.execute(
            "INSERT INTO log_entry (stream, body, action, subject, actor, role, request_id)"
            " VALUES ('people', %s, 'test.noted', 'S1', 'S9', 'dealer', '')",
            [body.encode()],
        )
    expected = [("entry.body", "entry people 7")]
    for report in (verify_log(place=None, limit=9), replay_log(limit=9)):
        assert [(problem.code, problem.where) for problem in report.problems] == expected
        assert "nested deeper" in report.problems[0].detail
    assert named() == expected


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A key and a folder outside the database."""
    generate_key(tmp_path / "key", name="test.invalid/log")
    return Place("test.invalid/log", tmp_path / "key", tmp_path / "outside")


def rewrite(clone: CloneDatabase, *changes: str) -> None:
    """Change entries, heads or checkpoints as the superuser, past all guards."""
    with unguarded(clone.admin_url, "log_entry", "log_stream", "log_checkpoint") as admin:
        for change in changes:
            assert admin.execute(change.encode()).rowcount, change


def forged(seq: int, *, stream: str = "people") -> tuple[str, str]:
    """Another role in an entry, and the hash that it then deserves."""
    at = f"WHERE stream = '{stream}' AND seq = {seq}"
    changed = "replace(convert_from(body, 'UTF8'), '\"administrator\"', '\"manager\"')"
    return (
        f"UPDATE log_entry SET body = convert_to({changed}, 'UTF8') {at}",
        REHASH.format(stream=stream, seq=seq),
    )


def test_a_subject_is_proven_where_its_stream_goes_on_and_where_it_ends(place: Place) -> None:
    """S1 has entries 1, 2 and 4 of six; S2 has the last one."""
    populate()
    take_checkpoint(place=place)
    for subject, stretch in (("S1", (1, 4)), ("S2", (3, 6))):
        proof = prove_subject(subject, stream="people")
        assert proof is not None
        assert (proof.seq_from, proof.seq_to, proof.problems) == (*stretch, ())
        assert proof.checkpoint == 1
    note("people", "S2")
    later = prove_subject("S2", stream="people")
    assert later is not None
    assert (later.seq_to, later.problems, later.checkpoint) == (7, (), None)


@pytest.mark.parametrize(
    ("subject", "changes", "found"),
    [
        # The last entry of the stretch, hashed anew: only the next one still knows it.
        ("S1", forged(4), [("entry.previous", "entry people 5")]),
        # The last entry of the stream: only its head does.
        ("S2", forged(6), [("stream.head", "stream people")]),
        # The entry ahead of the first one.
        ("S2", forged(2), [("entry.previous", "entry people 3")]),
        (
            "S1",
            (
                "UPDATE log_entry SET prev_hash = set_byte(prev_hash, 0, 1) WHERE seq = 1",
                forged(1)[1],
            ),
            [("entry.previous", "entry people 1"), ("entry.previous", "entry people 2")],
        ),
        (
            "S1",
            ("DELETE FROM log_entry WHERE stream = 'people' AND seq = 5",),
            [("entry.missing", "entries people 1 to 5")],
        ),
        (
            "S2",
            ("DELETE FROM log_entry WHERE stream = 'people' AND seq = 2",),
            [("entry.missing", "entries people 2 to 6")],
        ),
        (
            "S2",
            ("UPDATE log_stream SET seq = 5 WHERE name = 'people'",),
            [("stream.head", "stream people")],
        ),
        (
            "S2",
            ("DELETE FROM log_stream WHERE name = 'people'",),
            [("stream.head", "stream people")],
        ),
    ],
)
def test_a_break_at_either_end_is_named(
    clone_db: CloneDatabase,
    subject: str,
    changes: tuple[str, ...],
    found: list[tuple[str, str]],
) -> None:
    populate()
    rewrite(clone_db, *changes)
    assert named(subject)[: len(found)] == found


@pytest.mark.parametrize("subject", ["S1", "S2"])
def test_what_a_checkpoint_signed_is_compared(
    clone_db: CloneDatabase, place: Place, subject: str
) -> None:
    """The stream's last entry is hashed anew, and its head with it: the signed hash is another.

    For S2 it is the last of its entries, for S1 one that comes later.
    """
    populate()
    take_checkpoint(place=place)
    rewrite(
        clone_db,
        *forged(6),
        "UPDATE log_stream SET hash = (SELECT hash FROM log_entry WHERE stream = 'people'"
        " AND seq = 6) WHERE name = 'people'",
    )
    proof = prove_subject(subject, stream="people")
    assert proof is not None
    assert proof.checkpoint is None
    assert named(subject) == [("checkpoint.entry", "checkpoint 1")]


def test_a_checkpoint_that_is_none_is_named(clone_db: CloneDatabase, place: Place) -> None:
    populate()
    take_checkpoint(place=place)
    for note_bytes in ("'x'::bytea", "set_byte(note, 0, 255)"):
        rewrite(clone_db, f"UPDATE log_checkpoint SET note = {note_bytes}")
        assert named() == [("checkpoint.note", "checkpoint 1")]
