"""What people say of an irregularity in words: when it is recorded, and when it is amended."""

from django import forms
from django.utils.translation import gettext_lazy

from casino.web.fields import TextField
from tables.irregularities import Told
from tables.services.irregularities.ground import TEXT_MAX


class ToldForm(forms.Form):
    """The words; a form that asks who told the regulator adds that field."""

    seen = TextField(
        label=gettext_lazy("What was seen, and by whom"),
        max_length=TEXT_MAX,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    ruling = TextField(
        label=gettext_lazy("What was ruled"),
        max_length=TEXT_MAX,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    chips_moved = TextField(
        label=gettext_lazy("Chips that moved before it was found"),
        max_length=TEXT_MAX,
        required=False,
    )
    patrons = TextField(
        label=gettext_lazy("Who of the players was told, and what they said"),
        max_length=TEXT_MAX,
        required=False,
    )

    def told(self) -> Told:
        """Return the words as the services take them; the form must be valid."""
        sent = self.cleaned_data
        return Told(
            seen=sent["seen"],
            ruling=sent["ruling"],
            chips_moved=sent["chips_moved"],
            patrons=sent["patrons"],
            regulator=sent.get("regulator", ""),
        )


def regulator_field(*, required: bool) -> TextField:
    """Return the field that only the events with a word to the regulator need."""
    return TextField(
        label=gettext_lazy("Who told the regulator: whom, when, how"),
        max_length=TEXT_MAX,
        required=required,
    )
