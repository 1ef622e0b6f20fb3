"""Rounds that wait for their sheets, and the copies of a sheet that were keyed.

What a copy holds is shown only once both keyings are in: two people key blind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db import connection

from audit.log.rows import Ref
from audit.log.selectors import entries_of
from tables.models import Round, SheetKeying
from tables.selectors.round_read import RoundName
from tables.sheets.comparing import Difference, cells_of, differences_between

AWAITED = "round.awaited"  # the action by which a number is reserved
PAPER = (SheetKeying.Copy.FIRST, SheetKeying.Copy.SECOND)

_AWAITED = """
SELECT t.code, s.number, r.number, r.gaming_day, r.opened_at,
       (SELECT json_object_agg(k.copy, json_build_array(k.number, k.name, k.at)) FROM (
          SELECT DISTINCT ON (c.copy) c.copy, p.number, p.name, e.at
            FROM tables_sheetkeying c
            JOIN people_staff p ON p.id = c.staff_id
            JOIN log_entry e ON e.id = c.entry_id
           WHERE c.round_id = r.id ORDER BY c.copy, c.revision DESC) k)
  FROM tables_round r
  JOIN tables_table t ON t.id = r.table_id
  JOIN tables_shoe s ON s.id = r.shoe_id
 WHERE r.stage = 'awaited' AND t.code = %s
 ORDER BY r.opened_at, s.number, r.number
 LIMIT 200
"""


# Rounds of a table that came in from paper, the latest first, with the entry that accepted each.
_CAME_IN = """
SELECT t.code, s.number, r.number, r.stage, r.source, r.gaming_day, r.ended_at, d.name, e.at
  FROM tables_round r
  JOIN tables_table t ON t.id = r.table_id
  JOIN tables_shoe s ON s.id = r.shoe_id
  JOIN people_staff d ON d.id = r.dealer_id
  JOIN log_entry e ON e.subject = r.key AND e.action = 'sheet.accepted'
 WHERE t.code = %s AND r.source <> 'live' AND r.stage <> 'awaited'
 ORDER BY e.id DESC
 LIMIT 20
"""


@dataclass(frozen=True, slots=True)
class KeyedBy:
    """Who keyed a copy, and when; not what it says."""

    number: str
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AwaitedRound:
    """A reserved round without its sheet: since when, and which copies are in."""

    name: RoundName
    gaming_day: date
    since: datetime
    copies: Mapping[str, KeyedBy]

    @property
    def keyings(self) -> int:
        """How many of the two people have keyed."""
        return sum(copy in self.copies for copy in PAPER)

    @property
    def is_held(self) -> bool:
        """Whether a tablet had held a copy too."""
        return SheetKeying.Copy.DEVICE in self.copies

    def is_keyed_by(self, number: str) -> bool:
        """Tell whether this person keyed one of the two copies."""
        return any(self.copies[copy].number == number for copy in PAPER if copy in self.copies)


@dataclass(frozen=True, slots=True)
class CameIn:
    """A round that came in from paper: when it was dealt, and when it was put on record."""

    name: RoundName
    stage: str
    source: str
    gaming_day: date
    dealt_at: datetime
    dealer: str
    entered_at: datetime


@dataclass(frozen=True, slots=True)
class SheetCopy:
    """The latest revision of one copy of a sheet."""

    copy: str
    revision: int
    staff: Ref
    staff_name: str
    document: Mapping[str, Any] = field(repr=False)  # Any: a JSON document
    dealt_at: datetime
    entry_id: int
    keyed_at: datetime


def awaited_rounds(table: str) -> list[AwaitedRound]:
    """Return the rounds of a table that wait for their sheets, longest first, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_AWAITED, [table])
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()  # Any: columns of a raw statement
    return [
        AwaitedRound(
            name=RoundName(code, shoe, number),
            gaming_day=day,
            since=since,
            copies={
                copy: KeyedBy(who, name, datetime.fromisoformat(at))
                for copy, (who, name, at) in (copies or {}).items()
            },
        )
        for code, shoe, number, day, since, copies in rows
    ]


def came_in(table: str) -> list[CameIn]:
    """Return the last rounds of a table that came in from paper, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_CAME_IN, [table])
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()  # Any: columns of a raw statement
    return [CameIn(RoundName(*row[:3]), *row[3:]) for row in rows]


def awaited_in(shoe: Ref) -> int:
    """Return how many rounds of a shoe wait for their sheets."""
    return Round.objects.filter(shoe_id=shoe.id, stage=Round.Stage.AWAITED).count()


def sheet_copies(round_: Ref) -> dict[str, SheetCopy]:
    """Return the latest revision of every copy of a round's sheet."""
    rows = (
        SheetKeying.objects.filter(round_id=round_.id)
        .select_related("staff", "entry")
        .order_by("copy", "-revision")
        .distinct("copy")
    )
    return {
        row.copy: SheetCopy(
            copy=row.copy,
            revision=row.revision,
            staff=Ref(row.staff_id, row.staff.number),
            staff_name=row.staff.name,
            document=row.document,
            dealt_at=row.dealt_at,
            entry_id=row.entry_id,
            keyed_at=row.entry.at,
        )
        for row in rows
    }


def are_both_keyed(copies: Mapping[str, SheetCopy]) -> bool:
    """Tell whether both people have keyed, so that their copies may be seen side by side."""
    return all(copy in copies for copy in PAPER)


def keyings_differ(copies: Mapping[str, SheetCopy]) -> tuple[Difference, ...]:
    """Return the cells in which the two keyings differ, times included.

    Precondition: both are in.
    """
    cells = [cells_of(copies[copy].document, dealt_at=copies[copy].dealt_at) for copy in PAPER]
    return differences_between(cells)


def copies_differ(copies: Mapping[str, SheetCopy]) -> tuple[Difference, ...]:
    """Return the cells in which any copy differs from another: first, second, device if held.

    The device's time is a claim of another clock and is no difference.
    """
    found = {difference.where: difference for difference in keyings_differ(copies)}
    device = copies.get(SheetKeying.Copy.DEVICE)
    if device is None:
        return tuple(found.values())
    cells = [cells_of(copies[copy].document) for copy in PAPER]
    beside = differences_between([*cells, cells_of(device.document)])
    times = found.get("dealt_at")
    return (*((Difference("dealt_at", (*times.values, None)),) if times else ()), *beside)


def reserved_by(names: Sequence[RoundName], *, after: int) -> int | None:
    """Return the last entry of the call that reserved exactly these rounds behind `after`."""
    for entry in entries_of(names[-1].key, limit=1):
        data = entry.body.get("data")
        said = {"after": after, "rounds": len(names)}
        if entry.action == AWAITED and isinstance(data, Mapping) and said.items() <= data.items():
            return entry.id
    return None
