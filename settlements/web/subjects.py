"""Where findings find the pages of what they speak of: tables, shoes and rounds."""

import re
from collections.abc import Callable

from django.urls import reverse

from audit.findings.subjects import register_subject_page

_TABLE = r"([^/]+)"
_SHOE = rf"{_TABLE}/(\d{{1,9}})"
_SESSION = rf"{_TABLE}/S\d{{1,9}}"
_ROUND = rf"{_SHOE}/(\d{{1,9}})"


def register_pages() -> None:
    """Make the pages known that a finding may lead to; called when the app is made ready."""
    for subject_kind, url_of in _PAGES.items():
        register_subject_page(subject_kind, url_of=url_of)


def _page(name: str, shape: str) -> Callable[[str], str | None]:
    """Return what finds a page by a natural key: None for a key of another shape."""
    pattern = re.compile(shape, re.ASCII)

    def url_of(key: str) -> str | None:
        found = pattern.fullmatch(key)
        return reverse(f"settlements:{name}", args=found.groups()) if found else None

    return url_of


_PAGES = {
    "table": _page("table_page", _TABLE),
    "session": _page("table_page", _SESSION),  # it has no page of its own
    "shoe": _page("shoe_page", _SHOE),
    "round": _page("round_page", _ROUND),
}
