"""Celery's shells around the outbox: the bell and the sweep are the same task."""

from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down

from casino.outbox.handlers import drain
from casino.outbox.killpoints import reach


@shared_task(name="outbox.drain", ignore_result=True)
def drain_outbox() -> None:
    """Do what is due. Rung by a door after its commit, and by beat every few seconds."""
    reach("bell_heard")
    drain()


@worker_shutting_down.connect
def _shutting_down(**_: Any) -> None:  # Celery passes what it likes
    reach("shutting_down")
