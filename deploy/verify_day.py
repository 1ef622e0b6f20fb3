#!/usr/bin/env python3
"""Verify a day's log and its manifest, with Python alone.

    python3 verify_day.py FOLDER PUBLIC_KEY_FILE

FOLDER holds manifest.note, log.jsonl and the other files of one run; PUBLIC_KEY_FILE holds the
log's public keys, one a line. It checks every signature by one of these keys, that the text is the
manifest of a day of that key's log, every file against it, and the hash chain of every stream from
the hash before the day to its last. It shares no code with the product and needs nothing beside it:
copy this one file anywhere. What it cannot know: whether the hash before the day is the one that
ended the day before; compare the two manifests for that.

Exit status 0: everything holds. 1: something does not, and the first such thing is named.
"""

import base64
import hashlib
import json
import re
import sys
from pathlib import Path

Point = tuple[int, int, int, int]
Keys = dict[tuple[str, bytes], bytes]
Lines = list[re.Match[str]]

DAY = re.compile(r"\d{4}-\d\d-\d\d run [1-9]\d{0,8}", re.ASCII)
HOUSE = re.compile(r"house [A-Z]{3} \d", re.ASCII)
FILE = re.compile(r"file ([a-z0-9][a-z0-9.-]{0,80}) (0|[1-9]\d{0,14}) (\S{44})", re.ASCII)
STREAM = re.compile(
    r"stream (\S{1,80}) ([1-9]\d{0,14}) (0|[1-9]\d{0,14}) (\S{44}) (\S{44})", re.ASCII
)
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
LOG = "log.jsonl"
FIELDS = ["stream", "seq", "at", "hash", "body"]
TAG = b"casino.log.entry.v1"
START = bytes(32)
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493


class BrokenError(Exception):
    """The first thing that does not hold."""


def say(text: str) -> None:
    """Print one line; what it quotes from a file breaks no line and steers no terminal."""
    shown = (sign if " " <= sign <= "~" else ascii(sign)[1:-1] for sign in text)
    sys.stdout.write("".join(shown) + "\n")


def decode(data: bytes, what: str) -> str:
    """Read UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BrokenError(f"{what} is not text in UTF-8") from None


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


def unbase64(text: str) -> bytes:
    """Read base64 in its one spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise BrokenError("a key, hash or signature is not base64") from None
    if base64.b64encode(data).decode() != text:
        raise BrokenError("base64 is not written in its one form")
    return data


def read_keys(path: Path) -> Keys:
    """Read lines NAME+ID+KEY: the id is four bytes of SHA-256, the key a byte 1 and 32 bytes."""
    keys: Keys = {}
    for line in decode(path.read_bytes(), "the file of public keys").removeprefix("\ufeff").split():
        parts = line.split("+", 2)
        if len(parts) != 3:
            raise BrokenError("a public key is not written NAME+ID+KEY")
        name, identity, encoded = parts
        data = unbase64(encoded)
        wanted = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
        if data[:1] != b"\x01" or len(data) != 33 or wanted.hex() != identity:
            raise BrokenError("a public key does not have the id that is written beside it")
        keys[name, wanted] = data[1:]
    return keys


def open_note(note: bytes, keys: Keys) -> tuple[str, set[str]]:
    """Return the signed text and who signed it; a wrong signature of a known key refuses it."""
    text, gap, signatures = decode(note, "the manifest").rpartition("\n\n")
    if not gap or not signatures.endswith("\n"):
        raise BrokenError("the manifest has no signature")
    text += "\n"
    if any(ord(sign) < 0x20 and sign != "\n" for sign in text + signatures):
        raise BrokenError("the manifest has control characters")
    signers: set[str] = set()
    for line in signatures[:-1].split("\n"):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "\u2014":
            raise BrokenError("a signature line of the manifest has another form")
        name, data = parts[1], unbase64(parts[2])
        public = keys.get((name, data[:4]))
        if public is None:
            continue
        if not is_signed(public, text.encode(), data[4:]):
            raise BrokenError(f"the signature of {name} is wrong")
        signers.add(name)
    if not signers:
        raise BrokenError("no known key has signed the manifest")
    return text, signers


def read_manifest(text: str, signers: set[str]) -> tuple[str, Lines, Lines]:
    """Return the day's line, and the lines of files and streams; anything else is refused."""
    lines = text[:-1].split("\n")
    if len(lines) < 3:
        raise BrokenError("it is not the manifest of a day")
    head, day, house, *rest = lines
    if head not in {f"{name}/day" for name in signers}:
        raise BrokenError("its first line is not that of a day of the log that signed it")
    if not DAY.fullmatch(day) or not HOUSE.fullmatch(house):
        raise BrokenError("its lines of the day and the house are not readable")
    files = [found for line in rest if (found := FILE.fullmatch(line))]
    streams = [found for line in rest if (found := STREAM.fullmatch(line))]
    if [found[0] for found in files + streams] != rest:
        raise BrokenError("a line of the manifest is not known, or not in its place")
    for found in (files, streams):
        names = [line[1] for line in found]
        if names != sorted(set(names)):
            raise BrokenError("files or streams do not stand once and in the order of their names")
    if LOG not in [line[1] for line in files]:
        raise BrokenError(f"the manifest names no {LOG}")
    return day, files, streams


def check_files(folder: Path, files: Lines) -> None:
    """Compare every file that the manifest names, byte for byte by hash."""
    for file in files:
        name, size, hashed = file.groups()
        path = folder / name
        if not path.is_file():
            raise BrokenError(f"{name} is missing")
        content = path.read_bytes()
        if len(content) != int(size) or hashlib.sha256(content).digest() != unbase64(hashed):
            raise BrokenError(f"{name} is not the file that was signed")


def entry_hash(before: bytes, stream: str, seq: int, at: str, body: str) -> bytes:
    """SHA-256 over six fields, each preceded by its length in four bytes (docs/log-format.md)."""
    fields = (TAG, before, stream.encode(), seq.to_bytes(8, "big"), at.encode(), body.encode())
    return hashlib.sha256(b"".join(len(f).to_bytes(4, "big") + f for f in fields)).digest()


def read_line(line: bytes, number: int) -> tuple[str, int, str, str, str]:
    """Return what a line of the log says; it has one spelling, without a field more or less."""
    broken = BrokenError(f"line {number} of {LOG} is not written as an entry of the log is")
    try:
        said = json.loads(line)
        again = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except (ValueError, RecursionError):
        raise broken from None
    if again != line or not isinstance(said, dict) or list(said) != FIELDS:
        raise broken
    stream, seq, at, hashed, body = said.values()
    texts = all(isinstance(each, str) for each in (stream, at, hashed, body))
    if not texts or type(seq) is not int or not AT.fullmatch(at) or not HASH.fullmatch(hashed):
        raise broken
    return stream, seq, at, hashed, body


def check_chains(folder: Path, streams: Lines) -> int:
    """Recompute the chain of every stream from the file alone; return how many entries it has."""
    following: dict[str, int] = {}
    reached: dict[str, bytes] = {}
    ends: dict[str, tuple[int, bytes]] = {}
    for stream in streams:
        name, first, last, before, after = stream.groups()
        following[name], reached[name] = int(first), unbase64(before)
        ends[name] = (int(last), unbase64(after))
        if following[name] == 1 and reached[name] != START:
            raise BrokenError(
                f"stream {name}: its first entry follows none, yet a hash stands before"
            )
    entries = 0
    with (folder / LOG).open("rb") as file:
        for line in file:
            entries += 1
            name, seq, at, hashed, body = read_line(line, entries)
            if following.get(name) != seq:
                raise BrokenError(f"entry {name} {seq}: it is not the one that comes next")
            computed = entry_hash(reached[name], name, seq, at, body)
            if computed.hex() != hashed:
                raise BrokenError(f"entry {name} {seq}: its content does not give its hash")
            following[name], reached[name] = seq + 1, computed
    for name, (final, closing) in ends.items():
        if (following[name], reached[name]) != (final + 1, closing):
            raise BrokenError(f"stream {name}: it does not end where the manifest says")
    return entries


def main(arguments: list[str]) -> int:
    """Verify one folder; print what was read, or the first thing that does not hold."""
    if len(arguments) != 2:
        sys.stdout.write(f"{__doc__}\n")
        return 2
    folder = Path(arguments[0])
    try:
        keys = read_keys(Path(arguments[1]))
        text, signers = open_note((folder / "manifest.note").read_bytes(), keys)
        day, files, streams = read_manifest(text, signers)
        check_files(folder, files)
        entries = check_chains(folder, streams)
    except (BrokenError, OSError, ValueError) as problem:
        say(f"does not hold: {problem}")
        return 1
    say(f"{day}: {len(files)} files, {entries} entries in {len(streams)} streams hold")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
