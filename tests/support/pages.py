"""The site's pages as a signed-on person sees them without a script."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from tests.factories.house import PINS, STAFF, House
from tests.support.api import ApiPerson

Page = Any  # Django's response of the test client, which types it loosely


class PagePerson:
    """A person in a browser; at a table's tablet if one is named."""

    def __init__(self, house: House, name: str, *, table: str | None = None) -> None:
        signed_on = ApiPerson(house, name, table=table)
        self.client: Client = signed_on.client
        self.headers = dict(signed_on.headers)

    def get(self, path: str) -> Page:
        """Open a page."""
        return self.client.get(path, headers=self.headers)

    def post(self, path: str, data: Mapping[str, object] | None = None) -> Page:
        """Send a form."""
        return self.client.post(path, dict(data or {}), headers=self.headers)

    def fragment(self, path: str) -> Page:
        """Ask as htmx does when a page refreshes itself."""
        headers = {**self.headers, "HX-Request": "true", "X-Background": "1"}
        return self.client.get(path, headers=headers)


def text_of(page: Page) -> str:
    """What the page says, without its markup."""
    body = re.sub(r"<(template|script|style).*?</\1>", " ", page.content.decode(), flags=re.S)
    # Centavos belong to their amount; room for them is no text.
    body = re.sub(r'<span class="cents-room".*?</span>|<span class="cents">', "", body)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body)).strip()


def boxes_of(page: Page) -> dict[str, str]:
    """What a browser would send back if nobody changed anything: every box of a page's forms."""
    reader = _Boxes()
    reader.feed(page.content.decode())
    return reader.boxes


class _Boxes(HTMLParser):
    """Reads the values of inputs, choices and texts."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, str] = {}
        self._choice = ""
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the value of a box, or remember whose choices follow."""
        given = dict(attrs)
        name = given.get("name") or ""
        if tag == "select":
            self._choice = name
        elif tag == "option" and ("selected" in given or self._choice not in self.boxes):
            # A browser takes the first choice where none is marked.
            self.boxes[self._choice] = given.get("value") or ""
        elif tag == "textarea":
            self._text = name
            self.boxes[name] = ""
        elif tag == "input" and name:
            ticked = given.get("type") not in ("checkbox", "radio") or "checked" in given
            if ticked:
                self.boxes[name] = given.get("value") or ""

    def handle_data(self, data: str) -> None:
        """Take what stands in a text box."""
        if self._text:
            self.boxes[self._text] += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        """Leave a text box."""
        if tag == "textarea":
            self._text = ""


def signed(*names: str) -> dict[str, str]:
    """The boxes of a form that people sign, filled in."""
    boxes = {}
    for n, name in enumerate(names, start=1):
        boxes[f"signer{n}-badge"] = STAFF[name][1]
        boxes[f"signer{n}-secret"] = PINS[name]
    return boxes
