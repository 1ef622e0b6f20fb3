"""Signing on and off: one person, one role, one live session (controls 6.1, 6.2).

Two steps: `recognise` looks at the secret, slowly and outside of any lock; `sign_on` then opens the
session. A dealer signs on at an enrolled tablet only; a PIN counts on such a tablet only.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module

from django.conf import settings
from django.db.models import QuerySet

from audit.log.rows import Ref
from audit.log.services import append, lock_stream, service
from casino.people.errors import (
    SignOnNoRoleError,
    SignOnRefusedError,
    SignOnRoleNeededError,
    SignOnRoleNotHeldError,
)
from casino.people.models import STREAM, Role, SignOn, Staff
from casino.people.permissions import MANAGES_STAFF, require_role
from casino.people.person import Origin, Person
from casino.people.selectors import current_roles, staff_by_number, staff_ref
from casino.people.services.attested import attest, door, whereabouts

# A request within this time of the one before does not write that it was seen.
SEEN_STEP = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A person whose secret was right, and the roles that may be used from there."""

    staff: Ref
    name: str
    roles: tuple[str, ...]

    def choose(self, role: str | None) -> str:
        """Return the role to act in. Raises SignOnRoleNeededError, SignOnRoleNotHeldError."""
        if role is None:
            if len(self.roles) > 1:
                raise SignOnRoleNeededError(roles=list(self.roles))
            return self.roles[0]
        if role not in self.roles:
            raise SignOnRoleNotHeldError(role=role, roles=list(self.roles))
        return role


def recognise(*, badge: str, secret: str, origin: Origin, now: datetime) -> Recognised:
    """Check badge (or staff number) and secret; the refusal does not tell which was wrong.

    Raises SlowDownError, SignOnRefusedError, SignOnNoRoleError. Call it outside of any transaction.
    """
    staff = attest(
        badge=badge,
        secret=secret,
        pin_counts=origin.tablet is not None,
        action="sign_on.refused",
        origin=origin,
        now=now,
    )
    if staff is None:
        raise SignOnRefusedError
    roles = _usable(current_roles(staff.pk), origin=origin)
    if not roles:
        raise SignOnNoRoleError
    return Recognised(staff=staff_ref(staff), name=staff.name, roles=roles)


@service
def sign_on(
    recognised: Recognised, *, role: str, session_key: str, origin: Origin, now: datetime
) -> Person:
    """Open the one session of a person in one role; an older one ends with it.

    A tablet is in one pair of hands: who was signed on at it is signed off (the hand-over).
    Raises SignOnRefusedError when the person was deactivated meanwhile, SignOnRoleNotHeldError
    when the role was withdrawn or may not be used here.
    """
    lock_stream(STREAM)
    staff = Staff.objects.get(pk=recognised.staff.id)
    if not staff.active:
        raise SignOnRefusedError
    roles = _usable(current_roles(staff.pk), origin=origin)
    if role not in roles:
        raise SignOnRoleNotHeldError(role=role, roles=list(roles))
    tablet = origin.tablet
    person = Person(
        staff=recognised.staff,
        name=staff.name,
        role=role,
        device=None if origin.device is None else origin.device.ref,
        device_table=None if tablet is None else tablet.table_code,
    )
    older = SignOn.objects.filter(staff=staff)
    if tablet is not None:
        older = older | SignOn.objects.filter(device_id=tablet.ref.id)
    ended = sorted(older.values_list("staff__number", flat=True))
    _end(older)
    append(
        stream=STREAM,
        action="staff.signed_on",
        subject=f"staff/{staff.number}",
        actor=person.actor(origin.request_id),
        data={**whereabouts(origin), "ended": ended},
    )
    SignOn.objects.create(
        staff=staff,
        session_key=session_key,
        role=role,
        device_id=None if tablet is None else tablet.ref.id,
        started_at=now,
        seen_at=now,
    )
    return person


@service
def sign_off(person: Person, *, origin: Origin) -> None:
    """End the person's session; its cookie is dead from the next request on."""
    lock_stream(STREAM)
    if _end(SignOn.objects.filter(staff_id=person.staff.id)):
        append(
            stream=STREAM,
            action="staff.signed_off",
            subject=f"staff/{person.staff.key}",
            actor=person.actor(origin.request_id),
        )


@service
def end_sign_on(number: str, *, by: Person, origin: Origin) -> None:
    """End somebody else's session. Raises RoleNotAllowedError, StaffUnknownError."""
    require_role(by, *MANAGES_STAFF)
    lock_stream(STREAM)
    staff = staff_by_number(number)
    if _end(SignOn.objects.filter(staff=staff)):
        append(
            stream=STREAM,
            action="staff.sign_on_ended",
            subject=f"staff/{number}",
            actor=by.actor(origin.request_id),
        )


@service
def end_dead_sign_on(sign_on_id: int, *, why: str, origin: Origin) -> None:
    """End a session that ran out of time or left its tablet; `why` is `time` or `device`."""
    lock_stream(STREAM)
    dead = SignOn.objects.select_related("staff").filter(pk=sign_on_id).first()
    if dead is None:
        return
    _end(SignOn.objects.filter(pk=dead.pk))
    append(
        stream=STREAM,
        action="staff.timed_out" if why == "time" else "staff.left_device",
        subject=f"staff/{dead.staff.number}",
        actor=door(origin, name="sign-on"),
        data=whereabouts(origin),
    )


def mark_seen(sign_on_id: int, *, now: datetime) -> None:
    """Note that the person is there; working row, no entry."""
    SignOn.objects.filter(pk=sign_on_id, seen_at__lt=now).update(seen_at=now)


def end_sign_ons_of_staff(*, staff_id: int | str, role: str | None = None) -> None:
    """End a person's session (only in `role`, where one is named) within the caller's transaction.

    The caller holds the lock of the stream `people` and writes the entry.
    """
    found = SignOn.objects.filter(staff_id=staff_id)
    _end(found if role is None else found.filter(role=role))


def end_sign_ons_on_device(*, device_id: int | str) -> None:
    """End the sessions at a device within the caller's transaction, as above."""
    _end(SignOn.objects.filter(device_id=device_id))


def _usable(roles: tuple[str, ...], *, origin: Origin) -> tuple[str, ...]:
    """The roles that may be used where the request came from: a dealer's on a tablet alone."""
    if origin.tablet is not None:
        return roles
    return tuple(role for role in roles if role != Role.DEALER)


def _end(found: QuerySet[SignOn]) -> bool:
    """Delete sign-ons and what their sessions remembered; under the lock of the stream."""
    sessions = import_module(settings.SESSION_ENGINE).SessionStore
    keys = list(found.values_list("session_key", flat=True))
    found.delete()
    for key in keys:
        sessions().delete(key)
    return bool(keys)
