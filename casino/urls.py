"""Every address of the site: the pages, `/api/v1/`, its description. Nothing else happens here."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import TemplateView
from drf_spectacular.views import SpectacularAPIView

from casino.api.views import no_such_address
from casino.health import alive, ready

# What tablets send all day comes first: addresses are tried in turn.
_API = (
    "tables.api",
    "casino.people.api",
    "audit.findings.api",
    "settlements.api",
    "audit.desk.api",
)
_PAGES = (
    "casino.web",
    "casino.people.web",
    "audit.findings.web",
    "tables.web",
    "settlements.web",
    "audit.desk.web",
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/alive", alive),
    path("health/ready", ready),
    *(path("api/v1/", include(f"{app}.urls")) for app in _API),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", TemplateView.as_view(template_name="casino/api_docs.html"), name="api-docs"),
    re_path(r"^api/(?P<rest>.*)$", no_such_address),
    *(path("", include(f"{app}.urls")) for app in _PAGES),
]

handler400 = "casino.api.handlers.bad_request"
handler403 = "casino.api.handlers.permission_denied"
handler404 = "casino.api.handlers.not_found"
handler500 = "casino.api.handlers.server_error"
