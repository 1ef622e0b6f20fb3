"""The rounds just before: what "same again" repeats, and where a shoe has got to."""

from django.db.models import QuerySet

from audit.log.rows import Ref
from tables.models import Round, SeatWagers
from tables.selectors.round_read import WAGER_KINDS, RoundName, RoundRead


def last_round_number(shoe: Ref) -> int | None:
    """Return the highest number of a round that was dealt or called off in a shoe."""
    return (
        Round.objects.filter(shoe_id=shoe.id)
        .exclude(stage=Round.Stage.AWAITED)
        .order_by("-number")
        .values_list("number", flat=True)
        .first()
    )


def previous_wagers(read: RoundRead) -> dict[str, dict[str, int]]:
    """Return the stakes by seat of the round before, in minor units; empty in the first round.

    The first round of a shuffled pack follows the last one of the pack's earlier shoes.
    """
    rows = (
        SeatWagers.objects.filter(round__in=_round_before(read).values("pk")[:1])
        .order_by("seat", "-revision")
        .distinct("seat")
    )
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        stakes = {kind: getattr(row, f"{kind}_minor") for kind in WAGER_KINDS}
        kept = {kind: stake for kind, stake in stakes.items() if stake}
        if kept:
            found[str(row.seat)] = kept
    return found


def _round_before(read: RoundRead) -> QuerySet[Round]:
    if read.procedures.pack_each_round:
        rounds = Round.objects.filter(session__key=read.session.key, id__lt=int(read.ref.id))
        return rounds.order_by("-id")
    return Round.objects.filter(shoe_id=read.shoe.id, number=read.name.number - 1)


def last_rounds(table_id: int, *, limit: int = 30) -> list[tuple[Round, RoundName]]:
    """Return a table's last rounds that were dealt, the latest first, with dealer and name."""
    found = (
        Round.objects.filter(table_id=table_id)
        .exclude(stage__in=[Round.Stage.AWAITED, Round.Stage.CALLED_OFF])
        .select_related("table", "shoe", "dealer")
        .order_by("-pk")[:limit]
    )
    return [(each, RoundName(each.table.code, each.shoe.number, each.number)) for each in found]
