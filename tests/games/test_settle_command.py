"""`manage.py settle`: lines in, answers out, as a program of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.kernel.jsonio import loads
from tables.games import settle_document
from tests.games.rounds import document

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
COMMAND = [sys.executable, str(ROOT / "manage.py"), "settle"]
GOOD = json.dumps(document("1 main=101: 2H 7C KD", bank="5S 3D QC")).encode()


def run(text: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the command with an empty environment: no database, no broker, no secret."""
    return subprocess.run(
        COMMAND, input=text, capture_output=True, check=False, env={}, cwd=ROOT, timeout=60
    )


def test_each_line_has_its_answer_in_order_and_blank_ones_have_none() -> None:
    done = run(b"\n" + GOOD + b"\n  \n\r\n" + GOOD.replace(b'"round"', b'"last"'))

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["round", "last"]
    assert answers[0] == settle_document(json.loads(GOOD))
    assert (done.returncode, done.stderr) == (0, b"")


def test_every_published_case_comes_out_of_the_command() -> None:
    """What each one must come to, `test_vectors` says of the same answers."""
    cases = [
        line
        for name in ("examples.jsonl", "vectors.jsonl")
        for line in (HERE / name).read_bytes().splitlines()
    ]
    done = run(b"\n".join(cases))

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [settle_document(loads(line)) for line in cases]
    assert len(answers) == 184
    assert not any(answer["faults"] for answer in answers)
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_lines_are_no_fault() -> None:
    assert run(b"").returncode == 0


UNREADABLE = {
    "cut": b"{",
    "list": b"[1,2",
    "twice": b'{"id":"a","id":"b"}',
    "nan": b'{"id":NaN}',
    "surrogate": b'{"id":"\\ud800"}',
    "nul": b'{"id":"\\u0000"}',
    "latin": b'{"id":"\xff"}',
    "deep": b"[" * 3000,
    "long": b'"' + b"x" * 1_100_000 + b'"',
    "digits": b'{"n":' + b"9" * 5000 + b"}",
    "mark": b"\xef\xbb\xbf{}",
}


def test_a_line_that_cannot_be_read_spoils_no_other() -> None:
    done = run(b"\n".join([*UNREADABLE.values(), GOOD]))

    *refused, settled = (json.loads(text) for text in done.stdout.splitlines())
    for name, answer in zip(UNREADABLE, refused, strict=True):
        codes = [fault["code"] for fault in answer["faults"]]
        assert (name, answer["id"], answer["lines"], codes) == (name, None, [], ["unreadable"])
    assert settled["faults"] == []
    assert done.returncode == 1


def test_a_fault_makes_the_status_1() -> None:
    done = run(GOOD.replace(b"101", b"1e2"))

    assert json.loads(done.stdout)["faults"][0]["code"] == "stake"
    assert done.returncode == 1


def test_input_that_cannot_be_read_makes_the_status_2() -> None:
    unreadable = os.open(os.devnull, os.O_WRONLY)
    try:
        done = subprocess.run(COMMAND, stdin=unreadable, capture_output=True, check=False, env={})
    finally:
        os.close(unreadable)

    assert done.returncode == 2
    assert done.stderr.startswith(b"settle: ")


@pytest.fixture
def talking() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}
    ) as running:
        yield running


def test_an_answer_comes_before_the_next_line_is_asked(talking: subprocess.Popen[bytes]) -> None:
    assert talking.stdin is not None
    assert talking.stdout is not None
    for name in ("one", "two"):
        talking.stdin.write(GOOD.replace(b'"round"', f'"{name}"'.encode()) + b"\n")
        talking.stdin.flush()
        assert json.loads(talking.stdout.readline())["id"] == name
    talking.stdin.close()
    assert talking.wait(timeout=30) == 0
