"""The tree of errors that a client can act on.

    DomainError
    ├── Invalid    422  what was sent breaks a rule; `faults` may name several at once
    ├── Forbidden  403  the person, role or device may not do this
    ├── Missing    404  the thing named does not exist, or not for this person
    └── Conflict   409  the state is another than the sender believed; read again, or retry
    InvariantError 500  something that cannot be is so: an alarm, never an answer to a user

An app subclasses these: one class per reason a caller can act on, with a stable dotted `code` that
is never renamed, and a docstring that states the rule broken. The text is a template for people and
may change; tests and clients rely on the code and the data alone.

This module must not know HTTP beyond the number of the status, nor translate: the edge passes its
translation to `describe`.
"""

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

_CODE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


class _Lenient(dict[str, object]):
    """Template data in which a name that is missing stays visible instead of raising."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


class DomainError(Exception):
    """A rule of the house or of the game was broken; `code` says which, `data` says where.

    `message` is a `str.format` template over `data` and says what was expected. Data values are
    JSON values (no floats), so that the edge can hand them to a client as they are.
    """

    code: ClassVar[str] = "error.unspecified"
    status: ClassVar[int] = 500
    message: ClassVar[str] = "The request could not be carried out."

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if not _CODE.fullmatch(cls.code):
            raise TypeError(f"{cls.__name__}.code must be dotted lower case, not {cls.code!r}")

    def __init__(self, **data: object) -> None:
        super().__init__(self.code)
        self.data: Mapping[str, object] = data

    def describe(self, translate: Callable[[str], str] = str) -> str:
        """Say in words what was expected; `translate` is gettext at the edge."""
        return translate(self.message).format_map(_Lenient(self.data))

    @property
    def detail(self) -> str:
        """The description in English."""
        return self.describe()

    @property
    def faults(self) -> list[Mapping[str, object]]:
        """All that is wrong at once: dicts of `code`, `where` and `detail`; empty when single."""
        found = self.data.get("faults", ())
        return list(found) if isinstance(found, list | tuple) else []

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Invalid(DomainError):  # noqa: N818  the four kinds read as adjectives
    """What was sent breaks a rule, whatever the state."""

    code = "request.invalid"
    status = 422
    message = "The request breaks a rule."


class Forbidden(DomainError):  # noqa: N818  the four kinds read as adjectives
    """The person, role or device may not do this."""

    code = "request.forbidden"
    status = 403
    message = "You may not do this."


class Missing(DomainError):  # noqa: N818  the four kinds read as adjectives
    """The thing named does not exist, or not for this person."""

    code = "request.missing"
    status = 404
    message = "There is no such thing."


class Conflict(DomainError):  # noqa: N818  the four kinds read as adjectives
    """The state is another than the sender believed: read again, or retry."""

    code = "request.conflict"
    status = 409
    message = "The state has changed meanwhile. Read it again."


class InvariantError(Exception):
    """Something that cannot be is so: answered as 500, an alarm, never caught to go on."""
