"""What people key from a sheet: one grid of cells, row by row, with the keyboard alone.

Every cell is a field of its own, so that the page works without a script. It must not decide what
a round can be: it makes a document of what was typed, and puts faults back to their cells.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.fields import TextField
from tables.errors import OneCardTooManyError
from tables.games.game import STAGES
from tables.games.registry import game_of
from tables.selectors.house import house_settings
from tables.selectors.round_read import RoundRead
from tables.selectors.terms import offered_kinds
from tables.services.paper import Keying
from tables.sheets import VOID_EVENTS
from tables.sheets.clock import moment_on_day
from tables.web.forms import amount_text, typed_amount, typed_face
from tables.web.void_events import VOID_EVENT_WORDS

Json = dict[str, Any]  # Any: documents
_CARDS = (1, 2, 3)
_BANK = 0
_CLOCK = re.compile(r"(\d{1,2})[:. ]?(\d\d)", re.ASCII)
_PLACE = re.compile(r"seats\[(\d+)\]\.(.+)|(house|banker)\.(.+)", re.ASCII)
SAYS_SO = gettext_lazy("The sheet says so, also one copy too many")
STAGE_WORDS = {
    "betting": gettext_lazy("betting"),
    "first_lap": gettext_lazy("first lap"),
    "second_lap": gettext_lazy("second lap"),
    "pair_settled": gettext_lazy("after the sweep"),
    "third_lap": gettext_lazy("third lap"),
    "opened": gettext_lazy("showdown"),
}
_FIELDS = {
    "dealt_at": "time",
    "dealer": "dealer",
    "bank_seat": "bank_seat",
    "end": "end",
    "void.stage": "void_stage",
    "void.event": "void_event",
    "void.note": "void_note",
    "void.affects_first_two_cards": "void_touched",
    "void.signed_by": "void_signed",
}


class CellField(forms.CharField):
    """One cell of the grid; `group` says which keys it takes: stake, card, time, text."""

    def __init__(
        self, *, label: str | Promise, group: str, characters: int, required: bool = False
    ) -> None:
        attributes = {
            "autocomplete": "off",
            "spellcheck": "false",
            "data-cell": group,
            "maxlength": str(characters),
        }
        if group == "card":
            attributes["autocapitalize"] = "characters"
        else:
            attributes["inputmode"] = "decimal" if group == "stake" else "text"
        super().__init__(
            label=label,  # type: ignore[arg-type]  # a lazy text, as Django takes it
            required=required,
            max_length=characters,
            widget=forms.TextInput(attrs=attributes),
        )


class StakeField(CellField):
    """An amount as people write it; minor units once clean, None where nothing was typed."""

    def __init__(self, *, label: str) -> None:
        super().__init__(label=label, group="stake", characters=16)

    def clean(self, value: Any) -> Any:  # Any: as Django declares it
        return typed_amount(super().clean(value))


class SheetForm(forms.Form):
    """A sheet as one person keys it; `read` is its awaited round."""

    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput(), initial=1)
    end = forms.ChoiceField(
        label=gettext_lazy("How the round ended"),
        choices=[
            ("settled", gettext_lazy("Settled")),
            ("voided", gettext_lazy("Void")),
            ("called_off", gettext_lazy("Called off")),
        ],
        initial="settled",
        widget=forms.RadioSelect,
    )
    void_stage = forms.ChoiceField(
        label=gettext_lazy("Where the round stood"),
        choices=[(stage, STAGE_WORDS[stage]) for stage in STAGES if stage in STAGE_WORDS],
        initial="second_lap",
        required=False,
    )
    void_event = forms.TypedChoiceField(
        label=gettext_lazy("Cause"),
        coerce=int,
        choices=[(number, VOID_EVENT_WORDS[number]) for number in VOID_EVENTS],
        initial=26,
        required=False,
    )
    void_touched = CellField(
        label=gettext_lazy("Seats whose first two cards it touches"),
        group="text",
        characters=20,
    )
    void_note = TextField(
        label=gettext_lazy("What happened"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    void_signed = CellField(label=gettext_lazy("Who signed on paper"), group="text", characters=65)
    as_seen = forms.BooleanField(label=SAYS_SO, required=False)

    def __init__(
        self,
        data: Mapping[str, str] | None,
        *,
        read: RoundRead,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.read = read
        self.is_asked = bool(data and data.get("as_seen"))  # whether one copy too many is asked of
        self.question: Mapping[str, object] | None = None
        self.game = game_of(read.ruleset)
        self.kinds = offered_kinds(read.ruleset.game, options=read.ruleset.options)
        self.fields["time"] = CellField(
            label=_("Time on the sheet"), group="time", characters=5, required=True
        )
        self.fields["dealer"] = CellField(
            label=_("Dealer (staff number)"), group="text", characters=32, required=True
        )
        if read.procedures.players_bank:
            self.fields["bank_seat"] = forms.IntegerField(
                label=_("Seat that holds the bank"), min_value=1, max_value=read.seats_of_table
            )
        for seat in (*range(1, read.seats_of_table + 1), _BANK):
            self._add_row(seat)

    def _add_row(self, seat: int) -> None:
        """Add the cells of a seat, or of the bank's hand (0), in the order they are typed."""
        name = hand_name(self.read, seat)
        if seat:
            for kind in self.kinds:
                words = {"hand": name, "kind": kind}
                self.fields[f"s{seat}_{kind}"] = StakeField(label=_("%(hand)s, %(kind)s") % words)
                self.fields[f"s{seat}_handed_{kind}"] = StakeField(
                    label=_("%(hand)s, handed for %(kind)s") % words
                )
        for nth in _CARDS:
            self.fields[f"s{seat}_c{nth}"] = CellField(
                label=_("%(hand)s, card %(nth)s") % {"hand": name, "nth": nth},
                group="card",
                characters=3,
            )
        if self.game.asks:
            self.fields[f"s{seat}_draw"] = forms.ChoiceField(
                label=_("%(hand)s decides") % {"hand": name},
                choices=[
                    ("none", _("–")),
                    ("hit", _("draws")),
                    ("stand", _("stands")),
                    ("no_decision", _("no decision")),
                ],
                required=False,
            )

    def ask(self, question: OneCardTooManyError) -> None:
        """Ask about one copy too many (event 13)."""
        self.is_asked, self.question = True, question.data

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each row of the grid, the bank's last."""
        for seat in (*range(1, self.read.seats_of_table + 1), _BANK):
            yield {
                "hand": seat,
                "name": hand_name(self.read, seat),
                "stakes": [self[f"s{seat}_{kind}"] for kind in self.kinds] if seat else [],
                "handed": [self[f"s{seat}_handed_{kind}"] for kind in self.kinds] if seat else [],
                "cards": [self[f"s{seat}_c{nth}"] for nth in _CARDS],
                "draw": self[f"s{seat}_draw"] if self.game.asks else None,
            }

    def clean_time(self) -> time:
        """Read 14:05 or 1405."""
        match = _CLOCK.fullmatch(self.cleaned_data["time"].strip())
        hour, minute = (int(part) for part in match.groups()) if match else (99, 99)
        if hour > 23 or minute > 59:
            raise ValidationError(_("Expected a time such as 14:05."))
        return time(hour, minute)

    def keying(self, copy: str) -> Keying:
        """Return what was keyed as the services take it; the form must be valid."""
        return Keying(
            copy=copy,
            revision=self.cleaned_data["revision"],
            document=self.document(),
            dealt_at=self.dealt_at(),
            as_seen=self.cleaned_data["as_seen"],
        )

    def dealt_at(self) -> datetime:
        """Return the time on the sheet as an instant of the round's gaming day."""
        house = house_settings(at=timezone.now())
        return moment_on_day(
            self.read.gaming_day,
            self.cleaned_data["time"],
            cut_over_hour=house.cut_over_hour,
            zone=house.zone,
        )

    def document(self) -> Json:
        """Return the sheet as a document; rows in which nothing was typed are left out."""
        typed = self.cleaned_data
        called_off = typed["end"] == "called_off"
        seats = []
        for seat in range(1, self.read.seats_of_table + 1):
            row = self._row(seat)
            if row["bets"] or row["cards"] or row.get("handed"):
                seats.append({"seat": seat, **row})
        bank = {key: value for key, value in self._row(_BANK).items() if key in ("cards", "draw")}
        found: Json = {
            "end": typed["end"],
            "dealer": typed["dealer"].strip(),
            "seats": seats,
            self.game.bank: bank,
        }
        if "bank_seat" in self.fields:
            found["bank_seat"] = typed["bank_seat"]
        if typed["end"] == "voided":
            found["void"] = {
                "stage": typed["void_stage"],
                "affects_first_two_cards": _touched(typed["void_touched"]),
                "event": typed["void_event"] or 0,
                "note": typed["void_note"],
                "signed_by": typed["void_signed"].replace(",", " ").split(),
            }
        if called_off and not seats and not bank["cards"]:
            del found[self.game.bank]
        return found

    def _row(self, seat: int) -> Json:
        typed = self.cleaned_data
        faces = [typed_face(typed[f"s{seat}_c{nth}"]) for nth in _CARDS]
        while faces and not faces[-1]:
            faces.pop()
        row: Json = {"cards": faces}
        if seat:
            stakes = {kind: typed[f"s{seat}_{kind}"] for kind in self.kinds}
            row["bets"] = {kind: stake for kind, stake in stakes.items() if stake is not None}
            handed = {kind: typed[f"s{seat}_handed_{kind}"] for kind in self.kinds}
            handed = {kind: amount for kind, amount in handed.items() if amount is not None}
            if handed:
                row["handed"] = handed
        if self.game.asks:
            row["draw"] = typed[f"s{seat}_draw"] or "none"
        return row

    def field_of(self, where: str, document: Json) -> str | None:
        """Return the cell that a fault's place means, None where it means no single one."""
        if where in _FIELDS:
            return _FIELDS[where]
        if where.startswith("void."):
            return _FIELDS.get(where.partition("[")[0])
        match = _PLACE.fullmatch(where)
        if match is None:
            return self._field_of_wager(where)
        index, cell, _bank, bank_cell = match.groups()
        seat = document["seats"][int(index)]["seat"] if index is not None else _BANK
        return self._cell(seat, cell or bank_cell)

    def name_of(self, field: str | None) -> str:
        """Return what a cell is called, for a list of faults."""
        return "" if field is None else str(self.fields[field].label)

    def _field_of_wager(self, where: str) -> str | None:
        """Return the stake that a fault of the limits means, such as `seats.3.main`."""
        parts = where.split(".")
        name = f"s{parts[1]}_{parts[2]}" if len(parts) == 3 else ""
        return name if name in self.fields else None

    def _cell(self, seat: int, cell: str) -> str | None:
        names = {
            "cards": f"s{seat}_c{self._first_empty(seat)}",
            "draw": f"s{seat}_draw",
            "bets": f"s{seat}_{self.kinds[0]}",
            "handed": f"s{seat}_handed_{self.kinds[0]}",
        }
        names |= {f"cards[{nth - 1}]": f"s{seat}_c{nth}" for nth in _CARDS}
        for kind in self.kinds:
            names |= {
                f"bets.{kind}": f"s{seat}_{kind}",
                f"handed.{kind}": f"s{seat}_handed_{kind}",
            }
        found = names.get(cell)
        return found if found in self.fields else None

    def _first_empty(self, seat: int) -> int:
        typed = (self.cleaned_data.get(f"s{seat}_c{nth}") for nth in _CARDS)
        return next((nth for nth, face in enumerate(typed, start=1) if not face), _CARDS[-1])


def hand_name(read: RoundRead, seat: int) -> str:
    """Return what a sheet calls a hand: 0 is the House's, or the bank's where a seat holds it."""
    if seat:
        return _("Seat %(seat)s") % {"seat": seat}
    return _("Bank") if read.procedures.players_bank else _("House")


def hand_meant(where: str, document: Mapping[str, Any], *, read: RoundRead) -> str:
    """Return the name of the hand that a fault's place means, empty where it means none."""
    match = _PLACE.fullmatch(where)
    if match is None:
        return ""
    index = match.group(1)
    return hand_name(read, _BANK if index is None else document["seats"][int(index)]["seat"])


def initial_of(document: Mapping[str, Any], *, dealt_at: datetime) -> dict[str, object]:
    """Return what a form shows that begins with a sheet on record; times in the active zone."""
    found: dict[str, object] = {
        "time": timezone.localtime(dealt_at).strftime("%H:%M"),
        "dealer": document.get("dealer"),
        "end": document.get("end"),
        "bank_seat": document.get("bank_seat"),
    }
    hands = [(seat["seat"], seat) for seat in document.get("seats", ())]
    hands += [(_BANK, document[bank]) for bank in ("house", "banker") if bank in document]
    for seat, row in hands:
        for kind, stake in row.get("bets", {}).items():
            found[f"s{seat}_{kind}"] = amount_text(stake)
        for kind, amount in row.get("handed", {}).items():
            found[f"s{seat}_handed_{kind}"] = amount_text(amount)
        for nth, face in enumerate(row.get("cards", ()), start=1):
            found[f"s{seat}_c{nth}"] = face
        found[f"s{seat}_draw"] = row.get("draw", "none")
    void = document.get("void")
    if void:
        touched = void["affects_first_two_cards"]
        found |= {
            "void_stage": void["stage"],
            "void_event": void["event"],
            "void_note": void["note"],
            "void_signed": " ".join(void["signed_by"]),
            "void_touched": {True: "all", False: ""}.get(touched, "")
            if isinstance(touched, bool)
            else " ".join(str(seat) for seat in touched),
        }
    return found


def _touched(text: str) -> object:
    """Read whose first two cards a fault touches: nothing, "all", or seats by number."""
    words = text.replace(",", " ").split()
    if not words:
        return False
    if len(words) == 1 and words[0].lower() == "all":
        return True
    return [int(word) if word.isdigit() and len(word) < 3 else 0 for word in words]
