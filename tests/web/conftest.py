"""A browser that gets pages, styles and scripts from memory, and the API from a table on paper."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from mimetypes import guess_type
from pathlib import Path
from types import SimpleNamespace as Values
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Browser, BrowserContext, Page, Route

from casino.headers import policy_text
from tests.support.browser import chromium
from tests.web.paper_table import PaperTable
from tests.web.samples import PAGES

HOST = "http://casino.test"
TABLET = {"width": 1280, "height": 800}


def request_as(role: str, *, path: str = "/", cookies: dict[str, str] | None = None) -> HttpRequest:
    """Return a request of a signed-on person."""
    request = RequestFactory().get(path)
    request.COOKIES.update(cookies or {})
    request.person = Values(name="Ana Reyes", role=role)  # type: ignore[attr-defined]  # set by PersonMiddleware
    return request


def page_html(name: str, *, cookies: dict[str, str] | None = None) -> str:
    """Render one of the sample pages as its readers get it."""
    template, context = PAGES[name]
    role = "dealer" if name == "glass" else "supervisor"
    return render_to_string(template, context(), request=request_as(role, cookies=cookies))


@dataclass
class Site:
    """What the browser talks to; `trouble` are the messages a clean page never writes."""

    context: BrowserContext
    paper: PaperTable
    calls: list[tuple[str, str]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    away: bool = False
    refuse_next: tuple[int, dict[str, object]] | None = None
    forget_next: bool = False

    def open(self, name: str, *, wait_for: str = "body") -> Page:
        """Open a sample page."""
        page = self.context.new_page()
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.goto(f"{HOST}/page/{name}/")
        page.wait_for_selector(wait_for)
        return page

    def answer(self, route: Route) -> None:
        """Answer a request of the browser."""
        parts = urlsplit(route.request.url)
        if parts.path.startswith("/static/"):
            found = finders.find(parts.path.removeprefix("/static/"))
            assert isinstance(found, str), f"no static file {parts.path}"
            kind = guess_type(found)[0] or "text/plain"
            route.fulfill(body=Path(found).read_bytes(), content_type=kind)
        elif parts.path.startswith("/api/"):
            self._answer_call(route, parts.path)
        else:
            self._answer_page(route, parts.path)

    def _answer_page(self, route: Route, path: str) -> None:
        jar = SimpleCookie(route.request.headers.get("cookie", ""))
        cookies = {name: morsel.value for name, morsel in jar.items()}
        html = page_html(path.split("/")[2], cookies=cookies)
        headers = {"Content-Security-Policy": policy_text(settings.SECURE_CSP)}
        route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=headers)

    def _answer_call(self, route: Route, path: str) -> None:
        request = route.request
        self.calls.append((request.method, path))
        if self.away:
            route.abort()
            return
        if request.method == "GET":
            status, body = self.paper.get()
        elif self.refuse_next:
            status, body = self.refuse_next
            self.refuse_next = None
        else:
            act = self.paper.put if request.method == "PUT" else self.paper.post
            status, body = act(path, request.post_data_json or {})
            if self.forget_next:
                self.forget_next = False
                route.abort()
                return
        route.fulfill(status=status, json=body)

    def _hear(self, kind: str, text: str) -> None:
        # A call that was refused or got no answer is written by the browser itself.
        if kind in ("error", "warning") and not text.startswith("Failed to load resource"):
            self.trouble.append(text)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, headless."""
    with chromium() as started:
        yield started


@pytest.fixture
def new_site(browser: Browser) -> Iterator[Callable[..., Site]]:
    """Make sites of the test's own; a page that wrote an error or a warning fails the test."""
    made: list[Site] = []

    def make(**cookies: str) -> Site:
        context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a plain dict
        context.add_cookies([{"name": n, "value": v, "url": HOST} for n, v in cookies.items()])
        site = Site(context=context, paper=PaperTable())
        context.route("**/*", site.answer)
        made.append(site)
        return site

    yield make
    for site in made:
        site.context.close()
        assert site.trouble == []


@pytest.fixture
def site(new_site: Callable[..., Site]) -> Site:
    """One site."""
    return new_site()
