"""Chainable filters over outbox rows."""

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from casino.outbox.models import OutboxItem  # noqa: F401  named in the base class


class OutboxItemQuerySet(models.QuerySet["OutboxItem"]):
    """What waits, and what was given up."""

    def waiting(self) -> "OutboxItemQuerySet":
        """Not done and not given up, a running one included."""
        return self.filter(parked_at__isnull=True)

    def parked(self) -> "OutboxItemQuerySet":
        """Given up after too many attempts."""
        return self.filter(parked_at__isnull=False)
