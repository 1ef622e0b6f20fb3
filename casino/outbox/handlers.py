"""Who does which follow-up work: a registry that the apps above fill in `AppConfig.ready`.

A handler gets a lease, follows the protocol of `casino.outbox.leases`, and must not be told about
the broker: it may be called by a bell, by the sweep or by a command.
"""

import logging
from collections.abc import Callable

from django.db import close_old_connections

from casino.kernel.errors import InvariantError
from casino.outbox.errors import LeaseLostError
from casino.outbox.killpoints import reach
from casino.outbox.leases import Lease, claim, fail, is_held

Handler = Callable[[Lease], None]

_log = logging.getLogger(__name__)
_handlers: dict[str, Handler] = {}
_long: set[str] = set()


def handles(topic: str, *, takes_long: bool = False) -> Callable[[Handler], Handler]:
    """Register the one handler of a topic. Raises InvariantError for a second one.

    What may take minutes says so: it is left to workers, who have nothing else to do.
    """

    def register(handler: Handler) -> Handler:
        if _handlers.setdefault(topic, handler) is not handler:
            raise InvariantError(f"two handlers of {topic}")
        if takes_long:
            _long.add(topic)
        return handler

    return register


def topics() -> list[str]:
    """The topics that this process can work on."""
    return sorted(_handlers)


def short_topics() -> list[str]:
    """The topics of which a row takes moments."""
    return sorted(_handlers.keys() - _long)


def drain(*, limit: int = 100, of: list[str] | None = None) -> int:
    """Do due work until there is none, at most `limit` rows; return how many were tried.

    Without `of` it is work of every topic. Rows are claimed one at a time: a lease of a few seconds
    must cover the work of a single row.
    """
    tried = 0
    while tried < limit:
        claimed = claim(topics() if of is None else of, limit=1)
        if not claimed:
            break
        for lease in claimed:
            work(lease)
        tried += len(claimed)
    return tried


def work(lease: Lease) -> None:
    """Hand one claimed row to its handler; an error gives it back with its text."""
    try:
        _handlers[lease.topic](lease)
        reach("after_commit")
        if is_held(lease):
            raise InvariantError(f"the handler of {lease.topic} returned without finishing")
    except LeaseLostError:
        _log.warning("lease lost: %s %s", lease.topic, lease.key)
    except Exception as error:  # noqa: BLE001  whatever it was belongs on the row, for a person
        _log.exception("follow-up work failed: %s %s", lease.topic, lease.key)
        # The error may be a lost connection; a new one must be able to say so.
        close_old_connections()
        fail(lease, error=f"{type(error).__name__}: {error}")
