"""The base of all input serializers, and the form of a problem for the schema."""

from collections.abc import Mapping
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


class FaultSerializer(serializers.Serializer[Any]):
    """One thing that is wrong, and where: a JSON pointer, or a place at the table."""

    code = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """Problem details (RFC 9457): a client acts on `code`, `faults` and `data`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    faults = FaultSerializer(many=True)
    # A field called `data` would hide the property of that name, which this class does not use.
    data = serializers.DictField()  # type: ignore[assignment]
