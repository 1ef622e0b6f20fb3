"""What people type on the pages of this app. Secrets are never shown again, nor remembered."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.people.hashing import PASSWORD_CHARACTERS_MAX
from casino.people.models import Device, Role, SecretKind
from casino.web.fields import TextField


def _secret(label: Any, *, autocomplete: str, pin: bool = False) -> forms.CharField:
    """A field for a secret. `Any`: a lazy text has no public type."""
    attributes = {"autocomplete": autocomplete}
    if pin:
        attributes["inputmode"] = "numeric"
    return forms.CharField(
        label=label,
        max_length=PASSWORD_CHARACTERS_MAX,
        strip=False,
        widget=forms.PasswordInput(attrs=attributes),
    )


def _code(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=32,
        help_text=_("The administrator hands it out; it counts once, for half an hour."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "off"}),
    )


def _badge(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=32,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "username",
                "autocapitalize": "off",
                "spellcheck": "false",
                "autofocus": True,
            }
        ),
    )


class SignOnForm(forms.Form):
    """Badge and password, in a browser."""

    badge = _badge(_("Badge or staff number"))
    secret = _secret(_("Password"), autocomplete="current-password")


class TabletSignOnForm(forms.Form):
    """Badge and PIN, at a tablet; a password does as well."""

    badge = _badge(_("Badge"))
    secret = _secret(_("PIN"), autocomplete="off", pin=True)


class RoleForm(forms.Form):
    """The role to act in."""

    role = forms.ChoiceField(choices=Role.choices)


class OwnSecretForm(forms.Form):
    """A code, and the new PIN or password twice."""

    badge = _badge(_("Badge or staff number"))
    code = _code(_("One-time code"))
    secret = _secret(_("New PIN or password"), autocomplete="new-password")
    again = _secret(_("The same again"), autocomplete="new-password")

    def clean(self) -> dict[str, Any]:
        """Refuse two entries that differ: nobody can look a secret up later."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "secret" in cleaned and cleaned.get("again") != cleaned["secret"]:
            self.add_error("again", _("The two entries differ. Type the same one twice."))
        return cleaned


class EnrolmentForm(forms.Form):
    """The code of a device."""

    code = _code(_("Code of this tablet"))


class StaffForm(forms.Form):
    """A new member of staff."""

    number = forms.CharField(
        label=_("Staff number"), max_length=16, help_text=_("Stays for ever; never given again.")
    )
    badge = forms.CharField(label=_("Badge"), max_length=32)
    name = TextField(label=_("Name"), max_length=120)


class BadgeForm(forms.Form):
    """Another badge."""

    badge = forms.CharField(label=_("New badge"), max_length=32)


class PurposeForm(forms.Form):
    """What a code is for."""

    purpose = forms.ChoiceField(label=_("For"), choices=SecretKind.choices)


class DeviceForm(forms.Form):
    """A new device."""

    number = forms.CharField(
        label=_("Device number"), max_length=16, help_text=_("Stays for ever; never given again.")
    )
    name = TextField(label=_("Name"), max_length=120)
    kind = forms.ChoiceField(label=_("Kind"), choices=Device.Kind.choices)
    table = forms.CharField(
        label=_("Table"),
        max_length=16,
        required=False,
        help_text=_("The table's code, for a tablet that stands at one."),
    )


class BindingForm(forms.Form):
    """The table of a tablet."""

    table = forms.CharField(
        label=_("Table"), max_length=16, required=False, help_text=_("Empty: at no table.")
    )
