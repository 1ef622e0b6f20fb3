"""Irregularities on record: the list of a table or a round, and one with all that it did."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, QuerySet, Subquery

from casino.people.selectors import Signed, signatures_under
from tables.models import Departure, DisputeHold, Irregularity, TakenOut

LINES_MAX = 200


@dataclass(frozen=True, slots=True)
class IrregularityLine:
    """One irregularity as it stands, with who signed it and when it was written."""

    row: Irregularity
    at: datetime
    signed: tuple[Signed, ...]

    @property
    def key(self) -> str:
        """What names it: table and number."""
        return f"{self.row.table.code}/I{self.row.number}"


@dataclass(frozen=True, slots=True)
class IrregularityStory:
    """One irregularity: every revision, and the facts that it made beside it."""

    line: IrregularityLine
    revisions: tuple[Irregularity, ...]
    departures: tuple[Departure, ...]
    taken_out: tuple[TakenOut, ...]
    holds: tuple[DisputeHold, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which irregularities are looked for; `until` is the first instant that is not."""

    table: str = ""
    event: int | None = None
    since: datetime | None = None
    until: datetime | None = None


def latest_revision(table: str, number: int) -> Irregularity | None:
    """Return an irregularity as it stands, or None."""
    return _standing().filter(table__code=table, number=number).first()


def irregularities_of_table(table: str, *, limit: int = LINES_MAX) -> list[IrregularityLine]:
    """Return a table's irregularities as they stand, the newest first, in three queries."""
    found = _standing().filter(table__code=table).order_by("-number")
    return _lines(list(found[: min(limit, LINES_MAX)]))


def irregularities_of_round(round_key: str) -> list[IrregularityLine]:
    """Return a round's irregularities as they stand, the oldest first, in three queries."""
    return _lines(list(_standing().filter(round__key=round_key).order_by("number")))


def irregularities_of_shoe(shoe_key: str) -> list[IrregularityLine]:
    """Return a shoe's irregularities, those of its rounds included, oldest first, in three
    queries."""
    return _lines(list(_standing().filter(shoe__key=shoe_key).order_by("number")))


def irregularity_lines(wanted: Wanted, *, start: int, limit: int) -> list[IrregularityLine]:
    """Return irregularities that answer to a filter, the latest happening first, in three
    queries."""
    found = _standing()
    if wanted.table:
        found = found.filter(table__code=wanted.table)
    if wanted.event is not None:
        found = found.filter(event=wanted.event)
    if wanted.since is not None:
        found = found.filter(happened_at__gte=wanted.since)
    if wanted.until is not None:
        found = found.filter(happened_at__lt=wanted.until)
    ordered = found.order_by("-happened_at", "-id")
    return _lines(list(ordered[start : start + min(limit, LINES_MAX)]))


def irregularity_story(table: str, number: int) -> IrregularityStory | None:
    """Return one irregularity with all that it did, or None."""
    stands = latest_revision(table, number)
    if stands is None:
        return None
    (line,) = _lines([stands])
    made = {"round_id": stands.round_id, "irregularity_number": number}
    return IrregularityStory(
        line=line,
        revisions=tuple(
            Irregularity.objects.select_related("entry")
            .filter(table_id=stands.table_id, number=number)
            .order_by("revision")
        ),
        departures=tuple(Departure.objects.filter(**made).order_by("draw", "revision")),
        taken_out=tuple(TakenOut.objects.filter(**made).order_by("seat", "wager", "revision")),
        holds=tuple(
            DisputeHold.objects.filter(
                table_id=stands.table_id, irregularity_number=number
            ).order_by("number")
        ),
    )


def _standing() -> QuerySet[Irregularity]:
    latest = (
        Irregularity.objects.filter(table_id=OuterRef("table_id"), number=OuterRef("number"))
        .order_by("-revision")
        .values("revision")[:1]
    )
    return Irregularity.objects.select_related("entry", "table", "shoe", "round").filter(
        revision=Subquery(latest)
    )


def _lines(rows: Sequence[Irregularity]) -> list[IrregularityLine]:
    """Add who signed: those whose signatures came with the first entry."""
    firsts = {
        (row.table_id, row.number): row.entry_id
        for row in Irregularity.objects.filter(
            table_id__in={row.table_id for row in rows},
            number__in=[row.number for row in rows],
            revision=1,
        )
    }
    signed = signatures_under(firsts.values())
    return [
        IrregularityLine(
            row=row,
            at=row.entry.at,
            signed=signed.get(firsts[row.table_id, row.number], ()),
        )
        for row in rows
    ]
