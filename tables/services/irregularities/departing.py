"""Draws that went elsewhere than planned: burned, set aside, to a ghost seat, out of order.

A departure is stated of a draw; every other draw fills the places of the plan in order
(docs/decisions/0013). Each function returns the round as it stands then and the facts that say so;
nothing here writes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from audit.log.rows import Row
from tables.errors import (
    CardDecidedError,
    CardsRefusedError,
    CardSweptError,
    OneCardTooManyError,
)
from tables.faults import fault_documents
from tables.games import Fault, NewCard, Place, card_faults, cards_needed, live_seats, places
from tables.games.cards import UNKNOWN
from tables.irregularities import Case, Drawn
from tables.irregularity_errors import ThirdCardsKeyedError
from tables.models import Card, Departure, Round
from tables.selectors.places import earlier_places
from tables.selectors.round_read import KeyedDeparture, KeyedFace, RoundRead

Use = Departure.Use
_LAST_LAP = 3
_CARDS_OF_A_HAND = 3


@dataclass(frozen=True, slots=True)
class Turned:
    """The round as it stands then, and the facts that say so."""

    read: RoundRead
    rows: tuple[Row, ...] = ()

    def then(self, other: "Turned") -> "Turned":
        """Return both in a row; the other one was made from this one's round."""
        return Turned(other.read, (*self.rows, *other.rows))


def depart(
    read: RoundRead,
    draw: int,
    use: Departure.Use,
    *,
    number: int,
    hand: int | None = None,
    nth: int | None = None,
) -> Turned:
    """State where a draw went, by irregularity `number`."""
    before = read.departures.get(draw)
    revision = before.revision + 1 if before else 1
    values = {
        "round": read.ref,
        "draw": draw,
        "revision": revision,
        "use": use.value,
        "hand": hand,
        "nth": nth,
        "irregularity_number": number,
    }
    departed = KeyedDeparture(revision=revision, use=use.value, hand=hand, nth=nth)
    departures = dict(sorted({**read.departures, draw: departed}.items()))
    return Turned(replace(read, departures=departures), (Row(Departure, values),))


def last_out(read: RoundRead, case: Case) -> int:
    """Return the last draw of the round that has left the shoe.

    In the first two laps that is the last one keyed. Third cards lie face down, but for game B:
    once one of them is keyed all have left; before that only who stands at the table knows
    (`cards_out`).
    """
    if case.cards_out is not None:
        return case.cards_out
    keyed = max((draw for draw in read.faces if draw), default=0)
    gone = [draw for draw, departed in read.departures.items() if departed.use != Use.UNDONE]
    plan = _plan(read)
    third = [place.draw for place in plan if place.lap == _LAST_LAP]
    if any(draw in read.faces for draw in third) and not _lies_open(read):
        return max((*third, *gone))
    return keyed


def last_of_deal(read: RoundRead) -> int:
    """Return the last draw of the round as far as the deal goes by now, cards apart included.

    Third cards of Lucky 9 depend on cards and decisions; until all are known each hand may have
    one.
    """
    read = _with_hands(read)
    known = last_certain(read)
    grows = read.ruleset.game != "poker-lucky-9" and read.stage != Round.Stage.SHOWDOWN
    return max(known, cards_needed(read.live)) if grows and read.live else known


def last_certain(read: RoundRead) -> int:
    """Return the last draw that has a place by now, one that went into no hand included."""
    return max([*(place.draw for place in _plan(read)), *read.departures], default=0)


def leave_unseen(read: RoundRead, *, out: int) -> Turned:
    """Put on record that so many cards of a round are out, those that nobody keyed unseen.

    A round that is void goes to the discards whole, its face-down third cards too (event 26).
    """
    turned = Turned(read)
    for draw in range(1, out + 1):
        if not read.faces.get(draw):
            card = NewCard(draw, UNKNOWN, as_seen=True)
            turned = turned.then(_card(turned.read, card, as_seen=True))
    return turned


def burn_carried(read: RoundRead, *, number: int) -> Turned:
    """Burn the card that was to be the first of the next round, for the round is void: that one
    begins with the next card of the shoe (events 1, 26)."""
    turned = Turned(read)
    for draw, departed in read.departures.items():
        if departed.use == Use.NEXT_ROUND:
            turned = turned.then(depart(turned.read, draw, Use.BURNED, number=number))
    return turned


def _with_hands(read: RoundRead) -> RoundRead:
    """Return the round with the hands that it has, or would have with its first card."""
    if read.live:
        return read
    live = live_seats(
        read.ruleset, read.wagers, procedures=read.procedures, bank_seat=read.bank_seat
    )
    return replace(read, live=live)


def _lies_open(read: RoundRead) -> bool:
    """Tell whether third cards are dealt face up, one after the other (B18, B19)."""
    return read.ruleset.game == "lucky-9"


def put_apart(
    read: RoundRead, drawn: Sequence[Drawn], use: Departure.Use, *, number: int
) -> Turned:
    """State draws that went into no hand, with their faces where they were seen (events 1, 2, 4).

    Raises what `deal_cards` raises of a card that does not fit.
    """
    turned = Turned(read)
    for each in sorted(drawn, key=lambda each: each.draw):
        require_movable(turned.read, each.draw)
        departed = depart(turned.read, each.draw, use, number=number)
        turned = turned.then(ghosts_follow(turned.read, departed, beyond=each.draw, number=number))
    return turned.then(_key_apart(turned.read, drawn, opened=use != Use.NEXT_ROUND))


def _key_apart(read: RoundRead, drawn: Sequence[Drawn], *, opened: bool) -> Turned:
    """Key the cards that went into no hand and are not keyed yet; unseen ones are "?"."""
    fresh = [
        each for each in drawn if not (read.cards.get(each.draw) and read.faces.get(each.draw))
    ]
    new = [
        NewCard(each.draw, each.face or "?", as_seen=each.as_seen or not each.face)
        for each in fresh
    ]
    _refuse(_faults(read, drawn, new), read=read)
    turned = Turned(read)
    for card in new:
        turned = turned.then(_card(turned.read, card, as_seen=card.as_seen and opened))
    return turned


def _faults(read: RoundRead, drawn: Sequence[Drawn], new: Sequence[NewCard]) -> list[Fault]:
    """Find what is wrong with the cards: as the engine says, and faces other than were keyed."""
    faults = card_faults(read.ruleset, read.procedures, read.state(), read.copies, new)
    for each in drawn:
        keyed = read.faces.get(each.draw)
        if keyed is not None and each.face not in (None, keyed):
            detail = f"expected draw {each.draw} to stay {keyed}; key it anew first"
            data = {"draw": each.draw, "stored": keyed, "keyed": each.face}
            faults.append(Fault("card.already_keyed", f"draws[{each.draw}]", detail, data))
    return faults


def _refuse(faults: Sequence[Fault], *, read: RoundRead) -> None:
    if not faults:
        return
    documents = fault_documents(faults)
    if all(fault.code == OneCardTooManyError.code for fault in faults):
        face = str(faults[0].data["face"])
        found = earlier_places(read.shoe, face=face)
        raise OneCardTooManyError(**dict(faults[0].data), places=found, faults=documents)
    raise CardsRefusedError(count=len(faults), faults=documents)


def _card(read: RoundRead, card: NewCard, *, as_seen: bool) -> Turned:
    before = read.cards.get(card.draw)
    keyed = KeyedFace(
        revision=before.revision + 1 if before else 1, face=card.face, as_seen=as_seen, entry_id=0
    )
    values = {
        "round": read.ref,
        "shoe": read.shoe,
        "draw": card.draw,
        "revision": keyed.revision,
        "face": card.face,
        "as_seen": as_seen,
    }
    cards = dict(sorted({**read.cards, card.draw: keyed}.items()))
    return Turned(replace(read, cards=cards), (Row(Card, values),))


def complete_ghost(read: RoundRead, case: Case, *, number: int) -> Turned:
    """Give a seat without a wager the rest of a hand, which is discarded (event 7).

    `case.draws` are those that went there. In the laps that follow the seat is dealt to in its
    turn, before the next hand that gets a card there, so that the order of all others stays.
    """
    (ghost,) = case.seats
    turned = put_apart(read, case.draws, Use.GHOST, number=number)
    wagers = {**read.wagers, ghost: {"main": 1}}
    order = live_seats(read.ruleset, wagers, procedures=read.procedures, bank_seat=read.bank_seat)
    following = (*order[order.index(ghost) + 1 :], 0)
    last = max(each.draw for each in case.draws)
    lap = min((place.lap for place in _plan(turned.read) if place.draw > last), default=_LAST_LAP)
    for later in range(lap + 1, _LAST_LAP + 1):
        turn = [p.draw for p in _plan(turned.read) if p.lap == later and p.hand in following]
        if turn:
            departed = depart(turned.read, turn[0], Use.GHOST, number=number)
            turned = turned.then(
                ghosts_follow(turned.read, departed, beyond=turn[0], number=number)
            )
    return turned


def ghosts_follow(before: RoundRead, turned: Turned, *, beyond: int, number: int) -> Turned:
    """Keep the cards of ghost seats in their turn when the draws `beyond` one have moved.

    Each stays before the hand's card that it came before, of those that are still dealt.
    """
    lay = [(draw, each) for draw, each in sorted(before.departures.items()) if draw > beyond]
    ghosts = {draw: each for draw, each in lay if each.use == Use.GHOST}
    if not ghosts:
        return turned
    gone = {draw: replace(each, use=Use.UNDONE.value) for draw, each in ghosts.items()}
    bare = replace(turned.read, departures={**turned.read.departures, **gone})
    now: list[int] = []
    for draw, each in ghosts.items():
        after = {(place.hand, place.nth) for place in _plan(before) if place.draw > draw}
        turns = (p.draw for p in _plan(bare) if (p.hand, p.nth) in after and p.draw > beyond)
        now.append(next(turns, draw))
        bare = replace(bare, departures={**bare.departures, now[-1]: each})
    for draw in sorted({*ghosts} - {*now}):
        turned = turned.then(depart(turned.read, draw, Use.UNDONE, number=number))
    for draw in sorted({*now} - {*ghosts}):
        turned = turned.then(depart(turned.read, draw, Use.GHOST, number=number))
    return turned


def last_before_house(read: RoundRead, case: Case) -> int:
    """Return the last draw that a ghost hand can have had: the one before the last of the deal."""
    fresh = sum(each.draw not in read.departures for each in case.draws)
    planned = [place.draw for place in _plan(_with_hands(read))]
    return max(planned, default=0) + fresh - 1


def deal_missed(read: RoundRead, case: Case, *, number: int) -> Turned:
    """Let a hand that was passed over have the next card (events 8, 9, 10, 30); 0 is the House's.

    The draws since then went each to the hand after the one they were planned for. None moves where
    the card that is missing is the next one anyway.
    """
    out = last_out(read, case)
    plan = _plan(read)
    missed = max((p.draw for p in may_be_missed(plan, case) if p.draw <= out), default=0)
    moved = [place for place in plan if place.draw >= missed] if missed else []
    turned = Turned(read)
    for place, taken in pairwise(moved):
        if place.draw > out:
            break
        require_movable(turned.read, place.draw)
        turned = turned.then(
            depart(turned.read, place.draw, Use.HAND, number=number, hand=taken.hand, nth=taken.nth)
        )
    return turned


def may_be_missed(plan: Iterable[Place], case: Case) -> list[Place]:
    """Return the places of the hand that was passed over; of a draw error its third card's."""
    laps = (_LAST_LAP,) if case.event == 30 else range(1, _LAST_LAP + 1)
    return [place for place in plan if place.hand == case.seats[0] and place.lap in laps]


def lay_as_stated(read: RoundRead, drawn: Sequence[Drawn], *, number: int) -> Turned:
    """Leave cards where they lie: each stated draw at the hand that is named with it (event 6)."""
    turned = Turned(read)
    for each, nth in _as_laid(read, drawn):
        require_movable(turned.read, each.draw)
        turned = turned.then(
            depart(turned.read, each.draw, Use.HAND, number=number, hand=each.hand, nth=nth)
        )
    return turned


def rebuild(read: RoundRead, drawn: Sequence[Drawn], *, number: int) -> Turned:
    """Record how cards lay and that they were laid again in the order of the shoe (event 6)."""
    turned = lay_as_stated(read, drawn, number=number)
    for each in drawn:
        turned = turned.then(depart(turned.read, each.draw, Use.UNDONE, number=number))
    return turned


def _as_laid(read: RoundRead, drawn: Sequence[Drawn]) -> list[tuple[Drawn, int]]:
    """Return each stated draw with the place in its hand: the n-th card that came there."""
    lay = {place.draw: place.hand for place in _plan(read)}
    lay |= {each.draw: each.hand for each in drawn if each.hand is not None}
    found = []
    for each in sorted(drawn, key=lambda each: each.draw):
        nth = sum(lay[draw] == each.hand for draw in lay if draw <= each.draw)
        found.append((each, nth))
    return found


def too_many_at_hand(read: RoundRead, drawn: Sequence[Drawn]) -> list[Drawn]:
    """Return the stated draws that would be a fourth card of their hand."""
    return [each for each, nth in _as_laid(read, drawn) if nth > _CARDS_OF_A_HAND]


def keep_cards(read: RoundRead, seat: int, *, out: int, number: int) -> Turned:
    """Keep at a hand that is about to die the cards it has got, so that no other draw moves up."""
    turned = Turned(read)
    for place in _plan(read):
        stated = read.departures.get(place.draw)
        if place.hand != seat or place.draw > out or (stated and stated.use == Use.HAND):
            continue
        turned = turned.then(
            depart(turned.read, place.draw, Use.HAND, number=number, hand=seat, nth=place.nth)
        )
    return turned


def require_movable(read: RoundRead, draw: int) -> None:
    """Refuse a departure that would move a card which was settled, decided by, or keyed by hand.

    Raises CardSweptError, CardDecidedError, ThirdCardsKeyedError.
    """
    plan = _plan(read)
    early = draw <= max((place.draw for place in plan if place.lap < _LAST_LAP), default=0)
    if read.sweep_revision and early:
        raise CardSweptError(draw=draw)
    if early and (decided := decided_hand(read)) is not None:
        raise CardDecidedError(draw=draw, hand=decided)
    keyed = sorted(_keyed_third(read, plan, beyond=draw))
    if keyed and not _lies_open(read):
        raise ThirdCardsKeyedError(draws=keyed)


def decided_hand(read: RoundRead) -> int | None:
    """Return a hand that decided by the cards of the first two laps (C4), None where none has."""
    return next((hand for hand, keyed in read.decisions.items() if keyed.choice), None)


def _keyed_third(read: RoundRead, plan: Iterable[Place], *, beyond: int) -> set[int]:
    return {
        place.draw
        for place in plan
        if place.lap == _LAST_LAP and place.draw >= beyond and place.draw in read.faces
    }


def _plan(read: RoundRead) -> list[Place]:
    """Return where draws go, in the order of draws."""
    return sorted(places(read.ruleset, read.state()))
