"""Who stands behind each request: one query, before any view.

Sets `request.request_id`, `request.origin`, `request.person` (or None) and `request.session_ended`.
The cookie's key leads to the sign-on directly; Django's session is read only by views that keep
something in it. A session that ran out of time, or that came without the tablet at which it was
opened, is ended here. Nothing is decided here about what a person may do.
"""

import re
import uuid
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from audit.log.rows import Ref
from casino.kernel.errors import DomainError
from casino.people.hashing import hash_token
from casino.people.limits import has_run_out
from casino.people.person import DeviceOnRequest, Origin, Person
from casino.people.selectors import Presence, presence
from casino.people.services import end_dead_sign_on, mark_seen
from casino.people.services.sign_ons import SEEN_STEP

TOKEN_HEADER = "X-Device-Token"
# A page that refreshes itself says so, or a board on a wall would keep its viewer signed on.
BACKGROUND_HEADER = "X-Background"

_SESSION_KEY = re.compile(r"[a-z0-9]{8,40}", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}", re.ASCII)


def device_cookie_name() -> str:
    """Return the name of the cookie that holds a tablet's token."""
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


class PersonMiddleware:
    """Find the person and the device of a request; forbid that answers are kept by anybody."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        recognise_request(request)
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]  # set above
        return response


def recognise_request(request: HttpRequest) -> None:
    """Set the four attributes of this module's docstring on a request."""
    request_id = uuid.uuid4().hex
    key = _matching(request.COOKIES.get(settings.SESSION_COOKIE_NAME), _SESSION_KEY)
    token = _matching(
        request.headers.get(TOKEN_HEADER) or request.COOKIES.get(device_cookie_name()), _TOKEN
    )
    found: Presence | None = None
    if key is not None or token is not None:
        found = presence(session_key=key, token_hash=None if token is None else hash_token(token))
    origin = Origin(
        address=client_address(request),
        device=None if found is None else _device(found),
        request_id=request_id,
    )
    person = None if found is None else _person(found, request=request, origin=origin)
    for name, value in {
        "request_id": request_id,
        "origin": origin,
        "person": person,
        "session_ended": key is not None and person is None,
    }.items():
        setattr(request, name, value)


def client_address(request: HttpRequest) -> str:
    """Return the caller's network address, empty where there is none (a Unix socket).

    Behind a proxy every request comes from the proxy. CLIENT_ADDRESS_HEADER names the header in
    which our own proxy writes the caller's address, as the last one of a list; without that setting
    nothing that a caller can write is believed.
    """
    told = request.headers.get(settings.CLIENT_ADDRESS_HEADER, "")
    for text in (told.rpartition(",")[2].strip(), request.META.get("REMOTE_ADDR") or ""):
        try:
            return str(ip_address(text))
        except ValueError:
            continue
    return ""


def _person(found: Presence, *, request: HttpRequest, origin: Origin) -> Person | None:
    """The live person of a sign-on, ending one that is dead."""
    if (
        found.sign_on_id is None
        or found.staff_id is None
        or found.role is None
        or found.started_at is None
        or found.seen_at is None
        or not found.staff_active
    ):
        return None
    now = timezone.now()
    if has_run_out(role=found.role, started_at=found.started_at, seen_at=found.seen_at, now=now):
        _end(found.sign_on_id, why="time", origin=origin)
        return None
    # A session opened at a tablet, perhaps with a PIN alone, is worth nothing elsewhere.
    if found.sign_on_device_id is not None and found.sign_on_device_id != found.device_id:
        _end(found.sign_on_id, why="device", origin=origin)
        return None
    if now - found.seen_at > SEEN_STEP and BACKGROUND_HEADER not in request.headers:
        mark_seen(found.sign_on_id, now=now)
    tablet = origin.tablet
    return Person(
        staff=Ref(id=found.staff_id, key=found.staff_number or ""),
        name=found.staff_name or "",
        role=found.role,
        device=None if origin.device is None else origin.device.ref,
        device_table=None if tablet is None else tablet.table_code,
    )


def _end(sign_on_id: int, *, why: str, origin: Origin) -> None:
    """End a dead sign-on; while nothing can be written it stays, and lets nobody in."""
    with suppress(DomainError):
        end_dead_sign_on(sign_on_id, why=why, origin=origin)


def _device(found: Presence) -> DeviceOnRequest | None:
    if found.device_id is None:
        return None
    return DeviceOnRequest(
        ref=Ref(id=found.device_id, key=found.device_number or ""),
        kind=found.device_kind or "",
        table_code=found.device_table,
    )


def _matching(value: str | None, pattern: re.Pattern[str]) -> str | None:
    return value if value is not None and pattern.fullmatch(value) else None
