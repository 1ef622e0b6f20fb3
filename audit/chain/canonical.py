"""The canonical form of a body: RFC 8785 on values for which it leaves no doubt.

Only these values have a form here: objects with ASCII keys, arrays, text in NFC without NUL and
lone surrogates, integers within 2^53 - 1, true, false and null. There are no floats. On that domain
JSON with sorted keys and no spaces *is* RFC 8785 (tests compare it with another implementation), so
a compiled encoder writes it.
"""

import re
from collections.abc import Mapping
from typing import ClassVar
from unicodedata import is_normalized

import orjson

from casino.kernel.errors import Invalid

INTEGER_MAX = 2**53 - 1
DEPTH_MAX = 16

_FORM = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
# How a float ends; text may end so too, and is then looked at closely and found to be text. Two
# searches for a letter each are a third of the time of one for either.
_ends_in_fraction = re.compile(rb"\.[0-9]+[,}\]]").search
_ends_in_exponent = re.compile(rb"e[+-]?[0-9]+[,}\]]").search
# What is left of a body to see how deep it is: brackets, all spelled alike, and quotes.
_ONE_BRACKET = bytes.maketrans(b"[]", b"{}")
_NO_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"'))


class BodyError(Invalid):
    """A body holds only what has one canonical form: text, integers, booleans, null, lists."""

    code: ClassVar[str] = "chain.body"
    message: ClassVar[str] = "Expected a value with one canonical form at {where}: {reason}."


def canonical(value: object) -> bytes:
    """Return the canonical bytes of a JSON value. Raises BodyError naming the first bad place."""
    _check(value, "$", 0)
    return orjson.dumps(value, option=_FORM)


def read_canonical(body: bytes) -> object:
    """Return the value of canonical bytes. Raises BodyError for any other spelling.

    What was read is written again and must give the same bytes: a duplicate key, a space, a key out
    of order, something after the value, an integer too large or another spelling of a number or of
    a letter shows. A plain object without a float that is not too deep needs no closer look; others
    are checked value by value.
    """
    try:
        value: object = orjson.loads(body)
        again = orjson.dumps(value, option=_FORM)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        raise BodyError(where="$", reason="bytes that are not JSON of this form") from None
    if again != body:
        raise BodyError(where="$", reason="another spelling than the canonical one")
    is_plain = body.startswith(b"{") and body.isascii() and b"\\" not in body
    if not is_plain or _ends_in_fraction(body) or _ends_in_exponent(body) or _may_be_deep(body):
        _check(value, "$", 0)
    return value


def _may_be_deep(body: bytes) -> bool:
    """Whether plain JSON without escapes may have more than DEPTH_MAX levels.

    Most bodies open no more than that many. Of others each pass takes the innermost level away.
    Brackets inside a string could hide a level, but the quotes around them are not neighbours and
    stay: then something is left, whatever the depth.
    """
    if body.count(b"{") + body.count(b"[") <= DEPTH_MAX:
        return False
    left = body.translate(_ONE_BRACKET, _NO_STRUCTURE).replace(b'""', b"")
    for _ in range(DEPTH_MAX):
        if not left:
            return False
        left = left.replace(b"{}", b"")
    return left != b""


def _check(value: object, where: str, depth: int) -> None:
    """Refuse what has no canonical form; exact types first, because nearly all values have them."""
    kind = type(value)
    if kind is str:
        assert isinstance(value, str)
        _check_text(value, where)
    elif kind is int:
        assert isinstance(value, int)
        if not -INTEGER_MAX <= value <= INTEGER_MAX:
            raise BodyError(where=where, reason="an integer beyond 2^53 - 1")
    elif value is None or kind is bool:
        return
    elif depth >= DEPTH_MAX:
        raise BodyError(where=where, reason=f"nested deeper than {DEPTH_MAX}")
    elif isinstance(value, Mapping):
        _check_map(value, where, depth)
    elif kind is list or kind is tuple:
        assert isinstance(value, list | tuple)
        for position, item in enumerate(value):
            _check(item, f"{where}[{position}]", depth + 1)
    else:
        _check_derived(value, where, depth)


def _check_derived(value: object, where: str, depth: int) -> None:
    """A choice is text or a number of a class of its own; the encoder writes its plain value."""
    if isinstance(value, str):
        _check(str.__str__(value), where, depth)
    elif isinstance(value, int):
        _check(int(value), where, depth)
    else:
        raise BodyError(where=where, reason=f"a {type(value).__name__} is not allowed")


def _check_map(value: Mapping[object, object], where: str, depth: int) -> None:
    if type(value) is not dict:
        raise BodyError(where=where, reason=f"a {type(value).__name__} is not a plain dict")
    for key, item in value.items():
        if type(key) is not str or not key.isascii() or "\0" in key:
            raise BodyError(where=where, reason="a key that is not ASCII text")
        _check(item, f"{where}.{key}", depth + 1)


def _check_text(text: str, where: str) -> None:
    if "\0" in text:
        raise BodyError(where=where, reason="text with NUL")
    if text.isascii():
        return
    if not is_normalized("NFC", text):
        raise BodyError(where=where, reason="text that is not NFC")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BodyError(where=where, reason="text with a lone surrogate") from None
