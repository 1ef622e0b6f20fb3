"""Counts of a session: the latest of each side, for services only until both agree (blind)."""

from collections.abc import Mapping

from audit.log.rows import Ref
from tables.models import Count


def latest_counts(session: Ref, *, kind: str) -> Mapping[str, Count]:
    """Return the latest revision of each side's count; a side that has not counted is absent."""
    rows = Count.objects.filter(session__key=session.key, kind=kind).order_by("side", "revision")
    return {row.side: row for row in rows}


def count_revisions(session: Ref, *, kind: str) -> Mapping[str, int]:
    """Return only how often each side counted: what a page may show before both agree."""
    return {side: row.revision for side, row in latest_counts(session, kind=kind).items()}
