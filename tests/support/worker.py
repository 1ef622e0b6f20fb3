"""Celery workers as real processes, for tests that kill them."""

import sys
from collections.abc import Mapping
from pathlib import Path

from casino.embedded.process import Child, start_child
from casino.embedded.state import CHECKOUT

_SCHEDULER = "casino.outbox.sweeping:SweepingScheduler"


def start_worker(
    environment: Mapping[str, str],
    *,
    log: Path,
    app: str = "casino.celery",
    sweep: bool = True,
    processes: int = 1,
) -> Child:
    """Start a worker as `make run` does; with `sweep` its own beat sweeps the outbox."""
    return start_child(
        [
            *(sys.executable, "-m", "celery", "-A", app, "worker", "-Q", "outbox,jobs"),
            *("--loglevel", "INFO", "--concurrency", str(processes)),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            *(("--beat", "--scheduler", _SCHEDULER) if sweep else ()),
        ],
        name="worker",
        folder=CHECKOUT,
        environment=environment,
        log=log,
    )
