"""The file of a dispute: what control 5.13 asks for, with the round frozen into it.

Amended by revisions, each with the round as it stood then; none is overwritten.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from audit.log.receipts import receipt_of
from audit.log.rows import Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from settlements.selectors.evidence import round_evidence
from tables.acting import Acting
from tables.irregularity_errors import (
    DisputeFileConflictError,
    DisputeFileError,
    DisputeMissingError,
)
from tables.models import DisputeFile
from tables.selectors.disputes import dispute_story
from tables.selectors.round_read import RoundName, read_round
from tables.services.rounds import require_revision

KEEPS_FILES = (Role.SUPERVISOR, Role.MANAGER)
NARRATIVE_MAX, NAME_MAX = 4000, 200
STAFF_MAX, STAFF_NUMBER_MAX = 20, 32


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a complaint states (control 5.13), and who told the player of his rights (5.12)."""

    patron: str
    contact: str
    narrative: str
    staff_involved: Sequence[str] = ()
    witnesses: str = ""
    house_action: str = ""
    patron_informed: str = ""
    camera_reference: str = ""

    @property
    def numbers(self) -> list[str]:
        """The staff numbers, each once, in the order in which they were named."""
        named = (number.strip() for number in self.staff_involved)
        return list(dict.fromkeys(number for number in named if number))

    def values(self) -> dict[str, object]:
        """Return it as columns."""
        return {
            "patron": self.patron,
            "contact": self.contact,
            "narrative": self.narrative,
            "staff_involved": self.numbers,
            "witnesses": self.witnesses,
            "house_action": self.house_action,
            "patron_informed": self.patron_informed,
            "camera_reference": self.camera_reference,
        }


@service
def keep_file(
    *, table: str, number: int, revision: int, content: FileContent, by: Acting
) -> Receipt:
    """Keep a dispute's file in its next revision; the same again changes nothing.

    Raises DisputeMissingError, DisputeFileError, DisputeFileConflictError,
    RevisionSupersededError, RevisionBeyondError.
    """
    require_role(by.person, *KEEPS_FILES)
    _require_content(content)
    lock_stream(f"table/{table}")
    story = dispute_story(table, number)
    if story is None:
        raise DisputeMissingError(table=table, dispute=number)
    hold, stands = story.hold, story.file
    latest = stands.revision if stands else 0
    require_revision(f"the file of {hold.key}", revision=revision, latest=latest)
    if stands is not None and revision == latest:
        if any(getattr(stands, name) != value for name, value in content.values().items()):
            raise DisputeFileConflictError(dispute=hold.key, revision=revision)
        return receipt_of(stands.entry_id)
    read = read_round(RoundName(table, hold.round.shoe.number, hold.round.number))
    values = {
        "dispute": Ref(hold.pk, hold.key),
        "revision": revision,
        **content.values(),
        "evidence": round_evidence(read),
    }
    return append(
        stream=read.name.stream,
        action="dispute.filed",
        subject=read.ref.key,
        actor=by.actor,
        facts=[Row(DisputeFile, values)],
        data={"dispute": hold.key},
    )


def _require_content(content: FileContent) -> None:
    """Refuse what says too little or too much, whichever door it came through."""
    needed = (content.patron, content.contact, content.narrative)
    names = (content.patron, content.contact, content.camera_reference)
    texts = [value for value in content.values().values() if isinstance(value, str)]
    numbers = content.numbers
    if (
        not all(text.strip() for text in needed)
        or max(map(len, names)) > NAME_MAX
        or max(map(len, texts)) > NARRATIVE_MAX
        or len(numbers) > STAFF_MAX
        or any(len(number) > STAFF_NUMBER_MAX for number in numbers)
    ):
        raise DisputeFileError(limit=NARRATIVE_MAX, names=NAME_MAX, people=STAFF_MAX)
