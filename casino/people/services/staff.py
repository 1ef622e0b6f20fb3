"""Staff and their roles. The administrator keeps them, and never sees or sets a secret.

Nobody is deleted: who leaves is deactivated, and session and codes die with that (control 6.10).
"""

import re
from datetime import datetime

from audit.log.rows import Actor, Change, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.text import clean_text
from casino.people.errors import (
    IdentifierError,
    NameEmptyError,
    RoleExclusiveError,
    RoleSelfGrantError,
    RoleUnchangedError,
    RoleUnknownError,
    StaffFoundedError,
    StaffInactiveError,
    StaffSelfError,
    StaffTakenError,
)
from casino.people.models import STREAM, OneTimeCode, Role, RoleGrant, SecretKind, Staff
from casino.people.permissions import MANAGES_STAFF, may_hold, require_role
from casino.people.person import Origin, Person
from casino.people.selectors import (
    current_roles,
    is_founded,
    staff_by_badge,
    staff_by_number,
    staff_ref,
)
from casino.people.services.secrets import new_one_time_code
from casino.people.services.sign_ons import end_sign_ons_of_staff

NUMBER_CHARACTERS_MAX = 16
BADGE_CHARACTERS_MAX = 32
NAME_CHARACTERS_MAX = 120

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*", re.ASCII)


@service
def found_house(*, number: str, badge: str, name: str, now: datetime) -> str:
    """Create the first administrator and return the one-time code for the own password.

    The one act of this app without a person behind it, possible once. Raises StaffFoundedError.
    """
    lock_stream(STREAM)
    if is_founded():
        raise StaffFoundedError
    actor = Actor(key="system:set-up", name="set-up", role="system")
    ref = _create(number=number, badge=badge, name=name, actor=actor)
    _grant(ref, role=Role.ADMINISTRATOR, granted=True, revision=1, actor=actor)
    return new_one_time_code(ref, purpose=SecretKind.PASSWORD, actor=actor, now=now)


@service
def create_staff(*, number: str, badge: str, name: str, by: Person, origin: Origin) -> Ref:
    """Create a member of staff without roles or secrets.

    Raises RoleNotAllowedError, StaffTakenError, IdentifierError, NameEmptyError.
    """
    require_role(by, *MANAGES_STAFF)
    lock_stream(STREAM)
    return _create(number=number, badge=badge, name=name, actor=by.actor(origin.request_id))


@service
def replace_badge(number: str, *, badge: str, by: Person, origin: Origin) -> None:
    """Give a person another badge; the number stays.

    Raises RoleNotAllowedError, StaffUnknownError, StaffTakenError, IdentifierError.
    """
    require_role(by, *MANAGES_STAFF)
    lock_stream(STREAM)
    staff = staff_by_number(number)
    badge = clean_identifier(badge, field="badge", limit=BADGE_CHARACTERS_MAX)
    if staff_by_badge(badge) is not None:
        raise StaffTakenError(field="badge", value=badge)
    append(
        stream=STREAM,
        action="staff.badge_replaced",
        subject=f"staff/{number}",
        actor=by.actor(origin.request_id),
        changes=[Change(Staff, staff_ref(staff), {"badge": badge})],
    )


@service
def deactivate_staff(number: str, *, by: Person, origin: Origin) -> None:
    """Shut a person out: session and codes end at once, signatures and roles stay on record.

    Raises RoleNotAllowedError, StaffUnknownError, StaffSelfError, StaffInactiveError.
    """
    require_role(by, *MANAGES_STAFF)
    if by.staff.key == number:
        raise StaffSelfError
    lock_stream(STREAM)
    staff = _active(number)
    end_sign_ons_of_staff(staff_id=staff.pk)
    OneTimeCode.objects.filter(staff=staff).delete()
    append(
        stream=STREAM,
        action="staff.deactivated",
        subject=f"staff/{number}",
        actor=by.actor(origin.request_id),
        changes=[Change(Staff, staff_ref(staff), {"active": False})],
    )


@service
def reactivate_staff(number: str, *, by: Person, origin: Origin) -> None:
    """Let a person in again, with no secrets: both are set anew with a code.

    Raises RoleNotAllowedError, StaffUnknownError, StaffSelfError.
    """
    require_role(by, *MANAGES_STAFF)
    if by.staff.key == number:
        raise StaffSelfError
    lock_stream(STREAM)
    staff = staff_by_number(number)
    if staff.active:
        return
    append(
        stream=STREAM,
        action="staff.reactivated",
        subject=f"staff/{number}",
        actor=by.actor(origin.request_id),
        changes=[
            Change(Staff, staff_ref(staff), {"active": True, "pin_hash": "", "password_hash": ""})
        ],
    )


@service
def grant_role(number: str, *, role: str, by: Person, origin: Origin) -> None:
    """Give a person a role; it may be used from the next sign-on.

    Raises RoleNotAllowedError, RoleSelfGrantError, RoleUnknownError, RoleExclusiveError (control
    6.11), RoleUnchangedError, StaffUnknownError, StaffInactiveError.
    """
    _change_role(number, role=role, granted=True, by=by, origin=origin)


@service
def withdraw_role(number: str, *, role: str, by: Person, origin: Origin) -> None:
    """Take a role from a person; a session in that role ends at once.

    Raises RoleNotAllowedError, RoleSelfGrantError, RoleUnknownError, RoleUnchangedError,
    StaffUnknownError.
    """
    _change_role(number, role=role, granted=False, by=by, origin=origin)


def clean_identifier(text: str, *, field: str, limit: int) -> str:
    """Return a number or badge as written. Raises IdentifierError."""
    if len(text) > limit or not _IDENTIFIER.fullmatch(text):
        raise IdentifierError(field=field, limit=limit)
    return text


def clean_name(text: str) -> str:
    """Return a name without white space at its ends, on one line. Raises NameEmptyError."""
    name = " ".join(clean_text(text, max_length=NAME_CHARACTERS_MAX).split())
    if not name:
        raise NameEmptyError
    return name


def _create(*, number: str, badge: str, name: str, actor: Actor) -> Ref:
    number = clean_identifier(number, field="number", limit=NUMBER_CHARACTERS_MAX)
    badge = clean_identifier(badge, field="badge", limit=BADGE_CHARACTERS_MAX)
    # Badge and number open the same door, so that neither may stand for two people.
    if staff_by_badge(number) is not None:
        raise StaffTakenError(field="number", value=number)
    if staff_by_badge(badge) is not None:
        raise StaffTakenError(field="badge", value=badge)
    receipt = append(
        stream=STREAM,
        action="staff.created",
        subject=f"staff/{number}",
        actor=actor,
        new_heads=[
            Row(
                Staff,
                {
                    "number": number,
                    "badge": badge,
                    "name": clean_name(name),
                    "active": True,
                    "pin_hash": "",
                    "password_hash": "",
                },
            )
        ],
    )
    return Ref(id=receipt.ids[0], key=number)


def _change_role(number: str, *, role: str, granted: bool, by: Person, origin: Origin) -> None:
    require_role(by, *MANAGES_STAFF)
    if role not in Role.values:
        raise RoleUnknownError(role=role)
    if by.staff.key == number:
        raise RoleSelfGrantError
    lock_stream(STREAM)
    staff = _active(number) if granted else staff_by_number(number)
    held = current_roles(staff.pk)
    if (role in held) == granted:
        raise RoleUnchangedError(role=role)
    if granted and not may_hold(role, held=held):
        raise RoleExclusiveError(role=role, held=list(held))
    if not granted:
        end_sign_ons_of_staff(staff_id=staff.pk, role=role)
    revision = RoleGrant.objects.filter(staff=staff, role=role).count() + 1
    _grant(
        staff_ref(staff),
        role=role,
        granted=granted,
        revision=revision,
        actor=by.actor(origin.request_id),
    )


def _grant(staff: Ref, *, role: str, granted: bool, revision: int, actor: Actor) -> None:
    append(
        stream=STREAM,
        action="role.granted" if granted else "role.withdrawn",
        subject=f"staff/{staff.key}",
        actor=actor,
        facts=[
            Row(
                RoleGrant,
                {"staff": staff, "role": role, "revision": revision, "granted": granted},
            )
        ],
    )


def _active(number: str) -> Staff:
    staff = staff_by_number(number)
    if not staff.active:
        raise StaffInactiveError(number=number)
    return staff
