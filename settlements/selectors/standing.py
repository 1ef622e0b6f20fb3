"""The settlements of a round that stand: of each part the latest revision, with its payouts."""

from dataclasses import dataclass, field

from django.db.models import Q

from settlements.correction import LineSide
from settlements.lines import GivenBack, Sums, VoidNote, WagerName
from settlements.models import Part, Payout, Settlement
from tables.selectors.round_read import RoundRead

# A payout's columns, but for round, part, revision and entry.
_COLUMNS = (
    "seat",
    "wager",
    "stake_minor",
    "outcome",
    "odds_numerator",
    "odds_denominator",
    "profit_minor",
    "owed_minor",
    "handed_minor",
    "breakage_numerator",
    "breakage_denominator",
    "cap_cut_minor",
    "commission_minor",
    "extra_owed_minor",
    "bank_minor",
    "bank",
    "clause",
    "why",
)


@dataclass(frozen=True, slots=True)
class StandingPart:
    """A part as it stands; revision 0 where it was never settled."""

    revision: int = 0
    sums: Sums = field(default_factory=lambda: Sums(0, 0, 0))
    void: VoidNote | None = None
    given_back: GivenBack = GivenBack.NONE
    lines: dict[WagerName, LineSide] = field(default_factory=dict)


def standing_parts(read: RoundRead) -> dict[Part, StandingPart]:
    """Return both parts of a round as they stand, in two queries."""
    latest = Q(part=Part.SWEEP, revision=read.sweep_revision) | Q(
        part=Part.FINAL, revision=read.final_revision
    )
    lines: dict[str, dict[WagerName, LineSide]] = {part: {} for part in Part.values}
    for payout in Payout.objects.filter(latest, round_id=read.ref.id):
        lines[payout.part][payout.seat, payout.wager] = payout_side(payout)
    found = {part: StandingPart() for part in Part}
    for settled in Settlement.objects.filter(latest, round_id=read.ref.id):
        found[Part(settled.part)] = StandingPart(
            revision=settled.revision,
            sums=Sums(settled.handle_minor, settled.bank_owed_minor, settled.bank_handed_minor),
            void=VoidNote(settled.void_stage, tuple(settled.void_seats))
            if settled.void_stage
            else None,
            given_back=GivenBack(settled.given_back),
            lines=lines[settled.part],
        )
    return found


def payout_side(payout: Payout) -> LineSide:
    """Return a stored payout as a side of a bill."""
    return LineSide(
        taken_minor=payout.stake_minor + payout.extra_owed_minor,
        owed_minor=payout.owed_minor,
        handed_minor=payout.handed_minor,
        columns={name: getattr(payout, name) for name in _COLUMNS},
    )
