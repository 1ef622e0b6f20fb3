"""One round with all that a step at the table needs, in one statement.

The services call it *after* they hold the table's stream, in a statement of its own, so that it
sees what the lock waited for (design 7).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from audit.log.prepared import prepared_cursor
from audit.log.rows import Ref
from tables.errors import RoundMissingError
from tables.games import TakenOut
from tables.selectors.floor import rounds_max
from tables.selectors.round_values import (
    CARRIED,
    ROUND_OVER,
    CarriedCard,
    KeyedDecision,
    KeyedDeparture,
    KeyedFace,
    KeyedSeat,
    OpenHold,
    RoundName,
    RoundRead,
    SessionSums,
)
from tables.selectors.rules import limits_of, procedures_of, ruleset_of

__all__ = [
    "CARRIED",
    "ROUND_OVER",
    "WAGER_KINDS",
    "CarriedCard",
    "KeyedDecision",
    "KeyedDeparture",
    "KeyedFace",
    "KeyedSeat",
    "OpenHold",
    "RoundName",
    "RoundRead",
    "SessionSums",
    "read_round",
    "wager_place",
]

WAGER_KINDS = ("main", "tie", "pair", "jacks")

# A card carried over is taken by the first round that was not called off. One that was dealt while
# another before it was awaited stays as it was dealt, if that one's sheet says so only later.
_READ = """
SELECT r.id, r.stage, r.gaming_day, r.live_seats, r.sweep_revision, r.final_revision,
       d.id, d.number, d.name,
       t.id, t.name, t.seats,
       se.id, se.key, se.state,
       se.rounds_settled, se.handle_minor, se.bank_owed_minor, se.bank_handed_minor,
       se.disputed_minor, se.moved_late_minor,
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
               AND (s.cards_reshuffled = 0 OR c.round_id = r.id)
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
       (SELECT json_agg(json_build_array(x.seat, x.wager, x.event, x.returned_minor, x.stands,
                        x.reverses, x.revision, x.in_play))
          FROM (SELECT DISTINCT ON (seat, wager) * FROM tables_takenout
                 WHERE round_id = r.id ORDER BY seat, wager, revision DESC) x),
       (SELECT json_agg(json_build_array(h.id, h.key, h.seat, h.wager, h.disputed_minor,
                        h.in_result, h.apart_minor) ORDER BY h.number)
          FROM tables_disputehold h WHERE h.round_id = r.id AND h.state = 'open'),
       (SELECT json_build_array(b.id, b.key, c.draw, c.revision, c.entry_id, c.face, c.as_seen)
          FROM (SELECT id, key, number FROM tables_round WHERE shoe_id = s.id AND number < r.number
                   AND stage <> 'called_off' ORDER BY number DESC LIMIT 1) b
          JOIN tables_departure g ON g.round_id = b.id AND g.use = 'next_round'
               AND NOT EXISTS (SELECT 1 FROM tables_departure n WHERE n.round_id = g.round_id
                                  AND n.draw = g.draw AND n.revision = g.revision + 1)
          JOIN tables_card c ON c.round_id = b.id AND c.draw = g.draw
         WHERE NOT EXISTS (SELECT 1 FROM tables_round m JOIN tables_sheetkeying k
                              ON k.round_id = m.id AND k.copy <> 'device'
                            WHERE m.shoe_id = s.id AND m.number > b.number AND m.number < r.number
                              AND k.entry_id > (SELECT min(o.entry_id) FROM tables_card o
                                                 WHERE o.round_id = r.id))
         ORDER BY c.revision DESC LIMIT 1),
       EXISTS (SELECT 1 FROM tables_irregularity i WHERE i.round_id = r.id AND i.event = 19)
  FROM tables_round r
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


def wager_place(kind: str) -> int:
    """Return where a kind of wager stands in lists; the line of a Colon's bonus, which nobody
    placed, comes last (B10)."""
    return WAGER_KINDS.index(kind) if kind in WAGER_KINDS else len(WAGER_KINDS)


def read_round(name: RoundName, *, faces: Sequence[str] = ()) -> RoundRead:
    """Return a round, and of each of `faces` how many copies the whole shoe has shown.

    The limits are the pinned ones, before betting closes those of the table in force.
    Raises RoundMissingError.
    """
    with prepared_cursor() as cursor:
        cursor.execute(_READ, {"key": name.key, "faces": list(faces)})
        row = cursor.fetchone()
    if row is None:
        raise RoundMissingError(table=name.table, shoe=name.shoe, round=name.number)
    return _round_read(name, _Columns(*row))


class _Columns(NamedTuple):
    """The columns of the statement above, in its order. Any: whatever the driver makes of them."""

    round_id: Any
    stage: Any
    gaming_day: Any
    live: Any
    sweep_revision: Any
    final_revision: Any
    dealer_id: Any
    dealer_number: Any
    dealer_name: Any
    table_id: Any
    table_name: Any
    seats_of_table: Any
    session_id: Any
    session_key: Any
    session_state: Any
    rounds_settled: Any
    handle_minor: Any
    bank_owed_minor: Any
    bank_handed_minor: Any
    disputed_minor: Any
    moved_late_minor: Any
    shoe_id: Any
    shoe_key: Any
    shoe_state: Any
    loaded: Any
    dealt: Any
    burned: Any
    cut_card_round: Any
    rounds: Any
    ruleset_id: Any
    ruleset_hash: Any
    game: Any
    options: Any
    procedures_hash: Any
    procedures_options: Any
    limits_id: Any
    limits_hash: Any
    limits_options: Any
    limits_pinned: Any
    seats: Any
    cards: Any
    copies: Any
    bank_seat: Any
    decisions: Any
    departures: Any
    taken_out: Any
    holds: Any
    carried: Any
    sweep_late: Any


def _round_read(name: RoundName, c: _Columns) -> RoundRead:
    ruleset = ruleset_of(c.ruleset_hash, game=c.game, options=c.options)
    procedures = procedures_of(c.procedures_hash, game=c.game, options=c.procedures_options)
    return RoundRead(
        ref=Ref(c.round_id, name.key),
        name=name,
        table=Ref(c.table_id, name.table),
        table_name=c.table_name,
        seats_of_table=c.seats_of_table,
        session=Ref(c.session_id, c.session_key),
        session_state=c.session_state,
        session_sums=SessionSums(
            c.rounds_settled,
            c.handle_minor,
            c.bank_owed_minor,
            c.bank_handed_minor,
            c.disputed_minor,
            c.moved_late_minor,
        ),
        shoe=Ref(c.shoe_id, c.shoe_key),
        shoe_state=c.shoe_state,
        cards_loaded=c.loaded,
        cards_dealt=c.dealt,
        cards_out=c.dealt + c.burned,
        rounds_max=rounds_max(c.cut_card_round, procedures),
        rounds=c.rounds,
        stage=c.stage,
        gaming_day=c.gaming_day,
        dealer=Ref(c.dealer_id, c.dealer_number),
        dealer_name=c.dealer_name,
        live=tuple(c.live),
        sweep_revision=c.sweep_revision,
        final_revision=c.final_revision,
        ruleset_ref=Ref(c.ruleset_id, c.ruleset_hash),
        ruleset=ruleset,
        procedures=procedures,
        limits_ref=Ref(c.limits_id, c.limits_hash),
        limits=limits_of(c.limits_hash, game=c.game, options=c.limits_options),
        limits_pinned=c.limits_pinned,
        seats={seat: _keyed_seat(rest) for seat, *rest in c.seats or ()},
        cards=_cards(c.cards),
        copies=c.copies or {},
        bank_seat=c.bank_seat,
        decisions=_decisions(c.decisions),
        departures=_departures(c.departures),
        taken_out=_taken_out(c.taken_out),
        taken_revisions={(row[0], row[1]): row[6] for row in c.taken_out or ()},
        holds=tuple(OpenHold(Ref(id_, key), *rest) for id_, key, *rest in c.holds or ()),
        carried=_carried(c.carried) if c.carried else None,
        sweep_late=c.sweep_late,
    )


def _cards(rows: Sequence[Any] | None) -> dict[int, KeyedFace]:
    return {
        draw: KeyedFace(revision=revision, face=face, as_seen=as_seen, entry_id=entry_id)
        for draw, revision, entry_id, face, as_seen in rows or ()
    }


def _decisions(rows: Sequence[Any] | None) -> dict[int, KeyedDecision]:
    return {
        hand: KeyedDecision(revision=revision, choice=choice, entry_id=entry_id)
        for hand, revision, entry_id, choice in rows or ()
    }


def _departures(rows: Sequence[Any] | None) -> dict[int, KeyedDeparture]:
    return {
        draw: KeyedDeparture(revision=revision, use=use, hand=hand, nth=nth)
        for draw, revision, use, hand, nth in rows or ()
    }


def _taken_out(rows: Sequence[Any] | None) -> tuple[TakenOut, ...]:
    return tuple(
        TakenOut(seat, wager or None, event, returned, tuple(stands), tuple(reverses))
        for seat, wager, event, returned, stands, reverses, _, in_play in rows or ()
        if not in_play
    )


def _keyed_seat(row: Sequence[int | None]) -> KeyedSeat:
    revision, entry_id, *stakes = row
    wagers = {kind: stake for kind, stake in zip(WAGER_KINDS, stakes, strict=True) if stake}
    return KeyedSeat(revision=revision or 0, wagers=wagers, entry_id=entry_id or 0)


def _carried(row: Sequence[Any]) -> CarriedCard:  # Any: as above
    round_id, key, draw, revision, entry_id, face, as_seen = row
    opened = face if face != "?" or as_seen else ""
    return CarriedCard(
        Ref(round_id, key),
        draw,
        KeyedFace(revision, face=opened, as_seen=as_seen, entry_id=entry_id),
    )
