"""Which wagers a dispute hold was about when less than owed was handed over."""

from collections.abc import Collection

from settlements.lines import WagerName
from tables.models import DisputeHold
from tables.selectors.held import held_of
from tables.selectors.round_read import RoundRead


def held_when_settled(read: RoundRead, names: Collection[WagerName]) -> set[WagerName]:
    """Return which wagers of those named, of which less than owed was handed, a hold was about.

    Also one that was ruled since: had it been ruled before, what is owed would have been handed.
    """
    if not names:
        return set()
    return held_of(names, DisputeHold.objects.filter(round_id=read.ref.id, in_result=True))
