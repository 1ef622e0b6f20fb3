"""What people type to correct a round: true faces, stakes as they were, amounts handed over.

Every field is empty and shows what is on record behind it; what stays empty is no correction, also
when the record changes while somebody types. It must not decide what may be corrected.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.people.models import Role
from casino.people.services import SignerInput
from casino.web.fields import TextField
from settlements.correction import (
    EVENTS,
    REASON_CHARACTERS_MAX,
    VOID_SHOE_EVENT,
    CorrectedCard,
    Correction,
)
from settlements.errors import CorrectionRefusedError
from settlements.lines import WagerName
from settlements.selectors.authority import Authority
from tables.selectors.round_read import WAGER_KINDS, RoundRead
from tables.selectors.terms import offered_kinds
from tables.web.fault_words import fault_text
from tables.web.forms import SignerForm, amount_text, typed_amount, typed_face

EVENT_WORDS: Mapping[int, Promise] = {
    21: gettext_lazy("Hand misread"),
    22: gettext_lazy("Paid wrongly, or a wager left or taken"),
    23: gettext_lazy("Late, raised, moved or pulled wager"),
    24: gettext_lazy("Wager outside a limit"),
    VOID_SHOE_EVENT: gettext_lazy("Decided after the shoe was void"),
    28: gettext_lazy("Found when the cards were verified"),
}
_FACE_CHARACTERS_MAX = 3


class MoneyField(forms.CharField):
    """An amount as people write it, in minor units once clean; None where nothing is entered."""

    def __init__(self, *, label: str, on_record: int | None = None) -> None:
        shown = "" if on_record is None else amount_text(on_record)
        attributes = {"inputmode": "decimal", "autocomplete": "off", "placeholder": shown}
        super().__init__(
            label=label,
            required=False,
            max_length=24,
            widget=forms.TextInput(attrs=attributes),
        )

    def clean(self, value: Any) -> Any:  # Any: as Django declares it
        return typed_amount(super().clean(value))


class CorrectionForm(forms.Form):
    """One correction; `read` is the round as it stands."""

    event = forms.TypedChoiceField(
        label=gettext_lazy("What it was"),
        coerce=int,
        choices=[(event, EVENT_WORDS[event]) for event in EVENTS],
    )
    reason = TextField(
        label=gettext_lazy("How it came out"),
        max_length=REASON_CHARACTERS_MAX,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    moved = forms.ChoiceField(
        label=gettext_lazy("The money on the bill"),
        choices=[
            ("yes", gettext_lazy("is moved now")),
            ("no", gettext_lazy("stays where it is")),
        ],
        widget=forms.RadioSelect,
        initial="yes",
    )
    dispute = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput())
    as_seen = forms.BooleanField(
        label=gettext_lazy("The cards were seen so, also one copy too many"), required=False
    )

    def __init__(
        self, data: Mapping[str, str] | None, *, read: RoundRead, dispute: str = ""
    ) -> None:
        super().__init__(data, initial={"dispute": dispute})
        self.read = read
        self.question: Mapping[str, object] | None = None
        self.kinds = kinds_of(read)
        for draw, face in read.faces.items():
            self.fields[f"card_{draw}"] = forms.CharField(
                label=_("True card of draw %(draw)s") % {"draw": draw},
                required=False,
                max_length=_FACE_CHARACTERS_MAX,
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "autocapitalize": "characters",
                        "spellcheck": "false",
                        "placeholder": face,
                    }
                ),
            )
        for seat in range(1, read.seats_of_table + 1):
            for kind in self.kinds:
                where = {"seat": seat, "kind": kind}
                self.fields[f"stake_{seat}_{kind}"] = MoneyField(
                    label=_("Stake of seat %(seat)s, %(kind)s") % where,
                    on_record=read.wagers.get(seat, {}).get(kind),
                )
                self.fields[f"handed_{seat}_{kind}"] = MoneyField(
                    label=_("Handed over to seat %(seat)s for %(kind)s") % where
                )

    def correction(self) -> Correction:
        """Return the correction as the services take it; the form must be valid."""
        sent = self.cleaned_data
        return Correction(
            event=sent["event"],
            reason=sent["reason"].strip(),
            moved=sent["moved"] == "yes",
            cards=self._cards(),
            wagers=self._wagers(),
            handed=self._handed(),
            dispute=sent["dispute"],
        )

    def field_of(self, fault: Mapping[str, object]) -> str | None:
        """Return the field that a fault means, None where it means no single one."""
        named = "handed" if str(fault.get("where", "")).startswith("handed.") else "stake"
        fields = (f"card_{fault.get('draw')}", f"{named}_{fault.get('seat')}_{fault.get('wager')}")
        return next((field for field in fields if field in self.fields), None)

    def put_back(self, error: CorrectionRefusedError) -> None:
        """Say what is wrong with a correction, each fault at the field that it means."""
        for fault in error.faults:
            self.add_error(self.field_of(fault), fault_text(fault))

    def _cards(self) -> tuple[CorrectedCard, ...]:
        keyed = {draw: typed_face(self.cleaned_data[f"card_{draw}"]) for draw in self.read.faces}
        return tuple(
            CorrectedCard(draw, face, self.cleaned_data["as_seen"])
            for draw, face in keyed.items()
            if face
        )

    def _wagers(self) -> dict[int, dict[str, int]]:
        """Return whole sets of the seats for which a stake was typed; 0 is a wager not placed."""
        found = {}
        for seat in range(1, self.read.seats_of_table + 1):
            typed = {kind: self.cleaned_data[f"stake_{seat}_{kind}"] for kind in self.kinds}
            stakes = {kind: stake for kind, stake in typed.items() if stake is not None}
            if stakes:
                wagers = {**self.read.wagers.get(seat, {}), **stakes}
                found[seat] = {kind: stake for kind, stake in wagers.items() if stake}
        return found

    def _handed(self) -> dict[WagerName, int]:
        amounts = {
            (seat, kind): self.cleaned_data[f"handed_{seat}_{kind}"]
            for seat in range(1, self.read.seats_of_table + 1)
            for kind in self.kinds
        }
        return {name: amount for name, amount in amounts.items() if amount is not None}


class SignatureForm(SignerForm):
    """One of the two signatures: its role is given, or one of two; surveillance names a camera."""

    def __init__(
        self, data: Mapping[str, str] | None, *, prefix: str, roles: tuple[Role, ...], title: str
    ) -> None:
        super().__init__(data, prefix=prefix)
        self.role, self.role_label = roles[0].value, title
        if len(roles) > 1:
            self.fields["role"] = forms.ChoiceField(
                label=_("Signs as"), choices=[(role.value, role.label) for role in roles]
            )
        if Role.SURVEILLANCE in roles:
            self.fields["camera"] = TextField(
                label=_("Camera reference"),
                max_length=64,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def signer(self) -> SignerInput:
        """Return the signature as the service takes it; the form must be valid."""
        return SignerInput(
            badge=self.cleaned_data["badge"],
            secret=self.cleaned_data["secret"],
            role=self.cleaned_data.get("role", self.role),
            camera_reference=self.cleaned_data.get("camera"),
        )


def signature_forms(data: Mapping[str, str] | None, *, authority: Authority) -> list[SignatureForm]:
    """Return the two boxes that this correction needs."""
    first, second = authority.roles
    titles = [str(first[0].label), str(second[0].label)]
    if authority.late and authority.in_charge is not None:
        titles[0] = _("manager in charge, %(name)s") % {"name": authority.in_charge.name}
    elif len(second) > 1:
        titles[1] = _("second supervisor or manager")
    return [
        SignatureForm(data, prefix=f"signer{number}", roles=roles, title=title)
        for number, (roles, title) in enumerate(zip((first, second), titles, strict=True), start=1)
    ]


def kinds_of(read: RoundRead) -> tuple[str, ...]:
    """Return the kinds of wager that this round's layout takes, and those that were placed."""
    placed = {kind for wagers in read.wagers.values() for kind in wagers}
    offered = offered_kinds(read.ruleset.game, options=read.ruleset.options)
    return tuple(kind for kind in WAGER_KINDS if kind in placed.union(offered))
