"""Who stands behind a request: the person in one role, and where the request came from.

Plain values; they must not read the database. The middleware makes them, services take them.
"""

from dataclasses import dataclass

from django.http import HttpRequest
from rest_framework.request import Request

from audit.log.rows import Actor, Ref
from casino.api.errors import SessionEndedError, SessionMissingError


@dataclass(frozen=True, slots=True)
class DeviceOnRequest:
    """The enrolled device whose token came with the request."""

    ref: Ref
    kind: str
    table_code: str | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request came from: the network address, the device if enrolled, the request's id."""

    address: str
    device: DeviceOnRequest | None = None
    request_id: str = ""

    @property
    def tablet(self) -> DeviceOnRequest | None:
        """The enrolled tablet, if the request came from one."""
        if self.device is not None and self.device.kind == "tablet":
            return self.device
        return None


@dataclass(frozen=True, slots=True)
class Person:
    """One signed-on person in one role; `device_table` is the table of the tablet in hand."""

    staff: Ref
    name: str
    role: str
    device: Ref | None = None
    device_table: str | None = None

    def actor(self, request_id: str = "") -> Actor:
        """Name this person as the one who acts in a log entry."""
        return Actor(
            key=self.staff.key,
            name=self.name,
            role=self.role,
            device=None if self.device is None else self.device.key,
            request_id=request_id,
        )


def find_person(request: HttpRequest | Request) -> Person | None:
    """Return who is signed on, or None."""
    person: Person | None = getattr(_plain(request), "person", None)
    return person


def person_of(request: HttpRequest | Request) -> Person:
    """Return who is signed on. Raises SessionMissingError, or SessionEndedError if it was once."""
    person = find_person(request)
    if person is not None:
        return person
    if getattr(_plain(request), "session_ended", False):
        raise SessionEndedError
    raise SessionMissingError


def origin_of(request: HttpRequest | Request) -> Origin:
    """Return where the request came from, as the middleware found it."""
    origin: Origin = getattr(_plain(request), "origin", Origin(address=""))
    return origin


def actor_of(request: HttpRequest | Request) -> Actor:
    """Return the signed-on person as the actor of this request. Raises as `person_of` does."""
    return person_of(request).actor(origin_of(request).request_id)


def _plain(request: HttpRequest | Request) -> HttpRequest:
    return request._request if isinstance(request, Request) else request
