"""The place of every card in its shoe, 1 to 416: derived here and stored nowhere (design 5).

Cards lie in the order of rounds, of draws in a round, and of burns between rounds. A round lies
where its number was given, so that one that comes in late from paper renumbers nothing: the places
behind it move up as they have to. While it is awaited, a place behind it is "at least" so much.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from audit.log.rows import Ref

# A card carried over from the round before has its place where it left the shoe: no draw here.
_CARDS = """
SELECT r.number, NULL::int, c.draw, c.face, r.stage = 'awaited', given.seq
  FROM tables_round r
  LEFT JOIN LATERAL (SELECT e.seq FROM log_entry e WHERE e.subject = r.key
        AND e.action IN ('round.opened', 'round.awaited') ORDER BY e.id LIMIT 1) given ON true
  LEFT JOIN tables_card c ON c.round_id = r.id AND c.face <> '' AND c.draw > 0
        AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                           AND n.draw = c.draw AND n.revision = c.revision + 1)
 WHERE r.shoe_id = %(shoe)s
UNION ALL
SELECT NULL, b.event, b.n, b.face, false, given.seq
  FROM tables_burnedcard b
  JOIN tables_burnedcard f ON f.shoe_id = b.shoe_id AND f.event = b.event AND f.n = b.n
       AND f.revision = 1
  JOIN log_entry given ON given.id = f.entry_id
 WHERE b.shoe_id = %(shoe)s AND b.face <> ''
   AND NOT EXISTS (SELECT 1 FROM tables_burnedcard n WHERE n.shoe_id = b.shoe_id
                      AND n.event = b.event AND n.n = b.n AND n.revision = b.revision + 1)
"""


@dataclass(frozen=True, slots=True)
class Position:
    """A card's place in its shoe: of a round's draw, or (round None) of a burn event's n-th card.

    With `at_least` an awaited round lies before it.
    """

    place: int
    at_least: bool
    round: int | None
    event: int | None
    n: int
    face: str


@dataclass(frozen=True, slots=True)
class Span:
    """The first and the last place of a round's cards."""

    first: int
    last: int
    at_least: bool


def shoe_positions(shoe: Ref) -> tuple[Position, ...]:
    """Return the place of every draw and burn of a shoe, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_CARDS, {"shoe": shoe.id})
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()  # Any: columns of a raw statement
    found: list[Position] = []
    at_least = False
    for number, event, n, face, is_awaited, _seq in sorted(rows, key=_order):
        if is_awaited:
            at_least = True
        if n is not None:
            found.append(Position(len(found) + 1, at_least, number, event, n, face))
    return tuple(found)


def _order(row: tuple[Any, ...]) -> tuple[int, int, int, int]:
    """Order cards: rounds by their numbers, burns among them by when they were recorded."""
    number, event, n, _face, _awaited, seq = row
    return seq or 0, number or 0, event or 0, n or 0


def round_spans(positions: Iterable[Position]) -> Mapping[int, Span]:
    """Return the places of each round by its number; a round without cards has none."""
    spans: dict[int, Span] = {}
    for position in positions:
        if position.round is None:
            continue
        known = spans.get(position.round)
        first = known.first if known else position.place
        spans[position.round] = Span(first, position.place, position.at_least)
    return spans
