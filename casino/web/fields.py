"""Fields that every form may use: text as the log keeps it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from casino.kernel.errors import DomainError
from casino.kernel.text import clean_text

_LONG = 100_000  # the field's own limit is said in its own words


class TextField(forms.CharField):
    """Text in NFC, as it comes over the API too: what looks alike is kept and signed alike."""

    def to_python(self, value: Any) -> Any:  # Any: as Django declares it
        text = super().to_python(value)
        try:
            return clean_text(text, max_length=_LONG) if text else text
        except DomainError as error:
            raise ValidationError(error.describe(_)) from error
