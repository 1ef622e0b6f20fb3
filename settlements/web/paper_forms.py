"""What a supervisor types to say what counts of a sheet: which copy, and why."""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.fields import TextField
from settlements.services.paper import Agreement
from tables.errors import OneCardTooManyError
from tables.models import SheetKeying
from tables.selectors.paper import SheetCopy
from tables.selectors.round_read import RoundRead
from tables.sheets.errors import SheetRefusedError
from tables.web.fault_words import fault_text
from tables.web.paper_form import SAYS_SO, hand_meant

COPY_WORDS = {
    SheetKeying.Copy.FIRST: gettext_lazy("First keying"),
    SheetKeying.Copy.SECOND: gettext_lazy("Second keying"),
    SheetKeying.Copy.DEVICE: gettext_lazy("Copy of the tablet"),
    SheetKeying.Copy.AGREED: gettext_lazy("What counts"),
}


class NoteForm(forms.Form):
    """Why something counts."""

    note = TextField(
        label=gettext_lazy("Why"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class KeepForm(NoteForm):
    """Which copy counts, and why; one copy too many is confirmed once it was asked about."""

    question: Mapping[str, object] | None = None

    def __init__(
        self, data: Mapping[str, str] | None, *, copies: Mapping[str, SheetCopy], differ: bool
    ) -> None:
        super().__init__(data)
        offered = [copy for copy in COPY_WORDS if copy in copies]
        words = {copy: COPY_WORDS[copy] for copy in offered if copy != SheetKeying.Copy.AGREED}
        if not differ:
            words = {SheetKeying.Copy.FIRST: gettext_lazy("What both keyed")}
        self.fields["keep"] = forms.ChoiceField(
            label=_("What counts"),
            choices=[(str(copy), word) for copy, word in words.items()],
            widget=forms.RadioSelect,
            initial=str(next(iter(words))) if len(words) == 1 else None,
        )
        self.fields["note"].widget = forms.Textarea(attrs={"rows": 2})
        self.order_fields(["keep", "note"])
        if data and data.get("as_seen"):
            self._offer_as_seen()

    def agreement(self) -> Agreement:
        """Return what counts as the service takes it; the form must be valid."""
        sent = self.cleaned_data
        return Agreement(sent["keep"], sent["note"], as_seen=sent.get("as_seen", False))

    def ask(self, question: OneCardTooManyError) -> None:
        """Ask about one copy too many (event 13)."""
        self.question = question.data
        self._offer_as_seen()
        self.add_error(None, question.describe(_))

    def refuse(self, error: SheetRefusedError, *, copy: SheetCopy, read: RoundRead) -> None:
        """Say what is wrong with the copy that was to be kept, each fault with its hand."""
        self.add_error(None, _("This copy cannot be a round. Keep another one, or key it anew."))
        for fault in error.faults:
            hand = hand_meant(str(fault["where"]), copy.document, read=read)
            said = fault_text(fault)
            self.add_error(None, f"{hand}: {said}" if hand else said)

    def _offer_as_seen(self) -> None:
        self.fields["as_seen"] = forms.BooleanField(label=SAYS_SO, required=False)
