"""What people send to and get from the API. A secret is written only, never read."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from casino.api.fields import StrictChoiceField, StrictTextField
from casino.api.serializers import StrictSerializer
from casino.people.hashing import PASSWORD_CHARACTERS_MAX
from casino.people.models import Device, Role, SecretKind

# "Any" in the bases is the type of validated data that DRF itself declares.


class SignOnInput(StrictSerializer):
    """Badge (or staff number), PIN or password, and the role where the person holds several."""

    badge = StrictTextField(max_length=32)
    secret = StrictTextField(max_length=PASSWORD_CHARACTERS_MAX, write_only=True)
    role = StrictChoiceField(choices=Role.choices, required=False)


class OwnSecretInput(StrictSerializer):
    """Badge (or staff number), the one-time code, and the new PIN or password."""

    badge = StrictTextField(max_length=32)
    code = StrictTextField(max_length=32)
    secret = StrictTextField(max_length=PASSWORD_CHARACTERS_MAX, write_only=True)


class OwnSecretOutput(serializers.Serializer[Any]):
    """Which secret was set."""

    purpose = serializers.ChoiceField(choices=SecretKind.choices)


class TokenOutput(serializers.Serializer[Any]):
    """The token that every write of a browser carries in the header X-CSRFToken."""

    csrf_token = serializers.CharField()


class PersonOutput(serializers.Serializer[Any]):
    """Who is signed on, in which role, at which tablet and table."""

    number = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    device = serializers.CharField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    csrf_token = serializers.CharField()


class StaffInput(StrictSerializer):
    """A new member of staff."""

    number = StrictTextField(max_length=16)
    badge = StrictTextField(max_length=32)
    name = StrictTextField(max_length=120)


class BadgeInput(StrictSerializer):
    """A new badge."""

    badge = StrictTextField(max_length=32)


class StaffOutput(serializers.Serializer[Any]):
    """One line of the access list."""

    number = serializers.CharField()
    badge = serializers.CharField()
    name = serializers.CharField()
    active = serializers.BooleanField()
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))
    has_pin = serializers.BooleanField()
    has_password = serializers.BooleanField()
    signed_on_as = serializers.ChoiceField(choices=Role.choices, allow_null=True)


class StaffPage(serializers.Serializer[Any]):
    """Some lines of the access list; `next` is the value of `after` for those that follow."""

    items = StaffOutput(many=True)
    next = serializers.CharField(allow_null=True)


class CodeInput(StrictSerializer):
    """What a code is for."""

    purpose = StrictChoiceField(choices=SecretKind.choices)


class CodeOutput(serializers.Serializer[Any]):
    """A one-time code; it is shown once."""

    code = serializers.CharField(help_text=_("Counts once, for half an hour."))


class DeviceInput(StrictSerializer):
    """A new tablet or integration; `table` binds a tablet to a table."""

    number = StrictTextField(max_length=16)
    name = StrictTextField(max_length=120)
    kind = StrictChoiceField(choices=Device.Kind.choices)
    table = StrictTextField(max_length=16, required=False, allow_null=True)


class BindingInput(StrictSerializer):
    """The table to which a tablet is bound, or null."""

    table = StrictTextField(max_length=16, allow_null=True)


class DeviceOutput(serializers.Serializer[Any]):
    """One device."""

    number = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Device.Kind.choices)
    table = serializers.CharField(source="table_code", allow_null=True)
    active = serializers.BooleanField()
    enrolled = serializers.BooleanField(help_text=_("Whether the device has fetched its token."))


class DevicePage(serializers.Serializer[Any]):
    """Some devices; `next` is the value of `after` for those that follow."""

    items = DeviceOutput(many=True)
    next = serializers.CharField(allow_null=True)


class ClaimInput(StrictSerializer):
    """The one-time code of a device."""

    code = StrictTextField(max_length=32)


class ClaimOutput(serializers.Serializer[Any]):
    """A device's token, shown to the device once; it goes into the header X-Device-Token."""

    number = serializers.CharField()
    kind = serializers.ChoiceField(choices=Device.Kind.choices)
    table = serializers.CharField(source="table_code", allow_null=True)
    token = serializers.CharField()
