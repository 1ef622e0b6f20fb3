"""What each chunk of a day examines. Reads only; a problem is data, and what it means is elsewhere.

Every check takes the day and the chunk's subject.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

import psycopg
from django.core.exceptions import ObjectDoesNotExist
from django.db import DataError
from django.db.models import F, Q

from audit.log.place import configured_place
from audit.log.reading import snapshot
from audit.log.replay import replay_log
from audit.log.report import printable
from audit.log.verify import verify_log
from casino.kernel.errors import DomainError
from settlements.day.due import OVERRUN
from settlements.day.report import UNREADABLE
from settlements.models import Payout, Settlement
from settlements.reaudit import PartFound, reaudit
from settlements.selectors.held import handed_otherwise
from tables.games.cards import copies_max
from tables.models import Round, Shoe, StubCount, TableSession
from tables.selectors.disputes import apart_of_session
from tables.selectors.floor import UsedShoe, read_table
from tables.selectors.paper import awaited_rounds
from tables.selectors.round_read import ROUND_OVER
from tables.selectors.shoes import (
    UNCOUNTED,
    UNVERIFIED,
    Composition,
    shoe_composition,
    unproven_shoes,
)

_PROBLEMS_MAX = 500
_DETAIL_MAX = 200
# What reading a row may end in that no service wrote; never what another attempt can mend.
_UNREADABLE = (
    *(ObjectDoesNotExist, DataError, psycopg.DataError),
    *(LookupError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError),
    DomainError,
)
_OF_A_SESSION = (
    *("handle_minor", "bank_owed_minor", "bank_handed_minor", "rounds_settled"),
    *("opener_minor", "closer_minor", "tray_minor", "disputed_minor", "moved_late_minor"),
)
# Cards that a round takes at most: three for each hand.
_CARDS_OF_A_HAND = 3
_KEYED = (
    "Its sheet has not been keyed.",
    "One of two people has keyed its sheet.",
    "Both have keyed its sheet; a supervisor says what counts.",
)
_UNPROVEN = {
    UNCOUNTED: "Its stub is not counted.",
    UNVERIFIED: "Its cards are not verified by rank and suit.",
}


@dataclass(frozen=True, slots=True)
class Found:
    """One problem: a kind of finding, the place, and what is wrong there.

    `within` is the key of the subject where the place says more than that. What was put into a
    table past the log may be quoted: it is kept in signs that can stand in the log.
    """

    code: str
    subject_kind: str
    where: str
    detail: str
    within: str = ""

    def __post_init__(self) -> None:
        """Escape what is quoted, once."""
        for name in ("where", "detail", "within"):
            object.__setattr__(self, name, printable(getattr(self, name)))

    @property
    def subject_key(self) -> str:
        """The natural key by which the subject's page is found."""
        return self.within or self.where


@dataclass(frozen=True, slots=True)
class Examined:
    """What a chunk examined: how many things, what is wrong, and figures in minor units."""

    count: int
    problems: tuple[Found, ...] = ()
    figures: Mapping[str, int | str | None] = field(default_factory=dict)


def examine(check: str, subject: str, *, day: date) -> Examined:
    """Run one chunk of a plan.

    What was put into a table past the log may be such that no check can read it. That is a problem
    of the day, whose other chunks, close and signed files must not wait for it.
    """
    if check == "log":
        return _log(subject)  # takes a view of its own, and looks at what lies outside before
    try:
        with snapshot():  # a table may be played at meanwhile
            if check == "table":
                return _table(subject)
            if check == "session":
                return _session(subject)
            return _shoe(subject, day=day)
    except _UNREADABLE as error:
        kind = "number" if check == "table" else check
        detail = f"{type(error).__name__}: {error}"[:_DETAIL_MAX]
        figures = {**dict.fromkeys(_OF_A_SESSION), "table": subject.split("/")[0]}
        found = Found(UNREADABLE, kind, subject, detail)
        return Examined(0, (found,), figures if check == "session" else {})


def _log(subject: str) -> Examined:
    """Verify the chains, guards and checkpoints, or rebuild every fact and head and compare."""
    if subject == "replay":
        report = replay_log(limit=_PROBLEMS_MAX)
    else:
        report = verify_log(place=configured_place(), limit=_PROBLEMS_MAX)
    problems = [
        Found("day.log_broken", "log", problem.where, f"{problem.detail} ({problem.code})")
        for problem in report.problems
    ]
    if not report.complete:
        detail = f"it ended at {_PROBLEMS_MAX} problems; what comes after was not examined"
        problems.append(Found("day.log_broken", "log", f"log {subject}", detail))
    return Examined(report.entries, tuple(problems))


def _table(code: str) -> Examined:
    """Look for gaps: sessions and shoes of a table, rounds of each shoe."""
    sessions = TableSession.objects.filter(table__code=code).values_list("number", flat=True)
    shoes = list(Shoe.objects.filter(table__code=code).values_list("pk", "number", "rounds"))
    problems = list(_gaps(sessions, prefix=f"{code}/S"))
    problems += _gaps((number for _, number, _ in shoes), prefix=f"{code}/")
    numbers: dict[int, list[int]] = {pk: [] for pk, _, _ in shoes}
    rounds = Round.objects.filter(table__code=code).values_list("shoe_id", "number")
    for shoe_id, number in rounds.iterator(chunk_size=2000):
        numbers[shoe_id].append(number)
    for pk, number, expected in shoes:
        problems += _gaps(numbers[pk], prefix=f"{code}/{number}/", expected=expected)
    return Examined(sum(map(len, numbers.values())), tuple(problems))


def _gaps(numbers: Iterable[int], *, prefix: str, expected: int | None = None) -> Iterable[Found]:
    found = set(numbers)
    last = max(expected or 0, max(found, default=0))
    for number in sorted(set(range(1, last + 1)) - found):
        yield Found("day.number_gap", "number", f"{prefix}{number}", f"of 1 to {last}")


def _session(key: str) -> Examined:
    """Compare a session's sums with its settlements and holds, and its closer with the tray."""
    session = TableSession.objects.get(key=key)
    latest = [
        settled
        for settled in Settlement.objects.filter(round__session=session).select_related("round")
        if settled.revision
        == (
            settled.round.sweep_revision
            if settled.part == "sweep"
            else settled.round.final_revision
        )
    ]
    sums = {
        "handle_minor": sum(settled.handle_minor for settled in latest),
        "bank_owed_minor": sum(settled.bank_owed_minor for settled in latest),
        "bank_handed_minor": sum(settled.bank_handed_minor for settled in latest),
    }
    added_up = {**sums, "disputed_minor": apart_of_session(session)}
    problems = [
        Found("day.session_sums", "session", key, f"{name} {getattr(session, name)}, not {value}")
        for name, value in added_up.items()
        if getattr(session, name) != value
    ]
    if session.state != TableSession.State.CLOSED:
        problems.append(Found(OVERRUN, "session", key, session.state))
    # What lay apart under dispute holds was not in the tray that was counted (event 25), and what a
    # correction moved after the session of its round closed lay in another one.
    here = sums["bank_handed_minor"] - session.disputed_minor + session.moved_late_minor
    tray = None if session.opener_minor is None else session.opener_minor + here
    if session.closer_minor is not None and tray is not None and session.closer_minor != tray:
        detail = f"counted {session.closer_minor}, derived {tray}"
        problems.append(Found("day.tray_differs", "session", key, detail))
    figures: dict[str, int | str | None] = {
        **sums,
        "table": key.split("/")[0],
        "rounds_settled": session.rounds_settled,
        "opener_minor": session.opener_minor,
        "closer_minor": session.closer_minor,
        "tray_minor": tray,
        "disputed_minor": session.disputed_minor,
        "moved_late_minor": session.moved_late_minor,
    }
    return Examined(len(latest), tuple(problems), figures)


def _shoe(key: str, *, day: date) -> Examined:
    """Recompute every settlement of a shoe's rounds by the second engine, and close the shoe."""
    shoe = Shoe.objects.select_related("table").get(key=key)
    rounds = list(Round.objects.filter(shoe=shoe, gaming_day=day).order_by("number"))
    audited = reaudit([round_.pk for round_ in rounds])
    by_round: dict[str, list[PartFound]] = {}
    for found in audited.found:
        by_round.setdefault(found.round_key, []).append(found)
    problems: list[Found] = []
    awaited = _awaited_in(shoe)
    for round_ in rounds:
        problems += _stage_problems(round_, awaited=awaited)
        for found in by_round.get(round_.key, ()):
            problems += _engine_problems(found)
    problems += [
        Found(kind, "shoe", each.key, _UNPROVEN[kind])
        for each in unproven_shoes(shoe=key)
        for kind in each.waits_for
    ]
    voided = sum(round_.stage == Round.Stage.VOIDED for round_ in rounds)
    problems += _shoe_problems(shoe, awaited=len(awaited))
    # The revisions that stand: what was superseded is no money.
    lines = Payout.objects.filter(round__shoe=shoe, round__gaming_day=day).filter(
        Q(part="sweep", revision=F("round__sweep_revision"))
        | Q(part="final", revision=F("round__final_revision"))
    )
    otherwise = handed_otherwise(lines)
    figures: dict[str, int | str | None] = {
        "rounds": len(rounds),
        "rounds_voided": voided,
        "mispaid_minor": otherwise.mispaid_minor,
        "held_minor": otherwise.held_minor,
    }
    return Examined(audited.settlements, tuple(problems), figures)


def _awaited_in(shoe: Shoe) -> dict[str, int]:
    """Return the rounds of a shoe that wait for their sheets: how many of two have keyed each."""
    waiting = awaited_rounds(shoe.table.code)
    return {each.name.key: each.keyings for each in waiting if each.name.shoe == shoe.number}


def _stage_problems(round_: Round, *, awaited: Mapping[str, int]) -> Iterable[Found]:
    if round_.stage == Round.Stage.AWAITED:
        keyed = _KEYED[awaited.get(round_.key, 0)]
        yield Found("day.round_awaited", "round", round_.key, keyed)
    elif round_.stage not in ROUND_OVER:
        yield Found("day.round_open", "round", round_.key, round_.stage)


def _engine_problems(found: PartFound) -> Iterable[Found]:
    where = f"{found.round_key}/{found.part}/{found.revision}"
    for difference in found.differences:
        place = " ".join(
            str(difference[name]) for name in ("seat", "wager") if difference.get(name)
        )
        detail = f"{place} {difference.get('field')}: {difference.get('stored')},"
        detail += f" not {difference.get('recomputed')}"
        yield Found("day.engines_disagree", "round", where, detail.strip(), found.round_key)
    for paid in found.mispaid:
        detail = f"seat {paid.seat} {paid.wager}: owed {paid.owed_minor}"
        detail += f", handed {paid.handed_minor}"
        yield Found("payout.mispaid", "round", where, detail, found.round_key)


def _shoe_problems(shoe: Shoe, *, awaited: int) -> Iterable[Found]:
    """State *counted* and *composed* anew for a shoe that has ended."""
    if shoe.state == Shoe.State.PREPARING:
        return
    floor = read_table(shoe.table.code, shoe=shoe.number)
    used = floor.require_shoe()
    composition = shoe_composition(used)
    stub = StubCount.objects.filter(shoe=shoe).order_by("-revision").first()
    if stub is not None:
        most = awaited * _CARDS_OF_A_HAND * (floor.seats + 1)
        yield from _count_problems(
            used, composition=composition, stub=stub.cards, awaited=awaited, to_come=most
        )
    for face, over in sorted(composition.over.items()):
        most = copies_max(face, decks=shoe.cards_loaded // 52)
        detail = f"{face}: {over + most} of {most}"
        yield Found("day.shoe_composition", "shoe", shoe.key, detail)


def _count_problems(
    shoe: UsedShoe, *, composition: Composition, stub: int, awaited: int, to_come: int
) -> Iterable[Found]:
    """Close the count of a shoe. What its sheets can still bring in is waited for, not missing.

    `to_come` is the most that the rounds can have taken which wait for their sheets.
    """
    accounted = composition.dealt + composition.burned + stub
    missing = shoe.cards_loaded + shoe.cards_reshuffled - accounted
    rounds = "1 round" if awaited == 1 else f"{awaited} rounds"
    if awaited and 0 <= missing <= to_come:
        detail = f"{rounds} on paper, {missing} cards to come"
        yield Found("day.shoe_awaits", "shoe", shoe.ref.key, detail)
    elif missing:
        detail = f"{composition.dealt} dealt, {composition.burned} burned, {stub} stub"
        detail += f", of {shoe.cards_loaded}"
        if awaited:
            detail += f"; {rounds} on paper cannot explain it"
        yield Found("day.shoe_open", "shoe", shoe.ref.key, detail)
