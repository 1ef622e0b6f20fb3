"""Writing follow-up work and putting parked work back."""

from collections.abc import Mapping

from audit.log.rows import Row
from audit.log.services import service
from casino.outbox.errors import ItemMissingError
from casino.outbox.models import OutboxItem


def outbox_row(topic: str, *, key: str, payload: Mapping[str, object] | None = None) -> Row:
    """Describe follow-up work, for `append(work=...)` of the change that makes it necessary.

    `key` is the natural key of the work within its topic (round, part, revision); `payload` names
    rows by natural keys and copies nothing.
    """
    return Row(OutboxItem, {"topic": topic, "key": key, "payload": dict(payload or {})})


@service
def ask_once(topic: str, *, key: str, payload: Mapping[str, object] | None = None) -> None:
    """Ask for work that the calendar and not a change makes necessary; a second asking is none."""
    item = OutboxItem(topic=topic, key=key, payload=dict(payload or {}))
    OutboxItem.objects.bulk_create([item], ignore_conflicts=True)


@service
def unpark_item(topic: str, *, key: str) -> None:
    """Put parked work back in the queue with a clean count. Raises ItemMissingError."""
    changed = (
        OutboxItem.objects.parked()
        .filter(topic=topic, key=key)
        .update(parked_at=None, attempts=0, due_at=None, lease_until=None)
    )
    if changed != 1:
        raise ItemMissingError(topic=topic, key=key)
