"""The Celery shells of this app: the turn of the day, and the runs that it makes due."""

from celery import shared_task
from django.utils import timezone

from settlements.day.runs import turn_and_start


@shared_task(name="settlements.turn_days", ignore_result=True)
def turn_days() -> None:
    """Turn the day where it is due; start the reconciliation of each day that is over."""
    turn_and_start(now=timezone.now())
