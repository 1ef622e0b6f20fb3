"""What an event does to the round, its cards and its wagers, as one set of facts and changes.

Nothing here writes; the void of a round or shoe is made where payouts are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from audit.log.rows import Change, Row
from tables.games import next_step
from tables.irregularities import CardEffect, WagerEffect
from tables.models import Departure, Round, Shoe
from tables.selectors.disputes import latest_dispute
from tables.selectors.round_read import RoundRead
from tables.services.cards import close_betting, stage_of
from tables.services.irregularities import departing, wagering
from tables.services.irregularities.departing import Turned
from tables.services.irregularities.ground import Ground
from tables.services.irregularities.holding import (
    Held,
    apart_at_once,
    held_by,
    hold_row,
    session_apart,
)
from tables.services.irregularities.shoes import ShoeTurned, shoe_turned

_USES = {
    CardEffect.BURNED: Departure.Use.BURNED,
    CardEffect.SET_ASIDE: Departure.Use.SET_ASIDE,
    CardEffect.NEXT_ROUND: Departure.Use.NEXT_ROUND,
}


@dataclass(frozen=True, slots=True)
class Effects:
    """The round as it stands then, with the rows and changes that make it so.

    `reversed_seats` are dead hands of which a settled wager is taken back (A20).
    """

    read: RoundRead | None
    facts: tuple[Row, ...]
    new_heads: tuple[Row, ...]
    changes: tuple[Change, ...]
    shoe: ShoeTurned
    reversed_seats: tuple[int, ...] = ()


def effects_of(ground: Ground, *, number: int, now: datetime) -> Effects:
    """Return what the case does, as its procedure says."""
    shoe = shoe_turned(ground)
    changes = [Change(Shoe, ground.shoe.ref, shoe.changed)] if shoe.changed else []
    if not ground.in_round:
        return Effects(ground.read, shoe.rows, (), tuple(changes), shoe)
    before = ground.require_read()
    turned = _round_turned(ground, before, number=number)
    after = _staged(turned.read)
    changes += _round_changes(before, after)
    held = held_by(before, ground.case, ground.procedure.wagers)
    changes += session_apart(before, sum(apart_at_once(before, each) for each in held))
    wagers = ground.procedure.wagers
    return Effects(
        read=after,
        facts=(*turned.rows, *shoe.rows),
        new_heads=_holds(held, before, number=number, now=now),
        changes=tuple(changes),
        shoe=shoe,
        reversed_seats=tuple(
            seat
            for seat in ground.case.seats
            if wagers in (WagerEffect.SEAT_BACK, WagerEffect.SEAT_HELD)
            and wagering.reversed_kinds(before, ground.case, seat)
        ),
    )


def _round_turned(ground: Ground, before: RoundRead, *, number: int) -> Turned:
    case, procedure = ground.case, ground.procedure
    if case.draws and not before.live:
        # A card has left the shoe: no more bets, though it will be in no hand (A23).
        before = replace(before, live=close_betting(before))
    turned = _cards_turned(ground, before, number=number)
    if procedure.voids_round:
        turned = turned.then(departing.burn_carried(turned.read, number=number))
    return turned.then(wagering.wagers_turned(turned.read, case, procedure.wagers, number=number))


def _cards_turned(ground: Ground, read: RoundRead, *, number: int) -> Turned:
    case, effect = ground.case, ground.procedure.card
    if effect == CardEffect.GHOST:
        return departing.complete_ghost(read, case, number=number)
    if effect == CardEffect.MISSED:
        return departing.deal_missed(read, case, number=number)
    if effect == CardEffect.REBUILT:
        return departing.rebuild(read, case.draws, number=number)
    if effect == CardEffect.SWEEP_LATE:
        return Turned(replace(read, sweep_late=True))
    laid = [drawn for drawn in case.draws if drawn.hand is not None]
    if effect not in _USES and ground.procedure.wagers != WagerEffect.SEAT_BACK:
        return Turned(read)
    turned = Turned(read)
    if effect in _USES:
        apart = [drawn for drawn in case.draws if drawn.hand is None]
        turned = departing.put_apart(read, apart, _USES[effect], number=number)
    return turned.then(departing.lay_as_stated(turned.read, laid, number=number))


def _staged(read: RoundRead) -> RoundRead:
    """Return the round in the stage in which it waits for what comes next."""
    if not read.live:
        return read
    stage = stage_of(next_step(read.ruleset, read.state()))
    return replace(read, stage=stage.value, limits_pinned=True)


def _round_changes(before: RoundRead, after: RoundRead) -> list[Change]:
    changed: dict[str, object] = {}
    if before.stage != after.stage:
        changed["stage"] = after.stage
    if before.live != after.live:
        changed |= {"live_seats": list(after.live), "limits": before.limits_ref}
    return [Change(Round, before.ref, changed)] if changed else []


def _holds(
    held: Sequence[Held], before: RoundRead, *, number: int, now: datetime
) -> tuple[Row, ...]:
    if not held:
        return ()
    first = latest_dispute(before.table) + 1
    return tuple(
        hold_row(before, each, number=n, irregularity=number, now=now)
        for n, each in enumerate(held, start=first)
    )
