"""What all samples share: plain values with names, and instants that are some time ago."""

from datetime import date, datetime, timedelta
from types import SimpleNamespace as Values
from typing import Any

from django.utils import timezone

__all__ = ["DAY", "Context", "Values", "ago"]

Context = dict[str, Any]  # Any: a template's values
DAY = date(2026, 11, 3)


def ago(seconds: int) -> datetime:
    """Return an instant that many seconds back."""
    return timezone.now() - timedelta(seconds=seconds)
