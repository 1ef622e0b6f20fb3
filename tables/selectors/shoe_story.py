"""How a shoe was prepared: each signed step with its signers and time."""

from dataclasses import dataclass
from datetime import datetime

from audit.log.rows import Ref
from casino.people.models import Signature
from tables.models import ShoeStep


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed, in which role."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class StepDone:
    """One step of the preparation, done and signed."""

    step: str
    at: datetime
    signers: tuple[Signed, ...]


def step_story(shoe: Ref) -> dict[str, StepDone]:
    """Return the signed steps of a shoe by name, in two queries."""
    steps = ShoeStep.objects.filter(shoe__key=shoe.key).order_by("revision")
    signatures = Signature.objects.filter(
        subject=shoe.key, purpose__startswith="shoe."
    ).select_related("staff")
    signers: dict[str, list[Signed]] = {}
    for signature in signatures.order_by("pk"):
        step = signature.purpose.removeprefix("shoe.")
        signers.setdefault(step, []).append(Signed(signature.staff.name, signature.role))
    return {
        row.step: StepDone(row.step, row.done_at, tuple(signers.get(row.step, ()))) for row in steps
    }
