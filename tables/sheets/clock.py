"""The time on a sheet: people write 14:05, and the gaming day says of which date."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def moment_on_day(day: date, at: time, *, cut_over_hour: int, zone: str) -> datetime:
    """Return when a clock in the house's zone showed `at` on a gaming day, in UTC.

    Hours before the cut-over belong to the date after. Where the clock shows a time twice, because
    the zone changes its offset, the first counts.
    """
    on = day if at.hour >= cut_over_hour else day + timedelta(days=1)
    return datetime.combine(on, at, tzinfo=ZoneInfo(zone)).astimezone(UTC)
