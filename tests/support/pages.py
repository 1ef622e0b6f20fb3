"""The site's pages as a signed-on person sees them without a script."""

import re
from collections.abc import Mapping
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


def signed(*names: str) -> dict[str, str]:
    """The boxes of a form that people sign, filled in."""
    boxes = {}
    for n, name in enumerate(names, start=1):
        boxes[f"signer{n}-badge"] = STAFF[name][1]
        boxes[f"signer{n}-secret"] = PINS[name]
    return boxes
