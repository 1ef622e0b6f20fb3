"""What rules are on a gaming day, by the revisions of their standing: pure, no query.

Of the revisions whose day has come the highest counts. So a revision counts from its day on only if
no later one takes effect by that day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

PUBLISHED, SCHEDULED, RETIRED = "published", "scheduled", "retired"


class Revision(NamedTuple):
    """One revision of the standing of rules; a null day is that of their publication."""

    number: int
    state: str
    day: date | None
    reason: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What rules are on a day, and what was decided for later.

    `state` is published, scheduled (their day has not come) or retired; `changes_to` and
    `changes_day` say what was decided last for later, `retires_day` is the first day to come on
    which they are retired, also where they are to stand anew after it. `revision` is the last.
    `effective_day` is that of the state, `stands_from` that of the publication by which they stand,
    or stood last; null is that of the set-up.
    """

    state: str
    effective_day: date | None = None
    stands_from: date | None = None
    reason: str = ""
    revision: int = 0
    changes_to: str = ""
    changes_day: date | None = None
    retires_day: date | None = None

    @property
    def lasts(self) -> bool:
        """Whether what was decided last is that these rules stand."""
        return (self.changes_to or self.state) != RETIRED


def standing_on(revisions: Sequence[Revision], *, day: date) -> Standing:
    """Return what rules are on a day; `revisions` come in their order.

    Rules of a house that was set up before standings were kept have none: they are published.
    """
    if not revisions:
        return Standing(PUBLISHED)
    counting = _counting(revisions)
    begun = [each for each in counting if each.day is None or each.day <= day]
    coming = counting[len(begun) :]
    if begun:
        now, state = begun[-1], begun[-1].state
    else:
        # Retired before their day, rules never stood: there is nothing to come but an end.
        published = [place for place, each in enumerate(coming) if each.state == PUBLISHED]
        place = published[0] if published else len(coming) - 1
        now, coming = coming[place], coming[place + 1 :]
        state = SCHEDULED if published else RETIRED
    stood = [each.day for each in revisions[: now.number] if each.state == PUBLISHED]
    last = coming[-1] if coming else None
    return Standing(
        state=state,
        effective_day=now.day,
        stands_from=stood[-1] if stood else None,
        reason=now.reason,
        revision=revisions[-1].number,
        changes_to=last.state if last else "",
        changes_day=last.day if last else None,
        retires_day=next((each.day for each in coming if each.state == RETIRED), None),
    )


def _counting(revisions: Sequence[Revision]) -> list[Revision]:
    """Return the revisions that ever count, in the order of their days."""
    found: list[Revision] = []
    for each in reversed(revisions):
        if not found or _day(each) < _day(found[-1]):
            found.append(each)
    return found[::-1]


def _day(revision: Revision) -> date:
    return revision.day or date.min
