"""The keys that sign and check checkpoints: Ed25519, in files beside the product, never in the log.

The private key is one line in a file that only its owner may read. Beside it, with `.pub` added,
lie the public keys that are trusted, one a line: a new key is added there, none is taken away, so
that old checkpoints still verify.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from audit.chain.note import (
    NoteError,
    VerifierKey,
    check_name,
    format_signer_key,
    parse_signer_key,
    parse_verifier_key,
)


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key: its public half, and the act of signing."""

    key: VerifierKey
    sign: Callable[[bytes], bytes]


def generate_key(path: Path, *, name: str) -> VerifierKey:
    """Make a signing key in a new file (mode 0600) and add its public half to the trusted ones.

    Refuses a file that exists. `name` is the log's own name. Raises NoteError for a bad name.
    """
    check_name(name)
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key = VerifierKey(name, public)
    line = format_signer_key(name, private.private_bytes_raw(), public)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())
    with public_path(path).open("a", encoding="utf-8") as file:
        file.write(f"{key}\n")
    return key


def public_path(path: Path) -> Path:
    """Where the trusted public keys of a private key's file lie."""
    return path.with_name(f"{path.name}.pub")


def load_signer(path: Path) -> Signer:
    """Read the private key. Raises NoteError or OSError."""
    line = path.read_text(encoding="utf-8").strip()
    name, seed = parse_signer_key(line)
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public = private.public_key().public_bytes_raw()
    if format_signer_key(name, seed, public) != line:
        raise NoteError(reason="the id in the key file does not belong to its key")
    return Signer(VerifierKey(name, public), private.sign)


def load_trusted(path: Path) -> Sequence[VerifierKey]:
    """Read the trusted public keys that lie beside a private key. Raises NoteError or OSError."""
    lines = public_path(path).read_text(encoding="utf-8").splitlines()
    return [parse_verifier_key(line) for line in lines if line.strip()]


def check_signature(public: bytes, signature: bytes, text: bytes) -> bool:
    """Say whether an Ed25519 signature belongs to a text."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True
