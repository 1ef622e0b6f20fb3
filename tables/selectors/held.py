"""Bets that lie apart whole under an open dispute hold (events 25, 33). Pure.

Such a bet is not paid when its hand is settled: what it is owed lies apart with its stake until the
hold is ruled. A hold of less than the stakes leaves the bet in play and puts a sum of the bank's
aside.
"""

from collections.abc import Iterable, Mapping

from tables.games import stakes_in_play
from tables.models import DisputeHold
from tables.selectors.round_values import OpenHold, RoundRead

WagerName = tuple[int, str]


def covers(hold: OpenHold | DisputeHold, seat: int, wager: str) -> bool:
    """Tell whether a hold is about a wager: one of no seat about all of the round."""
    return hold.seat in (None, seat) and hold.wager in ("", wager)


def held_of(names: Iterable[WagerName], holds: Iterable[OpenHold | DisputeHold]) -> set[WagerName]:
    """Return which of these wagers the holds are about."""
    asked = list(holds)
    return {name for name in names if any(covers(hold, *name) for hold in asked)}


def held_whole(read: RoundRead) -> dict[WagerName, OpenHold]:
    """Return the wagers that lie apart whole, each with the hold that it lies under: the first."""
    if not any(hold.in_result for hold in read.holds):
        return {}
    stakes: Mapping[int, Mapping[str, int]] = stakes_in_play(read.state())
    placed = [(seat, kind, stake) for seat, bets in stakes.items() for kind, stake in bets.items()]
    held: dict[WagerName, OpenHold] = {}
    for hold in read.holds:
        about = [(seat, kind, stake) for seat, kind, stake in placed if covers(hold, seat, kind)]
        if hold.in_result and 0 < sum(stake for *_, stake in about) <= hold.disputed_minor:
            for seat, kind, _ in about:
                held.setdefault((seat, kind), hold)
    return held


def not_handed(read: RoundRead, names: Iterable[WagerName]) -> dict[WagerName, int]:
    """Return what is handed over of held wagers unless it is stated: nothing."""
    held = held_whole(read)
    return {name: 0 for name in names if name in held}
