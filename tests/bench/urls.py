"""The site's addresses, and one that stores a plain row behind the same sign-on."""

from django.urls import path

from casino import urls
from casino.urls import handler400, handler403, handler404, handler500
from tests.bench.plain import PlainRowsView

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [path("api/v1/bench/rows", PlainRowsView.as_view()), *urls.urlpatterns]
