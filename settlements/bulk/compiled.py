"""The doors of the second engine: compile a ruleset, settle columns under it."""

from collections.abc import Mapping

from settlements.bulk.codes import FIXED, POKER, SOCIAL, BulkError
from settlements.bulk.columns import Columns, Result
from settlements.bulk.lucky import settle_lucky
from settlements.bulk.lucky_tables import LuckyTables, compile_fixed, compile_social
from settlements.bulk.poker import settle_poker
from settlements.bulk.poker_tables import PokerTables, compile_poker

Compiled = PokerTables | LuckyTables


def compile_ruleset(game: str, options: Mapping[str, object]) -> Compiled:
    """Turn a ruleset into tables. All options of the game must be there, defaults filled in.

    Raises BulkError for an unknown game or a value it has no table for; whether the ruleset is
    sound as a whole is not checked here.
    """
    try:
        if game == POKER:
            return compile_poker(options)
        if game == FIXED:
            return compile_fixed(options)
        if game == SOCIAL:
            return compile_social(options)
    except KeyError as missing:
        raise BulkError(f"expected the option {missing} of {game}") from missing
    raise BulkError(f"expected a game of {(POKER, FIXED, SOCIAL)}, got {game!r}")


def settle_columns(compiled: Compiled, columns: Columns) -> Result:
    """Settle a batch of rounds played under one ruleset.

    A round that cannot be settled as it lies has a fault, no lines and moves no money. Raises
    BulkError when shapes or wager kinds do not fit the game.
    """
    if isinstance(compiled, PokerTables):
        return settle_poker(compiled, columns)
    return settle_lucky(compiled, columns)
