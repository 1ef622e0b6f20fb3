#!/usr/bin/env python3
"""Verify a day's log and its manifest, with Python alone.

    python3 verify_day.py FOLDER PUBLIC_KEY_FILE

FOLDER holds manifest.note, log.jsonl and the other files of one run; PUBLIC_KEY_FILE holds the
log's public keys, one a line. It checks the signature, every file against the manifest, and the
hash chain of every stream from the hash before the day to its last. It shares no code with the
product and needs nothing beside it: copy this one file anywhere. What it cannot know: whether the
hash before the day is the one that ended the day before; compare the two manifests for that.

Exit status 0: everything holds. 1: something does not, and the first such thing is named.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

Point = tuple[int, int, int, int]
Keys = dict[tuple[str, bytes], bytes]

TAG = b"casino.log.entry.v1"
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493


class BrokenError(Exception):
    """The first thing that does not hold."""


def say(text: str) -> None:
    """Print one line."""
    sys.stdout.write(f"{text}\n")


def recover_x(y: int, sign: int) -> int:
    """Return x of a point of edwards25519 from y, or raise (RFC 8032, 5.1.3)."""
    if y >= P:
        raise BrokenError("a public key or signature is not on the curve")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        raise BrokenError("a public key or signature is not on the curve")
    return P - x if x & 1 != sign else x


def decode_point(data: bytes) -> Point:
    """Read a point as RFC 8032 writes it."""
    number = int.from_bytes(data, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    x = recover_x(y, sign)
    return (x, y, 1, x * y % P)


def add(a: Point, b: Point) -> Point:
    """Add two points in extended coordinates."""
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(factor: int, point: Point) -> Point:
    """Multiply a point by doubling and adding; nothing here is secret."""
    result = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def same(a: Point, b: Point) -> bool:
    """Tell whether two points are one."""
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Verify Ed25519 (RFC 8032, 5.1.7)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= ORDER:
        return False
    try:
        key, r = decode_point(public), decode_point(signature[:32])
    except BrokenError:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    h = int.from_bytes(digest, "little") % ORDER
    return same(multiply(scalar, BASE), add(r, multiply(h, key)))


def read_keys(path: Path) -> Keys:
    """Read lines NAME+ID+KEY: the id is four bytes of SHA-256, the key a byte 1 and 32 bytes."""
    keys: Keys = {}
    for line in path.read_text(encoding="utf-8").split():
        name, identity, encoded = line.split("+", 2)
        data = base64.b64decode(encoded)
        wanted = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
        if data[:1] != b"\x01" or wanted.hex() != identity:
            raise BrokenError("a public key does not have the id that is written beside it")
        keys[name, wanted] = data[1:]
    return keys


def open_note(note: str, keys: Keys) -> str:
    """Return the signed text, or raise."""
    text, gap, signatures = note.rpartition("\n\n")
    if not gap:
        raise BrokenError("the manifest has no signature")
    text += "\n"
    for line in signatures.splitlines():
        dash, name, encoded = line.split(" ")
        data = base64.b64decode(encoded)
        public = keys.get((name, data[:4]))
        if dash == "\u2014" and public and is_signed(public, text.encode(), data[4:]):
            return text
    raise BrokenError("no known key has signed the manifest")


def check_files(folder: Path, lines: list[str]) -> int:
    """Compare every file that the manifest names, byte for byte by hash."""
    count = 0
    for line in lines:
        if not line.startswith("file "):
            continue
        _, name, length, hashed = line.split(" ")
        size, wanted = int(length), base64.b64decode(hashed)
        path = folder / name
        if not path.is_file():
            raise BrokenError(f"{name} is missing")
        content = path.read_bytes()
        if len(content) != size or hashlib.sha256(content).digest() != wanted:
            raise BrokenError(f"{name} is not the file that was signed")
        count += 1
    return count


def entry_hash(before: bytes, stream: str, seq: int, at: str, body: str) -> bytes:
    """SHA-256 over six fields, each preceded by its length in four bytes (docs/log-format.md)."""
    fields = (TAG, before, stream.encode(), seq.to_bytes(8, "big"), at.encode(), body.encode())
    return hashlib.sha256(b"".join(len(f).to_bytes(4, "big") + f for f in fields)).digest()


def check_chains(folder: Path, lines: list[str]) -> tuple[int, int]:
    """Recompute the chain of every stream from the file alone."""
    following: dict[str, int] = {}
    reached: dict[str, bytes] = {}
    ends: dict[str, tuple[int, bytes]] = {}
    for line in lines:
        if line.startswith("stream "):
            _, name, first, last, before, after = line.split(" ")
            following[name], reached[name] = int(first), base64.b64decode(before)
            ends[name] = (int(last), base64.b64decode(after))
    entries = 0
    with (folder / "log.jsonl").open(encoding="utf-8", newline="\n") as file:
        for text in file:
            line = json.loads(text)
            place = f"{line['stream']} {line['seq']}"
            name, seq = line["stream"], line["seq"]
            if following.get(name) != seq:
                raise BrokenError(f"entry {place}: it is not the one that comes next")
            computed = entry_hash(reached[name], name, seq, line["at"], line["body"])
            if computed.hex() != line["hash"]:
                raise BrokenError(f"entry {place}: its content does not give its hash")
            following[name], reached[name] = seq + 1, computed
            entries += 1
    for name, (final, closing) in ends.items():
        if (following[name], reached[name]) != (final + 1, closing):
            raise BrokenError(f"stream {name}: it does not end where the manifest says")
    return entries, len(ends)


def main(arguments: list[str]) -> int:
    """Verify one folder; print what was read, or the first thing that does not hold."""
    if len(arguments) != 2:
        say(str(__doc__))
        return 2
    folder, keys = Path(arguments[0]), read_keys(Path(arguments[1]))
    try:
        note = (folder / "manifest.note").read_text(encoding="utf-8")
        lines = open_note(note, keys).splitlines()
        files = check_files(folder, lines)
        entries, streams = check_chains(folder, lines)
    except (BrokenError, OSError, ValueError, KeyError) as problem:
        say(f"does not hold: {problem}")
        return 1
    say(f"{lines[1]}: {files} files, {entries} entries in {streams} streams hold")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
