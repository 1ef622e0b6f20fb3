"""Everything that the page of one irregularity shows: the record, what it did, its entries.

Reads only. What an irregularity did is found by its number, and by the entries that were written
with it in one go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.models import Entry
from audit.log.selectors import EntryView, entries_at
from settlements.models import Payout, Settlement, ShoeVoidRound
from settlements.selectors.round_page import PayoutLine, payout_line
from tables.irregularities import EVENTS, Procedure, ShoeEffect
from tables.models import Card, Irregularity, SeatWagers
from tables.selectors.irregularities import IrregularityStory, irregularity_story
from tables.selectors.round_read import WAGER_KINDS, wager_place

# What comes with an irregularity: a void, a settled pair wager taken back, a hold, a shoe's end.
_WITH_IT = {
    "sweep.reversed",
    "round.voided",
    "dispute.opened",
    "shoe.voided",
    "shoe.ended",
    "shoe.counted",
}


@dataclass(frozen=True, slots=True)
class Relaid:
    """A stake that was put on record as it lay; amounts in minor units."""

    seat: int
    wagers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class IrregularityPage:
    """One irregularity with all that it did.

    `returned` are the lines of the void that came with it, `relaid` stakes recorded as they lay,
    `faces` the cards at the draws that it moved. `listed` counts the rounds in question by a void.
    """

    story: IrregularityStory
    procedure: Procedure | None
    returned: tuple[PayoutLine, ...]
    relaid: tuple[Relaid, ...]
    faces: Mapping[int, str]
    listed: int | None
    option_values: Mapping[str, object]
    entries: Sequence[EntryView]


def irregularity_page(table: str, number: int) -> IrregularityPage | None:
    """Return the page of one irregularity, or None."""
    story = irregularity_story(table, number)
    if story is None:
        return None
    row, first = story.line.row, story.revisions[0]
    event = EVENTS.get(row.event)
    procedure = event.procedures.get(row.procedure) if event else None
    return IrregularityPage(
        story=story,
        procedure=procedure,
        returned=_returned(row, procedure),
        relaid=_relaid(first),
        faces=_faces(row, draws=[each.draw for each in story.departures]),
        listed=_listed(row, procedure),
        option_values=row.shoe.procedures.options if row.shoe else {},
        entries=_entries(story, stream=f"table/{table}"),
    )


def _returned(row: Irregularity, procedure: Procedure | None) -> tuple[PayoutLine, ...]:
    """Return the lines of the void as it was written; a later correction has its own page."""
    voids = procedure is not None and procedure.voids_round
    if row.round_id is None or not voids:
        return ()
    kept = dict(
        Settlement.objects.filter(round_id=row.round_id, kind=Settlement.Kind.VOIDED)
        .order_by("revision")
        .values_list("part", "revision")
    )
    found = Payout.objects.filter(round_id=row.round_id, part__in=kept)
    lines = [payout_line(each) for each in found if each.revision == kept[each.part]]
    return tuple(sorted(lines, key=lambda line: (line.seat, wager_place(line.wager))))


def _relaid(first: Irregularity) -> tuple[Relaid, ...]:
    found = SeatWagers.objects.filter(entry_id=first.entry_id).order_by("seat")
    return tuple(
        Relaid(
            each.seat,
            {
                kind: stake
                for kind in WAGER_KINDS
                if (stake := getattr(each, f"{kind}_minor")) is not None
            },
        )
        for each in found
    )


def _faces(row: Irregularity, *, draws: Sequence[int]) -> dict[int, str]:
    if row.round_id is None or not draws:
        return {}
    found = Card.objects.filter(round_id=row.round_id, draw__in=draws).order_by("revision")
    return dict(found.values_list("draw", "face"))


def _listed(row: Irregularity, procedure: Procedure | None) -> int | None:
    if procedure is None or procedure.shoe != ShoeEffect.VOIDED or row.shoe_id is None:
        return None
    return ShoeVoidRound.objects.filter(shoe_id=row.shoe_id, revision=1).count()


def _entries(story: IrregularityStory, *, stream: str) -> Sequence[EntryView]:
    """Return the entries of every revision, and those that came with the first one."""
    own = [each.entry.seq for each in story.revisions]
    first = story.revisions[0].entry
    after = Entry.objects.filter(
        stream=stream, seq__gt=first.seq, seq__lte=first.seq + len(_WITH_IT)
    ).order_by("seq")
    with_it = []
    for seq, action, xid in after.values_list("seq", "action", "xid"):
        if action not in _WITH_IT or xid != first.xid:
            break
        with_it.append(seq)
    return entries_at(stream, [*own, *with_it])
