"""What lies apart under the dispute holds of a round once it is settled. Amounts in minor units.

A bet that is held whole is not paid: with its stake, what its hand is owed lies apart, all that was
not handed over. Of any other hold it is the sum that it was opened with.
"""

from collections.abc import Collection, Mapping, Sequence

from settlements.lines import WagerName
from settlements.models import Part
from settlements.selectors.payouts import handed_of
from tables.games import Line, settle
from tables.models import DisputeHold
from tables.selectors.held import held_of, held_whole
from tables.selectors.round_read import RoundRead


def apart_by_hold(
    read: RoundRead, lines: Sequence[Line], *, handed: Mapping[WagerName, int]
) -> dict[str, int]:
    """Return by key what each hold keeps out of the tray, of a round that ends with these lines.

    A sweep that is not among them is read. Where a seat holds the bank no stake is the house's:
    what was opened stays.
    """
    apart = {hold.ref.key: hold.disputed_minor for hold in read.holds if hold.in_result}
    held = held_whole(read) if read.bank_seat is None else {}
    if not held:
        return apart
    given = dict(handed)
    if read.sweep_revision and not any(line.part == "sweep" for line in lines):
        swept = settle(read.ruleset, read.state(), "sweep").lines
        lines = [*swept, *lines]
        stored = handed_of(read.ref, part=Part.SWEEP, revision=read.sweep_revision)
        given |= {name: amount for name, (_, amount) in stored.items()}
    apart |= dict.fromkeys((hold.ref.key for hold in held.values()), 0)
    for line in lines:
        name = (line.seat, line.wager)
        if name in held:
            most = max(line.stake_minor, line.returned_minor)
            apart[held[name].ref.key] += max(most - given.get(name, line.returned_minor), 0)
    return apart


def held_when_settled(read: RoundRead, names: Collection[WagerName]) -> set[WagerName]:
    """Return which wagers of those named, of which less than owed was handed, a hold was about.

    Also one that was ruled since: had it been ruled before, what is owed would have been handed.
    """
    if not names:
        return set()
    return held_of(names, DisputeHold.objects.filter(round_id=read.ref.id, in_result=True))
