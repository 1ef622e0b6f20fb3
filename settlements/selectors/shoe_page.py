"""A shoe from its first card to its last, and a table's shoes and sessions, for their pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection

from audit.log.rows import Ref
from tables.models import BurnedCard, Shoe, ShoeStatement, TableSession
from tables.selectors.positions import Span, round_spans, shoe_positions
from tables.selectors.shoe_story import StepDone, step_story

_ROUNDS = """
SELECT r.number, r.stage, r.source, cardinality(r.live_seats), r.ended_at,
       (SELECT count(*) FROM tables_card c WHERE c.round_id = r.id AND c.face <> ''
           AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                              AND n.draw = c.draw AND n.revision = c.revision + 1)),
       sum(st.handle_minor)::bigint, sum(st.bank_handed_minor)::bigint, count(st.id),
       count(ck.id) FILTER (WHERE ck.agrees), count(ck.id) FILTER (WHERE NOT ck.agrees)
  FROM tables_round r
  LEFT JOIN settlements_settlement st ON st.round_id = r.id AND st.revision =
       CASE st.part WHEN 'sweep' THEN r.sweep_revision ELSE r.final_revision END
  LEFT JOIN settlements_checkresult ck ON ck.round_id = r.id AND ck.part = st.part
       AND ck.revision = st.revision
 WHERE r.shoe_id = %s
 GROUP BY r.id ORDER BY r.number
"""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round in the list of a shoe; amounts in minor units, None where not settled."""

    number: int
    stage: str
    source: str
    seats: int
    ended_at: datetime | None
    cards: int
    handle_minor: int | None
    bank_minor: int | None
    settlements: int
    agreed: int
    differing: int

    @property
    def check(self) -> str:
        """What the second engine said: agrees, differs, waiting, not_needed."""
        if self.differing:
            return "differs"
        if not self.settlements:
            return "not_needed"
        return "agrees" if self.agreed >= self.settlements else "waiting"


@dataclass(frozen=True, slots=True)
class ShoePage:
    """Everything that the page of a shoe shows. Nothing says what is left in it (control 4.22)."""

    shoe: Shoe
    gaming_day: date
    cut_left: int
    rounds: tuple[RoundLine, ...]
    burned: tuple[BurnedCard, ...]
    steps: tuple[StepDone, ...]
    statement: ShoeStatement | None
    spans: Mapping[int, Span]  # the places of each round's cards in the shoe


def shoe_page(shoe: Shoe) -> ShoePage:
    """Return the page of a shoe."""
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS, [shoe.pk])
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()  # Any: columns of a raw statement
    return ShoePage(
        shoe=shoe,
        gaming_day=shoe.session.gaming_day,
        cut_left=int(shoe.procedures.options.get("cut_card_depth") or 0),
        rounds=tuple(RoundLine(*row) for row in rows),
        burned=tuple(BurnedCard.objects.filter(shoe=shoe).order_by("event", "n", "revision")),
        steps=tuple(step_story(Ref(shoe.pk, shoe.key)).values()),
        statement=ShoeStatement.objects.filter(shoe=shoe).order_by("-revision").first(),
        spans=round_spans(shoe_positions(Ref(shoe.pk, shoe.key))),
    )


@dataclass(frozen=True, slots=True)
class ShoeLine:
    """One shoe in the list of a table."""

    number: int
    state: str
    rounds: int
    counted: str
    composed: str
    ended_at: datetime | None


def shoe_lines(table_id: int, *, limit: int = 30) -> list[ShoeLine]:
    """Return a table's shoes, the newest first, in two queries."""
    shoes = list(Shoe.objects.filter(table_id=table_id).order_by("-number")[:limit])
    statements = {
        statement.shoe_id: statement
        for statement in ShoeStatement.objects.filter(
            shoe_id__in=[shoe.pk for shoe in shoes]
        ).order_by("revision")
    }
    return [_shoe_line(shoe, statements.get(shoe.pk)) for shoe in shoes]


def _shoe_line(shoe: Shoe, statement: ShoeStatement | None) -> ShoeLine:
    counted, composed = statement_states(statement)
    return ShoeLine(shoe.number, shoe.state, shoe.rounds, counted, composed, shoe.ended_at)


def statement_states(statement: ShoeStatement | None) -> tuple[str, str]:
    """Return the two statements as the words that pages show as chips."""
    if statement is None:
        return "waiting", "waiting"
    counted = "closes" if statement.counted_closes else "open"
    if statement.awaited:
        counted = "waiting"
    return counted, "holds" if statement.composed_holds else "broken"


def session_lines(table_id: int, *, limit: int = 30) -> list[TableSession]:
    """Return a table's sessions, the newest first."""
    return list(TableSession.objects.filter(table_id=table_id).order_by("-number")[:limit])
