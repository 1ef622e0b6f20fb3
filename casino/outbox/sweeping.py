"""Beat that does late work itself: what waits does not depend on the broker, nor on a worker that
has come back from a lost connection and consumes nothing (a known fault of Celery's).

Every sweep still rings; only work that has waited for a while although it is due is done here.
"""

from typing import Any

import django
from celery.beat import Scheduler
from django.db import close_old_connections
from django.utils import timezone

_LATE_S = 10
_AT_ONCE_MAX = 50
_SWEEP = "outbox.drain"


class SweepingScheduler(Scheduler):
    """Celery's own scheduler, and a second pair of hands for the outbox."""

    def apply_entry(self, entry: Any, producer: Any = None) -> None:  # Any: Celery's own types
        super().apply_entry(entry, producer=producer)
        if entry.task == _SWEEP:
            do_late_work()


def do_late_work() -> int:
    """Do what has been due for ten seconds and nobody took; return how many rows were tried."""
    django.setup()
    from casino.outbox.handlers import drain
    from casino.outbox.selectors import backlog

    close_old_connections()
    now = timezone.now()
    late = [each for each in backlog() if (now - each.oldest).total_seconds() > _LATE_S]
    return drain(limit=_AT_ONCE_MAX) if late else 0
