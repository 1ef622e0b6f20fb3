"""Wagers and hands that an event takes out of play, and stakes recorded as they really lay.

What goes back for a wager that is taken out is this event's fact, not a settlement's. Each function
returns the round as it stands then and the facts that say so; nothing here writes. Amounts are in
minor units.
"""

from collections.abc import Iterable
from dataclasses import replace

from audit.log.rows import Row
from tables.games import TakenOut as Out
from tables.games import stakes_in_play
from tables.games.registry import game_of
from tables.irregularities import Case, WagerCase, WagerEffect
from tables.irregularity_errors import WagerSettledError
from tables.models import SeatWagers, TakenOut
from tables.selectors.round_read import WAGER_KINDS, KeyedSeat, RoundRead
from tables.services.irregularities.departing import (
    Turned,
    ghosts_follow,
    keep_cards,
    last_out,
)
from tables.services.irregularities.ground import settled_wagers

PAIR = "pair"
_MAIN = "main"
_LATE, _LIMITS = 23, 24  # events


def is_settled(read: RoundRead, seat: int, wager: str) -> bool:
    """Tell whether a wager was settled in the sweep already: a pair wager (A19), or by a natural
    (C3)."""
    if not read.sweep_revision:
        return False
    return wager == PAIR or (seat, wager) in settled_wagers(read)


def open_stakes(read: RoundRead, seat: int) -> dict[str, int]:
    """Return a seat's stakes that are in play and not settled yet, by kind."""
    stakes = stakes_in_play(read.state()).get(seat, {})
    return {kind: stake for kind, stake in stakes.items() if not is_settled(read, seat, kind)}


def take_out(
    read: RoundRead,
    seat: int,
    wager: str,
    *,
    event: int,
    number: int,
    returned_minor: int | None = None,
    stands: tuple[str, ...] = (),
    reverses: tuple[str, ...] = (),
) -> Turned:
    """Take a wager, or with "" a whole hand, out of play; None is the whole stake."""
    revision = read.taken_revisions.get((seat, wager), 0) + 1
    values = {
        "round": read.ref,
        "seat": seat,
        "wager": wager,
        "revision": revision,
        "event": event,
        "returned_minor": returned_minor,
        "stands": list(stands),
        "reverses": list(reverses),
        "irregularity_number": number,
    }
    others = [out for out in read.taken_out if (out.seat, out.wager or "") != (seat, wager)]
    taken = Out(seat, wager or None, event, returned_minor, stands, reverses)
    after = replace(
        read,
        taken_out=(*others, taken),
        taken_revisions={**read.taken_revisions, (seat, wager): revision},
    )
    return Turned(after, (Row(TakenOut, values),))


def void_seats(read: RoundRead, case: Case, *, number: int, held: bool) -> Turned:
    """Let hands die: they get no more cards, their open wagers go back, or are held (events 6, 8,
    9, 20).

    What was settled stands, unless the fault touches the first two cards or, of a pair wager, the
    ruleset says `reversed` (A20, C3): then the sweep is written anew.
    """
    out = last_out(read, case)
    turned = Turned(read)
    for seat in case.seats:
        reverses = reversed_kinds(turned.read, case, seat)
        settled = settled_kinds(turned.read, seat)
        turned = turned.then(keep_cards(turned.read, seat, out=out, number=number))
        dead = take_out(
            turned.read,
            seat,
            "",
            event=case.event,
            number=number,
            returned_minor=0 if held else None,
            stands=tuple(kind for kind in settled if kind not in reverses),
            reverses=reverses,
        )
        turned = turned.then(ghosts_follow(turned.read, dead, beyond=out, number=number))
    return turned


def settled_kinds(read: RoundRead, seat: int) -> tuple[str, ...]:
    """Return the kinds of a seat's wagers that were settled in the sweep and stand so far."""
    stakes = stakes_in_play(read.state()).get(seat, {})
    return tuple(kind for kind in stakes if is_settled(read, seat, kind))


def reversed_kinds(read: RoundRead, case: Case, seat: int) -> tuple[str, ...]:
    """Return which of a seat's settled wagers are taken back with its hand (A20, C3)."""
    settled = settled_kinds(read, seat)
    if case.first_two is True or (case.first_two and seat in case.first_two):
        return settled
    by_rule = read.ruleset.options.get("pair_bet_on_void") == "reversed"
    return tuple(kind for kind in settled if kind == PAIR and by_rule)


def return_wagers(read: RoundRead, case: Case, *, number: int) -> Turned:
    """Give wagers back, whole or in part, whatever the result (events 19, 23, 24).

    A wager that is on record otherwise than it lay is recorded so first. Of a raise that never came
    on record the raise alone goes back, unless more is stated: the wager stands (event 23). A late
    wager that never came on record is told in the case alone. Side wagers go back with a main wager
    without which they would not have been taken (A21).
    """
    turned = Turned(read)
    for wager in case.wagers:
        refuse_settled(turned.read, wager)
        lay = stakes_in_play(turned.read.state()).get(wager.seat, {}).get(wager.wager)
        if case.event == _LIMITS or lay is not None:
            turned = turned.then(as_it_lay(turned.read, wager))
        stakes = stakes_in_play(turned.read.state()).get(wager.seat, {})
        if wager.wager not in stakes:
            continue
        back = wager.returned_minor
        if case.event == _LATE and back is None and stakes[wager.wager] > (lay or 0):
            back = stakes[wager.wager] - (lay or 0)
        whole = back is None or back >= stakes[wager.wager]
        kinds = [wager.wager]
        if whole and wager.wager == _MAIN:
            kinds += _without_main(turned.read, wager.seat)
        for kind in kinds:
            turned = turned.then(
                take_out(
                    turned.read,
                    wager.seat,
                    kind,
                    event=case.event,
                    number=number,
                    returned_minor=None if whole else returned_so_far(read, wager) + (back or 0),
                )
            )
    return turned


def returned_so_far(read: RoundRead, wager: WagerCase) -> int:
    """Return what went back for a wager before, where only a part did."""
    return next(
        (
            out.returned_minor or 0
            for out in read.taken_out
            if (out.seat, out.wager) == (wager.seat, wager.wager)
        ),
        0,
    )


def _without_main(read: RoundRead, seat: int) -> list[str]:
    """Return the open side wagers of a seat that need a main wager (A21)."""
    game, open_ = game_of(read.ruleset), open_stakes(read, seat)
    alone = {kind: stake for kind, stake in open_.items() if kind != _MAIN}
    return [kind for kind in alone if game.refusal(read.ruleset, alone, kind=kind)]


def cap_wagers(read: RoundRead, case: Case, *, number: int) -> Turned:
    """Record wagers as they lay; what is above the maximum goes back, won or lost (event 24)."""
    turned = Turned(read)
    for wager in case.wagers:
        refuse_settled(turned.read, wager)
        turned = turned.then(as_it_lay(turned.read, wager))
        stake = stakes_in_play(turned.read.state()).get(wager.seat, {}).get(wager.wager, 0)
        over = excess_minor(turned.read, wager, stake_minor=stake)
        if over > 0:
            turned = turned.then(
                take_out(
                    turned.read,
                    wager.seat,
                    wager.wager,
                    event=case.event,
                    number=number,
                    returned_minor=returned_so_far(read, wager) + over,
                )
            )
    return turned


def honour_wagers(read: RoundRead, case: Case) -> Turned:
    """Record wagers as they lay: once accepted they are paid or lost entirely (event 24)."""
    turned = Turned(read)
    for wager in case.wagers:
        refuse_settled(turned.read, wager)
        turned = turned.then(as_it_lay(turned.read, wager))
    return turned


def excess_minor(read: RoundRead, wager: WagerCase, *, stake_minor: int) -> int:
    """Return what of a stake is above the limit: as stated, else above the kind's own maximum."""
    if wager.returned_minor is not None:
        return wager.returned_minor
    most = read.limits.max.get(wager.wager)
    return 0 if most is None else max(stake_minor - most, 0)


def refuse_settled(read: RoundRead, wager: WagerCase) -> None:
    """Refuse a wager that was settled in the sweep. Raises WagerSettledError."""
    if is_settled(read, wager.seat, wager.wager):
        raise WagerSettledError(seat=wager.seat, wager=wager.wager)


def as_it_lay(read: RoundRead, wager: WagerCase) -> Turned:
    """Record a stake as it really lay, if it is on record otherwise; betting stays closed.

    What went back of it before does not lie there any more; on record it is of the same stake.
    """
    before = read.seats.get(wager.seat)
    stakes = dict(before.wagers) if before else {}
    lay_minor = (wager.stake_minor or 0) + returned_so_far(read, wager)
    if wager.stake_minor is None or stakes.get(wager.wager) == lay_minor:
        return Turned(read)
    stakes[wager.wager] = lay_minor
    revision = before.revision + 1 if before else 1
    values = {
        "round": read.ref,
        "seat": wager.seat,
        "revision": revision,
        **{f"{kind}_minor": stakes.get(kind) for kind in WAGER_KINDS},
    }
    seats = {**read.seats, wager.seat: KeyedSeat(revision, stakes, entry_id=0)}
    return Turned(replace(read, seats=dict(sorted(seats.items()))), (Row(SeatWagers, values),))


def held_minor(read: RoundRead, seats: Iterable[int]) -> dict[int, int]:
    """Return the open stakes of each seat, as one amount."""
    return {seat: sum(open_stakes(read, seat).values()) for seat in seats}


def wagers_turned(read: RoundRead, case: Case, effect: WagerEffect, *, number: int) -> Turned:
    """Return what an effect does to the wagers of a round that goes on."""
    if effect in (WagerEffect.SEAT_BACK, WagerEffect.SEAT_HELD):
        return void_seats(read, case, number=number, held=effect == WagerEffect.SEAT_HELD)
    if effect == WagerEffect.RETURNED:
        return return_wagers(read, case, number=number)
    if effect == WagerEffect.CAPPED:
        return cap_wagers(read, case, number=number)
    if effect == WagerEffect.HONOURED:
        return honour_wagers(read, case)
    return Turned(read)
