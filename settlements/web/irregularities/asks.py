"""What the form of an irregularity asks for: only what its event needs, under its procedure.

It must not decide what may be recorded; services do.
"""

from dataclasses import dataclass

from tables.games import GAMES, places, stakes_in_play
from tables.irregularities import (
    CARDS_APART,
    HAND_DEAD,
    CardEffect,
    Procedure,
    ShoeEffect,
    WagerEffect,
)
from tables.models import Round
from tables.selectors.floor import Floor
from tables.selectors.round_read import RoundRead
from tables.services.irregularities.ground import has_decided, is_in_play
from tables.services.irregularities.wagering import settled_kinds

_OF_WAGERS = (
    WagerEffect.RETURNED,
    WagerEffect.CAPPED,
    WagerEffect.HONOURED,
    WagerEffect.HELD,
)
# Events about cards that stay in their places: their draws are named for the record.
_NAMES_DRAWS = {1: 1, 3: 1, 6: 1, 7: 1, 11: 1, 14: 2, 21: 1}
# Events that may say which hands they are about, though nothing is done to those.
_MAY_NAME_HANDS = (3, 6, 7, 20, 21, 31)
# Of these a dead hand's cards may lie elsewhere than planned.
_MAY_LIE_ELSEWHERE = (6, 8, 30)
_BURN_FORGOTTEN, _SWEEP_LATE, _LATE_BET = 16, 19, 23
_HOUSE, _UNSEEN, _GHOST_SEAT, _DROPPED, _BOXED = 10, 1, 7, 11, 4
_ROWS = 4  # cards that went into no hand, at one event


@dataclass(frozen=True, slots=True)
class Way:
    """An event and its procedure, at a table, in a round that is named or in none."""

    event: int
    procedure: Procedure
    floor: Floor
    read: RoundRead | None

    @property
    def playing(self) -> RoundRead | None:
        """The round, if it is in play."""
        return self.read if self.read is not None and is_in_play(self.read) else None


@dataclass(frozen=True, slots=True)
class CardAsks:
    """What is asked of cards.

    `apart` and `named` are how many draws may be stated: those that went into no hand, those that
    the event is about. `laid` are draws that may lie elsewhere, each with the hand it was planned
    for. `burned` are cards that left the shoe outside of a round.
    """

    apart: int = 0
    faces: bool = False
    named: int = 0
    laid: tuple[tuple[int, int], ...] = ()
    burned: bool = False
    replaced: bool = False
    out: bool = False
    out_needed: bool = False
    first_two: tuple[int, ...] = ()  # seats with wagers that were settled early (A20, C3)

    @property
    def any(self) -> bool:
        """Whether anything is asked."""
        return self != CardAsks()


@dataclass(frozen=True, slots=True)
class HandAsks:
    """The hands to choose from, 0 the House's; `fixed` is the only one there can be."""

    choices: tuple[int, ...] = ()
    needed: bool = False
    one: bool = False
    fixed: int | None = None


@dataclass(frozen=True, slots=True)
class WagerAsks:
    """The wagers to choose from, as (seat, kind): on record or not; and what is asked of them.

    `restated` are those on record of which it is asked how they really lay.
    """

    known: tuple[tuple[int, str], ...] = ()
    absent: tuple[tuple[int, str], ...] = ()
    restated: tuple[tuple[int, str], ...] = ()
    backs: bool = False


@dataclass(frozen=True, slots=True)
class Asks:
    """All that a form asks for, beside words and signatures."""

    cards: CardAsks
    hands: HandAsks
    wagers: WagerAsks
    counted: bool
    since_shoe: bool
    regulator: bool


def asks_of(way: Way) -> Asks:
    """Return what is asked for."""
    procedure = way.procedure
    return Asks(
        cards=_cards(way),
        hands=_hands(way),
        wagers=_wagers(way),
        counted=procedure.shoe == ShoeEffect.VERIFIED,
        since_shoe=procedure.shoe == ShoeEffect.VOIDED and way.floor.shoes > 1,
        regulator=procedure.regulator,
    )


def next_draw(read: RoundRead) -> int:
    """Return the draw that leaves the shoe next, as far as the system knows."""
    return max([out_so_far(read), *read.departures]) + 1


def out_so_far(read: RoundRead) -> int:
    """Return how many cards of the round are out, as far as they are keyed."""
    return max((draw for draw in read.faces if draw), default=0)


def _cards(way: Way) -> CardAsks:
    procedure, read = way.procedure, way.playing
    effect = procedure.card
    outside = effect in CARDS_APART and not procedure.in_round
    if outside and (read is None or way.event == _BURN_FORGOTTEN):
        return CardAsks(burned=True)
    if read is None:
        return CardAsks(replaced=effect == CardEffect.REPLACED)
    apart = _ROWS if effect in (*CARDS_APART, CardEffect.GHOST) else 0
    third = read.stage == Round.Stage.THIRD_LAP
    must = effect == CardEffect.MISSED or procedure.voids_round
    must = must or (third and procedure.shoe == ShoeEffect.CUT_OUT)
    return CardAsks(
        apart=1 if effect == CardEffect.NEXT_ROUND or way.event == _BOXED else apart,
        faces=bool(apart) and way.event != _UNSEEN,
        named=_named(way),
        laid=_laid(read) if _may_lie_elsewhere(way) else (),
        replaced=effect == CardEffect.REPLACED,
        out=must or procedure.wagers in HAND_DEAD,
        out_needed=must and third,
        first_two=_settled_early(read, procedure),
    )


def _named(way: Way) -> int:
    if way.procedure.card != CardEffect.STAY:
        return 0
    if way.procedure.voids_round and way.event != _DROPPED:
        return 0
    return _NAMES_DRAWS.get(way.event, 0)


def _may_lie_elsewhere(way: Way) -> bool:
    if way.procedure.card in (CardEffect.AS_LAID, CardEffect.REBUILT):
        return True
    return way.procedure.wagers == WagerEffect.SEAT_BACK and way.event in _MAY_LIE_ELSEWHERE


def _laid(read: RoundRead) -> tuple[tuple[int, int], ...]:
    """Return the draws that may have gone elsewhere: those that are out, and a lap more."""
    last = out_so_far(read) + len(read.live) + 1
    return tuple(
        (place.draw, place.hand)
        for place in sorted(places(read.ruleset, read.state()))
        if 0 < place.draw <= last
    )


def _settled_early(read: RoundRead, procedure: Procedure) -> tuple[int, ...]:
    if not (procedure.voids_round or procedure.wagers in HAND_DEAD):
        return ()
    return tuple(seat for seat in read.live if settled_kinds(read, seat))


def _hands(way: Way) -> HandAsks:
    procedure, read = way.procedure, way.playing
    if read is None:
        return HandAsks()
    missed = procedure.card == CardEffect.MISSED
    if procedure.bank or (missed and way.event == _HOUSE):
        return HandAsks(fixed=0)
    if procedure.card == CardEffect.GHOST:
        taken = (*read.live, read.bank_seat)
        empty = tuple(seat for seat in _seats(read) if seat not in taken)
        return HandAsks(empty, needed=True, one=True)
    if missed or procedure.bank is False:
        return HandAsks(read.live, needed=True, one=True)
    if procedure.wagers in HAND_DEAD:
        gone = {out.seat for out in read.taken_out if out.wager is None}
        alive = [seat for seat in read.live if seat not in gone]
        if procedure.undecided:
            alive = [seat for seat in alive if not has_decided(read, seat)]
        return HandAsks(tuple(alive), needed=True)
    if procedure.wagers == WagerEffect.HELD:
        return HandAsks(read.live)
    if procedure.wagers == WagerEffect.STAND and way.event in _MAY_NAME_HANDS:
        named = _seats(read) if way.event == _GHOST_SEAT else read.live
        return HandAsks((*named, 0))
    return HandAsks()


def _seats(read: RoundRead) -> tuple[int, ...]:
    return tuple(range(1, read.seats_of_table + 1))


def _wagers(way: Way) -> WagerAsks:
    procedure, read = way.procedure, way.playing
    if read is None or (procedure.wagers not in _OF_WAGERS and way.event != _LATE_BET):
        return WagerAsks()
    lay = stakes_in_play(read.state())
    known = tuple((seat, kind) for seat, kinds in sorted(lay.items()) for kind in kinds)
    if way.event == _SWEEP_LATE:
        return WagerAsks(tuple(name for name in known if name[1] == "pair"))
    if procedure.wagers in (WagerEffect.HELD, WagerEffect.STAND):
        return WagerAsks(known)
    kinds = GAMES[read.ruleset.game].kinds
    every = tuple((seat, kind) for seat in _seats(read) for kind in kinds)
    backs = procedure.wagers == WagerEffect.CAPPED or way.event == _LATE_BET
    absent = tuple(name for name in every if name not in known)
    return WagerAsks(known, absent, restated=known, backs=backs)
