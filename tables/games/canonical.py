"""The canonical form and hash of rulesets, procedures and limits.

On their domain (ASCII text, integers within 2^53 - 1, booleans, null, lists, objects) JSON with
sorted keys and no spaces is RFC 8785; a test compares it with an independent implementation.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical_bytes(value: Mapping[str, object]) -> bytes:
    """Return the RFC 8785 form of an object that holds validated options only."""
    return _encode(value).encode("ascii")


def content_hash(canonical: bytes) -> str:
    """Return the SHA-256 of canonical bytes in lower-case hex."""
    return sha256(canonical).hexdigest()


def read_object(canonical: bytes, member: str) -> dict[str, object]:
    """Return a member of a canonical document that is an object, as a fresh copy."""
    value = json.loads(canonical)[member]
    assert isinstance(value, dict)
    return value
