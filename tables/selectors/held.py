"""What lies under dispute holds, and what of it is not in the tray (events 25, 33).

A wager that a hold holds whole, its stakes or more, is not paid when its hand is settled: what it
is owed lies apart with its stake until the hold is ruled. A hold of less leaves the wager in play
and puts a sum of the bank's aside. Nothing comes out of a tray before the bank has it: a wager that
is not settled lies on the felt. Amounts are in minor units.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tables.games import Line, settle, stakes_in_play
from tables.models import DisputeHold
from tables.selectors.paid import HandedAmounts, swept_amounts
from tables.selectors.round_values import ROUND_OVER, OpenHold, RoundRead

WagerName = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Lying:
    """The sum that lies under a hold, and what of it is the house's and came out of its tray."""

    disputed_minor: int
    apart_minor: int


def covers(hold: OpenHold | DisputeHold, seat: int, wager: str) -> bool:
    """Tell whether a hold is about a wager: one of no seat about all of the round."""
    return hold.seat in (None, seat) and hold.wager in ("", wager)


def held_of(names: Iterable[WagerName], holds: Iterable[OpenHold | DisputeHold]) -> set[WagerName]:
    """Return which of these wagers the holds are about."""
    asked = list(holds)
    return {name for name in names if any(covers(hold, *name) for hold in asked)}


def held_whole(read: RoundRead) -> dict[WagerName, OpenHold]:
    """Return the wagers that lie apart whole, each with the hold that it lies under: the first."""
    held: dict[WagerName, OpenHold] = {}
    stakes = _stakes(read) if read.holds else {}
    for hold in read.holds:
        if _holds_whole(hold, stakes):
            for name in _about(hold, stakes):
                held.setdefault(name, hold)
    return held


def not_handed(read: RoundRead, names: Iterable[WagerName]) -> dict[WagerName, int]:
    """Return what is handed over of held wagers unless it is stated: nothing."""
    held = held_whole(read)
    return {name: 0 for name in names if name in held}


def lying_by_hold(
    read: RoundRead, lines: Sequence[Line], *, handed: HandedAmounts, over: bool
) -> dict[str, Lying]:
    """Return by key what lies under each hold once these lines are settled too.

    A sweep that is not among them is read. `over` says that with them the round ends. Of wagers
    that are held whole lies apart what was not handed over; of any other hold the sum that it was
    opened with, as soon as all that it is about is settled. Where a seat holds the bank no stake is
    the house's: at most the commission is out of its tray. What lies there already stays the sum of
    a hold while a part of it is open, unless winnings came to it.
    """
    holds = [hold for hold in read.holds if hold.in_result]
    if not holds:
        return {}
    settled = _settled(read, lines, handed=handed)
    stakes, held = _stakes(read), held_whole(read)
    found: dict[str, Lying] = {}
    for hold in holds:
        about = _about(hold, stakes)
        if _holds_whole(hold, stakes):
            mine = {name: stakes[name] for name in about if held[name] is hold}
            least = sum(stakes[name] for name in about)
            found[hold.ref.key] = _lying_whole(
                read, hold, mine, least_minor=least, settled=settled, over=over
            )
        else:
            done = over or (bool(about) and settled.keys() >= set(about))
            found[hold.ref.key] = _lying_part(read, hold, done=done)
    return found


def passed_on(read: RoundRead, released: DisputeHold) -> list[tuple[OpenHold, Lying]]:
    """Return the other holds under which something else lies once one is released.

    What they are about too stays apart, under the first of them. Once the round is over nothing
    moves: each has what went beyond the others.
    """
    if read.stage in ROUND_OVER:
        return []
    left = tuple(hold for hold in read.holds if hold.ref.key != released.key)
    now = lying_by_hold(read, (), handed={}, over=False)
    then = lying_by_hold(replace(read, holds=left), (), handed={}, over=False)
    keys = {key for key, lying in then.items() if lying != now[key]}
    return [(hold, then[hold.ref.key]) for hold in left if hold.ref.key in keys]


def not_elsewhere(read: RoundRead, hold: OpenHold) -> int:
    """Return what of a hold's sum is under no other hold that holds the same wagers whole."""
    stakes, held = _stakes(read), held_whole(read)
    others = [name for name in _about(hold, stakes) if held.get(name, hold) is not hold]
    return max(hold.disputed_minor - sum(stakes[name] for name in others), 0)


def apart_of(hold: DisputeHold, *, over: bool) -> int:
    """Return what of a hold's sum came out of the tray; `over` tells that its round is."""
    if hold.apart_minor is not None:
        return hold.apart_minor
    return hold.disputed_minor if hold.in_result and over else 0


_Settled = Mapping[WagerName, tuple[Line, int]]


def _settled(read: RoundRead, lines: Sequence[Line], *, handed: HandedAmounts) -> _Settled:
    """Return the lines that are settled then, each with what was handed over of it."""
    found: dict[WagerName, tuple[Line, int]] = {}
    if read.sweep_revision and not any(line.part == "sweep" for line in lines):
        given = swept_amounts(read)
        for line in settle(read.ruleset, read.state(), "sweep").lines:
            name = line.seat, line.wager
            found[name] = line, given.get(name, line.returned_minor)
    for line in lines:
        name = line.seat, line.wager
        found[name] = line, handed.get(name, line.returned_minor)
    return found


def _lying_whole(
    read: RoundRead,
    hold: OpenHold,
    stakes: Mapping[WagerName, int],
    *,
    least_minor: int,
    settled: _Settled,
    over: bool,
) -> Lying:
    """Return what lies under a hold of whole wagers, those of `stakes` under no earlier hold.

    Below `least_minor`, all that it is about, its sum would say that it no longer holds what is
    still to be settled.
    """
    if not stakes:  # an earlier hold has all of it
        return Lying(0 if over else hold.disputed_minor, 0)
    lies, apart, ended = 0, 0, [name for name in stakes if name in settled]
    for name in ended:
        line, given = settled[name]
        taken = line.stake_minor + line.extra_owed_minor
        under = max(max(taken, line.returned_minor) - given, 0)
        lies += under
        apart += under if read.bank_seat is None else min(under, line.commission_minor)
    lies += sum(stake for name, stake in stakes.items() if name not in settled)
    restated = over or (bool(ended) and lies >= least_minor)
    return Lying(lies if restated else hold.disputed_minor, apart)


def _lying_part(read: RoundRead, hold: OpenHold, *, done: bool) -> Lying:
    if read.bank_seat is not None:
        return Lying(hold.disputed_minor, 0)
    so_far = hold.apart_minor or 0
    return Lying(hold.disputed_minor, max(not_elsewhere(read, hold), so_far) if done else so_far)


def _stakes(read: RoundRead) -> dict[WagerName, int]:
    placed: Mapping[int, Mapping[str, int]] = stakes_in_play(read.state())
    return {(seat, kind): stake for seat, bets in placed.items() for kind, stake in bets.items()}


def _about(hold: OpenHold, stakes: Mapping[WagerName, int]) -> list[WagerName]:
    return [name for name in stakes if covers(hold, *name)]


def _holds_whole(hold: OpenHold, stakes: Mapping[WagerName, int]) -> bool:
    """Tell whether the sum of a hold is all the stakes that it is about, or more."""
    about = sum(stakes[name] for name in _about(hold, stakes))
    return hold.in_result and 0 < about <= hold.disputed_minor
