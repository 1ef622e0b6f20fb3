"""`manage.py settle`: round documents as JSON Lines in, their settlements out, one for each line.

Pure computation: it needs no database, broker or secret, and must store nothing. Answers are
flushed whenever no further line is waiting, so that a program may talk to it line by line.
"""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final

from django.core.management.base import BaseCommand

from casino.kernel.errors import DomainError
from casino.kernel.jsonio import loads
from tables.games import Fault, refused_answer, settle_document

# A document of five seats is under 1,000 bytes; a line beyond this is refused without being kept.
_LINE_BYTES_MAX: Final = 1_000_000
_CHUNK_BYTES: Final = 1 << 16

_STANDARD_INPUT: Final = 0
_STANDARD_OUTPUT: Final = 1

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


class Command(BaseCommand):
    """Settle round documents from standard input."""

    help = "Settle round documents: JSON Lines on standard input, one answer line for each."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Exit status: 0 all settled, 1 some had faults, 2 input could not be read."

    def handle(self, *args: Any, **options: Any) -> None:  # Any: the signature of Django's
        status = settle_stream(_STANDARD_INPUT, _STANDARD_OUTPUT)
        if status:
            sys.exit(status)


def settle_stream(source: int, target: int) -> int:
    """Settle every line that file descriptor `source` yields; return the exit status.

    0: every line settled; 1: some had faults; 2: the input could not be read, or the answers not be
    written.
    """
    faulty = False
    answers: list[bytes] = []
    try:
        for line in _lines(source):
            if line is not None:
                answer, bad = _answer_line(line)
                answers.append(answer)
                faulty = faulty or bad
            elif answers:
                _write(target, b"".join(answers))
                answers.clear()
        _write(target, b"".join(answers))
    except OSError as error:
        sys.stderr.write(f"settle: {error.strerror or error}\n")
        return 2
    return 1 if faulty else 0


def _lines(source: int) -> Iterator[bytes | None]:
    """Yield lines without their end, and None whenever the next one is not there yet.

    A line that is too long comes cut, one byte over the limit, so that it is refused.
    """
    rest = b""
    while True:
        yield None
        chunk = os.read(source, _CHUNK_BYTES)
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        rest = rest[: _LINE_BYTES_MAX + 1]
    if rest:
        yield rest


def _answer_line(line: bytes) -> tuple[bytes, bool]:
    """Return the answer to one line with its end, and whether it had faults; none if blank."""
    if not line.strip():
        return b"", False
    if len(line) > _LINE_BYTES_MAX:
        detail = f"expected at most {_LINE_BYTES_MAX} bytes in a line"
        answer = refused_answer([Fault("unreadable", "", detail)])
    else:
        try:
            answer = settle_document(loads(line))
        except DomainError as error:
            answer = refused_answer([Fault("unreadable", "", error.detail)])
    return _encode(answer).encode("ascii") + b"\n", bool(answer["faults"])


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]
