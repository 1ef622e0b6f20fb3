"""The answers of writes without a natural key, kept so that a retry gets them again (trust R3)."""

from datetime import datetime

from django.db import OperationalError

from casino.people.errors import AnswerPendingError
from casino.people.models import StoredAnswer

_LOCK_TIMEOUT = "55P03"


def claim_answer(*, scope: bytes, content_hash: bytes, now: datetime) -> StoredAnswer | None:
    """Take a key in the caller's transaction, or return the answer that it got before.

    Waits for a write under the same key that is under way. Raises AnswerPendingError.
    """
    row = StoredAnswer(scope=scope, content_hash=content_hash, created_at=now)
    try:
        StoredAnswer.objects.bulk_create([row], ignore_conflicts=True)
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == _LOCK_TIMEOUT:
            raise AnswerPendingError from error
        raise
    stored = StoredAnswer.objects.get(scope=scope)
    return stored if stored.status is not None else None


def keep_answer(*, scope: bytes, status: int, body: bytes) -> None:
    """Keep the answer under a key that was taken in the same transaction."""
    StoredAnswer.objects.filter(scope=scope).update(status=status, body=body)
