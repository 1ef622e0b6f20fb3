"""The Celery shell of the log: a beat that rings often, a checkpoint when one is due."""

from celery import shared_task

from audit.log.checkpoints import take_checkpoint

SWEEP_SECONDS = 5
"""How often beat must ring for the promise of 1,000 entries and 60 seconds."""


@shared_task(name="audit.log.take_checkpoint", ignore_result=True)
def take_checkpoint_if_due() -> None:
    """Take a checkpoint unless too little has happened since the last."""
    take_checkpoint(only_if_due=True)
