"""What people type on the floor's pages."""

from collections.abc import Iterator, Mapping, Sequence

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.kernel.errors import DomainError
from casino.kernel.money import MINOR_MAX, MoneyRangeError, format_minor, parse_minor
from casino.people.models import Role
from casino.people.services import SignerInput
from tables.services.sessions import PIECES_MAX


class SignerForm(forms.Form):
    """One signature: badge and the secret, entered again; the role is the box's."""

    badge = forms.CharField(
        label=_("Badge"), max_length=32, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    secret = forms.CharField(
        label=_("PIN or password"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    role_label: Promise | str = ""
    role: str = ""

    def signer(self) -> SignerInput:
        """Return the signature as the service takes it; the form must be valid."""
        return SignerInput(
            badge=self.cleaned_data["badge"],
            secret=self.cleaned_data["secret"],
            role=self.role,
        )


def signer_forms(data: Mapping[str, str] | None, *roles: Role) -> list[SignerForm]:
    """Return one box for each role that must sign."""
    boxes = []
    for number, role in enumerate(roles, start=1):
        box = SignerForm(data, prefix=f"signer{number}")
        box.role, box.role_label = role.value, role.label
        boxes.append(box)
    return boxes


def all_valid(boxes: Sequence[forms.Form]) -> bool:
    """Check every box, so that each shows its own errors."""
    return not [box for box in boxes if not box.is_valid()]


def typed_amount(text: str) -> int | None:
    """Return an amount as people write it in minor units, None for nothing; a form's error else."""
    if not text:
        return None
    try:
        return parse_minor(text, currency=settings.HOUSE_CURRENCY)
    except MoneyRangeError as error:
        most = format_minor(MINOR_MAX, currency=settings.HOUSE_CURRENCY)
        said = gettext("Expected an amount of at most %(most)s.") % {"most": most}
        raise ValidationError(said, code=error.code) from error
    except DomainError as error:
        raise ValidationError(error.describe(gettext), code=error.code) from error


def amount_text(amount: int) -> str:
    """Write an amount as one types it: no grouping, decimals only where they are not zero."""
    text = format_minor(amount, currency=settings.HOUSE_CURRENCY, grouping=False)
    whole, _point, decimals = text.partition(".")
    return text if decimals.strip("0") else whole


def typed_face(text: str) -> str:
    """Read a face as people type one: 10 is a ten, small letters do as well."""
    return text.strip().upper().replace("10", "T")


class CountForm(forms.Form):
    """Pieces of each denomination; what is left empty is none."""

    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput())

    def __init__(
        self,
        data: Mapping[str, str] | None = None,
        *,
        denominations: Sequence[int],
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.denominations = tuple(denominations)
        for denomination in denominations:
            self.fields[f"pieces_{denomination}"] = forms.IntegerField(
                label=str(denomination),
                required=False,
                min_value=0,
                max_value=PIECES_MAX,
                error_messages={
                    "invalid": _("Enter a whole number of pieces, or nothing."),
                    "min_value": _("Enter no fewer than %(limit_value)s pieces."),
                    "max_value": _("Enter no more than %(limit_value)s pieces."),
                },
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    def rows(self) -> Iterator[tuple[int, forms.BoundField]]:
        """Yield each denomination in minor units with its field, largest first."""
        for denomination in self.denominations:
            yield denomination, self[f"pieces_{denomination}"]

    def pieces(self) -> dict[str, int]:
        """Return the pieces by denomination as the service takes them."""
        return {
            str(denomination): self.cleaned_data[f"pieces_{denomination}"] or 0
            for denomination in self.denominations
        }


class EmptyForm(forms.Form):
    """Nothing to fill in: the button says it all."""


class BurnForm(forms.Form):
    """The burned cards, as seen: faces separated by blanks, "?" where not seen."""

    burned = forms.CharField(
        label=_("Burned cards"),
        required=False,
        max_length=60,
        help_text=_("Rank and suit, for example 9H; ? for a card nobody saw."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )

    def faces(self) -> list[str]:
        """Return the faces in the order they were burned."""
        return str(self.cleaned_data["burned"]).upper().split()


class StubForm(forms.Form):
    """The cards left in the shoe, counted face down."""

    stub_cards = forms.IntegerField(
        label=_("Cards in the stub"),
        min_value=0,
        max_value=416,
        error_messages={
            "invalid": _("Enter the number of cards counted."),
            "min_value": _("Enter no fewer than %(limit_value)s cards."),
            "max_value": _("Enter no more than %(limit_value)s cards."),
        },
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
