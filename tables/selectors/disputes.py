"""Disputes: the holds of a table or a round, one with its file, and the register of them all."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Count, F, FloatField, Max, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Extract

from audit.log.rows import Ref
from tables.models import DisputeFile, DisputeHold, TableSession
from tables.selectors.held import apart_of
from tables.selectors.round_values import ROUND_OVER

LINES_MAX = 200
RELEASE_PURPOSE = "dispute.release"  # what the two signatures under a ruling are for
# What the file of a dispute says (controls 5.12 and 5.13), in the order in which it is asked.
FILE_PARTS = (
    "patron",
    "contact",
    "narrative",
    "staff_involved",
    "witnesses",
    "house_action",
    "camera_reference",
    "patron_informed",
)
_OPEN, _RELEASED = DisputeHold.State.OPEN, DisputeHold.State.RELEASED
# What is open stands first, the oldest on top; then what was ruled, the latest first.
_REGISTER = (
    "state",
    Case(
        When(state=_OPEN, then=Extract("opened_at", "epoch")),
        default=Value(0.0) - Extract(F("released_at"), "epoch"),
        output_field=FloatField(),
    ),
    "pk",
)


@dataclass(frozen=True, slots=True)
class DisputeStory:
    """A dispute with its file, the oldest revision first."""

    hold: DisputeHold
    files: tuple[DisputeFile, ...]

    @property
    def file(self) -> DisputeFile | None:
        """The file as it stands."""
        return self.files[-1] if self.files else None

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts of the file that say nothing yet."""
        return missing_in(self.file)


@dataclass(frozen=True, slots=True)
class DisputeFilter:
    """Which disputes: what is left empty narrows nothing. Times are when they were opened."""

    state: str = ""
    outcome: str = ""
    table: str = ""
    opened_from: datetime | None = None
    opened_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class DisputeLine:
    """One dispute in the register, with what its file does not say yet."""

    hold: DisputeHold
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DisputeCounts:
    """How many disputes there are and what they hold or held, in minor units (control 5.16)."""

    open: int
    house: int
    patron: int
    open_minor: int
    house_minor: int
    patron_minor: int


def missing_in(file: DisputeFile | None) -> tuple[str, ...]:
    """Return which parts a file does not say; without a file it says nothing."""
    return tuple(part for part in FILE_PARTS if file is None or not getattr(file, part))


def disputes_page(narrow: DisputeFilter, *, offset: int, limit: int) -> list[DisputeLine]:
    """Return disputes of the house in two queries: the open ones, oldest first, then the others."""
    holds = list(
        _narrowed(narrow)
        .select_related("table", "round__shoe")
        .order_by(*_REGISTER)[offset : offset + min(limit, LINES_MAX)]
    )
    latest = (
        DisputeFile.objects.filter(dispute__in=holds)
        .order_by("dispute_id", "-revision")
        .distinct("dispute_id")
    )
    files = {file.dispute_id: file for file in latest}
    return [DisputeLine(hold, missing_in(files.get(hold.pk))) for hold in holds]


def dispute_counts(narrow: DisputeFilter) -> DisputeCounts:
    """Count and add up disputes of a table and a period, whatever their state, in one query."""
    of_period = DisputeFilter(
        table=narrow.table,
        opened_from=narrow.opened_from,
        opened_before=narrow.opened_before,
    )
    kinds = {
        "open": Q(state=_OPEN),
        "house": Q(outcome=DisputeHold.Outcome.HOUSE),
        "patron": Q(outcome=DisputeHold.Outcome.PATRON),
    }
    found = _narrowed(of_period).aggregate(
        **{name: Count("pk", filter=which) for name, which in kinds.items()},
        **{
            f"{name}_minor": Sum("disputed_minor", filter=which, default=0)
            for name, which in kinds.items()
        },
    )
    return DisputeCounts(**{name: int(value) for name, value in found.items()})


def _narrowed(narrow: DisputeFilter) -> QuerySet[DisputeHold]:
    asked: dict[str, object] = {
        "state": narrow.state or None,
        "outcome": narrow.outcome or None,
        "table__code": narrow.table or None,
        "opened_at__gte": narrow.opened_from,
        "opened_at__lt": narrow.opened_before,
    }
    return DisputeHold.objects.filter(
        **{name: value for name, value in asked.items() if value is not None}
    )


def latest_dispute(table: Ref) -> int:
    """Return the number of a table's latest dispute; 0 before the first."""
    found = DisputeHold.objects.filter(table_id=table.id).aggregate(latest=Max("number"))
    return found["latest"] or 0


def find_dispute(table: str, number: int) -> DisputeHold | None:
    """Return a dispute's hold, or None."""
    return _holds().filter(table__code=table, number=number).first()


def dispute_story(table: str, number: int) -> DisputeStory | None:
    """Return a dispute with its file, or None; two queries."""
    hold = find_dispute(table, number)
    if hold is None:
        return None
    files = DisputeFile.objects.select_related("entry").filter(dispute_id=hold.pk)
    return DisputeStory(hold, tuple(files.order_by("revision")))


def disputes_of_table(table: str, *, limit: int = LINES_MAX) -> list[DisputeHold]:
    """Return a table's disputes: the open ones first, then the newest."""
    found = _holds().filter(table__code=table).order_by("state", "-number")
    return list(found[: min(limit, LINES_MAX)])


def disputes_of_round(round_key: str) -> list[DisputeHold]:
    """Return a round's disputes, the oldest first."""
    return list(_holds().filter(round__key=round_key).order_by("number"))


def holds_at_table(session: Ref) -> list[DisputeHold]:
    """Return the open holds of a session whose chips still lie at the table."""
    return list(
        DisputeHold.objects.filter(
            round__session__key=session.key,
            state=DisputeHold.State.OPEN,
            moved_at__isnull=True,
        ).order_by("number")
    )


def apart_of_session(session: TableSession) -> int:
    """Add up anew what lies apart from a session's tray under the holds of its rounds.

    Once it closed, what left the table with holds then, whatever became of them; before, what lies
    under those that are open.
    """
    holds = DisputeHold.objects.filter(round__session=session).select_related("round")
    if session.state == TableSession.State.CLOSED:
        holds = holds.filter(moved_at=session.closed_at)
    else:
        holds = holds.filter(state=_OPEN, moved_at__isnull=True)
    return sum(apart_of(hold, over=hold.round.stage in ROUND_OVER) for hold in holds)


def _holds() -> QuerySet[DisputeHold]:
    return DisputeHold.objects.select_related("table", "round__shoe", "round__dealer")
