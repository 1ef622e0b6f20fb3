"""How the plumbing appears in the OpenAPI document; the views' base imports it.

What holds for every address is said once here: who may call and with which headers, how an error
looks, what a body may hold.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from casino.api.fields import INTEGER_MAX
from casino.api.problems import MEDIA_TYPE
from casino.api.reading import PAGE_ITEMS_MAX
from casino.api.serializers import StrictSerializer

ABOUT = """\
Rounds, cards, wagers and payouts of a casino's table games.

**Who calls.** A person signs on with `POST /api/v1/sign-on` and is known by the session cookie.
Every write carries the token of that answer in the header `X-CSRFToken`; for the sign-on itself
it comes from `GET /api/v1/sign-on`, with the cookie that it belongs to. A dealer's writes at a
table carry the token of the table's tablet in `X-Device-Token` as well. An integration sends
`X-Device-Token` alone, and reads only.

**Bodies** are JSON (`application/json`) of at most 64 KiB; a field that is not named here is
refused. Money is in minor units. Integers lie within 2^53 - 1 and are written with digits only.

**Writing twice.** A write with a natural key (a draw or a set of wagers with its revision, the
number of a dispute) may be sent again: it is answered with the first receipt, 200 in place of 201.
Where the header `Idempotency-Key` is named, the same key with the same body gets the same answer.

**Refusals** are problem details (RFC 9457) with a stable `code`, and each of `faults` has its own.
400: not readable as HTTP. 401: sign on first. 403: not you, or not here. 404: nothing of that name.
405, 406, 411, 413, 415: method, answer, length, size or content type. 409: the state is another
one. 422: the body is not what was expected. 429: after `Retry-After` seconds.
"""

# "Any" here is the OpenAPI document as drf-spectacular passes it: nested dicts.

PAGE_PARAMETERS = [
    OpenApiParameter(
        "after", OpenApiTypes.STR, description=str(_("Go on after this key of the last page."))
    ),
    OpenApiParameter("limit", OpenApiTypes.INT, description=f"1 to {PAGE_ITEMS_MAX} items a page."),
]

_PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457): act on `code`, `faults` and `data`.",
    "required": ["type", "title", "status", "detail", "code", "faults", "data"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "faults": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
        "data": {"type": "object", "additionalProperties": {}},
    },
}
_FAULT = {
    "type": "object",
    "description": "One thing that is wrong, and where (a JSON pointer, or a place at the table).",
    "required": ["code", "where", "detail"],
    "properties": {
        "code": {"type": "string"},
        "where": {"type": "string"},
        "detail": {"type": "string"},
    },
    # What the sentence names, by itself: a draw and its face, a seat and its stake.
    "additionalProperties": {},
}
_INT32_MAX = 2**31 - 1
_READS = frozenset({"get", "head"})
_CSRF = {
    "type": "apiKey",
    "in": "header",
    "name": "X-CSRFToken",
    "description": "The token of the sign-on, with every write.",
}


class ExactSchema(AutoSchema):
    """A body as the strict serializers take it: no unknown field, nothing empty that must not be.

    `Any` here is what drf-spectacular passes: fields, and parts of the document.
    """

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # untyped base
        if isinstance(serializer, StrictSerializer) or (
            isinstance(serializer, type) and issubclass(serializer, StrictSerializer)
        ):
            schema["additionalProperties"] = False
        return schema

    def _map_serializer_field(
        self, field: Any, direction: Any, bypass_extensions: bool = False
    ) -> Any:
        schema = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]  # untyped base
        if direction == "request" and schema is not None and "$ref" not in schema:
            if getattr(field, "allow_empty", True) is False:
                key = "minProperties" if schema.get("type") == "object" else "minItems"
                schema.setdefault(key, 1)
            if isinstance(field, serializers.CharField) and not field.allow_blank:
                schema.setdefault("minLength", 1)
        return schema


class PersonScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped base
    """The session cookie of a signed-on person."""

    target_class = "casino.api.authentication.PersonAuthentication"
    name = "person"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        from django.conf import settings

        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class IntegrationScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # as above
    """The token of a device: with a session at a table, or alone for an integration that reads."""

    target_class = "casino.api.authentication.IntegrationAuthentication"
    name = "device"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "apiKey", "in": "header", "name": "X-Device-Token"}


def add_plumbing(result: Any, generator: Any, request: Any, public: Any) -> Any:
    """Add to every operation what all have (a post-processing hook of drf-spectacular).

    That is the error answer, and who may write: a person with the token of our pages, at a table
    with its tablet. An integer is said to be wide: amounts go beyond 32 bits.
    """
    result["info"]["description"] = ABOUT
    _say_width(result)
    components = result.setdefault("components", {})
    components.setdefault("securitySchemes", {})["csrf"] = _CSRF
    schemas = components.setdefault("schemas", {})
    schemas["Fault"] = _FAULT
    schemas["Problem"] = _PROBLEM
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for operations in result.get("paths", {}).values():
        for method, operation in operations.items():
            if method not in _READS:
                operation["security"] = _writers(operation.get("security"))
            operation.setdefault("responses", {})["default"] = {
                "description": "Refused: a problem with a stable code.",
                "content": content,
            }
    return result


def _writers(security: Any) -> list[dict[str, list[str]]]:
    if not security:
        return [{"csrf": []}]
    return [{"person": [], "csrf": []}, {"person": [], "csrf": [], "device": []}]


def _say_width(part: Any) -> None:
    if isinstance(part, list):
        for inner in part:
            _say_width(inner)
    elif isinstance(part, dict):
        if part.get("type") == "integer" and part.get("maximum", INTEGER_MAX) > _INT32_MAX:
            part.setdefault("format", "int64")
        for inner in part.values():
            _say_width(inner)
