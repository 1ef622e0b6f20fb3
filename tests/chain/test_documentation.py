"""docs/log-format.md: its examples are true, so that who follows them gets our bytes."""

import base64
import re
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.chain import START, entry_hash, read_canonical
from audit.chain.checkpoint import parse_checkpoint, text_hash
from audit.chain.note import VerifierKey, open_note, sign_note
from audit.log.keys import check_signature
from tests.chain import independent
from tests.chain.test_entries import as_the_format_says

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "log-format.md").read_text(encoding="utf-8")
BLOCKS = [
    block.rstrip("\n") for block in re.findall(r"```(?:json|text)\n(.*?)```", TEXT, re.DOTALL)
]
FIRST, PREFIX, FIRST_HASH, SECOND, SECOND_HASH, KEY, NOTE = BLOCKS


def test_the_entries_have_the_hashes_that_are_printed() -> None:
    first = entry_hash(
        prev_hash=START,
        stream="table/T1",
        seq=1,
        at="2026-03-01T14:05:00.000001Z",
        body=FIRST.encode(),
    )
    second = as_the_format_says(
        prev_hash=first,
        stream="table/T1",
        seq=2,
        at="2026-03-01T14:05:07.250000Z",
        body=SECOND.encode(),
    )
    assert (first.hex(), second.hex()) == (FIRST_HASH, SECOND_HASH)
    assert len(FIRST.encode()) == 239 == int(PREFIX.split()[-1], 16)


def test_the_printed_prefix_and_the_body_are_what_is_hashed() -> None:
    assert sha256(bytes.fromhex(PREFIX) + FIRST.encode()).hexdigest() == FIRST_HASH


def test_the_bodies_are_canonical() -> None:
    for body in (FIRST, SECOND):
        assert isinstance(read_canonical(body.encode()), dict)


def test_the_checkpoint_verifies_and_is_what_we_would_sign() -> None:
    note = f"{NOTE}\n".encode()
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    key = VerifierKey("demo.invalid/casino-log", private.public_key().public_bytes_raw())
    assert str(key) == KEY
    text = open_note(note, keys=[key], check=check_signature)
    assert sign_note(text, key=key, sign=private.sign) == note
    read = parse_checkpoint(text, origin=key.name)
    assert read.heads[1].hash.hex() == SECOND_HASH
    found = independent.verify(note, KEY)
    assert found["hash"] == text_hash(text).hex()
    quoted = re.search(r"`previous\s+(\S+)`", TEXT)
    assert quoted is not None
    assert base64.b64decode(quoted[1]) == text_hash(text)
