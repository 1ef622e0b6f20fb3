"""Reading a sheet: the round document's seats and hands, and what a sheet says beside them.

The engine reads the round (docs/round-document.md); here lie the dealer, how the round ended, what
was handed over otherwise than owed, and who signed a void on paper. Every fault at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tables.games.document_reading import Document, read_document
from tables.games.registry import game_of
from tables.games.values import BANK, TABLE_MONEY_MAX, Fault, Play, Ruleset, SeatPlay

ENDS: Final = ("settled", "voided", "called_off")
# The causes of a void round by event number (event 26).
VOID_EVENTS: Final = (5, 6, 9, 10, 13, 14, 15, 18, 26, 29)
_SIGNERS: Final = 2
_NOTE_CHARACTERS_MAX: Final = 500
_NUMBER_CHARACTERS_MAX: Final = 32
_FIELDS: Final = frozenset(("end", "dealer", "bank_seat", "seats", "void"))
_VOID_FIELDS: Final = frozenset(("event", "note", "signed_by"))
# Copies are counted over the whole shoe, and "as seen" is an answer (event 13).
_JUDGED_ELSEWHERE: Final = frozenset(("too_many_copies",))


@dataclass(frozen=True, slots=True)
class SheetSeat:
    """One seat: stakes in minor units, cards as dealt, what was handed over otherwise than owed."""

    seat: int
    bets: Mapping[str, int]
    cards: tuple[str, ...]
    draw: str | None = None
    handed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SheetVoid:
    """A void as the sheet says it; `signed_by` are the staff numbers of who signed on paper.

    `stage` is the round document's word. `first_two` says whose first two cards the fault touches:
    of all seats (True), of none (False), or of those listed (A20).
    """

    stage: str
    first_two: bool | tuple[int, ...]
    event: int
    note: str
    signed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet whose every word could be read; `dealer` is a staff number."""

    bank: str  # "house" or "banker", as the game's documents call hand 0
    end: str
    dealer: str
    seats: tuple[SheetSeat, ...]
    bank_cards: tuple[str, ...]
    bank_draw: str | None = None
    bank_seat: int | None = None
    void: SheetVoid | None = None

    def document(self) -> dict[str, object]:
        """Return the one form of this sheet that is stored, compared and signed."""
        found: dict[str, object] = {
            "end": self.end,
            "dealer": self.dealer,
            "seats": [
                _seat_document(seat) for seat in sorted(self.seats, key=lambda seat: seat.seat)
            ],
            self.bank: _with_draw({"cards": list(self.bank_cards)}, self.bank_draw),
        }
        if self.bank_seat is not None:
            found["bank_seat"] = self.bank_seat
        if self.void is not None:
            touched = self.void.first_two
            found["void"] = {
                "stage": self.void.stage,
                "affects_first_two_cards": touched if isinstance(touched, bool) else list(touched),
                "event": self.void.event,
                "note": self.void.note,
                "signed_by": list(self.void.signed_by),
            }
        return found


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read; `sheet` is None where anything is wrong."""

    sheet: Sheet | None
    faults: tuple[Fault, ...]


def read_sheet(document: Mapping[str, object], *, ruleset: Ruleset) -> Reading:
    """Return a sheet read under the ruleset of its shoe, with everything that is wrong with it.

    Places are spelled as in the document, `seats[0].cards[2]`. Nothing is asked of the database:
    who is known and what the shoe has shown is for others to say.
    """
    game = game_of(ruleset)
    faults = [
        Fault("unknown_field", str(key)[:60], "expected only the fields that a sheet has")
        for key in document
        if key not in _FIELDS and key != game.bank
    ]
    end = document.get("end")
    if end not in ENDS:
        faults.append(Fault("sheet.end", "end", f"expected one of {', '.join(ENDS)}"))
        end = "settled"
    dealer = _staff_number(document.get("dealer"), "dealer", faults)
    bank_seat = _bank_seat(document.get("bank_seat"), faults)
    handed = _handed(document.get("seats"), end=str(end), faults=faults)
    void = _void_beside(document.get("void"), end=str(end), faults=faults)
    whole = _round_document(document, end=str(end), bank=game.bank, ruleset=ruleset)
    read = None if whole is None else read_document(whole, bank_seat=bank_seat)
    if read is not None:
        faults += [fault for fault in read.faults if fault.code not in _JUDGED_ELSEWHERE]
    if faults:
        return Reading(None, tuple(faults))
    play = read.play if read is not None else Play((), SeatPlay(game.bank, BANK, {}, ()))
    sheet = Sheet(
        bank=game.bank,
        end=str(end),
        dealer=dealer,
        seats=tuple(
            SheetSeat(
                seat=seat.seat,
                bets=dict(seat.bets),
                cards=seat.faces,
                draw=seat.draw if game.asks else None,
                handed=handed.get(seat.seat, {}),
            )
            for seat in play.seats
        ),
        bank_cards=play.bank.faces,
        bank_draw=play.bank.draw if game.asks else None,
        bank_seat=bank_seat,
        void=_void_whole(void, read),
    )
    return Reading(sheet, ())


def faces_in(document: Mapping[str, object]) -> list[str]:
    """Return every text that stands where a sheet has cards, read or not, without repetition."""
    seats = document.get("seats")
    hands = [document.get("house"), document.get("banker")]
    hands += seats if isinstance(seats, list) else []
    faces: dict[str, None] = {}
    for hand in hands:
        cards = hand.get("cards") if isinstance(hand, Mapping) else None
        faces |= {face: None for face in cards or () if isinstance(face, str)}
    return list(faces)


def _round_document(
    document: Mapping[str, object], *, end: str, bank: str, ruleset: Ruleset
) -> dict[str, object] | None:
    """Return what the engine's document reader reads; None for a round called off without a bet.

    A round that was called off is read as one voided while bets were open: no card may lie.
    """
    seats, hand = document.get("seats"), document.get(bank)
    if end == "called_off":
        if not seats and not (hand.get("cards") if isinstance(hand, Mapping) else hand):
            return None
        hand = hand or {"cards": []}
    whole: dict[str, object] = {
        "id": "sheet",
        "game": ruleset.game,
        "options": ruleset.options,
        "seats": [_seat_of_round(seat, end=end) for seat in seats]
        if isinstance(seats, list)
        else seats,
    }
    if hand is not None:
        whole[bank] = hand
    if end == "called_off":
        whole["void"] = {"stage": "betting", "affects_first_two_cards": False}
    elif end == "voided":
        void = document.get("void")
        whole["void"] = (
            {key: value for key, value in void.items() if key not in _VOID_FIELDS}
            if isinstance(void, Mapping)
            else void
        )
    return whole


def _seat_of_round(seat: object, *, end: str) -> object:
    if not isinstance(seat, Mapping):
        return seat
    kept = {key: value for key, value in seat.items() if key != "handed"}
    if end == "called_off":
        kept.setdefault("cards", [])
    return kept


def _handed(value: object, *, end: str, faults: list[Fault]) -> dict[int, dict[str, int]]:
    """Return the amounts handed over otherwise than owed by seat and kind, in minor units."""
    found: dict[int, dict[str, int]] = {}
    for n, seat in enumerate(value if isinstance(value, list) else ()):
        amounts = seat.get("handed") if isinstance(seat, Mapping) else None
        if amounts is None or amounts == {}:
            continue
        where = f"seats[{n}].handed"
        if not isinstance(amounts, Mapping):
            faults.append(Fault("not_an_object", where, "expected amounts by bet"))
            continue
        if end != "settled":
            faults.append(Fault("sheet.handed", where, "expected none: the stakes went back"))
        for kind, amount in amounts.items():
            if type(amount) is not int or not 0 <= amount <= TABLE_MONEY_MAX:
                detail = f"expected an integer from 0 to {TABLE_MONEY_MAX}"
                place, data = f"{where}.{str(kind)[:12]}", {"most_minor": TABLE_MONEY_MAX}
                faults.append(Fault("sheet.handed", place, detail, data))
        if type(seat.get("seat")) is int:
            found[seat["seat"]] = dict(amounts)
    return found


def _staff_number(value: object, where: str, faults: list[Fault]) -> str:
    if isinstance(value, str) and 1 <= len(value) <= _NUMBER_CHARACTERS_MAX:
        return value
    faults.append(Fault("sheet.staff", where, "expected a staff number"))
    return ""


def _bank_seat(value: object, faults: list[Fault]) -> int | None:
    if value is None or type(value) is int:
        return value
    faults.append(Fault("sheet.bank_seat", "bank_seat", "expected the number of a seat"))
    return None


def _void_beside(value: object, *, end: str, faults: list[Fault]) -> SheetVoid | None:
    """Return what a sheet says of a void beside stage and seats, which the engine reads."""
    if end != "voided":
        if value is not None:
            faults.append(Fault("sheet.void", "void", f"expected none: the round was {end}"))
        return None
    if not isinstance(value, Mapping):
        return None  # the engine's reader says what it expected
    event, note, signed = value.get("event"), value.get("note"), value.get("signed_by")
    if event not in VOID_EVENTS:
        expected = ", ".join(str(number) for number in VOID_EVENTS)
        faults.append(Fault("sheet.event", "void.event", f"expected one of the events {expected}"))
    if not isinstance(note, str) or not 1 <= len(note.strip()) <= _NOTE_CHARACTERS_MAX:
        detail = f"expected what happened, in 1 to {_NOTE_CHARACTERS_MAX} characters"
        faults.append(Fault("sheet.note", "void.note", detail))
    numbers = list(signed) if isinstance(signed, list | tuple) else []
    if len(numbers) != _SIGNERS or len(set(map(str, numbers))) != _SIGNERS:
        detail = "expected the two people who signed on paper, by their staff numbers"
        faults.append(Fault("sheet.signed_by", "void.signed_by", detail))
    for n, number in enumerate(numbers):
        _staff_number(number, f"void.signed_by[{n}]", faults)
    return SheetVoid(
        stage="",
        first_two=False,
        event=event if type(event) is int else 0,
        note=str(note).strip(),
        signed_by=tuple(sorted(map(str, numbers))),
    )


def _void_whole(void: SheetVoid | None, read: Document | None) -> SheetVoid | None:
    """Add where the round stood and whom the fault touches, as the engine read them."""
    if void is None or read is None or read.cause is None:
        return None
    stage = "third_lap" if read.cause.stage == "third_pass" else read.cause.stage
    touched = read.cause.touched
    first_two = True if touched is None else tuple(sorted(touched)) or False
    return replace(void, stage=stage, first_two=first_two)


def _seat_document(seat: SheetSeat) -> dict[str, object]:
    found: dict[str, object] = {"seat": seat.seat, "bets": dict(seat.bets)}
    found["cards"] = list(seat.cards)
    if seat.handed:
        found["handed"] = dict(seat.handed)
    return _with_draw(found, seat.draw)


def _with_draw(hand: dict[str, object], draw: str | None) -> dict[str, object]:
    return hand if draw is None else {**hand, "draw": draw}
