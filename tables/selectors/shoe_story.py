"""How a shoe was prepared: each signed step with its signers and time."""

from dataclasses import dataclass
from datetime import datetime

from audit.log.rows import Ref
from casino.people.selectors import Signed, signatures_under
from tables.models import ShoeStep


@dataclass(frozen=True, slots=True)
class StepDone:
    """One step of the preparation, done and signed."""

    step: str
    at: datetime
    signers: tuple[Signed, ...]


def step_story(shoe: Ref) -> dict[str, StepDone]:
    """Return the signed steps of a shoe by name, in two queries."""
    steps = list(ShoeStep.objects.filter(shoe__key=shoe.key).order_by("revision"))
    signed = signatures_under(row.entry_id for row in steps)
    return {
        row.step: StepDone(row.step, row.done_at, signed.get(row.entry_id, ())) for row in steps
    }
