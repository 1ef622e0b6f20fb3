"""Dispute holds as rows: whose wagers they hold, and how much lies apart (event 25).

Nothing here writes. Amounts are in minor units.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from audit.log.rows import Change, Ref, Row
from tables.games import stakes_in_play
from tables.irregularities import Case, WagerEffect
from tables.models import DisputeHold, TableSession
from tables.selectors.held import lying_by_hold, not_elsewhere
from tables.selectors.round_read import ROUND_OVER, OpenHold, RoundRead
from tables.services.irregularities.wagering import held_minor


@dataclass(frozen=True, slots=True)
class Held:
    """What a hold is about: a wager, a seat's wagers (""), or the round (no seat)."""

    seat: int | None
    wager: str
    disputed_minor: int
    in_result: bool = True


def apart_at_once(read: RoundRead, held: Held) -> int:
    """Return what of a hold's sum comes out of the tray as it is opened.

    Of a wager that is not settled nothing, for it lies on the felt; of one that was swept what a
    hold of before the sweep would have there; of a round that is over the sum as it is said, less
    what lies under another hold. Where a seat holds the bank, what was paid is no chip of the
    house's; at a table that closed meanwhile none lies.
    """
    if not held.in_result or read.session_state == TableSession.State.CLOSED:
        return 0
    opened = OpenHold(Ref(0, ""), held.seat, held.wager, held.disputed_minor, in_result=True)
    if read.stage in ROUND_OVER:
        return not_elsewhere(read, opened) if read.bank_seat is None else 0
    if not read.sweep_revision:
        return 0
    with_it = replace(read, holds=(*read.holds, opened))
    return lying_by_hold(with_it, (), handed={}, over=False)[""].apart_minor


def session_apart(read: RoundRead, more_minor: int) -> list[Change]:
    """Return the session with so much more lying apart from its tray; none where nothing does."""
    if not more_minor:
        return []
    total = read.session_sums.disputed_minor + more_minor
    return [Change(TableSession, read.session, {"disputed_minor": total})]


def hold_row(read: RoundRead, held: Held, *, number: int, irregularity: int, now: datetime) -> Row:
    """Return the head of dispute `number` of the round's table."""
    return Row(
        DisputeHold,
        {
            "key": f"{read.table.key}/D{number}",
            "table": read.table,
            "round": read.ref,
            "number": number,
            "seat": held.seat,
            "wager": held.wager,
            "disputed_minor": held.disputed_minor,
            "apart_minor": apart_at_once(read, held),
            "in_result": held.in_result,
            "irregularity_number": irregularity,
            "state": DisputeHold.State.OPEN.value,
            "opened_at": now,
        },
    )


def held_by(read: RoundRead, case: Case, effect: WagerEffect) -> list[Held]:
    """Return what a procedure holds: dead hands' open wagers (20), a person's bets (33)."""
    if effect == WagerEffect.SEAT_HELD:
        amounts = held_minor(read, case.seats)
        return [Held(seat, "", amount, in_result=False) for seat, amount in amounts.items()]
    if effect != WagerEffect.HELD:
        return []
    named = {(wager.seat, wager.wager) for wager in case.wagers} or {
        (seat, "") for seat in case.seats
    }
    return [Held(seat, wager, stake_of(read, seat, wager)) for seat, wager in sorted(named)]


def stake_of(read: RoundRead, seat: int | None, wager: str) -> int:
    """Return the stakes that a hold would be about: of a wager, a seat, or the whole round."""
    stakes: Mapping[int, Mapping[str, int]] = stakes_in_play(read.state())
    return sum(
        stake
        for each, bets in stakes.items()
        for kind, stake in bets.items()
        if seat in (None, each) and wager in ("", kind)
    )
