"""The forms on the pages of findings: a filter, and a note that takes a step."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import Severity, all_kinds
from audit.findings.models import Finding
from audit.findings.services import TEXT_MAX
from casino.web.fields import TextField

UNCLOSED, ALL = "unclosed", "all"
STATES = [(UNCLOSED, _("Not closed")), *Finding.State.choices, (ALL, _("All"))]
ANSWER, RETURN, ACCEPT, CLOSE = "answer", "return", "accept", "close"
STEPS = {
    ANSWER: _("Answer"),
    RETURN: _("Send the answer back"),
    ACCEPT: _("Accept the answer"),
    CLOSE: _("Close"),
}


def _kinds() -> list[tuple[str, str]]:
    """Return the kinds by name; their names are known only once every app is ready."""
    named = sorted((str(kind.name), kind.code) for kind in all_kinds())
    return [("", gettext("Any")), *((code, name) for name, code in named)]


class FilterForm(forms.Form):
    """Which findings are shown; what is left out narrows nothing but the state."""

    state = forms.ChoiceField(label=_("State"), choices=STATES, required=False)
    table_code = forms.CharField(label=_("Table"), max_length=16, required=False)
    severity = forms.ChoiceField(
        label=_("Severity"), choices=[("", _("Any")), *Severity.choices], required=False
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=_kinds, required=False)


class NoteForm(forms.Form):
    """A note, the step that it takes, and the number that the page believes to be the next."""

    step = forms.ChoiceField(label=_("Step"), widget=forms.RadioSelect)
    text = TextField(
        label=_("Note"),
        max_length=TEXT_MAX,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Say what was looked at and what follows. It stays on record."),
    )
    n = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, steps: tuple[str, ...], **kwargs: Any) -> None:
        # Any: what Django's own forms take.
        super().__init__(*args, **kwargs)
        choices = [(step, STEPS[step]) for step in steps]
        field = self.fields["step"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        if len(choices) == 1:
            field.initial = steps[0]
