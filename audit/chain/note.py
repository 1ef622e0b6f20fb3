"""Signed notes as C2SP `signed-note` has them: a text, an empty line, signature lines.

Only the envelope and Ed25519's key ids are here; who signs and who checks a signature is an
argument, so that this module needs nothing but the standard library.
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from casino.kernel.errors import Invalid

ED25519 = b"\x01"
NOTE_MAX = 1024 * 1024
SIGNATURES_MAX = 64
_DASH = "\u2014 "


class NoteError(Invalid):
    """A signed note has a text that ends in a newline, an empty line, and valid signatures."""

    code: ClassVar[str] = "chain.note"
    message: ClassVar[str] = "Expected a signed note: {reason}."


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with its name, written `name+id+base64`."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        return key_id(self.name, self.public)

    def __str__(self) -> str:
        encoded = base64.b64encode(ED25519 + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"


def key_id(name: str, public: bytes) -> bytes:
    """Return an Ed25519 key's id: four bytes of a hash over name, algorithm and key."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def parse_verifier_key(text: str) -> VerifierKey:
    """Read `name+id+base64`. Raises NoteError."""
    name, public = _parse_key(text, prefix="")
    return VerifierKey(name, public)


def parse_signer_key(text: str) -> tuple[str, bytes]:
    """Read `PRIVATE+KEY+name+id+base64`; return the name and the 32-byte seed.

    The id in the text belongs to the public key, which the caller derives and compares.
    """
    return _parse_key(text, prefix="PRIVATE+KEY+")


def format_signer_key(name: str, seed: bytes, public: bytes) -> str:
    """Write a private key; the inverse of `parse_signer_key`."""
    check_name(name)
    encoded = base64.b64encode(ED25519 + seed).decode()
    return f"PRIVATE+KEY+{name}+{key_id(name, public).hex()}+{encoded}"


def check_name(name: str) -> None:
    """Refuse a key name that an envelope cannot hold. Raises NoteError."""
    if not name or "+" in name or any(sign.isspace() for sign in name):
        raise NoteError(reason="a key name has no spaces and no plus sign")


def sign_note(text: str, *, key: VerifierKey, sign: Callable[[bytes], bytes]) -> bytes:
    """Return the note of a text with one signature. `sign` answers 64 bytes of Ed25519."""
    _check_text(text)
    check_name(key.name)
    signature = base64.b64encode(key.id + sign(text.encode())).decode()
    return f"{text}\n{_DASH}{key.name} {signature}\n".encode()


def open_note(
    note: bytes,
    *,
    keys: Sequence[VerifierKey],
    check: Callable[[bytes, bytes, bytes], bool],
) -> str:
    """Return the text of a note that at least one of the keys has signed.

    `check` is asked (public key, signature, text). Signatures of unknown keys are ignored; a bad
    one of a known key refuses the note. Raises NoteError.
    """
    text, lines = _split(note)
    known: Mapping[tuple[str, bytes], VerifierKey] = {(key.name, key.id): key for key in keys}
    signed = False
    for line in lines:
        name, identity, signature = _parse_signature(line)
        key = known.get((name, identity))
        if key is None:
            continue
        if not check(key.public, signature, text.encode()):
            raise NoteError(reason=f"the signature of {name} is wrong")
        signed = True
    if not signed:
        raise NoteError(reason="no known key has signed it")
    return text


def _split(note: bytes) -> tuple[str, list[str]]:
    if len(note) > NOTE_MAX:
        raise NoteError(reason="it is too long")
    try:
        whole = note.decode()
    except UnicodeDecodeError:
        raise NoteError(reason="it is not UTF-8") from None
    text, gap, signatures = whole.rpartition("\n\n")
    if not gap or not signatures.endswith("\n"):
        raise NoteError(reason="there is no text, empty line and signature line")
    text += "\n"
    _check_text(text)
    lines = signatures[:-1].split("\n")
    if len(lines) > SIGNATURES_MAX:
        raise NoteError(reason="it has too many signatures")
    return text, lines


def _check_text(text: str) -> None:
    if not text.endswith("\n"):
        raise NoteError(reason="the text does not end in a newline")
    if any(ord(sign) < 0x20 and sign != "\n" for sign in text):
        raise NoteError(reason="the text has control characters")


def _parse_signature(line: str) -> tuple[str, bytes, bytes]:
    parts = line.removeprefix(_DASH).split(" ")
    if not line.startswith(_DASH) or len(parts) != 2:
        raise NoteError(reason="a signature line has another form")
    check_name(parts[0])
    raw = _decode(parts[1])
    if len(raw) < 5:
        raise NoteError(reason="a signature is too short")
    return parts[0], raw[:4], raw[4:]


def _parse_key(text: str, *, prefix: str) -> tuple[str, bytes]:
    # The name has no plus sign, but base64 has: what follows the id is the key.
    parts = text.strip().removeprefix(prefix).split("+", 2)
    if not text.startswith(prefix) or len(parts) != 3:
        raise NoteError(reason=f"a key is written {prefix}name+id+base64")
    name, identity, encoded = parts
    check_name(name)
    raw = _decode(encoded)
    if len(raw) != 33 or raw[:1] != ED25519:
        raise NoteError(reason="the key is not an Ed25519 key")
    if not prefix and identity != key_id(name, raw[1:]).hex():
        raise NoteError(reason="the id does not belong to the key")
    return name, raw[1:]


def _decode(text: str) -> bytes:
    """Strict base64: another spelling of the same bytes is refused."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteError(reason="it has something that is not base64") from None
    if base64.b64encode(raw).decode() != text:
        raise NoteError(reason="base64 is not written in its one form")
    return raw
