"""Deny by default: without a person or an integration there is no answer."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.api.errors import SessionEndedError, SessionMissingError


class Known(BasePermission):
    """Let pass whom the authentication knows. Raises SessionMissingError, SessionEndedError."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        # The stubs take `user` for Django's; ours is a person, an integration or None.
        if getattr(request, "user", None) is not None:
            return True
        if getattr(request._request, "session_ended", False):
            raise SessionEndedError
        raise SessionMissingError


class Anyone(BasePermission):
    """Let pass everybody: for the few addresses where one is not signed on yet."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return True
