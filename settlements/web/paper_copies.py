"""The copies of a sheet as rows of a table: one row a part of the sheet, one column a copy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from casino.web.templatetags.money import money_text
from casino.web.templatetags.states import look_of, wager_name
from tables.selectors.paper import SheetCopy
from tables.selectors.round_read import RoundRead
from tables.web.paper_form import STAGE_WORDS, hand_name
from tables.web.void_events import VOID_EVENT_WORDS


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing in a cell: a card, or words; and whether the copies differ in it."""

    text: str
    is_card: bool
    differs: bool


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One part of the sheet with what each copy says of it."""

    title: str
    cells: tuple[tuple[Mark, ...], ...]

    @property
    def differs(self) -> bool:
        """Whether the copies differ anywhere in this row."""
        return any(mark.differs for cell in self.cells for mark in cell)


def rows_of(read: RoundRead, copies: Sequence[SheetCopy]) -> list[SheetRow]:
    """Return the sheet row by row; a row that no copy has is left out."""
    documents = [copy.document for copy in copies]
    rows = [
        _words(_("Dealt at"), [_time(copy) for copy in copies]),
        _words(_("Dealer"), [str(document.get("dealer", "")) for document in documents]),
        _words(
            _("Ended"), [str(look_of("round", document.get("end")).word) for document in documents]
        ),
        _words(_("Bank at seat"), [str(document.get("bank_seat") or "") for document in documents]),
    ]
    for seat in (*range(1, read.seats_of_table + 1), 0):
        hands = [_hand(document, seat) for document in documents]
        name = hand_name(read, seat)
        rows += [
            _amounts(_("%(hand)s, stakes") % {"hand": name}, [h.get("bets", {}) for h in hands]),
            _cards(_("%(hand)s, cards") % {"hand": name}, [h.get("cards", ()) for h in hands]),
            _amounts(_("%(hand)s, handed") % {"hand": name}, [h.get("handed", {}) for h in hands]),
        ]
    voids = [document.get("void") or {} for document in documents]
    rows += [
        _words(_("Void at"), [_said(STAGE_WORDS, void.get("stage", "")) for void in voids]),
        _words(_("Event"), [_said(VOID_EVENT_WORDS, void.get("event", "")) for void in voids]),
        _words(_("First two cards touched"), [_touched(void) for void in voids]),
        _words(_("Signed on paper"), [", ".join(void.get("signed_by", ())) for void in voids]),
        _words(_("What happened"), [str(void.get("note", "")) for void in voids], compared=False),
    ]
    return [row for row in rows if any(mark.text for cell in row.cells for mark in cell)]


def _said(words: Mapping[Any, Promise], value: object) -> str:  # Any: stages, or numbers of events
    return str(words.get(value, value))


def _words(title: str, texts: Sequence[str], *, compared: bool = True) -> SheetRow:
    differs = compared and len(set(texts)) > 1
    return SheetRow(title, tuple((Mark(text, False, differs),) for text in texts))


def _amounts(title: str, amounts: Sequence[Mapping[str, int]]) -> SheetRow:
    kinds = list(dict.fromkeys(kind for each in amounts for kind in each))
    cells = []
    for each in amounts:
        marks = []
        for kind in kinds:
            differs = len({other.get(kind) for other in amounts}) > 1
            text = money_text(each[kind]) if kind in each else "–"
            marks.append(Mark(f"{wager_name(kind)} {text}", False, differs))
        cells.append(tuple(marks))
    return SheetRow(title, tuple(cells))


def _cards(title: str, hands: Sequence[Sequence[str]]) -> SheetRow:
    length = max((len(hand) for hand in hands), default=0)
    padded = [[*hand, *[""] * (length - len(hand))] for hand in hands]
    return SheetRow(
        title,
        tuple(
            tuple(
                Mark(face, True, len({other[nth] for other in padded}) > 1)
                for nth, face in enumerate(hand)
            )
            for hand in padded
        ),
    )


def _hand(document: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    """Return a seat of a document, or with 0 the bank's hand; empty where there is none."""
    if not seat:
        bank: Mapping[str, Any] = document.get("house") or document.get("banker") or {}
        return bank
    found = (each for each in document.get("seats", ()) if each.get("seat") == seat)
    return next(found, {})


def _time(copy: SheetCopy) -> str:
    return date_format(timezone.localtime(copy.dealt_at), "j M H:i")


def _touched(void: Mapping[str, Any]) -> str:
    touched = void.get("affects_first_two_cards")
    if isinstance(touched, list):
        return ", ".join(str(seat) for seat in touched)
    return {True: _("all"), False: _("none")}[touched] if isinstance(touched, bool) else ""
