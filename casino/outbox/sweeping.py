"""Beat that does late short work itself: such work depends neither on the broker nor on a worker
that has come back from a lost connection and consumes nothing (a known fault of Celery's).

Every sweep still rings; only work that has waited for a while although it is due is done here, and
none that takes long: while beat works nothing is rung, neither checkpoints nor the turn of the day.
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
    """Do short work that waits for ten seconds already; return how many rows were tried."""
    django.setup()
    from casino.outbox.handlers import drain, short_topics
    from casino.outbox.selectors import backlog

    close_old_connections()
    now, short = timezone.now(), short_topics()
    waited = [now - each.oldest for each in backlog() if each.topic in short]
    is_late = any(each.total_seconds() > _LATE_S for each in waited)
    return drain(limit=_AT_ONCE_MAX, of=short) if is_late else 0
