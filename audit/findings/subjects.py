"""Where the page of a finding's subject is: apps above register it by the kind of subject.

A finding names its subject by natural key alone; this module must not know any app that has one.
"""

from collections.abc import Callable

from casino.kernel.errors import InvariantError

_pages: dict[str, Callable[[str], str | None]] = {}


def register_subject_page(subject_kind: str, *, url_of: Callable[[str], str | None]) -> None:
    """Say where the pages of one kind of subject are; `url_of` takes the natural key.

    A finding stays when the shape of keys changes: `url_of` answers None for another one.
    Raises InvariantError for a second registration.
    """
    if _pages.setdefault(subject_kind, url_of) is not url_of:
        raise InvariantError(f"The page of the subject {subject_kind!r} is registered twice.")


def subject_url(subject_kind: str, *, subject_key: str) -> str | None:
    """Return the address of a subject's page, None where it has none."""
    url_of = _pages.get(subject_kind)
    return None if url_of is None else url_of(subject_key)
