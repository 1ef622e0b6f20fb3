"""A verifier of checkpoints written from the documents alone; it shares no code with the product.

From C2SP `signed-note` and the layout in docs/log-format.md. It raises ValueError.
"""

import base64
import hashlib
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_STREAM = re.compile(
    r"stream ([a-z][a-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?) (0|[1-9]\d*) (\S+)"
)


def verify(note: bytes, vkey: str) -> dict[str, object]:
    """Check a note with one verifier key and take it apart."""
    name, key_hash, key_text = vkey.split("+", 2)
    key = base64.b64decode(key_text, validate=True)
    if key[0] != 1 or len(key) != 33:
        raise ValueError("not an Ed25519 key")
    if hashlib.sha256(name.encode() + b"\n" + key).digest()[:4].hex() != key_hash:
        raise ValueError("key hash")
    cut = note.rindex(b"\n\n")
    text, signatures = note[: cut + 1], note[cut + 2 :].decode()
    if not signatures.endswith("\n"):
        raise ValueError("no newline at the end")
    good = 0
    for line in signatures.splitlines():
        dash, signer, blob_text = line.split(" ")
        blob = base64.b64decode(blob_text, validate=True)
        if base64.b64encode(blob).decode() != blob_text or dash != "\u2014":
            raise ValueError("signature line")
        if signer == name and blob[:4].hex() == key_hash:
            try:
                Ed25519PublicKey.from_public_bytes(key[1:]).verify(blob[4:], text)
            except InvalidSignature as error:
                raise ValueError("signature") from error
            good += 1
    if not good:
        raise ValueError("not signed by this key")
    return _layout(text.decode(), name)


def _layout(text: str, name: str) -> dict[str, object]:
    lines = text.split("\n")
    if lines.pop() or lines[0] != name or lines[1] != "casino-checkpoint v1":
        raise ValueError("head of the text")
    number = re.fullmatch(r"number ([1-9]\d*)", lines[2])
    moment = re.fullmatch(r"time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)", lines[3])
    entries = re.fullmatch(r"entries (0|[1-9]\d*)", lines[4])
    previous = re.fullmatch(r"previous (\S{44})", lines[5])
    if not (number and moment and entries and previous):
        raise ValueError("one of the first lines")
    heads: dict[str, tuple[int, str]] = {}
    for line in lines[6:]:
        found = _STREAM.fullmatch(line)
        if not found or (heads and found[1] <= max(heads)):
            raise ValueError("a stream's line")
        heads[found[1]] = (int(found[2]), base64.b64decode(found[3], validate=True).hex())
    if sum(seq for seq, _ in heads.values()) != int(entries[1]):
        raise ValueError("sum of entries")
    return {
        "number": int(number[1]),
        "time": moment[1],
        "previous": base64.b64decode(previous[1], validate=True).hex(),
        "hash": hashlib.sha256(text.encode()).hexdigest(),
        "heads": heads,
    }
