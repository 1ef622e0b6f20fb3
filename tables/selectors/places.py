"""Where earlier copies of a card lay: the answer to "one copy too many" (event 13)."""

from django.db import connection

from audit.log.rows import Ref

_PLACES = """
SELECT r.key, r.number, c.draw, r.live_seats, d.name
  FROM tables_card c
  JOIN tables_round r ON r.id = c.round_id
  JOIN people_staff d ON d.id = r.dealer_id
 WHERE c.shoe_id = %s AND c.face = %s
   AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                      AND n.draw = c.draw AND n.revision = c.revision + 1)
 ORDER BY r.number, c.draw
 LIMIT 40
"""


def earlier_places(shoe: Ref, *, face: str) -> list[dict[str, object]]:
    """Return round, hand (0 is the House), lap and dealer of each standing copy of `face`.

    A hand follows from the order of the deal: the live seats in turn, the House last (A27, A28).
    """
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, [shoe.id, face])
        rows = cursor.fetchall()
    return [
        {
            "round": key,
            "number": number,
            "draw": draw,
            "hand": [*live, 0][(draw - 1) % (len(live) + 1)],
            "lap": (draw - 1) // (len(live) + 1) + 1,
            "dealer": dealer,
        }
        for key, number, draw, live, dealer in rows
    ]
