"""Strict reading of JSON that came from outside: one document has one meaning, or is refused.

Python's own reader keeps the last of two equal keys, accepts NaN, guesses encodings and turns 1e4
into a float. Here each of these is refused with a code, or kept apart: a number with a point or an
exponent becomes a `FloatLiteral`, which no validator of money takes for an integer. This module
must not normalise text: that is the validators' work (`casino.kernel.text`).
"""

import json
from dataclasses import dataclass
from typing import NoReturn

from casino.kernel.errors import Invalid
from casino.kernel.text import check_characters

# Python refuses to convert more than 4,300 digits; no figure of a house needs a tenth of this.
_DIGITS_MAX = 400
_DEPTH_MAX = 64


class JsonSyntaxError(Invalid):
    """The body must be one JSON document (RFC 8259)."""

    code = "json.syntax"
    message = "Expected one JSON document: {reason}."


class JsonEncodingError(Invalid):
    """JSON must be UTF-8 without a byte order mark."""

    code = "json.encoding"
    message = "Expected JSON in UTF-8."


class JsonDuplicateKeyError(Invalid):
    """An object must not hold the same key twice: readers disagree on which one counts."""

    code = "json.duplicate_key"
    message = "Expected each key once; {key!r} stands twice in one object."


class JsonNumberError(Invalid):
    """NaN, Infinity and numbers of absurd length are not JSON numbers that we read."""

    code = "json.number"
    message = "Expected a JSON number, not {value!r}."


class JsonDepthError(Invalid):
    """Arrays and objects must not be nested deeper than a fixed limit."""

    code = "json.depth"
    message = "Expected at most {limit} levels of nesting."


@dataclass(frozen=True, slots=True)
class FloatLiteral:
    """A number written with a point or an exponent, kept as text so that nobody counts with it."""

    text: str


def loads(raw: bytes) -> object:
    """Read one JSON document strictly.

    Returns dict, list, str, int, bool, None or FloatLiteral. Raises an Invalid of this module, or
    TextNulError / TextSurrogateError for such a character in a string or key.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonEncodingError from error
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=FloatLiteral,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        reason = f"{error.msg} (line {error.lineno}, column {error.colno})"
        raise JsonSyntaxError(reason=reason) from error
    except RecursionError as error:
        raise JsonDepthError(limit=_DEPTH_MAX) from error
    _check(value, level=1)
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonDuplicateKeyError(key=key.encode(errors="replace").decode()[:100])
            seen.add(key)
    return found


def _integer(text: str) -> int:
    if len(text) > _DIGITS_MAX:
        raise JsonNumberError(value=text[:20] + "...")
    return int(text)


def _refuse_constant(name: str) -> NoReturn:
    raise JsonNumberError(value=name)


def _check(value: object, *, level: int) -> None:
    """Walk the document once: depth and characters of every string and key."""
    if level > _DEPTH_MAX and isinstance(value, dict | list):
        raise JsonDepthError(limit=_DEPTH_MAX)
    if isinstance(value, str):
        check_characters(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_characters(key)
            _check(inner, level=level + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, level=level + 1)
