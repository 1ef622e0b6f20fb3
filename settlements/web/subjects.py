"""Where findings find the pages of what they speak of: tables, shoes and rounds."""

from collections.abc import Callable

from django.urls import reverse

from audit.findings.subjects import register_subject_page


def register_pages() -> None:
    """Make the pages known that a finding may lead to; called when the app is made ready."""
    for subject_kind, url_of in _PAGES.items():
        register_subject_page(subject_kind, url_of=url_of)


def _table_url(key: str) -> str:
    return reverse("settlements:table_page", args=[key])


def _shoe_url(key: str) -> str:
    table, number = key.split("/")
    return reverse("settlements:shoe_page", args=[table, int(number)])


def _round_url(key: str) -> str:
    table, shoe, number = key.split("/")
    return reverse("settlements:round_page", args=[table, int(shoe), int(number)])


_PAGES: dict[str, Callable[[str], str]] = {
    "table": _table_url,
    "shoe": _shoe_url,
    "round": _round_url,
}
