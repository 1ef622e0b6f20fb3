"""How many round documents `manage.py settle` answers in a second of one core, five seats each.

The command runs as a program of its own. What it takes to start is measured on no documents and
taken off. Nothing is asserted about time.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

import pytest

from casino.embedded.state import CHECKOUT
from tests.bench.report import met, say
from tests.bulk.lucky_reading import deal_elective, deal_fixed
from tests.bulk.rulesets import FIXED, POKER, SOCIAL, options
from tests.loader.dealing import CARDS, DECKS

DOCUMENTS = int(os.environ.get("BENCH_DOCUMENTS", "20000"))
RUNS = 3
SEATS = range(1, 6)
AIM = 5000
Json = dict[str, Any]  # Any: a document


def poker(random: Random) -> Json:
    """Deal game A: three wagers at each seat, so fifteen lines."""
    cards = random.sample(CARDS * DECKS, 3 * (len(SEATS) + 1))
    bets = {"main": 10_000, "pair": 1_000, "jacks": 500}
    seats = [{"seat": n, "bets": bets, "cards": cards[3 * n : 3 * n + 3]} for n in SEATS]
    return {"game": POKER, "seats": seats, "house": {"cards": cards[:3]}}


def lucky(game: str, random: Random) -> Json:
    """Deal game B or C to its rule from two decks of ranks."""
    cards = [card[0] for card in random.sample(CARDS * 2, 18)]
    hands = {hand: "".join(cards[2 * hand : 2 * hand + 2]) for hand in (*SEATS, 0)}
    rules, thirds = options(game, decks=2), cards[12:]
    asks = game == SOCIAL
    deal = deal_elective(hands, rules, thirds, random) if asks else deal_fixed(hands, rules, thirds)
    laid = {
        hand: {"cards": list(ranks)} | ({"draw": deal.decisions[hand]} if asks else {})
        for hand, ranks in deal.hands.items()
    }
    seats = [{"seat": n, "bets": {"main": 10_000}, **laid[n]} for n in SEATS]
    return {"game": game, "options": {"decks": 2}, "seats": seats, "banker": laid[0]}


DEALS: dict[str, Callable[[Random], Json]] = {
    POKER: poker,
    FIXED: lambda random: lucky(FIXED, random),
    SOCIAL: lambda random: lucky(SOCIAL, random),
}


def core_seconds(lines: bytes) -> float:
    """Settle the lines; return the processor time that the program took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "manage.py", "settle"],
        input=lines,
        stdout=subprocess.PIPE,
        check=True,
        cwd=CHECKOUT,
        env={},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count(b"\n") == lines.count(b"\n")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.bench
@pytest.mark.parametrize("game", list(DEALS))
def test_settling_a_stream_of_documents(game: str) -> None:
    random = Random(game)
    lines = b"".join(
        json.dumps({"id": f"T1/7/{n}", **DEALS[game](random)}).encode() + b"\n"
        for n in range(DOCUMENTS)
    )
    taken = [core_seconds(lines) - core_seconds(b"") for _ in range(RUNS)]
    rate = DOCUMENTS / median(taken)
    say(f"\nmanage.py settle, {game}, five seats: {rate:,.0f} documents/s ({met(rate, aim=AIM)})")
