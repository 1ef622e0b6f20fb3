"""Time as values: the gaming day, and instants as text.

The clock itself is never read here: `now` is an argument everywhere. The gaming day is computed
once, when a session opens, and stored; nothing recomputes it later, because cut-over hour and zone
are dated settings that may change.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from casino.kernel.errors import Invalid

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


class InstantFormatError(Invalid):
    """An instant is written in UTC as YYYY-MM-DDTHH:MM:SS.ffffffZ, always with six digits."""

    code = "instant.format"
    message = "Expected an instant as YYYY-MM-DDTHH:MM:SS.ffffffZ, not {value!r}."


def gaming_day(moment: datetime, *, cut_over_hour: int, zone: str) -> date:
    """Return the business date that `moment` lies in.

    The day begins when the house's wall clock reaches the cut-over hour (0 to 23), not at midnight,
    and is 23 or 25 hours long when the zone changes its offset. `moment` must be aware.
    """
    _require_aware(moment)
    _require_hour(cut_over_hour)
    local = moment.astimezone(ZoneInfo(zone))
    day = local.date()
    return day if local.hour >= cut_over_hour else day - timedelta(days=1)


def gaming_day_start(day: date, *, cut_over_hour: int, zone: str) -> datetime:
    """Return the first instant of a gaming day, in UTC.

    Where the wall clock shows the cut-over hour twice the first counts; where it skips it, the
    instant of the skip.
    """
    _require_hour(cut_over_hour)
    local = datetime.combine(day, time(cut_over_hour), tzinfo=ZoneInfo(zone))
    return local.astimezone(UTC)


def format_instant(moment: datetime) -> str:
    """Write an aware datetime in the log's one form, UTC with six digits of a second."""
    _require_aware(moment)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def parse_instant(text: str) -> datetime:
    """Read the log's one form; the inverse of `format_instant`. Raises InstantFormatError."""
    if not _INSTANT.fullmatch(text):
        raise InstantFormatError(value=text[:40])
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InstantFormatError(value=text) from error


def _require_aware(moment: datetime) -> None:
    if moment.tzinfo is None:
        raise ValueError("an instant needs a time zone")


def _require_hour(cut_over_hour: int) -> None:
    if not 0 <= cut_over_hour <= 23:
        raise ValueError("the cut-over hour lies between 0 and 23")
