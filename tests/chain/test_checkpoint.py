"""The text of a checkpoint, both ways; a verifier that shares no code; what may follow what."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.chain.checkpoint import (
    CheckpointError,
    CheckpointText,
    StreamHead,
    extends,
    format_checkpoint,
    parse_checkpoint,
    text_hash,
)
from audit.chain.note import VerifierKey, sign_note
from tests.chain import independent

ORIGIN = "demo.invalid/casino-log"
FIRST = CheckpointText(
    origin=ORIGIN,
    number=1,
    at="2026-03-01T14:05:00.000001Z",
    previous_hash=bytes(32),
    heads=(StreamHead("people", 0, bytes(32)), StreamHead("table/T1", 12, b"\x01" * 32)),
)
SECOND = CheckpointText(
    origin=ORIGIN,
    number=2,
    at="2026-03-01T14:06:00.000001Z",
    previous_hash=text_hash(format_checkpoint(FIRST)),
    heads=(
        StreamHead("people", 3, b"\x02" * 32),
        StreamHead("table/T1", 12, b"\x01" * 32),
        StreamHead("table/T2", 1, b"\x03" * 32),
    ),
)
EMPTY = replace(FIRST, heads=())
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = VerifierKey(ORIGIN, PRIVATE.public_key().public_bytes_raw())


@pytest.mark.parametrize("checkpoint", [FIRST, SECOND, EMPTY])
def test_what_is_written_is_read(checkpoint: CheckpointText) -> None:
    assert parse_checkpoint(format_checkpoint(checkpoint), origin=ORIGIN) == checkpoint


@pytest.mark.parametrize("checkpoint", [FIRST, SECOND, EMPTY])
def test_a_verifier_written_from_the_documents_accepts_it(checkpoint: CheckpointText) -> None:
    text = format_checkpoint(checkpoint)
    read = independent.verify(sign_note(text, key=KEY, sign=PRIVATE.sign), str(KEY))
    assert read["number"] == checkpoint.number
    assert read["hash"] == text_hash(text).hex()
    assert read["heads"] == {head.stream: (head.seq, head.hash.hex()) for head in checkpoint.heads}


def test_that_verifier_refuses_every_changed_line() -> None:
    note = sign_note(format_checkpoint(SECOND), key=KEY, sign=PRIVATE.sign)
    lines = note.split(b"\n")
    for position in range(len(lines) - 1):
        for changed in (lines[position] + b"x", b"x" + lines[position], None):
            kept = [
                *lines[:position],
                *([] if changed is None else [changed]),
                *lines[position + 1 :],
            ]
            with pytest.raises((ValueError, IndexError)):
                independent.verify(b"\n".join(kept), str(KEY))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (ORIGIN, "other.invalid/log"),
        ("v1", "v2"),
        ("number 2", "number 02"),
        ("number 2", "number 0"),
        ("number 2\n", ""),
        ("time 2026-03-01T14:06:00.000001Z", "time 2026-03-01T14:06:00Z"),
        ("entries 16", "entries 17"),
        ("previous ", "previous  "),
        ("stream people 3", "stream people -3"),
        ("stream people 3", "stream People 3"),
        ("stream people", "stream zebra"),
        ("stream table/T2", "stream table/T1"),
        ("AgICAgICAgI", "AgICAgICAg"),
        ("\nstream table/T2", "\n\nstream table/T2"),
        ("stream table/T2", "strand table/T2"),
    ],
)
def test_a_text_of_another_form_is_refused(old: str, new: str) -> None:
    text = format_checkpoint(SECOND)
    assert old in text
    with pytest.raises(CheckpointError):
        parse_checkpoint(text.replace(old, new, 1), origin=ORIGIN)


def test_the_next_checkpoint_follows() -> None:
    assert extends(SECOND, FIRST) is None


@pytest.mark.parametrize(
    "later",
    [
        replace(SECOND, number=3),
        replace(SECOND, previous_hash=bytes(32)),
        replace(SECOND, at="2026-03-01T14:04:00.000001Z"),
        replace(SECOND, heads=SECOND.heads[:1]),
        replace(SECOND, heads=(SECOND.heads[0], StreamHead("table/T1", 11, b"\x01" * 32))),
        replace(SECOND, heads=(SECOND.heads[0], StreamHead("table/T1", 12, b"\x09" * 32))),
    ],
)
def test_a_contradicting_checkpoint_does_not(later: CheckpointText) -> None:
    assert extends(later, FIRST) is not None
