"""One dispute on one page: what is held, what cards and log say, its file, its ruling, its money.

The round is read and verified as on its own page. What the file froze is laid beside how the round
stands now, so that a correction since then shows.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from audit.log.selectors import EntryView
from casino.people.selectors import Signed, names_by_number, signatures_under
from settlements.selectors.corrections import corrections_in
from settlements.selectors.evidence import round_evidence
from settlements.selectors.round_page import PayoutLine, RoundPage, round_page
from settlements.selectors.signed import SignedAct
from tables.irregularity_errors import DisputeMissingError
from tables.models import DisputeFile, DisputeHold, Irregularity
from tables.selectors.disputes import RELEASE_PURPOSE, DisputeStory, dispute_story
from tables.selectors.round_read import RoundName

RELEASED = "dispute.released"
# What the copy in a file says of when it was made, and not of the round.
_OF_THE_COPY = ("last_seq",)


@dataclass(frozen=True, slots=True)
class Filed:
    """One revision of the file: who kept it, and whom of the staff it names."""

    row: DisputeFile
    kept_by: str
    kept_as: str
    staff: tuple[tuple[str, str], ...]  # number and name; "" where nobody on staff has it


@dataclass(frozen=True, slots=True)
class DisputePage:
    """Everything that the page of a dispute shows.

    `lines` are the payouts that stand of what is held. `has_changed` says that the round is not any
    more as the file froze it.
    """

    story: DisputeStory
    round: RoundPage
    seen: str
    opened_by: str
    opened_as: str
    lines: tuple[PayoutLine, ...]
    files: tuple[Filed, ...]
    has_changed: bool
    signed: tuple[Signed, ...]
    corrections: tuple[SignedAct, ...]
    entries: tuple[EntryView, ...]

    @property
    def hold(self) -> DisputeHold:
        """The hold itself."""
        return self.story.hold

    @property
    def awaits_correction(self) -> bool:
        """Whether it was ruled for the player and nothing is paid yet of what was settled before.

        What is settled after the ruling is paid with its part; stakes out of play go back by the
        ruling itself.
        """
        hold, ended = self.hold, self.round.ended_at
        if hold.outcome != DisputeHold.Outcome.PATRON or not hold.in_result or self.corrections:
            return False
        if any(line.handed_minor < line.owed_minor for line in self.lines):
            return True
        return ended is not None and hold.released_at is not None and ended < hold.released_at


def dispute_page(table: str, number: int, *, now: datetime) -> DisputePage:
    """Return the page of a dispute. Raises DisputeMissingError."""
    story = dispute_story(table, number)
    if story is None:
        raise DisputeMissingError(table=table, dispute=number)
    hold = story.hold
    shown = round_page(RoundName(table, hold.round.shoe.number, hold.round.number), now=now)
    first = Irregularity.objects.filter(
        table_id=hold.table_id, number=hold.irregularity_number, revision=1
    ).first()
    entries = {entry.id: entry for entry in shown.timeline}
    opened = entries.get(first.entry_id) if first else None
    own = tuple(entry for entry in shown.timeline if _is_about(entry, hold.key))
    released = [entry.id for entry in own if entry.action == RELEASED]
    signed = signatures_under(released, purpose=RELEASE_PURPOSE)
    return DisputePage(
        story=story,
        round=shown,
        seen=first.seen if first else "",
        opened_by=opened.actor_name if opened else "",
        opened_as=opened.role if opened else "",
        lines=lines_held(hold, shown.lines),
        files=_files(story, entries),
        has_changed=_has_changed(story, shown),
        signed=tuple(each for entry in released for each in signed.get(entry, ())),
        corrections=tuple(
            done
            for done in corrections_in(shown.timeline)
            if done.document.get("dispute") == hold.key
        ),
        entries=own,
    )


def lines_held(hold: DisputeHold, lines: Sequence[PayoutLine]) -> tuple[PayoutLine, ...]:
    """Return the payouts of what a hold is about: a wager, a seat, or the round."""
    return tuple(
        line for line in lines if hold.seat in (None, line.seat) and hold.wager in ("", line.wager)
    )


def _is_about(entry: EntryView, dispute: str) -> bool:
    data = entry.body.get("data")
    return isinstance(data, Mapping) and data.get("dispute") == dispute


def _files(story: DisputeStory, entries: Mapping[int, EntryView]) -> tuple[Filed, ...]:
    numbers = {number for file in story.files for number in file.staff_involved}
    names = names_by_number(numbers) if numbers else {}
    found = []
    for file in story.files:
        entry = entries.get(file.entry_id)
        found.append(
            Filed(
                row=file,
                kept_by=entry.actor_name if entry else "",
                kept_as=entry.role if entry else "",
                staff=tuple((number, names.get(number, "")) for number in file.staff_involved),
            )
        )
    return tuple(found)


def _has_changed(story: DisputeStory, shown: RoundPage) -> bool:
    """Tell whether the round stands otherwise than the latest revision of the file froze it."""
    if story.file is None:
        return False
    # As it would be stored: what JSON does not tell apart is no change.
    now = json.loads(json.dumps(round_evidence(shown.read)))
    return _of_the_round(now) != _of_the_round(story.file.evidence)


def _of_the_round(evidence: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in evidence.items() if name not in _OF_THE_COPY}
