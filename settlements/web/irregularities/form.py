"""What people type to record an irregularity: what was seen and ruled, and what its event asks.

It makes a case of that. Whether the case can be so is for the services to say.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.selectors import InCharge
from casino.web.fields import TextField
from casino.web.templatetags.states import seat_name, wager_name
from settlements.web.correction_form import MoneyField, SignatureForm
from settlements.web.irregularities.asks import Asks, CardAsks, Way, asks_of, next_draw, out_so_far
from settlements.web.irregularities.told_form import ToldForm, regulator_field
from tables.irregularities import Case, Drawn, Letter, WagerCase
from tables.web.forms import typed_face

RANKS, SUITS = "A23456789TJQK", "SHDC"
_DRAW_MAX, _FACE_MAX, _COUNT_MAX, _FOREIGN_MAX = 99, 3, 64, 8
_PLAIN = {"autocomplete": "off", "spellcheck": "false"}
_FACE = {**_PLAIN, "autocapitalize": "characters"}


class CaseForm(ToldForm):
    """One irregularity; `way` is the event with its procedure, at its table, in its round.

    `number` is the next one of the table's list as the page was made, so that a form that is sent
    twice records once.
    """

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput())
    happened_at = forms.DateTimeField(
        label=gettext_lazy("When it happened"),
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S"
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None, *, way: Way, number: int) -> None:
        # Any: what a form may be sent.
        initial = {
            "number": number,
            "happened_at": timezone.localtime().replace(microsecond=0, tzinfo=None),
        }
        super().__init__(data, initial=initial)
        self.way, self.asks = way, asks_of(way)
        if not self.asks.counted:  # there the count says what the result is
            self.initial["ruling"] = _(way.procedure.name)
        self.question: Mapping[str, object] | None = None
        if self.asks.regulator:
            self.fields["regulator"] = regulator_field(required=True)
        self.fields.update(_card_fields(way, self.asks.cards))
        self.fields.update(_hand_fields(self.asks))
        self.fields.update(_wager_fields(way, self.asks))
        self.fields.update(_shoe_fields(way, self.asks))
        self.fields["as_seen"] = forms.BooleanField(
            label=_("The cards were seen so, also one copy too many"), required=False
        )

    def clean(self) -> dict[str, Any]:  # Any: Django's own type
        """Refuse a hand that is needed and not chosen, a card without its draw."""
        cleaned = super().clean() or {}
        for n in range(1, self.asks.cards.apart + 1):
            if cleaned.get(f"face_{n}") and not cleaned.get(f"apart_{n}"):
                self.add_error(f"apart_{n}", _("Say at which draw it came."))
        return cleaned

    def clean_foreign(self) -> str:
        """Refuse a name that no count could keep: it stands there as a face does."""
        text: str = self.cleaned_data["foreign"]
        for word in text.split():
            if not (word.isascii() and word.isprintable() and len(word) <= _FOREIGN_MAX):
                raise forms.ValidationError(
                    _("Expected words of at most %(most)s plain letters or digits, not %(word)s.")
                    % {"most": _FOREIGN_MAX, "word": word}
                )
        return text

    def case(self) -> Case:
        """Return the case as the services take it; the form must be valid."""
        sent, way = self.cleaned_data, self.way
        return Case(
            table=way.floor.table.key,
            number=sent["number"],
            event=way.event,
            procedure=way.procedure.code,
            told=self.told(),
            happened_at=sent["happened_at"],
            shoe=way.floor.shoe.number if way.floor.shoe else None,
            round=way.read.name.number if way.read else None,
            seats=self._seats(),
            draws=tuple(self._draws()),
            wagers=tuple(self._wagers()),
            cards_out=sent.get("cards_out"),
            first_two=tuple(int(seat) for seat in sent.get("first_two", ())) or False,
            burned=tuple(typed_face(face) for face in sent.get("burned", "").split()),
            replaced=self._replaced(),
            counted=self._counted(),
            since_shoe=sent.get("since_shoe"),
        )

    def _seats(self) -> tuple[int, ...]:
        hands = self.asks.hands
        if hands.fixed is not None:
            return (hands.fixed,)
        chosen = self.cleaned_data.get("hands") or ()
        return tuple(int(hand) for hand in ([chosen] if isinstance(chosen, str) else chosen))

    def _draws(self) -> Iterator[Drawn]:
        sent, cards = self.cleaned_data, self.asks.cards
        for n in range(1, cards.apart + 1):
            if draw := sent.get(f"apart_{n}"):
                face = typed_face(sent.get(f"face_{n}") or "")
                yield Drawn(draw, None, face or None, bool(face) and sent["as_seen"])
        for n in range(1, cards.named + 1):
            if draw := sent.get(f"draw_{n}"):
                yield Drawn(draw)
        for draw, planned in cards.laid:
            lies = int(sent.get(f"laid_{draw}") or planned)
            if lies != planned:
                yield Drawn(draw, lies)

    def _wagers(self) -> Iterator[WagerCase]:
        sent = self.cleaned_data
        for seat, kind in (*self.asks.wagers.known, *self.asks.wagers.absent):
            where = f"{seat}_{kind}"
            stake, back = sent.get(f"stake_{where}"), sent.get(f"back_{where}")
            if sent.get(f"pick_{where}") or stake is not None or back is not None:
                yield WagerCase(seat, kind, stake, back)

    def _replaced(self) -> tuple[str, str] | None:
        if not self.asks.cards.replaced:
            return None
        sent = self.cleaned_data
        return typed_face(sent["replaced_out"]), typed_face(sent["replaced_in"])

    def _counted(self) -> dict[str, int]:
        if not self.asks.counted:
            return {}
        sent = self.cleaned_data
        found = Counter({face: sent[f"count_{face}"] for face in faces_of(self.way)})
        found.update(name.upper() for name in sent["foreign"].split())
        return {face: cards for face, cards in found.items() if cards}

    def refuse(self, error: DomainError) -> None:
        """Say what the service refused: a fault at its field if it has one, else above all."""
        if not error.faults:
            self.add_error(None, error.describe(_))
        for fault in error.faults:
            self.add_error(self._field_of(str(fault.get("where", ""))), str(fault["detail"]))

    def _field_of(self, where: str) -> str | None:
        """Return the field of a place that a fault names, such as draws[5] or wagers.3.main."""
        name, _dot, rest = where.replace("[", ".").replace("]", "").partition(".")
        named = {
            "seats": "hands",
            "burned": "burned",
            "replaced": "replaced_in",
            "cards_out": "cards_out",
            "wagers": f"pick_{rest.replace('.', '_')}",
        }.get(name, "")
        if name in ("draws", "cards"):
            named = self._row_of(rest)
        if named.startswith("pick_") and named not in self.fields:
            named = named.replace("pick_", "stake_")
        return named if named in self.fields else None

    def _row_of(self, draw: str) -> str:
        if f"laid_{draw}" in self.fields:
            return f"laid_{draw}"
        rows = [name for name in self.fields if name.startswith(("apart_", "draw_"))]
        return next((name for name in rows if str(self.cleaned_data.get(name)) == draw), "")


def faces_of(way: Way) -> list[str]:
    """Return the faces of a deck as the shoe's cards are told apart."""
    shoe = way.floor.require_shoe()
    if shoe.procedures.values["card_detail"] == "rank":
        return list(RANKS)
    return [rank + suit for suit in SUITS for rank in RANKS]


def signature_boxes(
    data: Mapping[str, Any] | None,
    letters: Sequence[Letter],
    *,
    in_charge: InCharge | None,
    dealer: str,
) -> list[SignatureForm]:
    """Return one box for each letter of the authority, in the order of the rules."""
    roles = {
        Letter.DEALER: (Role.DEALER, _("dealer, %(name)s") % {"name": dealer or "–"}),
        Letter.SUPERVISOR: (Role.SUPERVISOR, str(Role.SUPERVISOR.label)),
        Letter.MANAGER: (Role.MANAGER, str(Role.MANAGER.label)),
        Letter.IN_CHARGE: (
            Role.MANAGER,
            _("manager in charge, %(name)s") % {"name": in_charge.name if in_charge else "–"},
        ),
        Letter.SURVEILLANCE: (Role.SURVEILLANCE, str(Role.SURVEILLANCE.label)),
    }
    return [
        SignatureForm(data, prefix=f"signer{n}", roles=(roles[letter][0],), title=roles[letter][1])
        for n, letter in enumerate(letters, start=1)
    ]


def _draw_field(label: str, *, needed: bool, initial: int | None = None) -> forms.Field:
    return forms.IntegerField(
        label=label,
        required=needed,
        min_value=1,
        max_value=_DRAW_MAX,
        initial=initial,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )


def _face_field(label: str, *, needed: bool = False) -> forms.Field:
    widget = forms.TextInput(attrs=_FACE)
    return forms.CharField(label=label, required=needed, max_length=_FACE_MAX, widget=widget)


def _card_fields(way: Way, cards: CardAsks) -> dict[str, forms.Field]:
    read, found = way.playing, {}
    following = next_draw(read) if read else None
    for n in range(1, cards.apart + 1):
        first = following if n == 1 else None
        found[f"apart_{n}"] = _draw_field(
            _("Draw of card %(n)s") % {"n": n}, needed=False, initial=first
        )
        if cards.faces:
            found[f"face_{n}"] = _face_field(_("Face of card %(n)s") % {"n": n})
    for n in range(1, cards.named + 1):
        first = following if way.event == 1 else None
        found[f"draw_{n}"] = _draw_field(_("Draw"), needed=False, initial=first)
    for draw, planned in cards.laid:
        assert read is not None
        found[f"laid_{draw}"] = forms.ChoiceField(
            label=_("Draw %(draw)s lies at") % {"draw": draw},
            choices=[(str(hand), seat_name(hand, read.bank_seat)) for hand in (*read.live, 0)],
            initial=str(planned),
            required=False,
        )
    if cards.burned:
        found["burned"] = TextField(
            label=_("Cards that left the shoe"),
            max_length=120,
            initial="?" if way.event == 1 else None,
            help_text=_("Rank and suit, for example 9H, with blanks between; ? if nobody saw it."),
            widget=forms.TextInput(attrs=_FACE),
        )
    if cards.replaced:
        found["replaced_out"] = _face_field(_("Card taken out and sealed"), needed=True)
        found["replaced_in"] = _face_field(_("Card put in for it"), needed=True)
    if cards.out:
        assert read is not None
        found["cards_out"] = forms.IntegerField(
            label=_("Cards of the round that have left the shoe"),
            required=cards.out_needed,
            min_value=out_so_far(read),
            max_value=_DRAW_MAX,
            help_text=_("Third cards lie face down: only who stands at the table knows."),
            widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        )
    if cards.first_two:
        found["first_two"] = forms.MultipleChoiceField(
            label=_("Settled wagers whose first two cards the fault touches"),
            required=False,
            choices=[(str(seat), seat_name(seat)) for seat in cards.first_two],
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Those are taken back; the others stand."),
        )
    return found


def _hand_fields(asks: Asks) -> dict[str, forms.Field]:
    hands = asks.hands
    if not hands.choices:
        return {}
    choices = [(str(hand), seat_name(hand)) for hand in hands.choices]
    if hands.one:
        field: forms.Field = forms.ChoiceField(
            label=_("Which hand"), choices=choices, widget=forms.RadioSelect
        )
    else:
        field = forms.MultipleChoiceField(
            label=_("Which hands"),
            choices=choices,
            required=hands.needed,
            widget=forms.CheckboxSelectMultiple,
        )
    return {"hands": field}


def _wager_fields(way: Way, asks: Asks) -> dict[str, forms.Field]:
    found: dict[str, forms.Field] = {}
    for seat, kind in (*asks.wagers.known, *asks.wagers.absent):
        name, where = f"{seat}_{kind}", {"seat": seat_name(seat), "kind": wager_name(kind)}
        if (seat, kind) in asks.wagers.known:
            found[f"pick_{name}"] = forms.BooleanField(
                label=_("%(seat)s, %(kind)s") % where, required=False
            )
        if (seat, kind) in (*asks.wagers.restated, *asks.wagers.absent):
            found[f"stake_{name}"] = MoneyField(
                label=_("Stake as it lay, %(seat)s, %(kind)s") % where
            )
        if asks.wagers.backs and (seat, kind) in asks.wagers.known:
            found[f"back_{name}"] = MoneyField(label=_("Goes back, %(seat)s, %(kind)s") % where)
    return found


def _shoe_fields(way: Way, asks: Asks) -> dict[str, forms.Field]:
    found: dict[str, forms.Field] = {}
    if asks.since_shoe:
        found["since_shoe"] = forms.IntegerField(
            label=_("First shoe in question"),
            required=False,
            min_value=1,
            max_value=way.floor.require_shoe().number,
            help_text=_("If the check of this shoe's cards was no good. Empty: this shoe alone."),
            widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        )
    if asks.counted:
        for face in faces_of(way):
            found[f"count_{face}"] = forms.IntegerField(
                label=face,
                min_value=0,
                max_value=_COUNT_MAX,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )
        found["foreign"] = TextField(
            label=_("Cards that belong to no deck"),
            required=False,
            max_length=120,
            help_text=_("One word of up to 8 letters for each, for example JOKER."),
            widget=forms.TextInput(attrs=_FACE),
        )
    return found
