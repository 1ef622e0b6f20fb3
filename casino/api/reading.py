"""Reading what a request says: the body by a serializer, and where in a list to go on."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from casino.api.errors import PageInvalidError
from casino.api.serializers import StrictSerializer
from casino.kernel.text import clean_text

PAGE_ITEMS_MAX = 200
PAGE_ITEMS_USUAL = 50


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a list: at most `limit` items that come after a key."""

    after: str
    limit: int


def read_body(serializer: type[StrictSerializer], request: Request) -> dict[str, Any]:
    """Return the validated body; raises what becomes the problem `request.fields`."""
    validated: dict[str, Any] = _reader(serializer).run_validation(request.data)  # as the fields
    return validated


@cache
def _reader(serializer: type[StrictSerializer]) -> StrictSerializer:
    """The serializer's one object for reading: its fields are copied once, not once a request.

    Validation keeps nothing in it; a body is an argument and an answer.
    """
    return serializer(error_messages={"null": _("No data provided")})


def read_page(request: Request) -> Page:
    """Return the stretch that `?after=` and `?limit=` ask for. Raises PageInvalidError."""
    after = clean_text(request.query_params.get("after", ""), max_length=64)
    text = request.query_params.get("limit", str(PAGE_ITEMS_USUAL))
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 3):
        raise PageInvalidError(limit=PAGE_ITEMS_MAX)
    limit = int(text)
    if not 1 <= limit <= PAGE_ITEMS_MAX:
        raise PageInvalidError(limit=PAGE_ITEMS_MAX)
    return Page(after=after, limit=limit)
