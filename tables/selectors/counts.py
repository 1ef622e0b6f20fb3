"""Counts of a session: for services whole, for pages only who counted and whether both agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from audit.log.rows import Ref
from tables.models import Count


@dataclass(frozen=True, slots=True)
class CountState:
    """What one person may know of a count: never an amount (control 1.5)."""

    side: str
    state: str  # missing, counted, agreed, differs
    who: str
    at: datetime | None


def latest_counts(session: Ref, *, kind: str) -> Mapping[str, Count]:
    """Return the latest revision of each side's count; a side that has not counted is absent."""
    rows = (
        Count.objects.filter(session__key=session.key, kind=kind)
        .select_related("staff", "entry")
        .order_by("side", "revision")
    )
    return {row.side: row for row in rows}


def count_states(session: Ref, *, kind: str) -> list[CountState]:
    """Return who counted and, once both did, whether the latest counts agree."""
    counts = latest_counts(session, kind=kind)
    both = len(counts) == len(Count.Side)
    agree = both and len({str(sorted(count.pieces.items())) for count in counts.values()}) == 1
    states = []
    for side in Count.Side:
        count = counts.get(side)
        if count is None:
            states.append(CountState(side.value, "missing", "", None))
            continue
        state = ("agreed" if agree else "differs") if both else "counted"
        states.append(CountState(side.value, state, count.staff.name, count.entry.at))
    return states
