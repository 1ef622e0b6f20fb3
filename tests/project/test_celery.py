"""Workers take JSON alone and keep nothing that matters in the broker."""

import json
import os
import subprocess
import sys

import pytest
from celery import current_app
from kombu.exceptions import ContentDisallowed
from kombu.serialization import dumps, loads

from audit.log.checkpoints import DUE_AFTER
from casino.celery import app

_SCHEDULE = """
import json
from casino.celery import app
print(json.dumps({name: each["schedule"] for name, each in app.conf.beat_schedule.items()}))
"""


def test_the_product_s_app_is_the_current_one() -> None:
    assert current_app.main == app.main == "casino"
    assert current_app.conf is app.conf


def test_json_only_early_acknowledgement_no_results() -> None:
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert not app.conf.task_acks_late
    assert not app.conf.result_backend
    assert (app.conf.enable_utc, str(app.conf.timezone)) == (True, "UTC")


def test_a_pickled_message_is_refused() -> None:
    content_type, encoding, body = dumps({"a": 1}, serializer="pickle")
    with pytest.raises(ContentDisallowed):
        loads(body, content_type, encoding, accept=app.conf.accept_content)


def test_what_beat_rings_exists_and_does_not_pile_up() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        assert entry["options"]["expires"] > 0


def test_a_house_that_sweeps_rarely_signs_its_checkpoints_in_time() -> None:
    command = [sys.executable, "-c", _SCHEDULE]
    environment = {**os.environ, "SWEEP_S": "60"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True)
    rings = json.loads(done.stdout)
    assert rings["sweep the outbox"] == 60
    assert rings["checkpoint"] + DUE_AFTER.total_seconds() <= 60


def test_tasks_take_no_objects() -> None:
    """A forged message can at most ask a worker to look for work that is in the database."""
    import inspect

    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert ours
    for task in ours:
        kinds = [p.annotation for p in inspect.signature(task.run).parameters.values()]
        assert set(kinds) <= {int, str, "int", "str"}, task.name
