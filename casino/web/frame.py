"""What the frame of every page says: house, version, sections by role, the reader's choices.

It is a context processor: `frame` in every template. It must not query; an error page needs it
too.
"""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.web.choices import Choices, read_choices

_PIT = {"supervisor", "manager", "cashier", "surveillance", "auditor", "regulator"}
_AUDIT = {"auditor", "regulator", "surveillance", "manager", "supervisor"}
_DAYS = {"manager", "surveillance", "auditor", "regulator"}
# Pages of tables, shoes and rounds are reached from the board.
_BELOW_THE_BOARD = "/tables/"


@dataclass(frozen=True, slots=True)
class Section:
    """One entry of the bar: a part of the site that a role works in."""

    path: str
    label: Promise
    roles: frozenset[str]


SECTIONS = (
    Section("/table/", _("Table"), frozenset({"dealer"})),
    Section("/pit/", _("Pit"), frozenset(_PIT)),
    Section("/irregularities/", _("Irregularities"), frozenset(_AUDIT)),
    Section("/disputes/", _("Disputes"), frozenset(_AUDIT)),
    Section("/audit/findings/", _("Findings"), frozenset(_AUDIT)),
    Section("/audit/days/", _("Days"), frozenset(_DAYS)),
    Section("/rulesets/", _("Rules"), frozenset(_AUDIT)),
    Section("/in-charge/", _("Shift"), frozenset({"manager"})),
    Section("/admin/", _("Administration"), frozenset({"administrator"})),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A section as the bar shows it."""

    path: str
    label: Promise
    is_current: bool


def frame(request: HttpRequest) -> dict[str, object]:
    """Return the values that the base templates read, under the one name `frame`."""
    choices = read_choices(request.COOKIES)
    # Of the suits the house has a default; light or dark is that of the page's face.
    choices = replace(choices, suits=choices.suits or settings.SUIT_COLOURS)
    return {
        "frame": {
            "house": settings.HOUSE_NAME,
            "currency": settings.HOUSE_CURRENCY,
            "version": version(),
            "now": timezone.now(),
            "csrf_cookie": settings.CSRF_COOKIE_NAME,
            "choices": choices,
            "other_schemes": other_schemes(choices),
            "other_suits": "two" if choices.suits == "four" else "four",
            "sections": sections_for(_role_of(request), path=request.path),
        }
    }


def sections_for(role: str, *, path: str) -> list[Link]:
    """Return the sections that a role works in; hiding a link is no right, services check those."""
    return [
        Link(section.path, section.label, _is_current(section, path))
        for section in SECTIONS
        if role in section.roles
    ]


def _is_current(section: Section, path: str) -> bool:
    below = section.path == "/pit/" and path.startswith(_BELOW_THE_BOARD)
    return path.startswith(section.path) or below


def other_schemes(choices: Choices) -> list[tuple[str, Promise]]:
    """Return the schemes that the reader may change to, with their words."""
    words = {"light": _("Light"), "dark": _("Dark"), "": _("Default")}
    return [(scheme, word) for scheme, word in words.items() if scheme != choices.scheme]


@cache
def version() -> str:
    """Return the product's version from the one place that names it."""
    project = Path(__file__).resolve().parent.parent.parent / "pyproject.toml"
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def _role_of(request: HttpRequest) -> str:
    person = getattr(request, "person", None)
    return "" if person is None else str(person.role)
