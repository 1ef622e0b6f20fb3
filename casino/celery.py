"""The Celery app: shells around services, rung by the outbox's bell and by beat.

JSON only, no result backend, early acknowledgement: a killed worker loses messages whatever the
acknowledgement, so nothing relies on them. What must happen is a row in the database.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

from casino.config import MissingSettingError, config, reveal

# One attempt and short waits: a door that rings must never wait for an absent broker.
_TRANSPORT = {
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "max_retries": 0,
    "interval_start": 0,
    "visibility_timeout": 3600,
}

# What must be signed within 60 seconds is due after 50 (audit.log.checkpoints).
_CHECKPOINT_RING_S = 5.0

app = Celery("casino")
app.conf.update(
    broker_url=reveal(config().redis_url) or None,
    broker_transport_options=_TRANSPORT,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    result_backend=None,
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_acks_late=False,
    task_default_queue="jobs",
    task_routes={"outbox.*": {"queue": "outbox"}},
    task_create_missing_queues=True,
    task_protocol=2,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    # Intervals and UTC alone; a job that must run once a day is keyed by its day in the database.
    beat_scheduler="casino.outbox.sweeping:SweepingScheduler",
    enable_utc=True,
    timezone="UTC",
    beat_schedule={
        "sweep the outbox": {
            "task": "outbox.drain",
            "schedule": config().sweep_s,
            "options": {"expires": 2 * config().sweep_s},
        },
        # Rings often, so that a checkpoint is taken soon after one is due (1,000 entries, 60 s).
        "checkpoint": {
            "task": "audit.log.take_checkpoint",
            "schedule": min(config().sweep_s, _CHECKPOINT_RING_S),
            "options": {"expires": 2 * _CHECKPOINT_RING_S},
        },
        "ask for the nightly check of the log": {
            "task": "audit.findings.ask_log_check",
            "schedule": 900.0,
            "options": {"expires": 900},
        },
        # A minute after the cut-over at the latest; a day is keyed by its date in the database.
        "turn the day": {
            "task": "settlements.turn_days",
            "schedule": 60.0,
            "options": {"expires": 60},
        },
        "forget old attempts, codes and sessions": {
            "task": "people.tidy",
            "schedule": 3600.0,
            "options": {"expires": 3600},
        },
    },
)
app.autodiscover_tasks()
app.set_default()


@worker_init.connect
@beat_init.connect
def _require_settings(**_: Any) -> None:  # Celery passes what it likes
    """Stop a worker without its secrets at the start and not at its first job."""
    try:
        config().require_service()
    except MissingSettingError as error:
        # Celery swallows whatever else a signal's receiver raises.
        raise SystemExit(str(error)) from error
