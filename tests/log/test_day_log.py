"""The log of a day as files: verified by the stand-alone program, and broken by any change."""

import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from audit.log.day_log import LOG_FILE, MANIFEST_FILE, day_folder, write_day_log
from audit.log.days import turn_days
from audit.log.errors import DayNotOverError
from audit.log.keys import generate_key, public_path
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


def test_a_day_is_written_again_the_same_and_never_over(place: Place) -> None:
    first = write_day_log(DAY, run=1, place=place, currency=PESO, files={})
    assert write_day_log(DAY, run=1, place=place, currency=PESO, files={}) == first
    write("table/T9", 10)
    write_day_log(DAY, run=2, place=place, currency=PESO, files={})
    logs = [(day_folder(place, DAY, run) / LOG_FILE).read_bytes() for run in (1, 2)]
    assert logs[0] == logs[1]
    with pytest.raises(FileExistsError):
        write_day_log(DAY, run=1, place=place, currency=PESO, files={"extra.json": b"1"})


def test_a_day_that_is_not_over_is_not_written(place: Place) -> None:
    with pytest.raises(DayNotOverError):
        write_day_log(DAY + timedelta(days=1), run=1, place=place, currency=PESO, files={})
