"""What was not handed over because it lies under a dispute hold. Amounts are in minor units."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from settlements.lines import WagerName
from settlements.models import Payout
from tables.models import DisputeHold
from tables.selectors.held import held_of
from tables.selectors.round_read import RoundRead


def held_when_settled(read: RoundRead, names: Collection[WagerName]) -> set[WagerName]:
    """Return which wagers of those named, of which less than owed was handed, a hold was about.

    Also one that was ruled since: had it been ruled before, what is owed would have been handed.
    """
    if not names:
        return set()
    return held_of(names, DisputeHold.objects.filter(round_id=read.ref.id, in_result=True))


@dataclass(frozen=True, slots=True)
class HandedOtherwise:
    """Of payouts: handed less owed where nothing explains it, and what is owed and lies held."""

    mispaid_minor: int
    held_minor: int


def handed_otherwise(payouts: QuerySet[Payout]) -> HandedOtherwise:
    """Tell apart what was mispaid of payouts and what of them lies under open holds (event 25)."""
    holds = DisputeHold.objects.filter(
        Q(seat__isnull=True) | Q(seat=OuterRef("seat")),
        Q(wager="") | Q(wager=OuterRef("wager")),
        round_id=OuterRef("round_id"),
        state=DisputeHold.State.OPEN,
        in_result=True,
    )
    less = F("handed_minor") - F("owed_minor")
    held = Q(Exists(holds), handed_minor__lt=F("owed_minor"))
    found = payouts.aggregate(all=Sum(less, default=0), held=Sum(less, filter=held, default=0))
    return HandedOtherwise(int(found["all"] - found["held"]), -int(found["held"]))
