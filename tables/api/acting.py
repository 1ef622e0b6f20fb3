"""From a request to who acts."""

from django.utils import timezone
from rest_framework.request import Request

from casino.people.person import origin_of, person_of
from tables.acting import Acting


def acting(request: Request) -> Acting:
    """Return who acts in this request. Raises SessionMissingError, SessionEndedError."""
    return Acting(person=person_of(request), origin=origin_of(request), now=timezone.now())
