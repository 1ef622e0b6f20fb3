"""Ringing the bell: telling the workers, after the commit, that there is something to do.

A hint and nothing more. Whatever goes wrong is ignored, because the sweep looks every few seconds
anyway; and it never holds up the request that rang.
"""

import logging
import time

from celery import current_app
from django.db import transaction
from kombu.exceptions import KombuError

from casino.config import config

_log = logging.getLogger(__name__)

# After a failure nobody rings for this long, so that an absent broker costs one time-out, not one
# per request.
_SILENCE_S = 5.0


class _Bell:
    def __init__(self) -> None:
        self.silent_until = 0.0

    def ring(self) -> None:
        """Send the wake-up call now."""
        if not config().redis_url or time.monotonic() < self.silent_until:
            return
        try:
            current_app.send_task(
                "outbox.drain", ignore_result=True, retry=False, expires=30, queue="outbox"
            )
        except (KombuError, OSError, ConnectionError) as error:
            self.silent_until = time.monotonic() + _SILENCE_S
            _log.warning("the bell did not ring: %s", error)


_bell = _Bell()


def ring() -> None:
    """Ring after the commit of the current transaction, or now when there is none."""
    transaction.on_commit(_bell.ring, robust=True)
