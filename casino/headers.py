"""Security headers that Django 5.2 does not set: the Content-Security-Policy and its like.

Django 6.0 brings a policy of its own under the setting `SECURE_CSP`; this middleware reads the same
setting, so that the move is one line. It must not decide anything by request: every answer, errors
included, carries the same policy.
"""

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


def policy_text(policy: Mapping[str, Sequence[str]]) -> str:
    """Write a policy as the header's value."""
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in policy.items())


class SecurityHeadersMiddleware:
    """Add the Content-Security-Policy and the Permissions-Policy to every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.policy = policy_text(settings.SECURE_CSP)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        return response
