"""A table as it stands: its open session, its shoe in use, its round in play, its terms.

One statement, whatever the history: the partial unique indexes name the single open row of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from audit.log.rows import Ref
from tables.errors import ShoeMissingError, TableMissingError, TermsMissingError
from tables.games import Procedures
from tables.selectors.rules import procedures_of

CARDS_IN_A_DECK = 52
_NUMBER_MAX = 2**31 - 1  # the column's


def rounds_max(cut_card_round: int | None, procedures: Procedures) -> int | None:
    """Return the number of the last round that may start, by the option `after_cut` (event 17)."""
    if cut_card_round is None:
        return None
    return cut_card_round + (1 if procedures.values["after_cut"] == "one_more" else 0)


@dataclass(frozen=True, slots=True)
class OpenSession:
    """The session that is not closed yet."""

    ref: Ref
    number: int
    state: str
    gaming_day: date
    opener_minor: int | None
    rounds_settled: int
    handle_minor: int
    bank_owed_minor: int
    bank_handed_minor: int
    moved_late_minor: int


@dataclass(frozen=True, slots=True)
class UsedShoe:
    """The shoe in use, or the one that was asked for."""

    ref: Ref
    number: int
    state: str
    session_id: int
    ruleset: Ref
    game: str
    procedures_ref: Ref
    procedures: Procedures
    cards_loaded: int
    cards_dealt: int
    cards_burned: int
    cut_card_round: int | None
    rounds: int
    cards_reshuffled: int

    @property
    def is_void(self) -> bool:
        """Whether the shoe was voided (event 27)."""
        return self.state == "voided"

    @property
    def cards_out(self) -> int:
        """Cards that left the shoe in ended rounds and burns."""
        return self.cards_dealt + self.cards_burned

    @property
    def rounds_max(self) -> int | None:
        """The last round that may start; None while the cut card is in the shoe (event 17)."""
        return rounds_max(self.cut_card_round, self.procedures)


@dataclass(frozen=True, slots=True)
class RoundInPlay:
    """The one round that is neither over nor awaited."""

    ref: Ref
    key: str
    number: int
    stage: str
    dealer: Ref

    @property
    def shoe_key(self) -> str:
        """The key of its shoe."""
        return self.key.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table deals under from the next shoe and the next round on."""

    revision: int
    ruleset: Ref
    game: str
    procedures: Ref
    limits: Ref
    decks: int
    ruleset_name: str

    @property
    def cards(self) -> int:
        """How many cards its decks are."""
        return CARDS_IN_A_DECK * self.decks


@dataclass(frozen=True, slots=True)
class Floor:
    """A table and what is open at it."""

    table: Ref
    name: str
    seats: int
    session: OpenSession | None
    shoe: UsedShoe | None
    round_in_play: RoundInPlay | None
    terms: Terms | None
    sessions: int
    shoes: int

    def require_shoe(self, number: int | None = None) -> UsedShoe:
        """Return the shoe, or raise ShoeMissingError."""
        if self.shoe is None:
            raise ShoeMissingError(table=self.table.key, shoe=number)
        return self.shoe

    def require_terms(self) -> Terms:
        """Return the terms, or raise TermsMissingError."""
        if self.terms is None:
            raise TermsMissingError(table=self.table.key)
        return self.terms


_READ = """
SELECT t.id, t.name, t.seats,
       (SELECT coalesce(max(number), 0) FROM tables_tablesession WHERE table_id = t.id),
       (SELECT coalesce(max(number), 0) FROM tables_shoe WHERE table_id = t.id),
       se.id, se.key, se.number, se.state, se.gaming_day, se.opener_minor,
       se.rounds_settled, se.handle_minor, se.bank_owed_minor, se.bank_handed_minor,
       se.moved_late_minor,
       s.id, s.key, s.number, s.state, s.session_id, s.ruleset_id, rs.hash, rs.game,
       s.procedures_id, pr.hash, pr.options, s.cards_loaded, s.cards_dealt, s.cards_burned,
       s.cut_card_round, s.rounds, s.cards_reshuffled,
       r.id, r.key, r.number, r.stage, r.dealer_id, d.number,
       tt.revision, tt.ruleset_id, trs.hash, trs.game, tt.procedures_id, tpr.hash,
       tt.limits_id, tli.hash, (trs.options ->> 'decks')::int, trs.name
  FROM tables_table t
  LEFT JOIN tables_tablesession se ON se.table_id = t.id AND se.state <> 'closed'
  LEFT JOIN tables_shoe s ON s.table_id = t.id AND CASE WHEN %(shoe)s::int IS NULL
            THEN s.state IN ('preparing', 'ready') ELSE s.number = %(shoe)s::int END
  LEFT JOIN tables_ruleset rs ON rs.id = s.ruleset_id
  LEFT JOIN tables_procedures pr ON pr.id = s.procedures_id
  LEFT JOIN tables_round r ON r.table_id = t.id
        AND r.stage NOT IN ('awaited', 'settled', 'voided', 'called_off')
  LEFT JOIN people_staff d ON d.id = r.dealer_id
  LEFT JOIN LATERAL (SELECT * FROM tables_tableterms WHERE table_id = t.id
                      ORDER BY revision DESC LIMIT 1) tt ON true
  LEFT JOIN tables_ruleset trs ON trs.id = tt.ruleset_id
  LEFT JOIN tables_procedures tpr ON tpr.id = tt.procedures_id
  LEFT JOIN tables_limits tli ON tli.id = tt.limits_id
 WHERE t.code = %(table)s
"""


def read_table(code: str, *, shoe: int | None = None) -> Floor:
    """Return a table as it stands; its shoe is the one in use, or the numbered one if given.

    Raises TableMissingError, and ShoeMissingError for a number that no shoe can have.
    """
    if shoe is not None and shoe > _NUMBER_MAX:
        raise ShoeMissingError(table=code, shoe=shoe)
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"table": code, "shoe": shoe})
        row = cursor.fetchone()
    if row is None:
        raise TableMissingError(table=code)
    return _floor(code, row)


def _floor(code: str, row: Sequence[Any]) -> Floor:  # Any: columns of a raw statement
    return Floor(
        table=Ref(row[0], code),
        name=row[1],
        seats=row[2],
        sessions=row[3],
        shoes=row[4],
        session=_session(row[5:16]),
        shoe=_shoe(row[16:33]),
        round_in_play=_round(row[33:39]),
        terms=_terms(row[39:49]),
    )


def _session(row: Sequence[Any]) -> OpenSession | None:  # Any: as above
    if row[0] is None:
        return None
    return OpenSession(Ref(row[0], row[1]), *row[2:])


def _shoe(row: Sequence[Any]) -> UsedShoe | None:  # Any: as above
    if row[0] is None:
        return None
    return UsedShoe(
        ref=Ref(row[0], row[1]),
        number=row[2],
        state=row[3],
        session_id=row[4],
        ruleset=Ref(row[5], row[6]),
        game=row[7],
        procedures_ref=Ref(row[8], row[9]),
        procedures=procedures_of(row[9], game=row[7], options=row[10]),
        cards_loaded=row[11],
        cards_dealt=row[12],
        cards_burned=row[13],
        cut_card_round=row[14],
        rounds=row[15],
        cards_reshuffled=row[16],
    )


def _round(row: Sequence[Any]) -> RoundInPlay | None:  # Any: as above
    if row[0] is None:
        return None
    return RoundInPlay(Ref(row[0], row[1]), row[1], row[2], row[3], Ref(row[4], row[5]))


def _terms(row: Sequence[Any]) -> Terms | None:  # Any: as above
    if row[0] is None:
        return None
    return Terms(
        row[0],
        Ref(row[1], row[2]),
        row[3],
        Ref(row[4], row[5]),
        Ref(row[6], row[7]),
        row[8],
        row[9],
    )
