"""Load long history: whole days at tables, as if every round had gone through the services.

It works as the superuser of TEST_ADMIN_URL or of the embedded server, on a database that is thrown
away. Guards are switched off by name while it writes, and put back to ALWAYS whatever happens. The
entries bear the time of loading, a microsecond apart; the gaming days are what the plan says.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context

import psycopg

from tests.factories.house import House
from tests.loader.chain import Stream
from tests.loader.plans import table_plan
from tests.loader.tables import TablePlan, TableWriter
from tests.loader.worker import begin, run
from tests.support.database import CloneDatabase

GUARDED = (
    *("log_entry", "log_stream", "log_daymark", "people_signature"),
    *("tables_tablesession", "tables_count", "tables_shoe", "tables_shoestep"),
    *("tables_burnedcard", "tables_stubcount", "tables_shoestatement"),
    *("tables_round", "tables_seatwagers", "tables_card"),
    *("settlements_settlement", "settlements_payout"),
)
WITH_IDS = tuple(table for table in GUARDED if table != "log_stream")
# Tables are loaded side by side; each takes its ids from a range of its own.
ID_RANGE = 10**10
ROUNDS_PER_FLUSH = 500
ALONE_MAX = 6_000


@dataclass(frozen=True, slots=True)
class History:
    """What is to be loaded: rounds altogether, spread evenly over tables and days."""

    rounds: int
    tables: tuple[str, ...]
    days: int = 1
    five_seats: bool = True
    seed: str = "history"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded."""

    rounds: int
    entries: int


def load(history: History, *, house: House, database: CloneDatabase) -> Loaded:
    """Load a history into a house whose tables are closed and whose streams were marked before.

    Two tables at a time when there is much to do. Needs Django's connection at the database.
    """
    plans = [
        table_plan(
            house,
            table,
            rounds_by_day=_spread(history, place),
            seed=f"{history.seed} {table}",
            five_seats=history.five_seats,
        )
        for place, table in enumerate(history.tables)
    ]
    with unguarded(database.admin_url):
        jobs = [(database.admin_url, plan, place) for place, plan in enumerate(plans, start=1)]
        if history.rounds <= ALONE_MAX:
            entries = [load_table(*job) for job in jobs]
        else:
            context = get_context("spawn")
            with ProcessPoolExecutor(
                2, mp_context=context, initializer=begin, initargs=(database.app_url,)
            ) as pool:
                entries = list(pool.map(run, *zip(*jobs, strict=True)))
        _finish(database.admin_url)
    return Loaded(history.rounds, sum(entries))


def _spread(history: History, place: int) -> tuple[int, ...]:
    """How many rounds a table deals on each day."""
    cells = len(history.tables) * history.days
    return tuple(
        (history.rounds * (n + 1)) // cells - (history.rounds * n) // cells
        for n in range(place * history.days, (place + 1) * history.days)
    )


def load_table(admin_url: str, plan: TablePlan, place: int) -> int:
    """Load one table; return how many entries it took."""
    from tables.games import load_ruleset

    with psycopg.connect(admin_url) as admin:
        # Foreign keys are not looked up one by one: everything that is named is loaded with it.
        admin.execute("SET session_replication_role = replica")
        admin.execute("SET synchronous_commit = off")
        stream = _open_stream(admin, f"table/{plan.terms.table.key}", place)
        row = admin.execute(
            "SELECT game, options FROM tables_ruleset WHERE hash = %s", [plan.terms.ruleset.key]
        ).fetchone()
        assert row is not None
        writer = TableWriter(stream, plan, load_ruleset(*row))
        waiting = 0
        for rounds in writer.write():
            waiting += rounds
            if waiting >= ROUNDS_PER_FLUSH:
                stream.flush(admin)
                waiting = 0
        stream.flush(admin)
        admin.execute(
            "UPDATE log_stream SET seq = %s, hash = %s, last_at = %s, xid = '0' WHERE name = %s",
            [stream.seq, stream.hash, stream.at, stream.name],
        )
    return stream.written


def _open_stream(admin: "psycopg.Connection[tuple[object, ...]]", name: str, place: int) -> Stream:
    row = admin.execute(
        "SELECT seq, hash, greatest(last_at, clock_timestamp()) FROM log_stream WHERE name = %s",
        [name],
    ).fetchone()
    assert row is not None
    seq, last_hash, at = row
    assert isinstance(seq, int)
    assert isinstance(last_hash, bytes)
    assert isinstance(at, datetime)
    return Stream(name, seq, last_hash, at, _first_ids(admin, place))


def _first_ids(admin: "psycopg.Connection[tuple[object, ...]]", place: int) -> dict[str, int]:
    ids = {}
    for table in WITH_IDS:
        row = admin.execute(f"SELECT last_value FROM {table}_id_seq").fetchone()
        assert row is not None
        assert isinstance(row[0], int)
        ids[table] = row[0] + place * ID_RANGE
    return ids


def _finish(admin_url: str) -> None:
    """Let ids go on after the loaded ones, and let the planner know what is there."""
    with psycopg.connect(admin_url, autocommit=True) as admin:
        for table in WITH_IDS:
            admin.execute(
                f"SELECT setval('{table}_id_seq', greatest((SELECT max(id) FROM {table}),"
                f" (SELECT last_value FROM {table}_id_seq)))"
            )
        admin.execute("VACUUM (ANALYZE)")


@contextmanager
def unguarded(admin_url: str) -> Iterator[None]:
    """Switch the guards of what is loaded off by name, and at the end on again, always."""
    with psycopg.connect(admin_url) as admin:
        guards = admin.execute(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE c.relname = ANY(%s) AND NOT t.tgisinternal",
            [list(GUARDED)],
        ).fetchall()
        for table, trigger in guards:
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    try:
        yield
    finally:
        with psycopg.connect(admin_url) as admin:
            for table, trigger in guards:
                admin.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
