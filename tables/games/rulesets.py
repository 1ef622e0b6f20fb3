"""Rulesets: a game and all its options, validated, canonical, hashed (rules 1E).

Options left out take their defaults, objects key by key. Odds stay as written. The hash is that of
the round document: SHA-256 of the RFC 8785 form of {"game": ..., "options": ...}.
"""

from collections.abc import Mapping

from tables.games.canonical import canonical_bytes, content_hash
from tables.games.errors import RulesetError
from tables.games.options import show
from tables.games.registry import GAMES
from tables.games.values import Fault, Ruleset


def load_ruleset(game: str, options: Mapping[str, object]) -> Ruleset:
    """Return the ruleset of a game with these options.

    Raises RulesetError whose `faults` name everything that is wrong at once: unknown_game,
    unknown_option, unknown_field (in an option that is an object), unknown_bet, option_value.
    """
    ruleset, faults = read_ruleset(game, options, where="options")
    if faults or ruleset is None:
        raise RulesetError(faults=fault_documents(faults))
    return ruleset


def read_ruleset(
    game: object, options: object, *, where: str
) -> tuple[Ruleset | None, list[Fault]]:
    """Return a ruleset and all that is wrong with it; bad options stand at their defaults.

    None only for an unknown game.
    """
    known = GAMES.get(game) if isinstance(game, str) else None
    if known is None:
        names = ", ".join(GAMES)
        detail = f"expected one of the games {names}, not {show(game)}"
        return None, [Fault("unknown_game", "game", detail, {"expected": list(GAMES)})]
    faults: list[Fault] = []
    read = known.schema.read(options, where=where, faults=faults)
    assert isinstance(read, dict)
    canonical = canonical_bytes({"game": known.code, "options": read})
    rules = known.compile(read)
    return Ruleset(known.code, content_hash(canonical), canonical, rules), faults


def fault_documents(faults: list[Fault]) -> list[dict[str, object]]:
    """Return faults as the documents that errors and answers carry."""
    return [{"code": fault.code, "where": fault.where, "detail": fault.detail} for fault in faults]
