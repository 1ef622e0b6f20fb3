"""A handler that does the least: it proves the queue apart from what it carries.

Also the app of the worker processes in these tests (`-A tests.outbox.inserting`): the product's,
with this one topic more.
"""

from django.db import connection, transaction

from casino.celery import app
from casino.outbox.handlers import handles
from casino.outbox.killpoints import reach
from casino.outbox.leases import Lease, finish

__all__ = ["app"]

TOPIC = "test.insert"
RESULT_TABLE = """
CREATE TABLE test_result (key text PRIMARY KEY);
GRANT SELECT, INSERT ON test_result TO casino_app
"""


@handles(TOPIC)
def insert_key(lease: Lease) -> None:
    """Store the work's key as its result, in one transaction with `finish`."""
    reach("after_read")
    with transaction.atomic(), connection.cursor() as cursor:
        reach("before_result")
        cursor.execute("INSERT INTO test_result VALUES (%s)", [lease.key])
        finish(lease)
