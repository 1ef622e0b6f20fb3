"""Payouts of a round, by part and revision."""

from collections.abc import Mapping

from audit.log.rows import Ref
from settlements.models import Part, Payout, Settlement


def handed_of(
    round_: Ref, *, part: Part, revision: int
) -> Mapping[tuple[int, str], tuple[int, int]]:
    """Return owed and handed in minor units by seat and wager."""
    rows = Payout.objects.filter(round_id=round_.id, part=part, revision=revision).values_list(
        "seat", "wager", "owed_minor", "handed_minor"
    )
    return {(seat, wager): (owed, handed) for seat, wager, owed, handed in rows}


def settlement_entry(round_: Ref, *, part: Part, revision: int) -> int:
    """Return the id of the entry that a settlement came with."""
    return Settlement.objects.values_list("entry_id", flat=True).get(
        round_id=round_.id, part=part, revision=revision
    )


def settlements_of(round_: Ref) -> list[Settlement]:
    """Return every settlement of a round, oldest revision first; none is ever overwritten."""
    return list(Settlement.objects.filter(round_id=round_.id).order_by("-part", "revision"))


def payouts_of(round_: Ref) -> list[Payout]:
    """Return every payout of a round in the order of parts, revisions, seats and wagers."""
    return list(
        Payout.objects.filter(round_id=round_.id).order_by("-part", "revision", "seat", "id")
    )
