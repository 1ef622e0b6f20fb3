"""How long odds take: a full shoe, cards that are left, two seats, best draws, and what is kept.

Each game is measured in a process of its own that has worked nothing out before, in processor time
of one core. `make bench` prints the figures beside what is aimed at, and asserts no time.
"""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

import pytest

from tables.games import GAMES, load_ruleset
from tables.games.odds import seat_covariance
from tables.games.odds_document import covariance_document
from tables.games.odds_paid import POKER
from tables.models import SlowOdds
from tables.selectors.odds import odds_of, slow_odds_of
from tables.services.slow_odds import keep_slow_odds
from tests.bench.odds_asked import full_shoe, measured
from tests.bench.report import medians, met, say

Answer = TypeVar("Answer")
READS = 20
# Seconds, by what is measured; for game A a full shoe takes less.
AIMS = {"full shoe": 10.0, "cards left, the slowest": 0.1, "two seats": 120.0}
POKER_FULL = 1.0


def in_fresh_process(work: Callable[[str], Answer], game: str) -> Answer:
    """Do it where nothing is kept yet."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, game).result()


@pytest.mark.bench
@pytest.mark.parametrize("game", list(GAMES))
def test_working_odds_out(game: str) -> None:
    found = {"full shoe": in_fresh_process(full_shoe, game), **in_fresh_process(measured, game)}
    say(f"\nodds of {game}, default options, one core")
    aims = {**AIMS, **({"full shoe": POKER_FULL} if game == POKER else {})}
    for name, seconds in found.items():
        aim = aims.get(name)
        said = "" if aim is None else f"  ({met(1000 * seconds, aim=1000 * aim, at_most=True)})"
        say(f"  {name:28s} {1000 * seconds:9.1f} ms{said}")


@pytest.mark.bench
def test_odds_that_are_kept(db: None) -> None:
    """By the ruleset's hash: the full shoe by each process, two seats in the database."""
    say("\nodds kept by the ruleset's hash: asked again")
    for game in GAMES:
        ruleset = load_ruleset(game, {})
        odds_of(ruleset)
        part = SlowOdds.Part.BETWEEN_SEATS
        between = seat_covariance(ruleset)
        document = {"covariance": covariance_document(between)}
        keep_slow_odds(ruleset.hash, part=part.value, document=document)
        assert slow_odds_of(ruleset).between_seats == between
        times = medians(
            {"full": lambda: odds_of(ruleset), "two": lambda: slow_odds_of(ruleset).between_seats},  # noqa: B023  used at once
            runs=READS,
        )
        full, two = 1e6 * times["full"], 1000 * times["two"]
        say(f"  {game:16s} full shoe {full:.1f} us, two seats {two:.2f} ms")
