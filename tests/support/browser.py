"""Chromium for tests, and what a page must not say."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, Response, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, headless; the one at CHROMIUM, else the system's."""
    named = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, named)), None)
    assert found, "the browser tests need Chromium: tests/chromium.sh says how to get it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Ear:
    """Hears what a page writes to the console, throws, or is answered with 500 and above.

    Breaches of the content security policy are written to the console too.
    """

    trouble: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Begin to listen to a page."""
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("response", self._look)

    def _hear(self, kind: str, text: str) -> None:
        # A call that was refused or got no answer is written by the browser itself.
        if kind in ("error", "warning") and not text.startswith("Failed to load resource"):
            self.trouble.append(text)

    def _look(self, response: Response) -> None:
        if response.status >= 500:
            self.trouble.append(f"{response.status} {response.url}")
