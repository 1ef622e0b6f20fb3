"""Clearing away working rows that no longer count; nothing here is in the log."""

from datetime import datetime, timedelta

from django.contrib.sessions.models import Session

from casino.people.models import DeviceCode, OneTimeCode, StoredAnswer
from casino.people.services.attempts import forget_old_attempts

# Longer than the ninety days for which a retry is answered as before (trust R4).
ANSWERS_KEPT = timedelta(days=100)


def tidy_people(*, now: datetime) -> int:
    """Delete codes and sessions past their time and forgotten tries; returns how many rows."""
    cleared = forget_old_attempts(now=now)
    for expired in (
        OneTimeCode.objects.filter(expires_at__lte=now),
        DeviceCode.objects.filter(expires_at__lte=now),
        Session.objects.filter(expire_date__lte=now),
        StoredAnswer.objects.filter(created_at__lte=now - ANSWERS_KEPT),
    ):
        deleted, _ = expired.delete()
        cleared += deleted
    return cleared
