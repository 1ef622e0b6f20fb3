"""Where cards lay in other rounds: earlier copies (event 13), one carried over (event 1)."""

from dataclasses import replace

from django.db import connection

from audit.log.rows import Ref
from tables.games import places
from tables.models import Round
from tables.selectors.round_read import RoundName, RoundRead, read_round

_COPIES = """
SELECT t.code, s.number, r.number, c.draw
  FROM tables_card c
  JOIN tables_round r ON r.id = c.round_id
  JOIN tables_shoe s ON s.id = r.shoe_id
  JOIN tables_table t ON t.id = r.table_id
 WHERE c.shoe_id = %s AND c.face = %s
   AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                      AND n.draw = c.draw AND n.revision = c.revision + 1)
 ORDER BY r.number, c.draw
 LIMIT 40
"""


def earlier_places(shoe: Ref, *, face: str) -> list[dict[str, object]]:
    """Return round, hand (0 is the bank's), lap and dealer of each standing copy of `face`.

    Asked seldom: one statement, and one for each round in which a copy lies.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COPIES, [shoe.id, face])
        rows = cursor.fetchall()
    rounds = {name: read_round(name) for name in {RoundName(*row[:3]) for row in rows}}
    return [_place(rounds[RoundName(*row[:3])], row[3]) for row in rows]


def _place(read: RoundRead, draw: int) -> dict[str, object]:
    laid = {place.draw: place for place in places(read.ruleset, read.state())}.get(draw)
    return {
        "round": read.ref.key,
        "number": read.name.number,
        "draw": draw,
        "hand": laid.hand if laid else None,
        "lap": laid.lap if laid else None,
        "dealer": read.dealer_name,
    }


def round_of_carried(read: RoundRead) -> str | None:
    """Return the round whose first card is the one that this round did not need (event 1).

    None where none of its shoe came after it yet, only such as were called off, or one that was
    dealt without it (`round_dealt_without`).
    """
    following = _following(read)
    return following.ref.key if following is not None and following.carried else None


def round_dealt_without(read: RoundRead) -> str | None:
    """Return the round after this one if it has no card carried over, None where it has or waits.

    Precondition: this round was called off, and a card lay there for it. A round behind it that was
    dealt while it was awaited had its first card from the shoe.
    """
    following = _following(read)
    return following.ref.key if following is not None and not following.carried else None


def _following(read: RoundRead) -> RoundRead | None:
    """Return the first round of the shoe after this one that was not called off."""
    later = Round.objects.filter(shoe_id=read.shoe.id, number__gt=read.name.number)
    played = later.exclude(stage=Round.Stage.CALLED_OFF).order_by("number")
    number = played.values_list("number", flat=True).first()
    return read_round(replace(read.name, number=number)) if number else None
