"""One round with all that a step at the table needs, in one statement.

The services call it *after* they hold the table's stream, in a statement of its own, so that it
sees what the lock waited for (design 7).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from audit.log.rows import Ref
from tables.errors import RoundMissingError
from tables.games import Limits, Procedures, RoundState, Ruleset, TakenOut
from tables.selectors.floor import rounds_max
from tables.selectors.rules import json_value, limits_of, procedures_of, ruleset_of

ROUND_OVER = ("settled", "voided", "called_off")
WAGER_KINDS = ("main", "tie", "pair", "jacks")


@dataclass(frozen=True, slots=True)
class RoundName:
    """What names a round for ever: table, shoe, round."""

    table: str
    shoe: int
    number: int

    @property
    def key(self) -> str:
        """The round's natural key."""
        return f"{self.table}/{self.shoe}/{self.number}"

    @property
    def stream(self) -> str:
        """The stream of the round's table."""
        return f"table/{self.table}"


@dataclass(frozen=True, slots=True)
class KeyedSeat:
    """A seat's latest wagers, with the revision they stand in and the entry they came with."""

    revision: int
    wagers: Mapping[str, int]
    entry_id: int


@dataclass(frozen=True, slots=True)
class KeyedFace:
    """A draw's latest face; "" is an empty revision (undone)."""

    revision: int
    face: str
    as_seen: bool
    entry_id: int


@dataclass(frozen=True, slots=True)
class KeyedDecision:
    """A hand's latest decision; "" is an empty revision (taken back)."""

    revision: int
    choice: str
    entry_id: int


@dataclass(frozen=True, slots=True)
class KeyedDeparture:
    """Where a draw went instead of its planned place (`Departure.Use`)."""

    revision: int
    use: str
    hand: int | None
    nth: int | None


@dataclass(frozen=True, slots=True)
class SessionSums:
    """What the session's settlements add up to so far, in minor units."""

    rounds_settled: int
    handle_minor: int
    bank_owed_minor: int
    bank_handed_minor: int


@dataclass(frozen=True, slots=True)
class RoundRead:
    """A round as it stands, with its table, session, shoe and rules."""

    ref: Ref
    name: RoundName
    table: Ref
    table_name: str
    seats_of_table: int
    session: Ref
    session_state: str
    session_sums: SessionSums
    shoe: Ref
    shoe_state: str
    cards_loaded: int
    cards_dealt: int
    cards_out: int
    rounds_max: int | None
    rounds: int
    stage: str
    gaming_day: date
    dealer: Ref
    dealer_name: str
    live: tuple[int, ...]
    sweep_revision: int
    final_revision: int
    ruleset_ref: Ref
    ruleset: Ruleset
    procedures: Procedures
    limits_ref: Ref
    limits: Limits
    limits_pinned: bool
    seats: Mapping[int, KeyedSeat]
    cards: Mapping[int, KeyedFace]
    copies: Mapping[str, int]
    bank_seat: int | None
    decisions: Mapping[int, KeyedDecision]
    departures: Mapping[int, KeyedDeparture]
    taken_out: tuple[TakenOut, ...]

    @property
    def wagers(self) -> dict[int, dict[str, int]]:
        """Stakes in minor units by seat and kind; seats that hold none are left out."""
        return {seat: dict(keyed.wagers) for seat, keyed in self.seats.items() if keyed.wagers}

    @property
    def wagers_as_placed(self) -> dict[int, Mapping[str, int]]:
        """The same in the order of placing, a seat that changed its bets where it did so last."""
        placed = sorted(self.seats.items(), key=lambda item: item[1].entry_id)
        return {seat: keyed.wagers for seat, keyed in placed if keyed.wagers}

    @property
    def faces(self) -> dict[int, str]:
        """Faces by draw, undone ones left out."""
        return {draw: keyed.face for draw, keyed in self.cards.items() if keyed.face}

    def state(self, faces: Mapping[int, str] | None = None) -> RoundState:
        """Return the round as the engine takes it; with other `faces` than stand, if given."""
        return RoundState(
            wagers=self.wagers,
            live=self.live,
            cards=self.faces if faces is None else faces,
            swept=self.sweep_revision > 0,
            settled=self.stage in ROUND_OVER,
            decisions={
                hand: keyed.choice for hand, keyed in self.decisions.items() if keyed.choice
            },
            taken_out=self.taken_out,
            departures={
                draw: (keyed.hand, keyed.nth) if keyed.hand is not None and keyed.nth else None
                for draw, keyed in self.departures.items()
                if keyed.use != "undone"
            },
        )


_READ = """
SELECT r.id, r.stage, r.gaming_day, r.live_seats, r.sweep_revision, r.final_revision,
       d.id, d.number, d.name,
       t.id, t.name, t.seats,
       se.id, se.key, se.state,
       se.rounds_settled, se.handle_minor, se.bank_owed_minor, se.bank_handed_minor,
       s.id, s.key, s.state, s.cards_loaded, s.cards_dealt, s.cards_burned, s.cut_card_round,
       s.rounds,
       rs.id, rs.hash, rs.game, rs.options,
       pr.hash, pr.options,
       li.id, li.hash, li.options, r.limits_id IS NOT NULL,
       (SELECT json_agg(json_build_array(w.seat, w.revision, w.entry_id,
                        w.main_minor, w.tie_minor, w.pair_minor, w.jacks_minor))
          FROM (SELECT DISTINCT ON (seat) * FROM tables_seatwagers
                 WHERE round_id = r.id ORDER BY seat, revision DESC) w),
       (SELECT json_agg(json_build_array(c.draw, c.revision, c.entry_id, c.face, c.as_seen))
          FROM (SELECT DISTINCT ON (draw) * FROM tables_card
                 WHERE round_id = r.id ORDER BY draw, revision DESC) c),
       (SELECT json_object_agg(k.face, k.n) FROM (
          SELECT o.face, count(*) AS n FROM (
            SELECT c.face FROM tables_card c
             WHERE c.shoe_id = s.id AND c.face = ANY(%(faces)s)
               AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                                  AND n.draw = c.draw AND n.revision = c.revision + 1)
            UNION ALL
            SELECT b.face FROM tables_burnedcard b
             WHERE b.shoe_id = s.id AND b.face = ANY(%(faces)s)
               AND NOT EXISTS (SELECT 1 FROM tables_burnedcard n WHERE n.shoe_id = b.shoe_id
                                  AND n.event = b.event AND n.n = b.n
                                  AND n.revision = b.revision + 1)
          ) o GROUP BY o.face) k),
       r.bank_seat,
       (SELECT json_agg(json_build_array(d.hand, d.revision, d.entry_id, d.choice))
          FROM (SELECT DISTINCT ON (hand) * FROM tables_decision
                 WHERE round_id = r.id ORDER BY hand, revision DESC) d),
       (SELECT json_agg(json_build_array(p.draw, p.revision, p.use, p.hand, p.nth))
          FROM (SELECT DISTINCT ON (draw) * FROM tables_departure
                 WHERE round_id = r.id ORDER BY draw, revision DESC) p),
       (SELECT json_agg(json_build_array(x.seat, x.wager, x.event, x.returned_minor))
          FROM (SELECT DISTINCT ON (seat, wager) * FROM tables_takenout
                 WHERE round_id = r.id ORDER BY seat, wager, revision DESC) x
         WHERE NOT x.in_play)  FROM tables_round r
  JOIN people_staff d ON d.id = r.dealer_id
  JOIN tables_table t ON t.id = r.table_id
  JOIN tables_tablesession se ON se.id = r.session_id
  JOIN tables_shoe s ON s.id = r.shoe_id
  JOIN tables_ruleset rs ON rs.id = r.ruleset_id
  JOIN tables_procedures pr ON pr.id = s.procedures_id
  JOIN tables_limits li ON li.id = coalesce(r.limits_id,
       (SELECT limits_id FROM tables_tableterms WHERE table_id = r.table_id
         ORDER BY revision DESC LIMIT 1))
 WHERE r.key = %(key)s
"""


def read_round(name: RoundName, *, faces: Sequence[str] = ()) -> RoundRead:
    """Return a round, and of each of `faces` how many copies the whole shoe has shown.

    The limits are the pinned ones, before betting closes those of the table in force.
    Raises RoundMissingError.
    """
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"key": name.key, "faces": list(faces)})
        row = cursor.fetchone()
    if row is None:
        raise RoundMissingError(table=name.table, shoe=name.shoe, round=name.number)
    return _round_read(name, row)


def _round_read(name: RoundName, row: Sequence[Any]) -> RoundRead:
    # Any: columns of a raw statement.
    # The order is that of the statement above; each name below is one column of it.
    (
        round_id,
        stage,
        gaming_day,
        live,
        sweep_revision,
        final_revision,
        dealer_id,
        dealer_number,
        dealer_name,
        table_id,
        table_name,
        seats_of_table,
        session_id,
        session_key,
        session_state,
        rounds_settled,
        handle_minor,
        bank_owed_minor,
        bank_handed_minor,
        shoe_id,
        shoe_key,
        shoe_state,
        loaded,
        dealt,
        burned,
        cut_card_round,
        rounds,
        ruleset_id,
        ruleset_hash,
        game,
        options,
        procedures_hash,
        procedures_options,
        limits_id,
        limits_hash,
        limits_options,
        limits_pinned,
        seats,
        cards,
        copies,
        bank_seat,
        decisions,
        departures,
        taken_out,
    ) = row
    ruleset = ruleset_of(ruleset_hash, game=game, options=json_value(options))
    procedures = procedures_of(procedures_hash, game=game, options=json_value(procedures_options))
    return RoundRead(
        ref=Ref(round_id, name.key),
        name=name,
        table=Ref(table_id, name.table),
        table_name=table_name,
        seats_of_table=seats_of_table,
        session=Ref(session_id, session_key),
        session_state=session_state,
        session_sums=SessionSums(rounds_settled, handle_minor, bank_owed_minor, bank_handed_minor),
        shoe=Ref(shoe_id, shoe_key),
        shoe_state=shoe_state,
        cards_loaded=loaded,
        cards_dealt=dealt,
        cards_out=dealt + burned,
        rounds_max=rounds_max(cut_card_round, procedures),
        rounds=rounds,
        stage=stage,
        gaming_day=gaming_day,
        dealer=Ref(dealer_id, dealer_number),
        dealer_name=dealer_name,
        live=tuple(live),
        sweep_revision=sweep_revision,
        final_revision=final_revision,
        ruleset_ref=Ref(ruleset_id, ruleset_hash),
        ruleset=ruleset,
        procedures=procedures,
        limits_ref=Ref(limits_id, limits_hash),
        limits=limits_of(limits_hash, game=game, options=json_value(limits_options)),
        limits_pinned=limits_pinned,
        seats={seat: _keyed_seat(rest) for seat, *rest in seats or ()},
        cards={
            draw: KeyedFace(revision=revision, face=face, as_seen=as_seen, entry_id=entry_id)
            for draw, revision, entry_id, face, as_seen in cards or ()
        },
        copies=copies or {},
        bank_seat=bank_seat,
        decisions={
            hand: KeyedDecision(revision=revision, choice=choice, entry_id=entry_id)
            for hand, revision, entry_id, choice in decisions or ()
        },
        departures={
            draw: KeyedDeparture(revision=revision, use=use, hand=hand, nth=nth)
            for draw, revision, use, hand, nth in departures or ()
        },
        taken_out=tuple(
            TakenOut(seat=seat, wager=wager or None, event=event, returned_minor=returned)
            for seat, wager, event, returned in taken_out or ()
        ),
    )


def _keyed_seat(row: Sequence[int | None]) -> KeyedSeat:
    revision, entry_id, *stakes = row
    wagers = {kind: stake for kind, stake in zip(WAGER_KINDS, stakes, strict=True) if stake}
    return KeyedSeat(revision=revision or 0, wagers=wagers, entry_id=entry_id or 0)
