"""The text of a checkpoint: where every stream stood at one instant, chained to the one before.

    demo.invalid/casino-log                       the log's own name
    casino-checkpoint v1                          the version of this layout
    number 12                                     from 1, without gaps
    time 2026-11-29T19:51:53.943707Z              of the database, when the heads were read
    entries 1834                                  the sum of the numbers below
    previous q83v...=                             SHA-256 of the text before; 32 zero bytes for none
    stream table/T1 612 oV0x...=                  name, number and hash of its last entry
    ...                                           one line a stream, in the order of their bytes

Signed as a note (`audit.chain.note`). Nothing else may stand in it; each value has one spelling.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from casino.kernel.clock import InstantFormatError, parse_instant
from casino.kernel.errors import Invalid

LAYOUT = "casino-checkpoint v1"
STREAM_NAME = re.compile(r"[a-z][a-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?", re.ASCII)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class CheckpointError(Invalid):
    """A checkpoint has exactly the lines of its layout, in order, each value in its one form."""

    code: ClassVar[str] = "chain.checkpoint"
    message: ClassVar[str] = "Expected a checkpoint: {reason}."


@dataclass(frozen=True, slots=True)
class StreamHead:
    """Number and hash of the last entry of a stream; number 0 and zero bytes when it is empty."""

    stream: str
    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class CheckpointText:
    """What a checkpoint states; `heads` in the order of their names."""

    origin: str
    number: int
    at: str
    previous_hash: bytes
    heads: tuple[StreamHead, ...]

    @property
    def entries(self) -> int:
        """How many entries all streams have together."""
        return sum(head.seq for head in self.heads)


def text_hash(text: str) -> bytes:
    """Return the 32 bytes by which the next checkpoint names this one."""
    return sha256(text.encode()).digest()


def format_checkpoint(checkpoint: CheckpointText) -> str:
    """Write the text that is signed; the inverse of `parse_checkpoint`."""
    lines = [
        checkpoint.origin,
        LAYOUT,
        f"number {checkpoint.number}",
        f"time {checkpoint.at}",
        f"entries {checkpoint.entries}",
        f"previous {_encode(checkpoint.previous_hash)}",
        *(f"stream {head.stream} {head.seq} {_encode(head.hash)}" for head in checkpoint.heads),
    ]
    return "".join(f"{line}\n" for line in lines)


def parse_checkpoint(text: str, *, origin: str) -> CheckpointText:
    """Read a text of this log. Raises CheckpointError, also for another log's."""
    lines = text.split("\n")
    if len(lines) < 7 or lines.pop() != "":
        raise CheckpointError(reason="lines are missing")
    if lines[0] != origin:
        raise CheckpointError(reason=f"it is not of the log {origin}")
    if lines[1] != LAYOUT:
        raise CheckpointError(reason=f"its layout is not {LAYOUT}")
    read = CheckpointText(
        origin=origin,
        number=_number(_value(lines[2], "number")),
        at=_instant(_value(lines[3], "time")),
        previous_hash=_hash(_value(lines[5], "previous")),
        heads=tuple(_heads(lines[6:])),
    )
    if read.number < 1 or _number(_value(lines[4], "entries")) != read.entries:
        raise CheckpointError(reason="its number or its sum of entries is wrong")
    return read


def extends(later: CheckpointText, earlier: CheckpointText) -> str | None:
    """Say why `later` cannot follow `earlier` directly; None when it can.

    Streams are never removed and never shorten; at the same number the hash is the same. Whether
    the entries between really chain is for the entries to show.
    """
    if later.number != earlier.number + 1:
        return f"number {later.number} does not follow {earlier.number}"
    if later.previous_hash != text_hash(format_checkpoint(earlier)):
        return f"checkpoint {later.number} names another text than that of {earlier.number}"
    if later.at < earlier.at:
        return f"checkpoint {later.number} is older than {earlier.number}"
    heads = {head.stream: head for head in later.heads}
    for before in earlier.heads:
        after = heads.get(before.stream)
        if after is None or after.seq < before.seq:
            return f"stream {before.stream} is shorter than in checkpoint {earlier.number}"
        if after.seq == before.seq and after.hash != before.hash:
            return f"stream {before.stream} was rewritten since checkpoint {earlier.number}"
    return None


def _heads(lines: list[str]) -> Iterable[StreamHead]:
    last = ""
    for line in lines:
        parts = line.split(" ")
        if len(parts) != 4 or parts[0] != "stream" or not STREAM_NAME.fullmatch(parts[1]):
            raise CheckpointError(reason="a line is not that of a stream")
        if parts[1] <= last:
            raise CheckpointError(reason="the streams are not in order")
        last = parts[1]
        yield StreamHead(parts[1], _number(parts[2]), _hash(parts[3]))


def _value(line: str, name: str) -> str:
    found, _, value = line.partition(" ")
    if found != name:
        raise CheckpointError(reason=f"there is no line for {name}")
    return value


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise CheckpointError(reason="a number is not written plainly")
    return int(text)


def _instant(text: str) -> str:
    try:
        parse_instant(text)
    except InstantFormatError as error:
        raise CheckpointError(reason=error.detail) from None
    return text


def _encode(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _hash(text: str) -> bytes:
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise CheckpointError(reason="a hash is not base64") from None
    if len(value) != 32 or _encode(value) != text:
        raise CheckpointError(reason="a hash has not 32 bytes")
    return value
