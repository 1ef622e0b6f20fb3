"""Pages show times in the house's zone; the API answers in UTC.

The zone is a dated setting. A process looks it up once a minute, so that no page pays for it.
"""

import time
from collections.abc import Callable
from datetime import UTC, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tables.house_errors import HouseSettingsMissingError
from tables.selectors.house import house_settings

_LOOK_AGAIN_S = 60


class HouseZoneMiddleware:
    """Activate the house's zone while a page is answered to somebody who is signed on.

    At the door no time is shown, and an error page must not need the database.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/api/") or getattr(request, "person", None) is None:
            return self.get_response(request)
        with timezone.override(_zone(int(time.monotonic() // _LOOK_AGAIN_S))):
            return self.get_response(request)


@lru_cache(maxsize=1)
def _zone(minute: int) -> tzinfo:
    """Return the zone in force; UTC until the house has settings. `minute` ages the cache."""
    try:
        return ZoneInfo(house_settings(at=timezone.now()).zone)
    except HouseSettingsMissingError:
        return UTC
