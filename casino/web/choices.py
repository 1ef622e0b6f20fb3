"""The reader's choices, kept in cookies: light or dark, which hand holds the keys, suits' colours.

The server reads them and writes them on the page's root, so that nothing flashes. They are no part
of the log and of no session: a tablet keeps its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

SCHEMES = ("", "light", "dark")
HANDS = ("", "left", "right")
SUITS = ("", "two", "four")
COOKIES = {"scheme": SCHEMES, "hand": HANDS, "suits": SUITS}
COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; browsers keep no cookie longer


@dataclass(frozen=True, slots=True)
class Choices:
    """What the reader chose; empty is the default of the page, or of the house."""

    scheme: str = ""
    hand: str = ""
    suits: str = ""


def read_choices(cookies: Mapping[str, str]) -> Choices:
    """Return the choices that cookies name; an unknown value counts as none."""
    return Choices(
        **{
            name: cookies.get(name, "") if cookies.get(name, "") in allowed else ""
            for name, allowed in COOKIES.items()
        }
    )
