"""Faults planted behind the log by the superuser, and what each of them must be reported as."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg

from tests.log.databases import REHASH, unguarded

Admin = psycopg.Connection[Any]  # rows of any shape
Place = tuple[str, str]  # the code of a problem, and where it is
LOG, ENGINES, GAP = "day.log_broken", "day.engines_disagree", "day.number_gap"
TOUCHED = (
    *("log_entry", "tables_round", "tables_card", "tables_seatwagers"),
    *("settlements_settlement", "settlements_payout"),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What must be reported of a fault, and what else may be because it follows from it."""

    must: frozenset[Place]
    may: frozenset[Place] = frozenset()

    @property
    def all(self) -> frozenset[Place]:
        """Everything that this fault explains."""
        return self.must | self.may


def plant(admin_url: str) -> dict[str, Fault]:
    """Plant one fault of each kind, each at a place of its own."""
    with unguarded(admin_url, *TOUCHED) as admin:
        return {name: act(admin) for name, act in _FAULTS.items()}


def _one(admin: Admin, query: str, *parameters: object) -> Any:
    row = admin.execute(query, parameters).fetchone()
    assert row is not None, query
    return row


def _entry(admin: Admin, entry_id: int) -> Place:
    stream, seq = _one(admin, "SELECT stream, seq FROM log_entry WHERE id = %s", entry_id)
    return LOG, f"entry {stream} {seq}"


def _payout_changed(admin: Admin) -> Fault:
    key, part, entry = _one(
        admin,
        "UPDATE settlements_payout p SET profit_minor = profit_minor + 1 FROM tables_round r"
        " WHERE p.id = (SELECT min(p.id) FROM settlements_payout p JOIN tables_round r"
        "   ON r.id = p.round_id WHERE r.key LIKE 'T1/1/%%' AND r.number = 2"
        "   AND p.outcome = 'win') AND r.id = p.round_id RETURNING r.key, p.part, p.entry_id",
    )
    return Fault(frozenset({(ENGINES, f"{key}/{part}/1"), _entry(admin, entry)}))


def _card_changed(admin: Admin) -> Fault:
    """Spoil a pair that was paid: the first of its two cards gets another rank."""
    key, card, entry, shoe, face = _one(
        admin,
        "SELECT r.key, c.id, c.entry_id, c.shoe_id, c.face FROM settlements_payout p"
        " JOIN tables_round r ON r.id = p.round_id"
        " JOIN tables_card c ON c.round_id = r.id AND c.draw = p.seat"
        " WHERE p.wager = 'pair' AND p.outcome = 'win' AND r.key LIKE 'T2/%%'"
        " AND r.live_seats = '{1,2,3,4,5}' AND r.number > 1 ORDER BY p.id LIMIT 1",
    )
    # A face that the shoe still has copies of, or its composition would not hold either.
    (other,) = _one(
        admin,
        "SELECT face FROM tables_card WHERE shoe_id = %s AND left(face, 1) <> left(%s, 1)"
        " GROUP BY face ORDER BY count(*), face LIMIT 1",
        shoe,
        face,
    )
    admin.execute("UPDATE tables_card SET face = %s WHERE id = %s", [other, card])
    return Fault(
        frozenset({(ENGINES, f"{key}/sweep/1"), _entry(admin, entry)}),
        frozenset({(ENGINES, f"{key}/final/1")}),
    )


def _entry_removed(admin: Admin) -> Fault:
    entry, fact = _one(
        admin,
        "SELECT w.entry_id, w.id FROM tables_seatwagers w JOIN tables_round r ON r.id = w.round_id"
        " WHERE r.key LIKE 'T3/%%' ORDER BY w.id OFFSET 7 LIMIT 1",
    )
    place = _entry(admin, entry)
    admin.execute("DELETE FROM log_entry WHERE id = %s", [entry])
    return Fault(frozenset({place, (LOG, f"seat_wagers {fact}")}))


def _entries_reordered(admin: Admin) -> Fault:
    (first,) = _one(
        admin,
        "SELECT min(seq) + 3 FROM log_entry WHERE stream = 'table/T4' AND action = 'wagers.placed'",
    )
    for old, new in ((first, -1), (first + 1, first), (-1, first + 1)):
        admin.execute(
            "UPDATE log_entry SET seq = %s WHERE stream = 'table/T4' AND seq = %s", [new, old]
        )
    places = [(LOG, f"entry table/T4 {first + n}") for n in range(3)]
    return Fault(frozenset(places[:2]), frozenset(places))


def _rehashed(admin: Admin) -> Fault:
    """Say another stake and give the entry the hash that it then deserves: its neighbour tells."""
    (seq,) = _one(
        admin,
        "SELECT min(seq) FROM log_entry WHERE stream = 'table/T1' AND action = 'wagers.placed'"
        " AND subject LIKE 'T1/1/3'",
    )
    admin.execute(
        "UPDATE log_entry SET body = convert_to(regexp_replace(convert_from(body, 'UTF8'),"
        " '\"main_minor\":\\d+', '\"main_minor\":90000000'), 'UTF8')"
        " WHERE stream = 'table/T1' AND seq = %s",
        [seq],
    )
    admin.execute(REHASH.format(stream="table/T1", seq=seq))
    return Fault(frozenset({(LOG, f"entry table/T1 {n}") for n in (seq, seq + 1)}))


def _number_skipped(admin: Admin) -> Fault:
    """Move the last round of a shoe on by one; every fact of it then names another round."""
    round_id, key = _one(
        admin,
        "SELECT id, key FROM tables_round WHERE key LIKE 'T3/2/%%' ORDER BY number DESC LIMIT 1",
    )
    (moved,) = _one(
        admin,
        "UPDATE tables_round SET number = number + 1, key = 'T3/2/' || (number + 1)"
        " WHERE id = %s RETURNING key",
        round_id,
    )
    entries = admin.execute("SELECT id FROM log_entry WHERE subject = %s", [key]).fetchall()
    return Fault(
        frozenset({(GAP, key), (LOG, f"round {key}"), (LOG, f"round {moved}")}),
        frozenset(_entry(admin, entry) for (entry,) in entries),
    )


def _other_ruleset(admin: Admin) -> Fault:
    key, part, entry = _one(
        admin,
        "UPDATE settlements_settlement s SET ruleset_id = (SELECT max(id) FROM tables_ruleset)"
        " FROM tables_round r WHERE s.id = (SELECT min(s.id) FROM settlements_settlement s"
        "   JOIN tables_round r ON r.id = s.round_id WHERE r.key LIKE 'T4/%%' AND s.part = 'final')"
        " AND r.id = s.round_id RETURNING r.key, s.part, s.entry_id",
    )
    return Fault(frozenset({(ENGINES, f"{key}/{part}/1"), _entry(admin, entry)}))


_FAULTS: dict[str, Callable[[Admin], Fault]] = {
    "payout changed": _payout_changed,
    "card changed": _card_changed,
    "entry removed": _entry_removed,
    "entries reordered": _entries_reordered,
    "chain hashed anew": _rehashed,
    "number skipped": _number_skipped,
    "settled under another ruleset": _other_ruleset,
}


def explained(faults: dict[str, Fault]) -> Iterator[Place]:
    """Everything that the planted faults explain."""
    for fault in faults.values():
        yield from fault.all
