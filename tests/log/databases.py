"""Breaking a clone as its superuser: guards aside, one thing changed, guards back as they were."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

ROLES = Path(__file__).resolve().parents[2] / "deploy" / "roles.sql"


@contextmanager
def unguarded(url: str, *tables: str) -> Iterator[psycopg.Connection]:
    """A superuser's transaction in which these tables have no triggers; after it, all again."""
    with psycopg.connect(url) as admin:
        for table in tables:
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        yield admin
        for table in tables:
            names = admin.execute(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
                [table],
            ).fetchall()
            admin.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
            for (name,) in names:
                admin.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


# Gives an entry the hash that its changed content deserves, as a forger would.
REHASH = (
    "UPDATE log_entry SET hash = sha256("
    "'\\x00000013'::bytea || 'casino.log.entry.v1'::bytea || '\\x00000020'::bytea || prev_hash"
    " || int4send(octet_length(stream)) || convert_to(stream, 'UTF8')"
    " || '\\x00000008'::bytea || int8send(seq) || '\\x0000001b'::bytea || convert_to("
    " to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), 'UTF8')"
    " || int4send(octet_length(body)) || body) WHERE stream = '{stream}' AND seq = {seq}"
)
