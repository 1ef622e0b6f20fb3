"""The hash of an entry: SHA-256 over its parts, each preceded by its length.

The lengths make the concatenation unambiguous; the stream and the number within it lie in the
hashed bytes, so that an entry cannot be moved to another place or another chain. The trigger
`log_entry_chain` computes the same in SQL.
"""

from hashlib import sha256
from struct import Struct

TAG = b"casino.log.entry.v1"
START = bytes(32)
"""The hash before the first entry of every stream."""

_length = Struct(">I").pack
_seq = Struct(">Iq").pack
_HASH_LENGTH = 32
_HEAD = _length(len(TAG)) + TAG + _length(_HASH_LENGTH)


def entry_hash(*, prev_hash: bytes, stream: str, seq: int, at: str, body: bytes) -> bytes:
    """Return the 32 bytes that chain an entry to the one before it.

    `at` is the instant in the log's one form (`format_instant`), `body` the canonical bytes.
    Lengths are four bytes, `seq` eight bytes, both big-endian.
    """
    if len(prev_hash) != _HASH_LENGTH:
        raise ValueError("a previous hash has 32 bytes")
    name, time = stream.encode(), at.encode()
    return sha256(
        b"".join(
            (
                _HEAD,
                prev_hash,
                _length(len(name)),
                name,
                _seq(8, seq),
                _length(len(time)),
                time,
                _length(len(body)),
                body,
            )
        )
    ).digest()
