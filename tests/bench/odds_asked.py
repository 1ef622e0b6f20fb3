"""What is asked of odds, measured in a process that has worked nothing out before; no Django."""

from collections.abc import Callable, Mapping
from random import Random
from statistics import median
from time import process_time

from tables.games import GAMES, Ruleset, load_ruleset
from tables.games.cards import RANKS
from tables.games.odds import (
    best_bank_policy,
    best_policies,
    best_seat_policy,
    round_odds,
    seat_covariance,
)
from tables.games.odds_paid import ELECTIVE
from tests.bench.report import seconds_of

COMPOSITIONS = 20


def compositions(decks: int) -> list[dict[str, int]]:
    """Leave anything from nearly all cards to nearly none."""
    random = Random(f"{decks} decks")
    return [
        {rank: random.randint(1, max(1, 4 * decks - place % (4 * decks))) for rank in RANKS}
        for place in range(COMPOSITIONS)
    ]


def measured(game: str) -> dict[str, float]:
    """Take the seconds of everything that is asked of a game; runs in a fresh process."""
    ruleset = load_ruleset(game, {})
    left = compositions(GAMES[game].decks(ruleset))
    first = seconds_of(lambda: round_odds(ruleset, left[0]), clock=process_time)
    again = [
        seconds_of(lambda cards=cards: round_odds(ruleset, cards), clock=process_time)  # type: ignore[misc]  # bound now
        for cards in left
    ]
    times = {
        "cards left, first question": first,
        "cards left, median": median(again),
        "cards left, the slowest": max(again),
        "two seats": seconds_of(lambda: seat_covariance(ruleset), clock=process_time),
    }
    for name, work in elective(ruleset).items():
        times[name] = seconds_of(work, clock=process_time)
    return times


def elective(ruleset: Ruleset) -> Mapping[str, Callable[[], object]]:
    """Name what is asked only where draws are elected."""
    if ruleset.game != ELECTIVE:
        return {}
    return {
        "best draws of the seat": lambda: best_seat_policy(ruleset),
        "best draws of the bank": lambda: best_bank_policy(ruleset),
        "draws neither can better": lambda: best_policies(ruleset, heeds_seat=True),
    }


def full_shoe(game: str) -> float:
    """Take the seconds of the first question a fresh process is asked: the full shoe."""
    ruleset = load_ruleset(game, {})
    return seconds_of(lambda: round_odds(ruleset), clock=process_time)
