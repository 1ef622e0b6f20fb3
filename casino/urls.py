"""Every address of the site: the pages, `/api/v1/`, the schema. Nothing else happens here."""

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path


def _doors(prefix: str, *modules: str) -> list[URLPattern | URLResolver]:
    return [path(prefix, include(name)) for name in modules if find_spec(name) is not None]


urlpatterns: list[URLPattern | URLResolver] = []
