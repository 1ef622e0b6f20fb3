"""What waits and what was given up, for a page."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min

from casino.outbox.models import OutboxItem
from casino.outbox.querysets import OutboxItemQuerySet


@dataclass(frozen=True, slots=True)
class Backlog:
    """The waiting work of one topic."""

    topic: str
    waiting: int
    oldest: datetime


def backlog() -> list[Backlog]:
    """Waiting work by topic."""
    rows = (
        OutboxItem.objects.waiting()
        .values_list("topic")
        .annotate(waiting=Count("id"), oldest=Min("created_at"))
        .order_by("topic")
    )
    return [Backlog(topic, waiting, oldest) for topic, waiting, oldest in rows]


def waiting_items() -> OutboxItemQuerySet:
    """All waiting work, oldest first. The caller paginates."""
    return OutboxItem.objects.waiting().order_by("id")


def parked_items() -> OutboxItemQuerySet:
    """All work that was given up, latest first. The caller paginates."""
    return OutboxItem.objects.parked().order_by("-parked_at", "-id")
