"""The base of all input serializers."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

# "Any" here is the type of validated data that DRF itself declares.


class StrictSerializer(serializers.Serializer[Any]):
    """An object of named fields; a field that is not among them is refused by name."""

    default_error_messages = {
        "unknown": _("There is no such field here. Expected one of: {names}."),
    }

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return super().to_internal_value(data)
        names = {name for name, field in self.fields.items() if not field.read_only}
        faults: dict[str, Any] = {
            str(key): [self._unknown(names)] for key in data if key not in names
        }
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if faults and isinstance(error.detail, dict):
                raise serializers.ValidationError({**error.detail, **faults}) from error
            raise
        if faults:
            raise serializers.ValidationError(faults)
        return value

    def _unknown(self, names: set[str]) -> serializers.ErrorDetail:
        message = self.error_messages["unknown"].format(names=", ".join(sorted(names)) or "-")
        return serializers.ErrorDetail(message, code="unknown")


def each_once(value: list[Any], names: Sequence[Hashable]) -> list[Any]:
    """Refuse to be told the same thing twice: which of them is meant would be a guess."""
    if len(set(names)) != len(names):
        raise serializers.ValidationError(_("Expected each of them once."), code="twice")
    return value
