"""The turn of the day: one mark in every stream, and the ranges of entries between two marks.

Which days there are and when they turn is the caller's: cut-over hour and zone are settings of the
house. A mark is written in its own transaction; a stream that is busy is marked by a later call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max

from audit.log.errors import BusyError
from audit.log.models import DayMark, Stream
from audit.log.rows import Actor, Row
from audit.log.services import append, lock_stream, service

_TURNER = Actor(key="system:day-turn", name="Turn of the day", role="system")
_MISSED_DAYS_MAX = 400
# What a calendar has: the database also holds days before Christ, and infinite ones.
DAYS = (date.min, date.max)


@dataclass(frozen=True, slots=True)
class Turned:
    """What a call marked, and which streams were busy and wait for the next call."""

    marks: int
    busy: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DayRange:
    """The entries of one stream that belong to a day: `first` to `last`, none when last < first.

    `last` is None while the day has not ended in this stream.
    """

    stream: str
    first: int
    last: int | None


def turn_days(today: date) -> Turned:
    """Mark every stream up to `today`; each missed day gets its mark, in order.

    A stream that was never marked begins with `today`, with what it holds already: it was made
    within the last minute, or the house was. Marking again changes nothing.
    """
    sound = DayMark.objects.filter(day__range=DAYS)
    last = dict(sound.values_list("marked").annotate(Max("day")))
    marks, busy = 0, []
    for stream in Stream.objects.order_by("name").values_list("name", flat=True):
        for day in _missing(last.get(stream), today):
            try:
                marks += _mark(stream, day)
            except BusyError:
                busy.append(stream)
                break
    return Turned(marks=marks, busy=tuple(busy))


def _missing(last: date | None, today: date) -> Sequence[date]:
    if last is None:
        return (today,)
    days = min((today - last).days, _MISSED_DAYS_MAX)
    return [last + timedelta(days=n) for n in range(1, days + 1)]


@service
def _mark(stream: str, day: date) -> int:
    """Mark one stream, once; return how many marks were written."""
    lock_stream(stream)
    if DayMark.objects.filter(marked=stream, day=day).exists():
        return 0
    append(
        stream=stream,
        action="day.turned",
        subject=day.isoformat(),
        actor=_TURNER,
        facts=[Row(DayMark, {"marked": stream, "day": day})],
    )
    return 1


def day_ranges(day: date) -> list[DayRange]:
    """Return what each stream holds of a day, in the order of their names.

    What lies before a stream's first mark belongs to the day of that mark.
    """
    marks: dict[str, list[tuple[date, int]]] = {}
    sound = DayMark.objects.filter(day__range=DAYS).order_by("marked", "day")
    for stream, marked, seq in sound.values_list("marked", "day", "entry__seq"):
        marks.setdefault(stream, []).append((marked, seq))
    ranges = []
    for stream, turned in sorted(marks.items()):
        bounds = [(turned[0][0], 1), *turned[1:]]
        for n, (marked, seq) in enumerate(bounds):
            if marked == day:
                ended = n + 1 < len(bounds)
                ranges.append(DayRange(stream, seq, bounds[n + 1][1] - 1 if ended else None))
    return ranges


def is_day_over(day: date) -> bool:
    """Tell whether every stream has turned past the day, so that nothing can come into it."""
    streams = Stream.objects.count()
    past = DayMark.objects.filter(day__gt=day).values("marked").distinct().count()
    return streams > 0 and past == streams
