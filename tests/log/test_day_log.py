"""The log of a day as files: verified by the stand-alone program, and broken by any change."""

import base64
import json
import os
import re
import stat
import subprocess
import sys
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from audit.chain import entry_hash
from audit.log.day_log import LOG_FILE, MANIFEST_FILE, day_folder, write_day_log
from audit.log.days import turn_days
from audit.log.errors import DayNotOverError
from audit.log.keys import generate_key, load_signer, public_path
from audit.log.place import Place
from audit.log.rows import Actor
from audit.log.services import append, create_stream, service
from casino.kernel.money import Currency

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 1)
PESO = Currency("PHP", 2)
ACTOR = Actor(key="system:test", name="Test", role="system")
VERIFIER = Path(__file__).parents[2] / "deploy" / "verify_day.py"


@service
def write(stream: str, n: int) -> None:
    append(stream=stream, action="test.done", subject="x", actor=ACTOR, data={"n": n, "t": "ñ–"})


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A day of a few entries that is over, and where to write it."""
    for stream in ("table/T8", "table/T9"):
        create_stream(stream)
    write("table/T9", 0)
    turn_days(DAY)
    for n in range(5):
        write("table/T9", n)
    turn_days(DAY + timedelta(days=1))
    write("table/T9", 9)
    key_file = tmp_path / "key"
    generate_key(key_file, name="test.invalid/log")
    return Place(origin="test.invalid/log", key_file=key_file, folder=tmp_path)


def verify(folder: Path, place: Place) -> subprocess.CompletedProcess[str]:
    """Run the stand-alone program with nothing but Python."""
    command = [sys.executable, "-I", "-S", str(VERIFIER), str(folder)]
    command.append(str(public_path(place.key_file)))
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_stand_alone_program_verifies_a_day(place: Place) -> None:
    write_day_log(DAY, run=1, place=place, currency=PESO, files={"findings.json": b"[]"})
    folder = day_folder(place, DAY, 1)
    result = verify(folder, place)
    assert (result.returncode, result.stderr) == (0, ""), result
    assert "2 files" in result.stdout
    lines = (folder / LOG_FILE).read_bytes().splitlines()
    assert sum(b"test.done" in line for line in lines) == 6


def test_each_changed_byte_is_found(place: Place) -> None:
    write_day_log(DAY, run=1, place=place, currency=PESO, files={"findings.json": b"[]"})
    folder = day_folder(place, DAY, 1)
    for name in (LOG_FILE, MANIFEST_FILE, "findings.json"):
        content = (folder / name).read_bytes()
        for at in {1, len(content) // 2, len(content) - 2}:
            (folder / name).write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            assert verify(folder, place).returncode != 0, (name, at)
        (folder / name).write_bytes(content)
    assert verify(folder, place).returncode == 0


HASH = base64.b64encode(bytes(32)).decode()
EMPTY = base64.b64encode(sha256(b"").digest()).decode()
SOUND = f"""test.invalid/log/day
2026-03-01 run 1
house PHP 2
file log.jsonl 0 {EMPTY}
stream table/T8 1 0 {HASH} {HASH}
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("anything\n", "not the manifest of a day"),
        ("a\n2026-03-01 run 1\nhouse PHP 2\n", "not that of a day of the log"),
        (SOUND.replace("test.invalid/log/day", "other.invalid/log/day"), "not that of a day"),
        (SOUND.replace("2026-03-01 run 1", "2026-03-01"), "not readable"),
        (SOUND.replace("house PHP 2\n", ""), "not readable"),
        ("".join(SOUND.splitlines(keepends=True)[:3]), "names no log.jsonl"),
        (SOUND.replace("log.jsonl", "other.json"), "names no log.jsonl"),
        (SOUND.replace("file log.jsonl", "file ../log.jsonl"), "not known"),
        (SOUND + "note it holds\n", "not known"),
        (SOUND + SOUND.splitlines()[-1] + "\n", "once and in the order"),
        (SOUND.replace("run 1\n", "run 1\r\n"), "control characters"),
    ],
)
def test_a_signed_text_that_is_no_manifest_is_refused(place: Place, text: str, said: str) -> None:
    folder = place.folder
    (folder / LOG_FILE).touch()
    sound = (0, "2026-03-01 run 1: 1 files, 0 entries in 1 streams hold\n")
    assert verdict(place, SOUND) == sound
    status, why = verdict(place, text)
    assert status == 1
    assert said in why


def verdict(place: Place, text: str) -> tuple[int, str]:
    """Sign a text by hand, as the product signs no other than its own; status and what is said."""
    signer = load_signer(place.key_file)
    signature = base64.b64encode(signer.key.id + signer.sign(text.encode())).decode()
    note = f"{text}\n\u2014 {signer.key.name} {signature}\n"
    (place.folder / MANIFEST_FILE).write_bytes(note.encode())
    result = verify(place.folder, place)
    assert result.stderr == ""
    return result.returncode, result.stdout


BODY = '{"v":1}'
AT = "2026-03-01T14:05:00.000001Z"


def lines_of(*, seq: object = 1, at: object = AT, stream: str = "table/T8") -> tuple[bytes, bytes]:
    """A log of one entry, and the hash that the entry deserves."""
    digest = entry_hash(prev_hash=bytes(32), stream="table/T8", seq=1, at=AT, body=BODY.encode())
    line = {"stream": stream, "seq": seq, "at": at, "hash": digest.hex(), "body": BODY}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n", digest


LINE, DIGEST = lines_of()


@pytest.mark.parametrize(
    "log",
    [
        lines_of(seq=1.0)[0],
        lines_of(seq=True)[0],
        LINE.replace(b'"seq":1', b'"seq":1' + b"0" * 5000),
        lines_of(at=1)[0],
        lines_of(at=AT[:-1])[0],
        lines_of(stream="\ud800")[0],
        LINE.replace(b"}", b',"note":1}', 1),
        LINE.replace(b'{"', b'{"seq":1,"', 1),
        LINE.replace(b",", b", ", 1),
        LINE.replace(b"\n", b"\r\n"),
        LINE[:-1],
        LINE + b"\n",
        b"\xef\xbb\xbf" + LINE,
        b"\xff" + LINE,
        b"[" * 100_000 + b"\n",
        b"[]\n",
    ],
)
def test_a_signed_log_of_another_form_is_refused(place: Place, log: bytes) -> None:
    status, said = verdict(place, signed_over(place, log))
    assert status == 1
    assert re.fullmatch(r"does not hold: line [12] of log.jsonl is not written as .*\n", said)


def test_an_entry_twice_or_of_an_unknown_stream_is_named_in_one_plain_line(place: Place) -> None:
    assert verdict(place, signed_over(place, LINE))[0] == 0
    status, said = verdict(place, signed_over(place, LINE * 2))
    assert (status, said) == (
        1,
        "does not hold: entry table/T8 1: it is not the one that comes next\n",
    )
    steering = json.dumps(json.loads(LINE) | {"stream": "a\x1b[2J\nb"}, separators=(",", ":"))
    status, said = verdict(place, signed_over(place, steering.encode() + b"\n"))
    assert (status, said) == (
        1,
        "does not hold: entry a\\x1b[2J\\nb 1: it is not the one that comes next\n",
    )


def test_nothing_stands_before_the_first_entry_of_a_stream(place: Place) -> None:
    text = signed_over(place, LINE).replace(HASH, base64.b64encode(b"1" * 32).decode(), 1)
    status, said = verdict(place, text)
    assert status == 1
    assert "stream table/T8: its first entry follows none" in said


def signed_over(place: Place, log: bytes) -> str:
    """Write a log and return the text of a manifest that states it and its one entry."""
    (place.folder / LOG_FILE).write_bytes(log)
    stated = base64.b64encode(sha256(log).digest()).decode()
    last = base64.b64encode(DIGEST).decode()
    return SOUND.replace(f"0 {EMPTY}", f"{len(log)} {stated}").replace(
        f"1 0 {HASH} {HASH}", f"1 1 {HASH} {last}"
    )


def test_every_signature_of_a_known_key_counts(place: Place, tmp_path: Path) -> None:
    write_day_log(DAY, run=1, place=place, currency=PESO, files={})
    folder = day_folder(place, DAY, 1)
    note = (folder / MANIFEST_FILE).read_bytes()
    line = note.splitlines(keepends=True)[-1]
    _dash, name, encoded = line.decode().split()
    signature = base64.b64decode(encoded)
    wrong = base64.b64encode(signature[:-1] + bytes([signature[-1] ^ 1])).decode()
    (folder / MANIFEST_FILE).write_bytes(note + f"\u2014 {name} {wrong}\n".encode())
    result = verify(folder, place)
    assert result.returncode == 1
    assert result.stdout == f"does not hold: the signature of {name} is wrong\n"
    unknown = base64.b64encode(b"none" + signature[4:]).decode()
    (folder / MANIFEST_FILE).write_bytes(note + f"\u2014 {name} {unknown}\n".encode())
    assert verify(folder, place).returncode == 0
    (folder / MANIFEST_FILE).write_bytes(note.replace(b"\n", b"\r\n"))
    assert verify(folder, place).returncode == 1


@pytest.mark.parametrize("key", ["no key", "a+b", "a+00000000+AQ==", "a+b+\u00f1", ""])
def test_a_bad_key_file_is_said(place: Place, key: str) -> None:
    write_day_log(DAY, run=1, place=place, currency=PESO, files={})
    public_path(place.key_file).write_text(key)
    result = verify(day_folder(place, DAY, 1), place)
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.startswith("does not hold: ")


def test_a_key_file_that_an_editor_marked_as_utf_8_is_read(place: Place) -> None:
    write_day_log(DAY, run=1, place=place, currency=PESO, files={})
    path = public_path(place.key_file)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert verify(day_folder(place, DAY, 1), place).returncode == 0


def test_a_day_is_written_again_the_same_and_never_over(place: Place) -> None:
    first = write_day_log(DAY, run=1, place=place, currency=PESO, files={})
    assert write_day_log(DAY, run=1, place=place, currency=PESO, files={}) == first
    write("table/T9", 10)
    write_day_log(DAY, run=2, place=place, currency=PESO, files={})
    logs = [(day_folder(place, DAY, run) / LOG_FILE).read_bytes() for run in (1, 2)]
    assert logs[0] == logs[1]
    with pytest.raises(FileExistsError):
        write_day_log(DAY, run=1, place=place, currency=PESO, files={"extra.json": b"1"})


def test_the_names_of_the_files_outlast_a_loss_of_power(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: dict[int, set[str]] = {}  # what each folder held when it was written through last
    synchronise = os.fsync

    def noting(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            held[os.fstat(handle).st_ino] = set(os.listdir(handle))
        synchronise(handle)

    monkeypatch.setattr(os, "fsync", noting)
    write_day_log(DAY, run=1, place=place, currency=PESO, files={"findings.json": b"[]"})
    folder = day_folder(place, DAY, 1)
    for name in (LOG_FILE, "findings.json", MANIFEST_FILE):
        assert name in held[folder.stat().st_ino]
    for path in (folder, folder.parent, folder.parent.parent):
        assert path.name in held[path.parent.stat().st_ino]


def test_a_day_that_is_not_over_is_not_written(place: Place) -> None:
    with pytest.raises(DayNotOverError):
        write_day_log(DAY + timedelta(days=1), run=1, place=place, currency=PESO, files={})
