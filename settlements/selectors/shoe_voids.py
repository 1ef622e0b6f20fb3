"""The rounds that a void of a shoe puts in question, with every wager (event 27).

Reads only. A round is listed with the revisions in which its wagers stood when the shoe was voided;
payouts are never overwritten, so the list says for ever what was in question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from audit.log.rows import Ref
from settlements.models import Payout, ShoeVoidRound
from tables.irregularities import EVENTS, ShoeEffect
from tables.models import Irregularity, Round, Shoe
from tables.selectors.round_read import RoundRead

# A round of which a card was dealt; the others had no wager that a card decided.
_DEALT = (Round.Stage.SETTLED, Round.Stage.VOIDED)


@dataclass(frozen=True, slots=True)
class ListedWager:
    """One wager of a listed round as it stood; amounts in minor units."""

    seat: int
    wager: str
    stake_minor: int
    outcome: str
    owed_minor: int
    handed_minor: int


@dataclass(frozen=True, slots=True)
class ListedRound:
    """A round of the list: what was decided of it, and its wagers."""

    row: ShoeVoidRound
    wagers: tuple[ListedWager, ...]

    @property
    def stake_minor(self) -> int:
        """The stakes of its wagers."""
        return sum(wager.stake_minor for wager in self.wagers)

    @property
    def bank_minor(self) -> int:
        """What the bank gained by it, as handed over."""
        return self.stake_minor - sum(wager.handed_minor for wager in self.wagers)

    @property
    def lost_minor(self) -> int:
        """What its losers lost: the cost of refunding them."""
        return sum(
            wager.stake_minor - wager.handed_minor
            for wager in self.wagers
            if wager.outcome == "lose"
        )


def rounds_in_question(table: Ref, *, shoe: int, since_shoe: int) -> list[Round]:
    """Return the dealt rounds from the shoe after the last good check up to the void one.

    The check by which the shoe itself was prepared is the last good one, unless an earlier shoe is
    named: then that check was no good either.
    """
    return list(
        Round.objects.filter(
            table_id=table.id,
            shoe__number__gte=since_shoe,
            shoe__number__lte=shoe,
            stage__in=_DEALT,
        ).order_by("shoe__number", "number")
    )


def voids_asking(read: RoundRead) -> list[Irregularity]:
    """Return the voids that put a round in question which comes in only now, from paper.

    Such a void was recorded while the round was awaited: of its own shoe, or of a later one that
    goes back as far.
    """
    recorded = Irregularity.objects.filter(
        table_id=read.table.id,
        revision=1,
        shoe__number__gte=read.name.shoe,
        shoe__state=Shoe.State.VOIDED,
    )
    return [
        each
        for each in recorded.select_related("shoe").order_by("number")
        if EVENTS[each.event].procedures[each.procedure].shoe == ShoeEffect.VOIDED
        and each.shoe is not None
        and (each.details["since_shoe"] or each.shoe.number) <= read.name.shoe
    ]


def standing_rows(shoe: Ref) -> list[ShoeVoidRound]:
    """Return the rounds of a void shoe's list in the revision that stands."""
    latest = (
        ShoeVoidRound.objects.filter(shoe_id=shoe.id)
        .values("round_id")
        .annotate(latest=Max("revision"))
        .values_list("round_id", "latest")
    )
    standing = dict(latest)
    rows = ShoeVoidRound.objects.filter(shoe_id=shoe.id).select_related("round__shoe", "shoe")
    return sorted(
        (row for row in rows if row.revision == standing[row.round_id]),
        key=lambda row: (row.round.shoe.number, row.round.number),
    )


def listed_rounds(shoe: Ref) -> list[ListedRound]:
    """Return the list of a void shoe with every wager, in three queries."""
    rows = standing_rows(shoe)
    wagers = _wagers([row.round_id for row in rows])
    return [
        ListedRound(
            row,
            tuple(
                wager
                for part, revision in (
                    ("sweep", row.sweep_revision),
                    ("final", row.final_revision),
                )
                for wager in wagers.get((row.round_id, part, revision), ())
            ),
        )
        for row in rows
    ]


def _wagers(rounds: Sequence[int]) -> dict[tuple[int, str, int], list[ListedWager]]:
    found: dict[tuple[int, str, int], list[ListedWager]] = {}
    for paid in Payout.objects.filter(round_id__in=rounds).order_by("seat", "id"):
        wager = ListedWager(
            paid.seat,
            paid.wager,
            paid.stake_minor,
            paid.outcome,
            paid.owed_minor,
            paid.handed_minor,
        )
        found.setdefault((paid.round_id, paid.part, paid.revision), []).append(wager)
    return found
