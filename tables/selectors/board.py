"""The pit board: every table at one glance, in one statement whatever the history."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection

from tables.selectors.rules import json_value

_BOARD = """
SELECT t.code, t.name, p.name, se.key, se.state, se.gaming_day, se.opened_at,
       se.opener_minor, se.rounds_settled, se.handle_minor, se.bank_owed_minor,
       se.bank_handed_minor, se.disputed_minor, se.moved_late_minor,
       s.key, s.number, s.state, s.cards_loaded, s.cards_dealt + s.cards_burned,
       s.cut_card_round IS NOT NULL,
       r.key, r.number, r.stage,
       (SELECT count(*) FROM tables_card c WHERE c.round_id = r.id AND c.face <> ''
           AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                              AND n.draw = c.draw AND n.revision = c.revision + 1)),
       d.name, st.last_at, st.seq,
       fi.open, fi.since,
       aw.rounds, aw.since, aw.keyed, dh.holds, dh.since, dh.disputed_minor, dh.number,
       (pr.options ->> 'cut_card_depth')::int, li.options
  FROM tables_table t
  JOIN tables_pit p ON p.id = t.pit_id
  JOIN log_stream st ON st.name = t.stream
  LEFT JOIN tables_tablesession se ON se.table_id = t.id AND se.state <> 'closed'
  LEFT JOIN tables_shoe s ON s.table_id = t.id AND s.state IN ('preparing', 'ready')
  LEFT JOIN tables_procedures pr ON pr.id = s.procedures_id
  LEFT JOIN LATERAL (SELECT limits_id FROM tables_tableterms WHERE table_id = t.id
                      ORDER BY revision DESC LIMIT 1) tt ON true
  LEFT JOIN tables_limits li ON li.id = tt.limits_id
  LEFT JOIN tables_round r ON r.table_id = t.id
        AND r.stage NOT IN ('awaited', 'settled', 'voided', 'called_off')
  LEFT JOIN LATERAL (SELECT * FROM tables_round l
                      WHERE l.session_id = se.id AND l.stage <> 'awaited'
                      ORDER BY l.id DESC LIMIT 1) latest ON true
  LEFT JOIN people_staff d ON d.id = coalesce(r.dealer_id, latest.dealer_id)
  LEFT JOIN LATERAL (SELECT count(*) AS rounds, min(w.opened_at) AS since,
                            count(*) FILTER (WHERE 2 = (
                                SELECT count(DISTINCT k.copy) FROM tables_sheetkeying k
                                 WHERE k.round_id = w.id AND k.copy IN ('first', 'second')
                            )) AS keyed
                       FROM tables_round w
                      WHERE w.table_id = t.id AND w.stage = 'awaited') aw ON true
  LEFT JOIN LATERAL (SELECT count(*) AS holds, min(opened_at) AS since, min(number) AS number,
                            coalesce(sum(disputed_minor), 0)::bigint AS disputed_minor
                       FROM tables_disputehold
                      WHERE table_id = t.id AND state = 'open') dh ON true
  LEFT JOIN LATERAL (SELECT count(*) AS open, min(raised_at) AS since FROM findings_finding
                      WHERE table_code = t.code AND state <> 'closed') fi ON true
 WHERE (%(pit)s::text IS NULL OR p.code = %(pit)s::text)
   AND (%(table)s::text IS NULL OR t.code = %(table)s::text)
 ORDER BY p.code, t.code
"""


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table on the board. A figure that is not known is None, never zero."""

    code: str
    name: str
    pit: str
    session: str | None
    session_state: str | None
    gaming_day: date | None
    opened_at: datetime | None
    opener_minor: int | None
    rounds_settled: int | None
    handle_minor: int | None
    bank_owed_minor: int | None
    bank_handed_minor: int | None
    disputed_minor: int | None
    moved_late_minor: int | None
    shoe: str | None
    shoe_number: int | None
    shoe_state: str | None
    cards_loaded: int | None
    cards_ended_rounds: int | None
    cut_card_out: bool | None
    round: str | None
    round_number: int | None
    stage: str | None
    cards_of_round: int
    dealer: str | None
    last_activity: datetime | None
    entries: int
    findings_open: int  # not closed yet, and since when the first is open
    findings_since: datetime | None
    awaited: int  # rounds dealt on paper without their sheets, and since when the first waits
    awaited_since: datetime | None
    awaited_keyed: int  # of them, those whose sheets both people keyed: a supervisor settles them
    holds: int  # open dispute holds of the table, since when the first, and the sum in dispute
    held_since: datetime | None
    held_minor: int
    first_hold: int | None
    cut_card_depth: int | None
    limits: Mapping[str, Any] | None  # Any: limits as they are stored

    @property
    def state(self) -> str:
        """What the table is, in one word: closed, opening, open, closing."""
        return self.session_state or "closed"

    @property
    def cards_out(self) -> int | None:
        """Cards that left the shoe, those of the round in play included."""
        if self.cards_ended_rounds is None:
            return None
        return self.cards_ended_rounds + self.cards_of_round

    @property
    def main_limits(self) -> tuple[int | None, int | None]:
        """The least and the most that is taken on the main wager; None where not limited."""
        if self.limits is None:
            return None, None
        return self.limits["min"].get("main"), self.limits["max"].get("main")

    @property
    def result_minor(self) -> int | None:
        """What the bank gained in this session, as handed over; None before it opened."""
        return self.bank_handed_minor if self.opener_minor is not None else None

    @property
    def tray_handed_minor(self) -> int | None:
        """The tray that should lie on the table, by what was handed over (design 6)."""
        return self._tray(self.bank_handed_minor)

    @property
    def tray_owed_minor(self) -> int | None:
        """The tray that should lie on the table, had everything been handed over as owed."""
        return self._tray(self.bank_owed_minor)

    def _tray(self, bank_minor: int | None) -> int | None:
        """Add up a tray; what lies apart under dispute holds is not in it (event 25), nor what it
        paid for a round of a session that had closed."""
        if self.opener_minor is None or bank_minor is None:
            return None
        late = self.moved_late_minor or 0
        return self.opener_minor + bank_minor - (self.disputed_minor or 0) + late


def table_lines(*, pit: str | None = None, table: str | None = None) -> list[TableLine]:
    """Return every table of a pit, or of the house, in the order of pits and codes; or one table
    alone."""
    with connection.cursor() as cursor:
        cursor.execute(_BOARD, {"pit": pit, "table": table})
        rows: list[tuple[Any, ...]] = cursor.fetchall()  # Any: columns of a raw statement
    return [_line(*row) for row in rows]


def _line(*row: Any) -> TableLine:  # Any: as above
    *figures, limits = row
    columns: list[Any] = [*figures, json_value(limits) if limits else None]
    return TableLine(*columns)
