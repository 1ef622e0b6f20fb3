"""A shoe's preparation, burns and composition, and the derived place of every card in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db import connection
from django.db.models import Exists, OuterRef

from audit.log.rows import Ref
from tables.games.cards import copies_max
from tables.models import BurnedCard, Irregularity, Shoe, ShoeStatement, ShoeStep
from tables.selectors.floor import UsedShoe

_TABLE_CLOSES = 32  # the event: the table closes or evacuates in a round
_VERIFIED = 28  # the event: the cards are verified after the shoe
# The kinds of finding by which a shoe is chased whose cards are not accounted for.
UNCOUNTED, UNVERIFIED = "shoe.uncounted", "shoe.unverified"

# Standing faces of a shoe: the latest revision of each draw and burn that was not taken back.
_STANDING = """
SELECT source, face, count(*) FROM (
  SELECT CASE WHEN EXISTS (SELECT 1 FROM tables_departure d WHERE d.round_id = c.round_id
                AND d.draw = c.draw AND d.use IN ('burned', 'set_aside')
                AND NOT EXISTS (SELECT 1 FROM tables_departure n WHERE n.round_id = d.round_id
                                   AND n.draw = d.draw AND n.revision = d.revision + 1))
         THEN 'burned' ELSE 'dealt' END AS source, c.face
    FROM tables_card c
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


# What lay in the discards when a round was completed with them.
_DISCARDS = """
SELECT c.face, count(*) FROM tables_card c JOIN tables_round r ON r.id = c.round_id
 WHERE c.shoe_id = %(shoe)s AND r.number < %(number)s AND c.face <> ''
   AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                      AND n.draw = c.draw AND n.revision = c.revision + 1)
 GROUP BY c.face
"""


@dataclass(frozen=True, slots=True)
class Composition:
    """What left a shoe: cards dealt and burned, faces never known, copies above the decks.

    `again` are the faces of discards that were shuffled and went in a second time (event 18).
    """

    dealt: int
    burned: int
    unknown: int
    faces: Mapping[str, int]
    over: Mapping[str, int]
    again: Mapping[str, int]


def find_shoe(table: str, number: int) -> Shoe | None:
    """Return a shoe with its table, session, ruleset and procedures, or None."""
    return (
        Shoe.objects.select_related("table", "session", "ruleset", "procedures")
        .filter(table__code=table, number=number)
        .first()
    )


def signed_steps(shoe: Ref) -> set[str]:
    """Return the names of the steps of a shoe's preparation that are signed."""
    return set(ShoeStep.objects.filter(shoe__key=shoe.key).values_list("step", flat=True))


def burn_events(shoe: Ref) -> int:
    """Return how many burn events the shoe had."""
    last = BurnedCard.objects.filter(shoe_id=shoe.id).order_by("-event").first()
    return last.event if last else 0


@dataclass(frozen=True, slots=True)
class Burn:
    """One burn event as it was first stated, and the entry that says so."""

    event: int
    faces: tuple[str, ...]
    reason: str
    entry_id: int


def burns_of(shoe: Ref) -> list[Burn]:
    """Return the burn events of a shoe in their order, as they were first stated."""
    rows = BurnedCard.objects.filter(shoe_id=shoe.id, revision=1).order_by("event", "n")
    return [_burn(list(cards)) for _event, cards in groupby(rows, key=lambda card: card.event)]


def burn_as_stated(shoe: Ref, event: int) -> Burn | None:
    """Return one burn event, or None before it was stated."""
    rows = BurnedCard.objects.filter(shoe_id=shoe.id, event=event, revision=1).order_by("n")
    cards = list(rows)
    return _burn(cards) if cards else None


def _burn(cards: Sequence[BurnedCard]) -> Burn:
    first = cards[0]
    return Burn(first.event, tuple(card.face for card in cards), first.reason, first.entry_id)


def is_stated(shoe: Ref) -> bool:
    """Tell whether the two statements about a shoe were made."""
    return ShoeStatement.objects.filter(shoe_id=shoe.id).exists()


def uncounted_shoe(session: Ref) -> str | None:
    """Return the key of a shoe that was set aside for checking and not counted, or None.

    One that was closed as incomplete because the table closed in a round is counted later (event
    32).
    """
    later = Irregularity.objects.filter(event=_TABLE_CLOSES, shoe=OuterRef("pk"))
    aside = Shoe.objects.filter(session__key=session.key, state=Shoe.State.STOPPED)
    return aside.exclude(Exists(later)).order_by("number").values_list("key", flat=True).first()


@dataclass(frozen=True, slots=True)
class UnprovenShoe:
    """A shoe that was set aside or is void, and what its cards still wait for (events 27, 28).

    The stub is counted of each; of a void one every rank and suit is, whatever it showed.
    """

    key: str
    is_counted: bool
    is_verified: bool

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The kinds of finding by which it is chased."""
        kinds = {UNCOUNTED: self.is_counted, UNVERIFIED: self.is_verified}
        return tuple(kind for kind, is_done in kinds.items() if not is_done)


def unproven_shoes(*, session: str | None = None, shoe: str | None = None) -> list[UnprovenShoe]:
    """Return the shoes of a session, or the one shoe, whose cards are not accounted for yet.

    Both are named by key.
    """
    mine = OuterRef("pk")
    asked = {"session__key": session, "key": shoe}
    rows = (
        Shoe.objects.filter(
            state__in=(Shoe.State.STOPPED, Shoe.State.VOIDED),
            **{name: key for name, key in asked.items() if key is not None},
        )
        .annotate(
            is_counted=Exists(ShoeStatement.objects.filter(shoe=mine)),
            is_verified=Exists(Irregularity.objects.filter(event=_VERIFIED, shoe=mine)),
        )
        .order_by("table__code", "number")
        .values_list("key", "state", "is_counted", "is_verified")
    )
    found = [
        UnprovenShoe(key, is_counted, is_verified or state != Shoe.State.VOIDED)
        for key, state, is_counted, is_verified in rows
    ]
    return [each for each in found if each.waits_for]


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
    again = _discards(shoe) if shoe.cards_reshuffled else {}
    return _composition(faces, **totals, cards_loaded=shoe.cards_loaded, again=again)


def _discards(shoe: UsedShoe) -> dict[str, int]:
    """Count by face the cards of the rounds before the one that was completed with them."""
    with connection.cursor() as cursor:
        cursor.execute(_DISCARDS, {"shoe": shoe.ref.id, "number": shoe.cut_card_round})
        return dict(cursor.fetchall())


def composition_after(
    shoe: UsedShoe,
    composition: Composition,
    *,
    replaced: Iterable[tuple[str, str]] = (),
    added: Sequence[str] = (),
) -> Composition:
    """Return a composition in which faces (before, after) are replaced, and dealt ones added."""
    faces = {**composition.faces, "?": composition.unknown}
    for before, after in replaced:
        faces[before] = faces.get(before, 0) - 1
        faces[after] = faces.get(after, 0) + 1
    for face in added:
        faces[face] = faces.get(face, 0) + 1
    return _composition(
        faces,
        dealt=composition.dealt + len(added),
        burned=composition.burned,
        cards_loaded=shoe.cards_loaded,
        again=composition.again,
    )


def _composition(
    faces: Mapping[str, int],
    *,
    dealt: int,
    burned: int,
    cards_loaded: int,
    again: Mapping[str, int],
) -> Composition:
    known = {face: count for face, count in faces.items() if face != "?" and count}
    decks = cards_loaded // 52
    most = {face: copies_max(face, decks=decks) + again.get(face, 0) for face in known}
    over = {face: count - most[face] for face, count in sorted(known.items()) if count > most[face]}
    return Composition(
        dealt=dealt,
        burned=burned,
        unknown=faces.get("?", 0),
        faces=known,
        over=over,
        again=again,
    )
