"""Holding a claimed row while one long step works on it.

The step may read for minutes in one transaction, which can renew nothing. So a thread renews the
lease over a connection of its own; a worker that is killed lets go within a lease all the same.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import DatabaseError, connection

from casino.outbox.errors import LeaseLostError
from casino.outbox.leases import LEASE, Lease, renew

# A step that takes longer hangs; somebody else may have the row.
HELD_MAX = timedelta(hours=2)
_BEAT_S = LEASE.total_seconds() / 3

_log = logging.getLogger(__name__)


@contextmanager
def held(lease: Lease) -> Iterator[None]:
    """Hold a row as long as the block runs. One that was lost all the same shows in `finish`."""
    done = threading.Event()
    thread = threading.Thread(target=_renew_until, args=(done, lease), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _renew_until(done: threading.Event, lease: Lease) -> None:
    end = time.monotonic() + HELD_MAX.total_seconds()
    while not done.wait(_BEAT_S) and time.monotonic() < end:
        try:
            renew(lease)
        except LeaseLostError:
            return
        except DatabaseError:
            _log.warning("not renewed: %s %s", lease.topic, lease.key, exc_info=True)
        finally:
            # This thread's own: nobody else would close it.
            connection.close()
