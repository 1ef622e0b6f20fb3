"""A shoe's preparation, burns and composition, and the derived place of every card in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import connection

from audit.log.rows import Ref
from tables.games.cards import copies_max
from tables.models import BurnedCard, ShoeStep
from tables.selectors.floor import UsedShoe

# Standing faces of a shoe: the latest revision of each draw and burn that was not taken back.
_STANDING = """
SELECT source, face, count(*) FROM (
  SELECT 'dealt' AS source, c.face FROM tables_card c
   WHERE c.shoe_id = %(shoe)s AND c.face <> ''
     AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                        AND n.draw = c.draw AND n.revision = c.revision + 1)
  UNION ALL
  SELECT 'burned', b.face FROM tables_burnedcard b
   WHERE b.shoe_id = %(shoe)s AND b.face <> ''
     AND NOT EXISTS (SELECT 1 FROM tables_burnedcard n WHERE n.shoe_id = b.shoe_id
                        AND n.event = b.event AND n.n = b.n AND n.revision = b.revision + 1)
) standing GROUP BY source, face
"""


@dataclass(frozen=True, slots=True)
class Composition:
    """What left a shoe: cards dealt and burned, faces never known, copies above the decks."""

    dealt: int
    burned: int
    unknown: int
    faces: Mapping[str, int]
    over: Mapping[str, int]


def signed_steps(shoe: Ref) -> set[str]:
    """Return the names of the steps of a shoe's preparation that are signed."""
    return set(ShoeStep.objects.filter(shoe__key=shoe.key).values_list("step", flat=True))


def burn_events(shoe: Ref) -> int:
    """Return how many burn events the shoe had."""
    last = BurnedCard.objects.filter(shoe_id=shoe.id).order_by("-event").first()
    return last.event if last else 0


def shoe_composition(shoe: UsedShoe) -> Composition:
    """Count the standing cards of a shoe by face, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, {"shoe": shoe.ref.id})
        rows = cursor.fetchall()
    faces: dict[str, int] = {}
    totals = {"dealt": 0, "burned": 0}
    for source, face, count in rows:
        totals[source] += count
        faces[face] = faces.get(face, 0) + count
    return _composition(faces, **totals, cards_loaded=shoe.cards_loaded)


def composition_after(
    shoe: UsedShoe, composition: Composition, *, replaced: Iterable[tuple[str, str]]
) -> Composition:
    """Return a composition in which faces (before, after) are replaced; the numbers stay."""
    faces = {**composition.faces, "?": composition.unknown}
    for before, after in replaced:
        faces[before] = faces.get(before, 0) - 1
        faces[after] = faces.get(after, 0) + 1
    return _composition(
        faces,
        dealt=composition.dealt,
        burned=composition.burned,
        cards_loaded=shoe.cards_loaded,
    )


def _composition(
    faces: Mapping[str, int], *, dealt: int, burned: int, cards_loaded: int
) -> Composition:
    known = {face: count for face, count in faces.items() if face != "?" and count}
    decks = cards_loaded // 52
    over = {
        face: count - copies_max(face, decks=decks)
        for face, count in sorted(known.items())
        if count > copies_max(face, decks=decks)
    }
    return Composition(
        dealt=dealt, burned=burned, unknown=faces.get("?", 0), faces=known, over=over
    )
