"""Clearing away working rows that no longer count; nothing here is in the log."""

from datetime import datetime

from django.contrib.sessions.models import Session

from casino.people.models import DeviceCode, OneTimeCode
from casino.people.services.attempts import forget_old_attempts


def tidy_people(*, now: datetime) -> int:
    """Delete codes and sessions past their time and forgotten tries; returns how many rows."""
    cleared = forget_old_attempts(now=now)
    for expired in (
        OneTimeCode.objects.filter(expires_at__lte=now),
        DeviceCode.objects.filter(expires_at__lte=now),
        Session.objects.filter(expire_date__lte=now),
    ):
        deleted, _ = expired.delete()
        cleared += deleted
    return cleared
