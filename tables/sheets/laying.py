"""A sheet as it would lie on record: live seats, draws by the deal plan, faces, decisions.

Draws are numbered by the plan, so that a misdealt round, whose sheet misses a card, keeps its
other cards where they lay. Nothing is written and nothing is settled here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.games import (
    Fault,
    Line,
    NewCard,
    RoundState,
    card_faults,
    house_decision,
    live_seats,
    places,
    settle,
    void,
    wager_faults,
)
from tables.games.cards import UNKNOWN
from tables.games.deciding import CHOICES
from tables.games.game import SETTLED_EARLY_STAGES
from tables.games.lucky_hands import read_faces
from tables.selectors.round_read import (
    CARRIED,
    CarriedCard,
    KeyedDecision,
    KeyedFace,
    KeyedSeat,
    RoundRead,
)
from tables.sheets.document import Sheet

# What the cards of a sheet can be at fault with; in which order they came is the sheet's to say.
_FACE_CODES = frozenset(("card.unknown", "card.detail"))
_UNSUMMED = "wager.over_table"  # no sum of the house could hold it
_QUESTION = "card.one_too_many"
HOUSE_POLICY = "decision.house_policy"


@dataclass(frozen=True, slots=True)
class Laid:
    """A sheet laid out: the round as it would stand on record, and what is to be said of it.

    `questions` are copies beyond the decks: they pass once somebody says that the sheet says so,
    and are `confirmed` then (event 13). `warnings` are wagers that would not have been taken: they
    were, and are recorded. `opened` is the face that a card carried over had up to now, where the
    sheet says another one (event 1).
    """

    sheet: Sheet
    round: RoundRead
    faults: tuple[Fault, ...]
    questions: tuple[Fault, ...]
    confirmed: tuple[Fault, ...]
    warnings: tuple[Fault, ...]
    opened: str | None = None

    @property
    def state(self) -> RoundState:
        """The round as the engine takes it."""
        return self.round.state()


def lay_sheet(sheet: Sheet, read: RoundRead, *, as_seen: bool = False) -> Laid:
    """Return a sheet laid out in its awaited round.

    Precondition: `read` was read with the faces of the sheet, so that it knows their copies. With
    `as_seen` a copy beyond the decks is recorded as such.
    """
    bets = {seat.seat: seat.bets for seat in sheet.seats}
    live: tuple[int, ...] = ()
    if sheet.end != "called_off":
        live = live_seats(read.ruleset, bets, procedures=read.procedures, bank_seat=sheet.bank_seat)
    decided = {seat.seat: seat.draw for seat in sheet.seats} | {0: sheet.bank_draw}
    wagers = wager_faults(read.ruleset, read.limits, bets, bank_seat=sheet.bank_seat)
    swept = sheet.void is None or sheet.void.stage in SETTLED_EARLY_STAGES
    bare = replace(
        read,
        live=live,
        bank_seat=sheet.bank_seat,
        seats={seat: KeyedSeat(1, stakes, 0) for seat, stakes in bets.items()},
        cards={},
        decisions={
            hand: KeyedDecision(1, choice, 0)
            for hand, choice in decided.items()
            if choice in CHOICES
        },
        sweep_revision=1 if swept else 0,
    )
    hands = {seat.seat: seat.cards for seat in sheet.seats} | {0: sheet.bank_cards}
    laid = _draws(bare, hands)
    found = _face_faults(bare, laid, sheet=sheet)
    questions = tuple(fault for fault in found if fault.code == _QUESTION)
    beyond = {fault.data["draw"] for fault in questions}
    cards = {
        draw: KeyedFace(1, face, face == UNKNOWN or (as_seen and draw in beyond), 0)
        for draw, face in ((d, hands[hand][nth - 1]) for d, (hand, nth) in laid.items())
    }
    carried = _opened(read, cards.pop(CARRIED, None))
    return Laid(
        sheet=sheet,
        round=replace(bare, cards=cards, carried=carried),
        opened=None if carried == read.carried else _carried_face(read) or UNKNOWN,
        faults=(
            *_table_faults(sheet, read),
            *(fault for fault in found if fault.code in _FACE_CODES),
            *_unlaid_faults(sheet, hands, laid),
            *(fault for fault in wagers if fault.code == _UNSUMMED),
        ),
        questions=() if as_seen else questions,
        confirmed=questions if as_seen else (),
        warnings=(
            *(fault for fault in wagers if fault.code != _UNSUMMED),
            *_policy_faults(sheet, read),
        ),
    )


def _carried_face(read: RoundRead) -> str:
    return read.carried.keyed.face if read.carried else ""


def _opened(read: RoundRead, lies: KeyedFace | None) -> CarriedCard | None:
    """Return the card carried over from the round before as the sheet opens it (event 1).

    It keeps the round and the draw in which it left the shoe; its face there is the next revision.
    """
    if read.carried is None or lies is None or lies.face == _carried_face(read):
        return read.carried
    keyed = replace(lies, revision=read.carried.keyed.revision + 1)
    return replace(read.carried, keyed=keyed)


def owed_lines(laid: Laid) -> tuple[Line, ...]:
    """Return what the rules say goes back for each wager of a sheet without faults."""
    ruleset, state, ended = laid.round.ruleset, laid.state, laid.sheet
    if ended.end == "called_off":
        return ()
    if ended.void is not None:
        return void(ruleset, state, ended.void.stage, ended.void.first_two).lines
    return (
        *settle(ruleset, state, "sweep").lines,
        *settle(ruleset, state, "final").lines,
    )


def handed_faults(laid: Laid) -> list[Fault]:
    """Return amounts that a sheet without other faults says were handed over for no wager of it."""
    known = {(line.seat, line.wager) for line in owed_lines(laid)}
    return [
        Fault("sheet.handed", f"seats[{n}].handed.{kind[:12]}", "expected a wager of this seat")
        for n, seat in enumerate(laid.sheet.seats)
        for kind in seat.handed
        if (seat.seat, kind) not in known
    ]


def question_of(laid: Laid) -> Mapping[str, object] | None:
    """Return the first copy beyond the decks that nobody has confirmed, as data."""
    return dict(laid.questions[0].data) if laid.questions else None


def _draws(read: RoundRead, hands: Mapping[int, tuple[str, ...]]) -> dict[int, tuple[int, int]]:
    """Return hand and place in it by draw; where third cards go depends on the cards before."""
    laid: dict[int, tuple[int, int]] = {}
    while True:
        faces = {draw: hands[hand][nth - 1] for draw, (hand, nth) in laid.items()}
        found = {
            place.draw: (place.hand, place.nth)
            for place in places(read.ruleset, read.state(faces))
            if place.nth <= len(hands.get(place.hand, ()))
        }
        if found == laid:
            return laid
        laid = found


def _face_faults(
    read: RoundRead, laid: Mapping[int, tuple[int, int]], *, sheet: Sheet
) -> list[Fault]:
    """Return what is wrong with the faces; their place is where they stand in the document."""
    if not laid:
        return []
    rows = {seat.seat: f"seats[{n}]" for n, seat in enumerate(sheet.seats)} | {0: sheet.bank}
    hands = {seat.seat: seat.cards for seat in sheet.seats} | {0: sheet.bank_cards}
    draws = sorted(laid)
    seen = dict(read.copies)
    if (carried := _carried_face(read)) in seen and CARRIED in laid:
        seen[carried] -= 1  # the sheet tells of that very card
    new = [NewCard(draw, hands[laid[draw][0]][laid[draw][1] - 1], as_seen=False) for draw in draws]
    found = card_faults(read.ruleset, read.procedures, read.state({}), seen, new)
    faults = []
    for fault in found:
        if fault.code not in (*_FACE_CODES, _QUESTION):
            continue
        draw = fault.data["draw"]
        assert isinstance(draw, int)
        hand, nth = laid[draw]
        faults.append(replace(fault, where=f"{rows[hand]}.cards[{nth - 1}]"))
    return faults


def _table_faults(sheet: Sheet, read: RoundRead) -> list[Fault]:
    """Return seats that the table has not, and a bank that is at a seat, or is not, by mistake."""
    faults = [
        Fault(
            "seat.unknown",
            f"seats[{n}].seat",
            f"expected a seat from 1 to {read.seats_of_table}, not {seat.seat}",
        )
        for n, seat in enumerate(sheet.seats)
        if seat.seat > read.seats_of_table
    ]
    players = read.procedures.players_bank
    bank = sheet.bank_seat
    if players != (bank is not None) or (bank is not None and not 1 <= bank <= read.seats_of_table):
        expected = f"a seat from 1 to {read.seats_of_table}" if players else "none: the house banks"
        faults.append(Fault("sheet.bank_seat", "bank_seat", f"expected {expected}"))
    if bank is not None and bank in {seat.seat for seat in sheet.seats}:
        faults.append(Fault("sheet.bank_seat", "bank_seat", "expected no bet on the bank's seat"))
    return faults


def _policy_faults(sheet: Sheet, read: RoundRead) -> list[Fault]:
    """Return what a staffed bank decided against the written rule of its house (C5).

    Who said nothing stood (C6).
    """
    bank = read_faces(sheet.bank_cards[:2])
    decided = {"no_decision": "stand"}.get(sheet.bank_draw or "", sheet.bank_draw)
    if decided not in CHOICES or bank is None or read.procedures.players_bank:
        return []
    expected = house_decision(read.procedures, total=bank.first_two)
    if sheet.end != "settled" or decided == expected:
        return []
    detail = f"expected {expected}: the house draws up to {read.procedures.house_draws_to} (C5)"
    data: dict[str, object] = {"decided": decided, "expected": expected}
    return [Fault(HOUSE_POLICY, f"{sheet.bank}.draw", detail, data)]


def _unlaid_faults(
    sheet: Sheet, hands: Mapping[int, tuple[str, ...]], laid: Mapping[int, tuple[int, int]]
) -> list[Fault]:
    """Return cards for which the deal has no place."""
    rows = {seat.seat: f"seats[{n}]" for n, seat in enumerate(sheet.seats)} | {0: sheet.bank}
    lying = set(laid.values())
    return [
        Fault(
            "sheet.no_place",
            f"{rows[hand]}.cards[{nth - 1}]",
            "expected no card here: the deal has no place for it",
        )
        for hand, faces in hands.items()
        for nth in range(1, len(faces) + 1)
        if (hand, nth) not in lying
    ]
