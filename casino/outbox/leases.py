"""Claiming, holding and giving back rows of the outbox: the SQL of the queue.

Protocol of a handler: read; compute, without holding locks; then in one transaction store the
result under its natural key and call `finish`. The result counts only when `finish` finds the lease
number that was claimed; otherwise it raises and the transaction is rolled back.

Nothing here knows what the work is.
"""

import json
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection, transaction

from casino.outbox.errors import LeaseLostError
from casino.outbox.killpoints import reach

LEASE = timedelta(seconds=5)
ATTEMPTS_MAX = 5
_BACKOFF_S_MAX = 300
_ERROR_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class Lease:
    """A claimed row: ours for a few seconds, by this number."""

    id: int
    topic: str
    key: str
    payload: dict[str, object]
    number: int
    attempts: int


_PARK_DEAD = """
UPDATE outbox_outboxitem
   SET parked_at = statement_timestamp(),
       last_error = CASE WHEN last_error = '' THEN %s ELSE last_error END
 WHERE topic = ANY(%s) AND parked_at IS NULL AND attempts >= %s
   AND lease_until < statement_timestamp()
"""

# MATERIALIZED, or a plan may look for free rows again for each row that they are joined with, and
# every round of it finds the next ones: far more would be claimed than were asked for.
_CLAIM = """
WITH free AS MATERIALIZED (
        SELECT id
          FROM outbox_outboxitem
         WHERE topic = ANY(%s) AND parked_at IS NULL AND attempts < %s
           AND (due_at IS NULL OR due_at <= statement_timestamp())
           AND (lease_until IS NULL OR lease_until < statement_timestamp())
         ORDER BY id
         LIMIT %s
           FOR UPDATE SKIP LOCKED)
UPDATE outbox_outboxitem AS item
   SET lease_until = statement_timestamp() + make_interval(secs => %s),
       lease_number = item.lease_number + 1,
       attempts = item.attempts + 1
  FROM free
 WHERE item.id = free.id
RETURNING item.id, item.topic, item.key, item.payload::text, item.lease_number, item.attempts
"""

_RENEW = """
UPDATE outbox_outboxitem
   SET lease_until = statement_timestamp() + make_interval(secs => %s)
 WHERE id = %s AND lease_number = %s AND parked_at IS NULL
"""

_FAIL = """
UPDATE outbox_outboxitem
   SET lease_until = NULL,
       last_error = %s,
       due_at = statement_timestamp() + make_interval(secs => %s),
       parked_at = CASE WHEN attempts >= %s THEN statement_timestamp() END
 WHERE id = %s AND lease_number = %s AND parked_at IS NULL
"""


def claim(topics: list[str], *, limit: int, lease: timedelta = LEASE) -> list[Lease]:
    """Take up to `limit` due rows of these topics, oldest first, for the time of a lease.

    A row whose worker died is due again when its lease has run out. One that was claimed
    ATTEMPTS_MAX times without a result is parked, so that work which kills every worker stops.
    """
    reach("before_claim")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_PARK_DEAD, [_NO_WORD, topics, ATTEMPTS_MAX])
        cursor.execute(_CLAIM, [topics, ATTEMPTS_MAX, limit, lease.total_seconds()])
        rows = cursor.fetchall()
    reach("after_claim")
    return sorted((_lease(row) for row in rows), key=lambda claimed: claimed.id)


def renew(lease: Lease, *, duration: timedelta = LEASE) -> None:
    """Hold a row longer; raises LeaseLostError. Long work calls it between its steps."""
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [duration.total_seconds(), lease.id, lease.number])
        if cursor.rowcount != 1:
            raise LeaseLostError(topic=lease.topic, key=lease.key)


def finish(lease: Lease) -> None:
    """Mark the work done, in the transaction that stored its result; raises LeaseLostError.

    Must run inside a transaction, after the result was written.
    """
    reach("after_result")
    if not connection.in_atomic_block:
        raise RuntimeError("finish belongs into the transaction that stores the result")
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM outbox_outboxitem WHERE id = %s AND lease_number = %s",
            [lease.id, lease.number],
        )
        if cursor.rowcount != 1:
            raise LeaseLostError(topic=lease.topic, key=lease.key)
    reach("before_commit")


def fail(lease: Lease, *, error: str) -> None:
    """Give a row back after an error: due again after a pause, parked after ATTEMPTS_MAX tries.

    A lease that was lost is left to who has it.
    """
    pause_s = min(2**lease.attempts, _BACKOFF_S_MAX)
    text = error.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    text = text.encode(errors="replace").decode()[:_ERROR_LENGTH]
    with connection.cursor() as cursor:
        cursor.execute(_FAIL, [text, pause_s, ATTEMPTS_MAX, lease.id, lease.number])


def is_held(lease: Lease) -> bool:
    """Whether the row is still there under this lease: the work was not finished."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM outbox_outboxitem WHERE id = %s AND lease_number = %s)",
            [lease.id, lease.number],
        )
        row = cursor.fetchone()
    return bool(row and row[0])


_NO_WORD = "The worker ended without a word, every time."


def _lease(row: tuple[int, str, str, str, int, int]) -> Lease:
    item_id, topic, key, payload, number, attempts = row
    return Lease(item_id, topic, key, json.loads(payload), number, attempts)
