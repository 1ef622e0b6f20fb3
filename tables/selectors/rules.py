"""Published rules as the engine takes them, parsed once for each hash.

What a hash names never changes, so that a process may keep it for ever. Options may come as the
text of a raw cursor's column; it is read when the hash is met for the first time.
"""

import json
from collections.abc import Mapping
from typing import Any

from tables.games import (
    Limits,
    Procedures,
    Ruleset,
    load_limits,
    load_procedures,
    load_ruleset,
)

_rulesets: dict[str, Ruleset] = {}
_procedures: dict[str, Procedures] = {}
_limits: dict[str, Limits] = {}


def ruleset_of(hash_: str, *, game: str, options: Mapping[str, object] | str) -> Ruleset:
    """Return the ruleset that `hash_` names; `options` are those stored with it."""
    if hash_ not in _rulesets:
        _rulesets[hash_] = load_ruleset(game, json_value(options))
    return _rulesets[hash_]


def procedures_of(hash_: str, *, game: str, options: Mapping[str, object] | str) -> Procedures:
    """Return the procedures that `hash_` names."""
    if hash_ not in _procedures:
        _procedures[hash_] = load_procedures(game, json_value(options))
    return _procedures[hash_]


def limits_of(hash_: str, *, game: str, options: Mapping[str, object] | str) -> Limits:
    """Return the limits that `hash_` names."""
    if hash_ not in _limits:
        _limits[hash_] = load_limits(game, json_value(options))
    return _limits[hash_]


def json_value(value: Any) -> Mapping[str, object]:  # Any: a column of a raw cursor
    """Return a jsonb column of a raw cursor: it arrives as text, decoding is left to the fields."""
    document: Mapping[str, object] = json.loads(value) if isinstance(value, str) else value
    return document
