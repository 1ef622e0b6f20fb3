"""Who may call what: asked by services and views, never by hiding buttons."""

from collections.abc import Sequence

from django.http import HttpRequest
from rest_framework.request import Request

from casino.people.errors import RoleNotAllowedError
from casino.people.models import Device, Role
from casino.people.person import Person, find_person, origin_of, person_of

MANAGES_STAFF = (Role.ADMINISTRATOR,)
READS_STAFF = (
    Role.ADMINISTRATOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
)
MANAGES_DEVICES = (Role.ADMINISTRATOR,)
READS_DEVICES = (*READS_STAFF, Role.SUPERVISOR)


def may_hold(role: str, *, held: Sequence[str]) -> bool:
    """Whether somebody with the roles `held` may be given `role`: who administers holds no other.

    Control 6.11: no authority over money and none over the facts beside that over access.
    """
    return not held or Role.ADMINISTRATOR not in (role, *held)


def require_role(person: Person, *roles: str) -> None:
    """Let pass who acts in one of `roles`; raises RoleNotAllowedError otherwise (control 6.7)."""
    if person.role not in roles:
        raise RoleNotAllowedError(role=person.role, roles=[str(role) for role in roles])


def require_reader(request: HttpRequest | Request, *roles: str) -> None:
    """Let pass who is signed on in one of `roles`, and an integration, which only reads.

    For reads alone: a write asks for the person. Raises SessionMissingError, SessionEndedError,
    RoleNotAllowedError.
    """
    person = find_person(request)
    device = origin_of(request).device
    if person is None and device is not None and device.kind == Device.Kind.INTEGRATION:
        return
    require_role(person_of(request), *roles)
