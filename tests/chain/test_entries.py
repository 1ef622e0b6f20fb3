"""The hash of an entry: a fixed vector, a second reading of the format, and no two ways to it."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.chain import START, entry_hash

FIRST = {
    "prev_hash": START,
    "stream": "table/T1",
    "seq": 1,
    "at": "2026-03-01T14:05:00.000001Z",
    "body": b'{"a":1}',
}


def as_the_format_says(*, prev_hash: bytes, stream: str, seq: int, at: str, body: bytes) -> bytes:
    """docs/log-format.md read again, by other hands."""
    whole = b""
    for part in (
        b"casino.log.entry.v1",
        prev_hash,
        stream.encode("utf-8"),
        seq.to_bytes(8, "big", signed=True),
        at.encode("ascii"),
        body,
    ):
        whole += len(part).to_bytes(4, "big") + part
    return hashlib.sha256(whole).digest()


def test_the_vector_of_the_documentation() -> None:
    """Never changed: entries written under it must verify for ever."""
    assert entry_hash(**FIRST).hex() == (  # type: ignore[arg-type]  # one dict of all arguments
        "105fa39f06c742e013db1bde1935b89d23eff1b82cb22f5ea20dc783d5beff45"
    )


@given(
    prev_hash=st.binary(min_size=32, max_size=32),
    stream=st.from_regex(r"[a-z]{1,8}(/[A-Z0-9]{1,4})?", fullmatch=True),
    seq=st.integers(1, 2**62),
    at=st.datetimes().map(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")),
    body=st.binary(max_size=200),
)
def test_a_second_implementation_agrees(
    prev_hash: bytes, stream: str, seq: int, at: str, body: bytes
) -> None:
    assert entry_hash(
        prev_hash=prev_hash, stream=stream, seq=seq, at=at, body=body
    ) == as_the_format_says(prev_hash=prev_hash, stream=stream, seq=seq, at=at, body=body)


@pytest.mark.parametrize(
    "change",
    [
        {"prev_hash": bytes(31) + b"\x01"},
        {"stream": "table/T2"},
        {"seq": 2},
        {"at": "2026-03-01T14:05:00.000002Z"},
        {"body": b'{"a":2}'},
        # The same bytes in all, cut at other places.
        {"stream": "table/T", "seq": 1},
    ],
)
def test_every_part_is_in_the_hash(change: dict[str, object]) -> None:
    assert entry_hash(**{**FIRST, **change}) != entry_hash(**FIRST)  # type: ignore[arg-type]  # as above


def test_a_previous_hash_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        entry_hash(prev_hash=b"", stream="people", seq=1, at="", body=b"{}")
