"""A day's figures as its run found them. Amounts are in minor units.

What a run has not looked at yet, or one of an earlier release did not keep, is not known: a total
over it is None, never the sum of the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from settlements.models import DayCheck, DayRun

UNREADABLE = "day.unreadable"  # a chunk of which nothing is known
_OF_SESSIONS = ("handle_minor", "bank_owed_minor", "bank_handed_minor", "rounds_settled")
_OF_SHOES = ("rounds", "rounds_voided", "mispaid_minor", "held_minor")


def checks_of(run: DayRun) -> list[DayCheck]:
    """Return what the chunks of a run recorded so far, in the order of its plan."""
    return list(DayCheck.objects.filter(run=run).order_by("chunk"))


def day_report(run: DayRun, checks: Sequence[DayCheck]) -> dict[str, Any]:  # Any: a JSON document
    """Return the day's figures: by session, by shoe, and together."""
    found: dict[str, dict[str, DayCheck]] = {"session": {}, "shoe": {}, "log": {}}
    for check in checks:
        found.setdefault(check.check_name, {})[check.subject] = check
    planned = Counter(name for name, _subject in run.plan)

    def together(of: str, figure: Callable[[DayCheck], int | None]) -> int | None:
        """Add a figure up, once every session or shoe of the plan was looked at."""
        return _sum(map(figure, found[of].values())) if len(found[of]) == planned[of] else None

    sessions, shoes, log = found["session"], found["shoe"], found["log"]
    return {
        "day": run.day.isoformat(),
        "run": run.number,
        "started_at": run.started_at.isoformat(),
        "sessions": {key: check.figures for key, check in sessions.items()},
        "shoes": {key: check.figures for key, check in shoes.items()},
        "totals": {
            **{name: together("session", _named(name)) for name in _OF_SESSIONS},
            **{name: together("shoe", _named(name)) for name in _OF_SHOES},
            "settlements_checked": together("shoe", _examined),
            "entries_verified": log["verify"].examined if "verify" in log else None,
            "problems": sum(len(check.problems) for check in checks),
        },
    }


def _examined(check: DayCheck) -> int | None:
    unreadable = any(problem["code"] == UNREADABLE for problem in check.problems)
    return None if unreadable else check.examined


def _named(name: str) -> Callable[[DayCheck], int | None]:
    return lambda check: check.figures.get(name)


def _sum(figures: Iterable[int | None]) -> int | None:
    known = list(figures)
    return None if None in known else sum(each or 0 for each in known)
