"""The raw chained append: one connection as a process of its own, psycopg and nothing else.

    python -m tests.bench.raw ADDRESS HEAD SECONDS

Locks its head, inserts an entry and a fact, moves the head, commits; prints the latencies as JSON.
"""

import json
import sys
from hashlib import sha256
from time import perf_counter

import psycopg

_ENTRIES = (
    "CREATE TABLE bench_entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " name text NOT NULL, seq bigint NOT NULL, hash bytea NOT NULL, body bytea NOT NULL,"
    " UNIQUE (name, seq))"
)
_FACTS = (
    "CREATE TABLE bench_fact (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " entry_id bigint NOT NULL REFERENCES bench_entry, draw int NOT NULL, face text NOT NULL)"
)
TABLES = (
    "CREATE TABLE bench_head (name text PRIMARY KEY, seq bigint NOT NULL, hash bytea NOT NULL)",
    _ENTRIES,
    _FACTS,
)
_BODY = b"x" * 300


def main(address: str, head: str, seconds: float) -> None:
    """Append for so many seconds."""
    latencies = []
    with psycopg.connect(address) as connection:
        start = now = perf_counter()
        while now < start + seconds:
            _append(connection, head)
            latencies.append(perf_counter() - now)
            now = perf_counter()
    sys.stdout.write(json.dumps([now - start, latencies]))


def _append(connection: "psycopg.Connection[tuple[object, ...]]", head: str) -> None:
    row = connection.execute(
        "SELECT seq, hash FROM bench_head WHERE name = %s FOR NO KEY UPDATE", [head]
    ).fetchone()
    assert row is not None
    seq, before = row
    assert isinstance(seq, int)
    assert isinstance(before, bytes)
    digest = sha256(before + seq.to_bytes(8, "big") + _BODY).digest()
    entry = connection.execute(
        "INSERT INTO bench_entry (name, seq, hash, body) VALUES (%s, %s, %s, %s) RETURNING id",
        [head, seq + 1, digest, _BODY],
    ).fetchone()
    assert entry is not None
    connection.execute(
        "INSERT INTO bench_fact (entry_id, draw, face) VALUES (%s, 1, 'AS')", [entry[0]]
    )
    connection.execute(
        "UPDATE bench_head SET seq = %s, hash = %s WHERE name = %s", [seq + 1, digest, head]
    )
    connection.commit()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
