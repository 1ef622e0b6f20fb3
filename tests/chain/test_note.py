"""The envelope: the example of its specification, and everything a forger might try."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.chain.note import (
    NoteError,
    VerifierKey,
    format_signer_key,
    open_note,
    parse_signer_key,
    parse_verifier_key,
    sign_note,
)
from audit.log.keys import check_signature

# The worked example of the reference implementation (golang.org/x/mod/sumdb/note).
SKEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
NOTE = (
    TEXT
    + "\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqd"
    "ngotpRZb6KE6RyyBwJnAM=\n"
).encode()
KEY = parse_verifier_key(VKEY)


def opened(note: bytes, *keys: VerifierKey) -> str:
    return open_note(note, keys=keys or (KEY,), check=check_signature)


def test_the_example_of_the_reference_implementation() -> None:
    name, seed = parse_signer_key(SKEY)
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public = private.public_key().public_bytes_raw()
    assert (name, VerifierKey(name, public)) == ("PeterNeumann", KEY)
    assert str(KEY) == VKEY
    assert format_signer_key(name, seed, public) == SKEY
    assert sign_note(TEXT, key=KEY, sign=private.sign) == NOTE
    assert opened(NOTE) == TEXT


def test_every_changed_bit_is_refused() -> None:
    for position in range(len(NOTE)):
        for bit in range(8):
            changed = bytearray(NOTE)
            changed[position] ^= 1 << bit
            with pytest.raises(NoteError):
                opened(bytes(changed))


def test_an_unknown_signature_is_ignored_and_a_bad_known_one_is_not() -> None:
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    other = VerifierKey("Other", stranger.public_key().public_bytes_raw())
    line = sign_note(TEXT, key=other, sign=stranger.sign).decode().split("\n\n")[1]
    assert opened(NOTE + line.encode()) == TEXT
    assert opened(NOTE + line.encode(), KEY, other) == TEXT
    with pytest.raises(NoteError):
        opened(NOTE, other)
    forged = "\u2014 Other " + base64.b64encode(other.id + bytes(64)).decode() + "\n"
    with pytest.raises(NoteError):
        opened(NOTE + forged.encode(), KEY, other)


@pytest.mark.parametrize(
    "note",
    [
        b"",
        TEXT.encode(),
        NOTE[:-1],
        NOTE.replace(b"\n\n", b"\n"),
        b"\x07" + NOTE,
        b"\xff" + NOTE,
        NOTE.replace("\u2014 ".encode(), b"-- "),
        NOTE + b"garbage\n",
        NOTE + "\u2014 x y z\n".encode(),
        NOTE + "\u2014 short AAAA\n".encode(),
        NOTE + "\u2014 spelled AAAAAAAAAAB=\n".encode(),
        NOTE + ("\u2014 many AAAAAAAA\n" * 64).encode(),
        b"x" * (1024 * 1024) + NOTE,
    ],
)
def test_a_note_of_another_form_is_refused(note: bytes) -> None:
    with pytest.raises(NoteError):
        opened(note)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "name+00000000",
        VKEY.replace("c74f20a3", "c74f20a4"),
        VKEY[:-4],
        VKEY.replace("+AR", "+Ag"),
        VKEY.replace("PeterNeumann", "Peter Neumann"),
        SKEY,
    ],
)
def test_a_verifier_key_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        parse_verifier_key(text)


@pytest.mark.parametrize("text", ["no newline", "control\x01\n"])
def test_a_text_that_no_note_can_hold_is_not_signed(text: str) -> None:
    with pytest.raises(NoteError):
        sign_note(text, key=KEY, sign=lambda message: bytes(64))
