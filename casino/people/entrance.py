"""What signing on and off does to the browser's cookies; shared by API and pages.

A session gets a new id when somebody signs on, so that an id planted before is worth nothing, and
is gone on both sides when somebody signs off.
"""

from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.csrf import rotate_token

from casino.people.middleware import device_cookie_name
from casino.people.person import Person, origin_of, person_of
from casino.people.services import Claimed, Recognised, sign_off, sign_on

# Browsers keep a cookie for four hundred days at most.
DEVICE_COOKIE_SECONDS = 400 * 24 * 60 * 60


def enter(
    request: HttpRequest, recognised: Recognised, *, role: str | None, now: datetime
) -> Person:
    """Sign a recognised person on in a role and give the browser a fresh session.

    Raises SignOnRoleNeededError, SignOnRoleNotHeldError, SignOnRefusedError.
    """
    chosen = recognised.choose(role)
    request.session.flush()
    request.session.create()
    try:
        person = sign_on(
            recognised,
            role=chosen,
            session_key=request.session.session_key or "",
            origin=origin_of(request),
            now=now,
        )
    except Exception:
        request.session.flush()
        raise
    rotate_token(request)
    return person


def leave(request: HttpRequest) -> None:
    """Sign the person of a request off. Raises SessionMissingError, SessionEndedError."""
    sign_off(person_of(request), origin=origin_of(request))
    request.session.flush()
    rotate_token(request)


def keep_device_token(response: HttpResponseBase, claimed: Claimed) -> None:
    """Put a tablet's token where no script reads it and no other site sends it."""
    response.set_cookie(
        device_cookie_name(),
        claimed.token,
        max_age=DEVICE_COOKIE_SECONDS,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Strict",
    )
