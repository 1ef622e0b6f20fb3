"""How the plumbing appears in the OpenAPI document; the views' base imports it."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from casino.api.problems import MEDIA_TYPE
from casino.api.reading import PAGE_ITEMS_MAX

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
}


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


def add_problems(result: Any, generator: Any, request: Any, public: Any) -> Any:
    """Add the error answer to every operation (a post-processing hook of drf-spectacular)."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas["Fault"] = _FAULT
    schemas["Problem"] = _PROBLEM
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for operations in result.get("paths", {}).values():
        for operation in operations.values():
            operation.setdefault("responses", {})["default"] = {
                "description": "Refused: a problem with a stable code.",
                "content": content,
            }
    return result
