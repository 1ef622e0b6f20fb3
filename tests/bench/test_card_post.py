"""The card POST beside what it is made of, in one run on one server (design 12).

(a) the raw chained append, (b) a plain row by DRF behind the same sign-on, (c) the card POST at
eight tables at once, (d) a whole lap of cards in one POST; and (c) paced at 80 cards a second.
Nothing is asserted about time.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from pytest_django.plugin import DjangoDbBlocker

from casino.embedded.state import CHECKOUT
from tests.bench import plain, raw
from tests.bench.dealers import SEATS, TableDealer, key_rounds, store_rows
from tests.bench.report import Measured, interleaved, met, milliseconds, rate_of, say
from tests.bench.site import serving
from tests.support.database import CloneDatabase, default_database
from tests.support.floors import TABLES, PreparedFloor

ROUNDS = int(os.environ.get("BENCH_CARD_ROUNDS", "3"))
RAW_SECONDS = 2.0
RAW_CONNECTIONS = 4
PACED_ROUNDS = 8
CARDS_A_SECOND = 80


@contextmanager
def dealt_floor(prepared: PreparedFloor) -> Iterator[CloneDatabase]:
    """A house of the bench's own with its tables open, and with the tables of the comparisons."""
    with prepared.server.clone() as clone, default_database(clone.app_url):
        with psycopg.connect(clone.admin_url) as admin:
            for statement in (plain.TABLE, plain.GRANTS, *raw.TABLES):
                admin.execute(statement)
            for n in range(RAW_CONNECTIONS):
                admin.execute("INSERT INTO bench_head VALUES (%s, 0, %s)", [f"h{n}", bytes(32)])
        yield clone


def append_raw(database: CloneDatabase) -> Measured:
    """Four connections, each a process of its own on a head of its own."""
    started = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.bench.raw"),
                *(database.admin_url, f"h{n}", str(RAW_SECONDS)),
            ],
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,
        )
        for n in range(RAW_CONNECTIONS)
    ]
    runs = [json.loads(process.communicate()[0]) for process in started]
    latencies = [latency for _, each in runs for latency in each]
    # The processes begin when they are ready; each tells its own rate.
    rate = sum(len(each) / seconds for seconds, each in runs)
    return Measured(len(latencies), len(latencies) / rate, tuple(latencies))


@pytest.mark.bench
def test_the_card_post_beside_what_it_is_made_of(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> None:
    house = prepared_floor.house
    with (
        django_db_blocker.unblock(),
        dealt_floor(prepared_floor) as database,
        serving(database, tmp_path) as port,
        ExitStack() as connections,
    ):
        dealers = [TableDealer.sign_on(house, table, port) for table in TABLES]
        for dealer in dealers:
            connections.callback(dealer.person.socket.close)
        dealers[0].shoe, dealers[0].cards = 1, []
        for dealer in dealers:
            dealer.new_shoe(open_first=dealer.table != TABLES[0])
        key_rounds(dealers, rounds=1, at_once_cards=1)
        store_rows(dealers, rounds=1)
        measured = interleaved(
            {
                "a": lambda: append_raw(database),
                "b": lambda: store_rows(dealers, rounds=ROUNDS),
                "c": lambda: key_rounds(dealers, rounds=ROUNDS, at_once_cards=1),
                "d": lambda: key_rounds(dealers, rounds=ROUNDS, at_once_cards=SEATS + 1),
            }
        )
        every_s = len(dealers) / CARDS_A_SECOND
        paced = key_rounds(dealers, rounds=PACED_ROUNDS, at_once_cards=1, every_s=every_s)
    report(measured, paced)


def report(measured: dict[str, list[Measured]], paced: Measured) -> None:
    """Print the table."""
    names = {
        "a": "raw psycopg: lock head, entry, fact, head, commit",
        "b": "DRF: one plain row, same sign-on",
        "c": "card POST, eight tables",
        "d": "a lap of six cards in one POST (cards)",
    }
    say("\ncards and rows: each line a median of interleaved runs")
    for name, runs in measured.items():
        say(
            f"  ({name}) {names[name]:50s} {rate_of(runs):8,.0f}/s"
            f"  p50 {milliseconds(runs, 0.5):6.1f} ms  p99 {milliseconds(runs, 0.99):6.1f} ms"
        )
    rates = {name: rate_of(runs) for name, runs in measured.items()}
    for one, other, aim in (("c", "a", 0.10), ("c", "b", 0.7), ("d", "c", 4.0)):
        ratio = rates[one] / rates[other]
        say(f"  {one} to {other}: {ratio:.2f} ({met(ratio, aim=aim)})")
    p99 = milliseconds([paced], 0.99)
    say(
        f"  (c) paced at {CARDS_A_SECOND} cards/s: p50 {milliseconds([paced], 0.5):.1f} ms, "
        f"p99 {p99:.1f} ms ({met(p99, aim=40, at_most=True)}), {len(paced.latencies)} cards"
    )
