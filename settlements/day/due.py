"""Which days get a run by themselves: reads only, and the same answer for every worker."""

from collections.abc import Sequence
from datetime import date

from audit.log.models import DayMark
from settlements.models import DayCheck, DayRun
from tables.models import TableSession

OVERRUN = "day.session_overrun"


def days_due(today: date) -> Sequence[date]:
    """Return the days before `today` that wait for a run, the oldest first.

    Every day of the log has one, dealt or not, and so has every day of a session. It gets another
    when its last run found a session still open and all of its sessions have closed since.
    """
    marked = DayMark.objects.filter(day__lt=today).values_list("day", flat=True)
    dealt = TableSession.objects.filter(gaming_day__lt=today).values_list("gaming_day", flat=True)
    run = DayRun.objects.values_list("day", flat=True)
    without = {*marked.distinct(), *dealt.distinct()} - set(run.distinct())
    return sorted(without | _overrun_and_closed())


def _overrun_and_closed() -> set[date]:
    last = DayRun.objects.order_by("day", "-number").distinct("day")
    still_open = TableSession.objects.exclude(state=TableSession.State.CLOSED)
    overrun = DayCheck.objects.filter(
        run__in=last.values("pk"),
        run__state=DayRun.State.DONE,
        run__problems__gt=0,
        check_name="session",
        problems__contains=[{"code": OVERRUN}],
    ).exclude(run__day__in=still_open.values("gaming_day"))
    return set(overrun.values_list("run__day", flat=True))
