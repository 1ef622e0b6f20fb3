"""The one place where a badge and a secret are laid side by side, for sign-on and signature alike.

Known and unknown badges, right and wrong secrets take the same steps: one look-up, one counted
try, one slow hash, and for a refusal one entry in the log.
"""

from collections.abc import Mapping
from datetime import datetime

from audit.log.rows import Actor
from audit.log.services import append, service
from casino.people import hashing
from casino.people.models import STREAM, Staff
from casino.people.person import Origin
from casino.people.selectors import staff_by_badge
from casino.people.services.attempts import account_key, begin_attempt, forgive


def attest(
    *, badge: str, secret: str, pin_counts: bool, action: str, origin: Origin, now: datetime
) -> Staff | None:
    """Return the active person to whom badge and secret belong, or None, logged as `action`.

    `pin_counts` says whether a PIN is enough where the request came from. Raises SlowDownError.
    """
    staff = staff_by_badge(badge)
    number = None if staff is None else staff.number
    attempt = begin_attempt(account=account_key(badge, number), origin=origin, now=now)
    right = hashing.check_secret(hashing.clean_secret(secret), _encoded(staff, secret, pin_counts))
    if staff is not None and right and staff.active:
        forgive(attempt, now=now)
        return staff
    _log_refusal(action=action, number=number, origin=origin)
    return None


def door(origin: Origin, *, name: str) -> Actor:
    """Name a door of the system as the one who acts, where nobody has been recognised."""
    return Actor(
        key=f"system:{name}",
        name=name,
        role="system",
        device=None if origin.device is None else origin.device.ref.key,
        request_id=origin.request_id,
    )


def whereabouts(origin: Origin) -> Mapping[str, object]:
    """Say in a log entry where a request came from."""
    return {"address": origin.address}


def _encoded(staff: Staff | None, secret: str, pin_counts: bool) -> str:
    if staff is None:
        return ""
    if hashing.looks_like_pin(secret):
        return staff.pin_hash if pin_counts else ""
    return staff.password_hash


@service
def _log_refusal(*, action: str, number: str | None, origin: Origin) -> None:
    append(
        stream=STREAM,
        action=action,
        subject="staff/unknown" if number is None else f"staff/{number}",
        actor=door(origin, name="sign-on"),
        data=whereabouts(origin),
    )
