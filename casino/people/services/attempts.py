"""Wrong tries: ten are free, each further one makes the account and the address wait longer.

A try is counted before the secret is looked at and forgiven when it was right, so that many at
once gain nothing. The account is counted apart for tablets and for browsers, and a tablet stands
for its own address: a stranger at a browser cannot make a dealer at a table wait. The wait of an
account is short and ends by itself, so nobody is locked out.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from casino.people.errors import SlowDownError
from casino.people.models import AttemptCount
from casino.people.person import Origin

TRIES_FREE = 10
FORGET_AFTER = timedelta(minutes=15)
ACCOUNT_WAIT_MAX = timedelta(seconds=30)
ADDRESS_WAIT_MAX = timedelta(minutes=15)


def account_key(badge: str, number: str | None) -> str:
    """Name the account that a try is counted for.

    What was entered for an unknown badge may be a secret in the wrong field: it is kept as a hash.
    """
    return number or "unknown/" + hashlib.sha256(badge.encode(errors="replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try, counted; `forgive` it when the secret was right."""

    account: str
    address: str


def begin_attempt(*, account: str, origin: Origin, now: datetime) -> Attempt:
    """Count a try. Raises SlowDownError, counting nothing, while account or address must wait."""
    tablet = origin.tablet
    place = "browser" if tablet is None else "tablet"
    attempt = Attempt(
        account=f"account/{place}/{account}",
        address=(
            f"address/{origin.address}"[:120] if tablet is None else f"device/{tablet.ref.key}"
        ),
    )
    with transaction.atomic():
        counts = _locked([attempt.account, attempt.address], now=now)
        wait = max(_left(count, now=now) for count in counts)
        if wait > timedelta(0):
            raise SlowDownError(retry_after=int(wait.total_seconds()) + 1)
        for count in counts:
            _count(count, now=now)
    return attempt


def forgive(attempt: Attempt, *, now: datetime) -> None:
    """Take a try back that was right: the account starts anew, the address loses this one try."""
    with transaction.atomic():
        for count in _locked([attempt.account, attempt.address], now=now):
            if count.key == attempt.account:
                count.delete()
            else:
                count.failures = max(0, count.failures - 1)
                count.wait_until = now
                count.save(update_fields=["failures", "wait_until"])


def forget_old_attempts(*, now: datetime) -> int:
    """Delete counts that no longer count; returns how many."""
    deleted, _ = AttemptCount.objects.filter(
        failed_at__lt=now - FORGET_AFTER, wait_until__lt=now
    ).delete()
    return deleted


def _locked(keys: Sequence[str], *, now: datetime) -> list[AttemptCount]:
    """Lock the counts in one order, so that two tries never wait for each other."""
    AttemptCount.objects.bulk_create(
        [AttemptCount(key=key, failures=0, failed_at=now, wait_until=now) for key in sorted(keys)],
        ignore_conflicts=True,
    )
    return list(AttemptCount.objects.select_for_update().filter(key__in=keys).order_by("key"))


def _count(count: AttemptCount, *, now: datetime) -> None:
    fresh = count.failed_at < now - FORGET_AFTER
    count.failures = 1 if fresh else count.failures + 1
    count.failed_at = now
    count.wait_until = now + _wait(count.failures, longest=_longest(count))
    count.save(update_fields=["failures", "failed_at", "wait_until"])


def _left(count: AttemptCount, *, now: datetime) -> timedelta:
    """How long there is to wait; more than is ever asked for means that the clock went back."""
    left = count.wait_until - now
    if count.failures < TRIES_FREE or left > _longest(count):
        return timedelta(0)
    return left


def _longest(count: AttemptCount) -> timedelta:
    return ACCOUNT_WAIT_MAX if count.key.startswith("account/") else ADDRESS_WAIT_MAX


def _wait(failures: int, *, longest: timedelta) -> timedelta:
    """Nothing for the first ten tries, then 1, 2, 4 ... seconds up to `longest`."""
    if failures < TRIES_FREE:
        return timedelta(0)
    return min(timedelta(seconds=2 ** min(failures - TRIES_FREE, 20)), longest)
