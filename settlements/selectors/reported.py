"""What was already reported about a round, so that a correction's bill can name what to reissue.

That is the latest finished reconciliation of its gaming day: those before are superseded already.
"""

from settlements.correction import Reissue
from settlements.models import DayRun
from tables.selectors.round_read import RoundRead


def reported(read: RoundRead) -> tuple[Reissue, ...]:
    """Return what was reported with this round in it and still stands."""
    run = (
        DayRun.objects.filter(day=read.gaming_day, state=DayRun.State.DONE)
        .order_by("-number")
        .values_list("key", flat=True)
        .first()
    )
    return () if run is None else (Reissue("day", run),)
