"""What people type about a dispute: what is disputed, the file, the ruling, and the filter.

They must not decide whether something may be held or ruled; the services do.
"""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.fields import TextField
from casino.web.templatetags.money import money_text
from settlements.services.dispute_files import (
    NAME_MAX,
    NARRATIVE_MAX,
    STAFF_MAX,
    STAFF_NUMBER_MAX,
    FileContent,
)
from settlements.web.correction_form import MoneyField
from settlements.web.disputes.words import subject_of
from tables.models import DisputeFile, DisputeHold
from tables.selectors.disputes import DisputeFilter
from tables.selectors.round_read import RoundRead
from tables.services.disputes import Disputed, Ruling
from tables.services.irregularities.ground import TEXT_MAX
from tables.services.irregularities.holding import stake_of

ALL = "all"
_LINE = {"autocomplete": "off"}


class OpenForm(forms.Form):
    """What is disputed in a round: the words of the player, what it is about, the sum."""

    seen = TextField(
        label=gettext_lazy("What the player says"),
        max_length=TEXT_MAX,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    what = forms.ChoiceField(label=gettext_lazy("What is disputed"), widget=forms.RadioSelect)
    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput())

    def __init__(self, data: Mapping[str, str] | None, *, read: RoundRead, number: int) -> None:
        super().__init__(data, initial={"number": number})
        choices = [
            (_value(seat, wager), _label(read, seat, wager)) for seat, wager in _things(read)
        ]
        field = self.fields["what"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        self.fields["disputed_minor"] = MoneyField(label=_("Sum in dispute"))
        self.fields["disputed_minor"].help_text = _("Left empty, it is the stakes that lie there.")
        self.order_fields(["seen", "what", "disputed_minor"])

    def disputed(self) -> Disputed:
        """Return what is disputed as the service takes it; the form must be valid."""
        seat, _slash, wager = self.cleaned_data["what"].partition("/")
        return Disputed(
            number=self.cleaned_data["number"],
            seen=self.cleaned_data["seen"],
            seat=int(seat) if seat != ALL else None,
            wager=wager,
            disputed_minor=self.cleaned_data["disputed_minor"],
        )


def _things(read: RoundRead) -> list[tuple[int | None, str]]:
    """Return what can be held: each wager, each seat with more than one, the round."""
    found: list[tuple[int | None, str]] = []
    for seat, wagers in sorted(read.wagers.items()):
        found += [(seat, wager) for wager in wagers]
        if len(wagers) > 1:
            found.append((seat, ""))
    return [*found, (None, "")]


def _value(seat: int | None, wager: str) -> str:
    if seat is None:
        return ALL
    return f"{seat}/{wager}" if wager else str(seat)


def _label(read: RoundRead, seat: int | None, wager: str) -> str:
    stake = money_text(stake_of(read, seat, wager))
    return f"{subject_of(seat, wager, read.bank_seat)} ({stake})"


class FileForm(forms.Form):
    """The file of a dispute in its next revision (controls 5.12 and 5.13)."""

    patron = TextField(
        label=gettext_lazy("Player"), max_length=NAME_MAX, widget=forms.TextInput(attrs=_LINE)
    )
    contact = TextField(
        label=gettext_lazy("How to reach them"),
        max_length=NAME_MAX,
        widget=forms.TextInput(attrs=_LINE),
    )
    narrative = TextField(
        label=gettext_lazy("What they say happened, and when"),
        max_length=NARRATIVE_MAX,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    staff_involved = TextField(
        label=gettext_lazy("Staff involved and staff who saw it"),
        required=False,
        max_length=STAFF_MAX * (STAFF_NUMBER_MAX + 2),
        help_text=gettext_lazy("Staff numbers, separated by commas."),
        widget=forms.TextInput(attrs=_LINE),
    )
    witnesses = TextField(
        label=gettext_lazy("Other witnesses"),
        required=False,
        max_length=NARRATIVE_MAX,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    house_action = TextField(
        label=gettext_lazy("What the house did"),
        required=False,
        max_length=NARRATIVE_MAX,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    camera_reference = TextField(
        label=gettext_lazy("Camera reference"),
        required=False,
        max_length=NAME_MAX,
        help_text=gettext_lazy("Camera and time, as surveillance gave them."),
        widget=forms.TextInput(attrs=_LINE),
    )
    patron_informed = TextField(
        label=gettext_lazy("Player told of the right to complain"),
        required=False,
        max_length=NARRATIVE_MAX,
        help_text=gettext_lazy("Who told them, when, and whether they have the form."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput())

    def clean_staff_involved(self) -> list[str]:
        """Return the staff numbers, each once, in the order they were typed."""
        typed = str(self.cleaned_data["staff_involved"]).replace(";", ",").split(",")
        numbers = list(dict.fromkeys(number.strip() for number in typed if number.strip()))
        if len(numbers) > STAFF_MAX:
            raise forms.ValidationError(_("Expected at most %(n)d people.") % {"n": STAFF_MAX})
        if any(len(number) > STAFF_NUMBER_MAX for number in numbers):
            raise forms.ValidationError(_("Expected staff numbers, separated by commas."))
        return numbers

    def content(self) -> FileContent:
        """Return the file as the service takes it; the form must be valid."""
        sent = self.cleaned_data
        return FileContent(**{name: sent[name] for name in sent if name != "revision"})


def file_initial(file: DisputeFile | None, *, staff: str) -> dict[str, Any]:
    """Return what the form of the file begins with: what stands, else who was at the table."""
    if file is None:
        return {"revision": 1, "staff_involved": staff}
    texts = (name for name in FileForm.base_fields if name not in ("revision", "staff_involved"))
    return {
        **{name: getattr(file, name) for name in texts},
        "staff_involved": ", ".join(file.staff_involved),
        "revision": file.revision + 1,
    }


class RulingForm(forms.Form):
    """How the dispute is ruled. What is out of play can only go back to the player."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("The ruling is"),
        choices=DisputeHold.Outcome.choices,
        widget=forms.RadioSelect,
    )
    ruling = TextField(
        label=gettext_lazy("What was ruled, and why"),
        max_length=TEXT_MAX,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(self, data: Mapping[str, str] | None, *, hold: DisputeHold) -> None:
        super().__init__(data)
        if not hold.in_result:
            field = self.fields["outcome"]
            assert isinstance(field, forms.ChoiceField)
            patron = DisputeHold.Outcome.PATRON
            field.choices = [(patron.value, patron.label)]
            field.initial = patron.value

    def ruling_of(self, content_hash: str | None = None) -> Ruling:
        """Return the ruling as the service takes it; the form must be valid."""
        return Ruling(self.cleaned_data["outcome"], self.cleaned_data["ruling"], content_hash)


class FilterForm(forms.Form):
    """Which disputes the register shows; days are the house's calendar days of opening."""

    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            (ALL, gettext_lazy("Open and ruled")),
            (DisputeHold.State.OPEN.value, gettext_lazy("Open")),
            (DisputeHold.Outcome.HOUSE.value, gettext_lazy("Ruled for the house")),
            (DisputeHold.Outcome.PATRON.value, gettext_lazy("Ruled for the player")),
        ],
    )
    table = TextField(
        label=gettext_lazy("Table"),
        max_length=16,
        required=False,
        widget=forms.TextInput(attrs=_LINE),
    )
    opened_from = forms.DateField(
        label=gettext_lazy("Opened from"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    opened_to = forms.DateField(
        label=gettext_lazy("to"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def narrow(self) -> DisputeFilter:
        """Return the filter; what is not understood narrows nothing."""
        self.is_valid()
        sent = self.cleaned_data
        state, last = sent.get("state") or ALL, sent.get("opened_to")
        is_open = state == DisputeHold.State.OPEN
        return DisputeFilter(
            state=state if is_open else "",
            outcome="" if is_open or state == ALL else state,
            table=sent.get("table") or "",
            opened_from=_midnight(sent.get("opened_from")),
            opened_before=_midnight(last + timedelta(days=1) if last and last < date.max else None),
        )


def _midnight(day: date | None) -> datetime | None:
    if day is None:
        return None
    return datetime.combine(day, time.min, tzinfo=timezone.get_current_timezone())
