"""Which days get a run by themselves: reads only, and the same answer for every worker."""

from collections.abc import Sequence
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from audit.log.days import DAYS
from audit.log.models import DayMark
from settlements.models import DayCheck, DayRun
from tables.models import TableSession

OVERRUN = "day.session_overrun"


def days_due(today: date) -> Sequence[date]:
    """Return the days before `today` that wait for a run, the oldest first.

    Every day of the log has one, dealt or not, and so has every day of a session. It gets another
    when all of its sessions have closed, and its last run found one still open or did not know one:
    a clock that was put back or a later cut-over hour opens sessions of a day that was looked at.
    """
    run = DayRun.objects.values_list("day", flat=True)
    without = days_known() - set(run.distinct())
    again = _closed_since().values_list("day", flat=True)
    return sorted(day for day in without.union(again) if day < today)


def days_known() -> set[date]:
    """Return the days that the log holds or that sessions belong to; there are no others.

    A day that was put into a table past the log, and is none, makes no other one wait.
    """
    marked = DayMark.objects.filter(day__range=DAYS).values_list("day", flat=True)
    dealt = TableSession.objects.filter(gaming_day__range=DAYS).values_list("gaming_day", flat=True)
    return {*marked.distinct(), *dealt.distinct()}


def _closed_since() -> QuerySet[DayRun]:
    """Return the last runs of days whose sessions have all closed, and not all before the run."""
    last = DayRun.objects.order_by("day", "-number").distinct("day")
    open_still = TableSession.objects.exclude(state=TableSession.State.CLOSED)
    looked_at = DayCheck.objects.filter(run=OuterRef("pk"), check_name="session")
    overrun = looked_at.filter(problems__contains=[{"code": OVERRUN}])
    of_day = TableSession.objects.filter(gaming_day=OuterRef("day"))
    known = DayCheck.objects.filter(
        run=OuterRef(OuterRef("pk")), check_name="session", subject=OuterRef("key")
    )
    return DayRun.objects.filter(
        Exists(overrun) | Exists(of_day.filter(~Exists(known))),
        pk__in=last.values("pk"),
        state=DayRun.State.DONE,
    ).exclude(day__in=open_still.values("gaming_day"))
