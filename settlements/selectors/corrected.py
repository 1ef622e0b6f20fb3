"""A round as it would stand once its cards and wagers are corrected, and all that is wrong with it.

Reads nothing but what it is handed, the earlier places of a card of which there is one copy too
many, and the round that a card was carried to. What really happened can always be recorded: limits
only warn, rules of play decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from settlements.correction import CardBill, Correction, SeatBill
from settlements.draw_error import DrawError
from settlements.errors import CorrectionRefusedError
from settlements.selectors.draw_errors import judged
from tables.errors import OneCardTooManyError
from tables.faults import fault_documents
from tables.games import (
    Fault,
    NewCard,
    card_faults,
    live_seats,
    places,
    wager_faults,
)
from tables.games.cards import UNKNOWN
from tables.models import Departure
from tables.selectors.places import earlier_places, round_of_carried
from tables.selectors.round_read import CARRIED, KeyedFace, KeyedSeat, RoundRead

# Faults that leave nothing to settle, or more than sums hold; all others say that a limit was not
# kept (event 24), or that a wager is returned by the rules (A13, A21).
_UNUSABLE = ("seat.unknown", "seat.banks", "wager.unknown_kind", "wager.stake", "wager.over_table")
# A card on record lies where it lies, also one that counts for nothing, or that was drawn for a
# wager that went back (events 23, 30): which card it is can always be corrected (event 28).
_LIES = ("card.after_end", "card.no_such_draw")


@dataclass(frozen=True, slots=True)
class CorrectedRound:
    """The round as corrected, what of it changes, and which limits its wagers do not keep.

    `draw_error` is what its third cards were by the corrected first ones, None where all is right.
    """

    after: RoundRead
    cards: tuple[CardBill, ...]
    seats: tuple[SeatBill, ...]
    warnings: tuple[Fault, ...]
    draw_error: DrawError | None = None


def corrected_round(read: RoundRead, correction: Correction) -> CorrectedRound:
    """Return the round with corrected cards and wagers; what stands already is no change.

    `read` must have counted the copies of the corrected faces. Raises CorrectionRefusedError with
    every fault, OneCardTooManyError when a question about copies is all that is left (event 13).
    """
    cards, faults = _cards(read, correction)
    seats, wrong, warnings = _seats(read, correction)
    faults += wrong
    faces = {card.draw: _face(card) for card in cards}
    opened = faces.pop(CARRIED, None)
    carried = read.carried
    if carried is not None and opened is not None:
        carried = replace(carried, keyed=opened)
    after = replace(
        read,
        cards={**read.cards, **faces},
        carried=carried,
        seats={**read.seats, **{seat.seat: _keyed(seat) for seat in seats}},
    )
    error = None
    if not wrong:
        live, moved = _live(read, after)
        after = replace(after, live=live)
        if not (faults or moved) and live == read.live:
            after, error = judged(read, after)
        faults += moved
    _refuse(read, faults)
    return CorrectedRound(after, cards, seats, tuple(warnings), error)


def too_many_as_seen(read: RoundRead, cards: Sequence[CardBill]) -> list[Fault]:
    """Return the copies beyond the decks that were confirmed as seen: each is a finding."""
    asked = [replace(card, as_seen=False) for card in cards if card.as_seen]
    faults = _face_faults(read, [*asked, *(card for card in cards if not card.as_seen)])
    return [fault for fault in faults if fault.code == OneCardTooManyError.code]


def _cards(read: RoundRead, correction: Correction) -> tuple[tuple[CardBill, ...], list[Fault]]:
    hands = {place.draw: place.hand for place in places(read.ruleset, read.state())}
    faults: list[Fault] = []
    bills: dict[int, CardBill] = {}
    for index, card in enumerate(correction.cards):
        where, data = f"cards[{index}]", {"draw": card.draw}
        stored = read.keyed(card.draw)
        if (opener := _opened_in(read, card.draw)) is not None:
            detail = f"expected draw 0 of round {opener}, where draw {card.draw} was opened"
            faults.append(Fault("correction.carried", where, detail, {**data, "round": opener}))
        elif stored is None or not (stored.face or card.draw == CARRIED):
            detail = f"expected a draw that was dealt, not {card.draw}"
            faults.append(Fault("correction.no_such_card", where, detail, data))
        elif card.draw in bills:
            detail = f"expected draw {card.draw} once"
            faults.append(Fault("correction.card_twice", where, detail, data))
        elif card.face != stored.face:
            bills[card.draw] = CardBill(
                draw=card.draw,
                hand=hands.get(card.draw),
                before=stored.face or UNKNOWN,
                after=card.face,
                revision=stored.revision + 1,
                as_seen=card.as_seen,
            )
    cards = tuple(bills[draw] for draw in sorted(bills))
    return cards, faults + _face_faults(read, cards)


def _opened_in(read: RoundRead, draw: int) -> str | None:
    """Return the round in which a card was opened that was carried over from this one (event 1).

    It is corrected there, where it lies at a hand and money hangs on it.
    """
    departed = read.departures.get(draw)
    if departed is None or departed.use != Departure.Use.NEXT_ROUND:
        return None
    return round_of_carried(read)


def _face_faults(read: RoundRead, cards: Sequence[CardBill]) -> list[Fault]:
    """Ask the engine about the faces, as when they are keyed, with the old ones taken away."""
    seen = dict(read.copies)
    for card in cards:
        if card.before in seen:
            seen[card.before] -= 1
    replaced = {card.draw for card in cards}
    faces = {draw: face for draw, face in read.faces.items() if draw not in replaced}
    state = replace(read.state(faces), settled=False, swept=True)
    new = [NewCard(draw=card.draw, face=card.after, as_seen=card.as_seen) for card in cards]
    found = card_faults(read.ruleset, read.procedures, state, seen, new)
    return [fault for fault in found if fault.code not in _LIES]


def _seats(
    read: RoundRead, correction: Correction
) -> tuple[tuple[SeatBill, ...], list[Fault], list[Fault]]:
    """Return the seats that change, the faults that leave nothing to settle, and the warnings."""
    bills = []
    for seat, wagers in sorted(correction.wagers.items()):
        stored = read.seats.get(seat)
        before = dict(stored.wagers) if stored else {}
        if dict(wagers) != before:
            revision = (stored.revision if stored else 0) + 1
            bills.append(SeatBill(seat, before, dict(wagers), revision))
    placed = {**read.wagers, **{bill.seat: bill.after for bill in bills}}
    found = wager_faults(
        read.ruleset,
        read.limits,
        {seat: wagers for seat, wagers in placed.items() if wagers},
        bank_seat=read.bank_seat,
    )
    changed = {bill.seat for bill in bills}
    about = [fault for fault in found if _is_about(fault, changed)] if bills else []
    wrong = [fault for fault in about if fault.code in _UNUSABLE]
    return tuple(bills), wrong, [fault for fault in about if fault not in wrong]


def _is_about(fault: Fault, seats: set[int]) -> bool:
    """Tell whether a fault lies in what is corrected; one without a seat is the whole table's."""
    seat = fault.data.get("seat")
    return seat is None or seat in seats


def _live(read: RoundRead, after: RoundRead) -> tuple[tuple[int, ...], list[Fault]]:
    """Return the seats that got the hands, which may be others, but not more or fewer (A28)."""
    was, now = _live_by_wagers(read, read.wagers), _live_by_wagers(read, after.wagers)
    if was == now:
        return read.live, []
    if was == read.live and len(was) == len(now):
        return now, _turned_faults(read, {*was} ^ {*now})
    data = {"hands": len(read.live), "seats": list(now)}
    detail = f"expected wagers on {len(read.live)} seats with a hand: so many hands were dealt"
    return read.live, [Fault("correction.hands", "wagers", detail, data)]


def _turned_faults(read: RoundRead, moved: set[int]) -> list[Fault]:
    """Refuse to move a hand of which an irregularity took wagers out, or to which it moved draws:
    what it did names the seat, and would stay behind."""
    turned = {taken.seat for taken in read.taken_out}
    turned |= {each.hand for each in read.departures.values() if each.hand is not None}
    seats = sorted(moved & turned)
    if not seats:
        return []
    detail = f"expected that seats {seats} keep their hands: an irregularity says what became there"
    return [Fault("correction.seat_turned", "wagers", detail, {"seats": seats})]


def _live_by_wagers(read: RoundRead, wagers: Mapping[int, Mapping[str, int]]) -> tuple[int, ...]:
    return live_seats(read.ruleset, wagers, procedures=read.procedures, bank_seat=read.bank_seat)


def _refuse(read: RoundRead, faults: Sequence[Fault]) -> None:
    if not faults:
        return
    if all(fault.code == OneCardTooManyError.code for fault in faults):
        face = str(faults[0].data["face"])
        raise OneCardTooManyError(
            **dict(faults[0].data),
            places=earlier_places(read.shoe, face=face),
            faults=fault_documents(faults),
        )
    raise CorrectionRefusedError(
        round=read.ref.key, count=len(faults), faults=fault_documents(faults)
    )


def _face(card: CardBill) -> KeyedFace:
    return KeyedFace(revision=card.revision, face=card.after, as_seen=card.as_seen, entry_id=0)


def _keyed(seat: SeatBill) -> KeyedSeat:
    return KeyedSeat(revision=seat.revision, wagers=seat.after, entry_id=0)
