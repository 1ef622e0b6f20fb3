"""The games that exist, by code."""

from collections.abc import Mapping
from typing import Final

from tables.games import lucky_9, lucky_9_social, poker_lucky_9
from tables.games.game import Game
from tables.games.values import Ruleset

GAMES: Final[Mapping[str, Game]] = {
    game.code: game for game in (poker_lucky_9.GAME, lucky_9.GAME, lucky_9_social.GAME)
}


def game_of(ruleset: Ruleset) -> Game:
    """Return the game that a ruleset is for."""
    return GAMES[ruleset.game]
