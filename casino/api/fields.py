"""Serializer fields that take a value for what it is and never convert: 1 is not "1" nor true.

A number written with a point or an exponent comes from the parser as a FloatLiteral and is no
integer. Each refusal has a code of its own: `field.<key of error_messages>`.
"""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from casino.kernel.errors import DomainError
from casino.kernel.text import clean_text

# What a JSON reader in any language holds exactly, and what the log's canonical form allows.
INTEGER_MAX = 2**53 - 1
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INSTANT = re.compile(
    rf"{_DAY.pattern}T[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]{{1,6}})?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
# What every zone can show. A tablet's clock may be years off, and what it kept counts all the same.
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, tzinfo=UTC) - timedelta(days=1)


class StrictIntegerField(serializers.IntegerField):
    """An integer as an integer: no bool, no text, no fraction, nothing beyond 2^53 - 1."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not_an_integer": _("Expected an integer written with digits only."),
        "too_large": _("Expected an integer between -9007199254740991 and 9007199254740991."),
    }

    def to_internal_value(self, data: object) -> int:
        if type(data) is not int:
            self.fail("not_an_integer")
        if abs(data) > INTEGER_MAX:
            self.fail("too_large")
        return data


class StrictTextField(serializers.CharField):
    """Text as text, in NFC, without NUL and lone surrogates; `max_length` counts characters.

    White space at the ends is kept unless `trim_whitespace` is asked for.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not_text": _("Expected text."),
    }

    def __init__(self, *, max_length: int = 500, **kwargs: Any) -> None:  # Any: DRF's own options
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(max_length=max_length, **kwargs)
        self.characters_max = max_length

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # The parent turns whatever it is given into text before it looks at its type.
        if data is not serializers.empty and data is not None and type(data) is not str:
            self.fail("not_text")
        return super().run_validation(data)

    def to_internal_value(self, data: str) -> str:
        try:
            value = clean_text(data, max_length=self.characters_max)
        except DomainError as error:
            raise serializers.ValidationError(error.detail, code=error.code) from error
        return value.strip() if self.trim_whitespace else value


class StrictChoiceField(serializers.ChoiceField):
    """One of a list of words, as text."""

    def to_internal_value(self, data: object) -> str:
        if type(data) is not str or data not in self.choice_strings_to_values:
            self.fail("invalid_choice", input=str(data)[:40])
        value: str = self.choice_strings_to_values[data]
        return value


class StrictBooleanField(serializers.BooleanField):
    """true or false, nothing that resembles it."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not_a_boolean": _("Expected true or false."),
    }

    def to_internal_value(self, data: object) -> bool:
        if type(data) is not bool:
            self.fail("not_a_boolean")
        return data


class StrictDateField(serializers.DateField):
    """A day as `YYYY-MM-DD`, in no other of the forms that a date may be written in."""

    def to_internal_value(self, value: object) -> date:
        if type(value) is not str or not _DAY.fullmatch(value):
            self.fail("invalid", format="YYYY-MM-DD")
        day: date = super().to_internal_value(value)
        return day


class StrictInstantField(serializers.DateTimeField):
    """An instant with its zone; without one it would be anybody's guess which hour was meant."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not_an_instant": _("Expected an instant as YYYY-MM-DDThh:mm:ss with Z or +hh:mm."),
        "out_of_range": _("Expected an instant between the years 1970 and 9999."),
    }

    def to_internal_value(self, value: object) -> datetime:
        if type(value) is not str or not _INSTANT.fullmatch(value):
            self.fail("not_an_instant")
        instant: datetime = super().to_internal_value(value)
        if not _EARLIEST <= instant <= _LATEST:
            self.fail("out_of_range")
        return instant
