"""What was already reported about a round, so that a correction's bill can name what to reissue.

Finished reconciliations of its gaming day are known here. Another part of the product that reports
figures of rounds registers how to find out which of its reports hold a round.
"""

from collections.abc import Callable, Iterable

from settlements.correction import Reissue
from settlements.models import DayRun
from tables.selectors.round_read import RoundRead

Reports = Callable[[RoundRead], Iterable[Reissue]]

_reports: dict[str, Reports] = {}


def register_reports(name: str, *, reports: Reports) -> None:
    """Ask `reports` for each bill; the same name again takes the place of the earlier one."""
    _reports[name] = reports


def reported(read: RoundRead) -> tuple[Reissue, ...]:
    """Return every report that was made with this round in it.

    Of a day's finished reconciliations the latest counts: those before are superseded already.
    """
    run = (
        DayRun.objects.filter(day=read.gaming_day, state=DayRun.State.DONE)
        .order_by("-number")
        .values_list("key", flat=True)
        .first()
    )
    own = [Reissue("day", run)] if run is not None else []
    others = [item for name in sorted(_reports) for item in _reports[name](read)]
    return (*own, *others)
