"""Celery's shell around the clearing away; beat rings it, and nothing depends on when."""

from celery import shared_task
from django.utils import timezone

from casino.people.services import tidy_people


@shared_task(name="people.tidy", ignore_result=True)
def tidy() -> None:
    """Clear away codes, sessions and tries that no longer count."""
    tidy_people(now=timezone.now())
