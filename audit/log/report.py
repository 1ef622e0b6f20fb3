"""What a check of the log says: how much it read, and what is wrong, first things first."""

from collections.abc import Callable
from dataclasses import dataclass, field
from unicodedata import is_normalized

Progress = Callable[[int, int], None]
"""Told now and then how many entries of about how many have been read."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable code, where it is, and what was expected there.

    What it quotes may be anything. It is kept in signs that steer no terminal, break no line, and
    can stand in an entry of the log: who plants a text that cannot must not silence the check.
    """

    code: str
    where: str
    detail: str

    def __post_init__(self) -> None:
        """Escape what is quoted, once."""
        object.__setattr__(self, "where", printable(self.where))
        object.__setattr__(self, "detail", printable(self.detail))

    def __str__(self) -> str:
        """One line."""
        return f"{self.where}: {self.detail} ({self.code})"


@dataclass(slots=True)
class Report:
    """The result of a check. `complete` is false when it stopped at its limit of problems."""

    entries: int = 0
    streams: int = 0
    facts: int = 0
    heads: int = 0
    checkpoints: int = 0
    notes_outside: int = 0
    unchecked: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    complete: bool = True

    @property
    def sound(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.problems


def printable(text: str) -> str:
    """Escape signs that do not print; all beyond ASCII where the text is not in NFC.

    Normalised silently, a text would look like the one that it differs from.
    """
    keeps = str.isprintable if is_normalized("NFC", text) else str.isascii
    return "".join(
        sign if sign.isprintable() and keeps(sign) else sign.encode("unicode_escape").decode()
        for sign in text
    )


class EnoughError(Exception):
    """As many problems were found as the caller wanted to hear of."""


class Collector:
    """Takes problems into a report until there are enough."""

    def __init__(self, report: Report, limit: int) -> None:
        self._report = report
        self._limit = limit

    def add(self, code: str, where: str, detail: str) -> None:
        """Note a problem. Raises EnoughError when it was the last one wanted."""
        self._report.problems.append(Problem(code, where, detail))
        if len(self._report.problems) >= self._limit:
            self._report.complete = False
            raise EnoughError
