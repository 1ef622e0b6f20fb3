"""Celery's shell around the nightly check; beat rings it every hour, the day decides."""

from celery import shared_task
from django.utils import timezone

from audit.findings.log_check import ask_log_check


@shared_task(name="audit.findings.ask_log_check", ignore_result=True)
def ask_for_log_check() -> None:
    """Ask for the day's check of the log unless it was asked for already."""
    ask_log_check(timezone.now())
