"""What irregularities did to a round, as of one of its settlements, for the check of it.

Facts of later entries are left out. Only a round in which something happened costs the queries.
"""

from collections.abc import Sequence

from django.db.models import Exists, Min, OuterRef, Q, Subquery
from django.db.models.expressions import Combinable

from settlements.comparison import TakenRead
from settlements.models import Settlement, ShoeVoidRound
from tables.models import Card, Departure, Round, SheetKeying, TakenOut

_UNDONE, _NEXT_ROUND = Departure.Use.UNDONE, Departure.Use.NEXT_ROUND


def was_irregular() -> Combinable:
    """Tell of a settlement, in its query, whether the functions below have to look."""
    mine = OuterRef("round_id")
    before = Departure.objects.filter(
        use=_NEXT_ROUND,
        round__shoe_id=OuterRef("round__shoe_id"),
        round__number__lt=OuterRef("round__number"),
    )
    return (
        Exists(Departure.objects.filter(round_id=mine))
        | Exists(TakenOut.objects.filter(round_id=mine))
        | Exists(before)
    )


def decided_by_then() -> Subquery:
    """Say of a settlement, in its query, what was decided of its round by then (event 27).

    A round may stand on the lists of several void shoes: what was decided last counts.
    """
    decided = ShoeVoidRound.objects.filter(
        round_id=OuterRef("round_id"),
        entry__stream=OuterRef("entry__stream"),
        entry__seq__lt=OuterRef("entry__seq"),
    ).exclude(decision=ShoeVoidRound.Decision.OPEN)
    return Subquery(decided.order_by("-entry__seq").values("decision")[:1])


def departures_as_of(settled: Settlement) -> dict[int, tuple[int, int] | None]:
    """Return where draws went that left the turn: hand and place, or no hand."""
    rows = (
        Departure.objects.filter(_as_of(settled), round_id=settled.round_id)
        .order_by("draw", "-revision")
        .distinct("draw")
        .values_list("draw", "use", "hand", "nth")
    )
    return {
        draw: None if hand is None or nth is None else (hand, nth)
        for draw, use, hand, nth in rows
        if use != _UNDONE
    }


def taken_out_as_of(settled: Settlement) -> tuple[TakenRead, ...]:
    """Return the wagers and hands that were out of play."""
    rows = (
        TakenOut.objects.filter(_as_of(settled), round_id=settled.round_id)
        .order_by("seat", "wager", "-revision")
        .distinct("seat", "wager")
        .values_list("seat", "wager", "returned_minor", "stands", "reverses", "in_play")
    )
    return tuple(
        TakenRead(seat, wager, returned, tuple(stands), tuple(reverses))
        for seat, wager, returned, stands, reverses, in_play in rows
        if not in_play
    )


def carried_face_as_of(settled: Settlement) -> str | None:
    """Return the face of a card that came over from the round before; None where none did."""
    round_ = settled.round
    before = (
        Round.objects.filter(shoe_id=round_.shoe_id, number__lt=round_.number)
        .exclude(stage=Round.Stage.CALLED_OFF)
        .order_by("-number")
        .first()
    )
    if before is None:
        return None
    carried = (
        Departure.objects.filter(_as_of(settled), round_id=before.pk)
        .order_by("draw", "-revision")
        .distinct("draw")
    )
    draws = [row.draw for row in carried if row.use == _NEXT_ROUND]
    if not draws or _was_dealt_past(round_, after=before.number):
        return None
    return _latest_face(settled, before.pk, draws)


def _was_dealt_past(round_: Round, *, after: int) -> bool:
    """Tell whether a sheet called a round between off only once this one had been dealt: then its
    first card was from the shoe."""
    first = Card.objects.filter(round_id=round_.pk).aggregate(first=Min("entry_id"))["first"]
    sheets = SheetKeying.objects.exclude(copy=SheetKeying.Copy.DEVICE).filter(
        round__shoe_id=round_.shoe_id, round__number__gt=after, round__number__lt=round_.number
    )
    return first is not None and sheets.filter(entry_id__gt=first).exists()


def _latest_face(settled: Settlement, round_id: int, draws: Sequence[int]) -> str | None:
    card = (
        Card.objects.filter(_as_of(settled), round_id=round_id, draw__in=draws)
        .order_by("draw", "-revision")
        .first()
    )
    return None if card is None else card.face


def _as_of(settled: Settlement) -> Q:
    return Q(entry__stream=settled.entry.stream, entry__seq__lte=settled.entry.seq)
