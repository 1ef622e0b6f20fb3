"""The Celery shell of the log: a beat that rings often, a checkpoint when one is due."""

from celery import shared_task

from audit.log.checkpoints import take_checkpoint


@shared_task(name="audit.log.take_checkpoint", ignore_result=True)
def take_checkpoint_if_due() -> None:
    """Take a checkpoint unless too little has happened since the last."""
    take_checkpoint(only_if_due=True)
