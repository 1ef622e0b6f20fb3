"""Many writers, one chain each: no gap, no duplicate, order of hashes is order of commits."""

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import psycopg
import pytest

from audit.log.models import Entry, Stream
from audit.log.services import create_stream
from audit.log.verify import verify_log
from tests.support.database import CloneDatabase

WRITERS = 8
TABLES = 4
INSERT = (
    "INSERT INTO log_entry (stream, body, action, subject, actor, role, request_id)"
    " SELECT %s, convert_to(%s, 'UTF8'), 'test.noted', %s, 'S9', 'dealer', ''"
    " FROM generate_series(1, %s)"
)
BODY = (
    '{{"action":"test.noted","actor":{{"key":"S9","name":"N"}},"data":{{}},"device":null,"facts":[],'
    '"heads":[],"request":"","role":"dealer","subject":"{subject}","v":1}}'
)


def make_tables(clone: CloneDatabase) -> None:
    """Four tables, and a server that notices deadlocks soon."""
    for table in range(TABLES):
        create_stream(f"table/T{table}")
    with psycopg.connect(clone.admin_url, autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {clone.name} SET deadlock_timeout = '5ms'")


class Writers:
    """Eight writers that commit, roll back and deadlock until so many entries are committed."""

    def __init__(self, clone: CloneDatabase, wanted: int) -> None:
        self.clone = clone
        self.wanted = wanted
        self.seen: Counter[str] = Counter()
        self.committed: Counter[str] = Counter()
        self._lock = threading.Lock()

    def run(self) -> None:
        """Run them all to the end."""
        with ThreadPoolExecutor(WRITERS) as pool:
            for run in [pool.submit(self._write, writer) for writer in range(WRITERS)]:
                run.result(timeout=300 + self.wanted / 1000)

    def _write(self, writer: int) -> None:
        chance = random.Random(writer)
        with psycopg.connect(self.clone.app_url) as raw:
            for number in count():
                if sum(self.committed.values()) >= self.wanted:
                    return
                # Two streams in any order: the other order deadlocks with this one.
                streams = chance.sample(range(TABLES), chance.choice((1, 1, 1, 2)))
                many = chance.randint(1, 6)
                subject = f"{writer}-{number}"
                try:
                    for stream in streams:
                        body = BODY.format(subject=subject)
                        raw.execute(INSERT, [f"table/T{stream}", body, subject, many])
                except psycopg.errors.DeadlockDetected:
                    raw.rollback()
                    self._note("deadlock", {})
                    continue
                if chance.random() < 0.1:
                    raw.rollback()
                    self._note("rolled back", {})
                else:
                    raw.commit()
                    self._note("committed", {f"table/T{stream}": many for stream in streams})

    def _note(self, what: str, entries: dict[str, int]) -> None:
        with self._lock:
            self.seen[what] += 1
            self.committed.update(entries)


def check_no_gap(clone: CloneDatabase, wanted: int) -> None:
    """Trust R11."""
    make_tables(clone)
    writers = Writers(clone, wanted)
    ended = threading.Event()
    looks: list[bool] = []

    def look() -> None:
        # Whoever reads in between sees a prefix of every chain: commits come in the chain's order.
        with psycopg.connect(clone.app_url, autocommit=True) as raw:
            while not ended.is_set():
                rows = raw.execute(
                    "SELECT e.stream, count(*), min(e.seq), max(e.seq), s.seq"
                    " FROM log_entry e JOIN log_stream s ON s.name = e.stream"
                    " GROUP BY e.stream, s.seq"
                ).fetchall()
                looks.extend(low == 1 and n == high == head for _, n, low, high, head in rows)

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        try:
            writers.run()
        finally:
            ended.set()
        # The last look counts all that was written.
        looking.result(timeout=60 + wanted / 1000)
    assert looks
    assert all(looks)
    assert writers.seen["deadlock"] > 0
    assert writers.seen["rolled back"] > writers.seen["committed"] / 20
    stored = Counter(Entry.objects.values_list("stream", flat=True))
    assert stored == writers.committed
    assert dict(Stream.objects.filter(seq__gt=0).values_list("name", "seq")) == stored
    report = verify_log(place=None)
    assert (report.problems, report.entries) == ([], sum(stored.values()))


def test_eight_writers_leave_no_gap(clone_db: CloneDatabase) -> None:
    check_no_gap(clone_db, 20_000)


@pytest.mark.long
def test_eight_writers_leave_no_gap_in_a_million(clone_db: CloneDatabase) -> None:
    check_no_gap(clone_db, 1_000_000)


def test_a_second_writer_waits_for_the_head_and_follows(clone_db: CloneDatabase) -> None:
    """The lock is the row of the stream: while one holds it, another stream goes on."""
    make_tables(clone_db)
    with (
        psycopg.connect(clone_db.app_url) as one,
        psycopg.connect(clone_db.app_url) as two,
        psycopg.connect(clone_db.app_url) as three,
    ):
        one.execute("SELECT lock_stream('table/T0')")
        two.execute("SET LOCAL lock_timeout = '100ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            two.execute(INSERT, ["table/T0", "{}", "x", 1])
        three.execute(INSERT, ["table/T1", "{}", "x", 1])
        three.commit()
        one.execute(INSERT, ["table/T0", "{}", "x", 1])
        one.commit()
        two.rollback()
        two.execute(INSERT, ["table/T0", "{}", "x", 1])
        two.commit()
    assert Stream.objects.get(name="table/T0").seq == 2
