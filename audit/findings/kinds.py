"""The kinds of finding: a stable dotted code, a name, a sentence, how grave, how soon to answer.

An app that raises findings registers their kinds when it is made ready. A code is never renamed or
used for something else, because findings of it stay. This module must not know who raises what.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.kernel.errors import InvariantError

_CODE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


class Severity(TextChoices):
    """How grave a finding is: worth knowing; money may be wrong; trust may be gone."""

    NOTICE = "notice", _("notice")
    WARNING = "warning", _("warning")
    ALARM = "alarm", _("alarm")


@dataclass(frozen=True, slots=True)
class FindingKind:
    """What a finding of this kind says; `sentence` is a `str.format` template over its detail.

    The template may also name `subject_key` and `table_code`. Name and sentence are lazy
    translations (or plain text) where they are registered, and become words at the edge.
    """

    code: str
    name: str | Promise
    sentence: str | Promise
    severity: Severity
    answer_within: timedelta | None = None


class _Visible(dict[str, object]):
    """Template data in which a name that is missing stays visible instead of raising."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


_kinds: dict[str, FindingKind] = {}


def register_kind(kind: FindingKind) -> None:
    """Make a kind known. Registering the same kind again changes nothing; another one is refused.

    Raises InvariantError for a malformed code or a code that already means something else.
    """
    if not _CODE.fullmatch(kind.code):
        raise InvariantError(f"A finding's code is dotted lower case, not {kind.code!r}.")
    if _kinds.setdefault(kind.code, kind) != kind:
        raise InvariantError(f"The finding {kind.code!r} is already registered as something else.")


def kind_of(code: str) -> FindingKind:
    """Return the kind with this code. Raises InvariantError when no app registered it."""
    try:
        return _kinds[code]
    except KeyError:
        raise InvariantError(f"No app registered the finding {code!r}.") from None


def all_kinds() -> Iterator[FindingKind]:
    """Yield every registered kind, by code."""
    return iter(sorted(_kinds.values(), key=lambda kind: kind.code))


def name_of(code: str) -> str:
    """Return a kind's name in the reader's language; one no longer known is named by its code."""
    kind = _kinds.get(code)
    return code if kind is None else str(kind.name)


def say(
    code: str,
    *,
    subject_key: str,
    table_code: str,
    detail: Mapping[str, object],
    money: Callable[[int], str] = str,
) -> str:
    """Say in words what a finding states; a kind that is no longer known is named by its code.

    Amounts (names ending in `_minor`) are written by `money`. Findings outlive the release that
    raised them, so reading never fails for lack of a kind.
    """
    kind = _kinds.get(code)
    if kind is None:
        return f"{code}: {subject_key}"
    values = _Visible(subject_key=subject_key, table_code=table_code)
    for name, value in detail.items():
        amount = name.endswith("_minor") and type(value) is int
        values[name] = money(value) if amount and isinstance(value, int) else value
    # An app registers lazy translations: str() chooses the reader's language here, at the edge.
    return str(kind.sentence).format_map(values)
