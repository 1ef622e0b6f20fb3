"""The corrections of a round as they were signed and logged: bill, signatures, entry."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from audit.log.selectors import EntryView, entries_of
from casino.people.models import Signature
from tables.selectors.round_read import RoundName

CORRECTED = "round.corrected"
PURPOSE = "round.correct"


@dataclass(frozen=True, slots=True)
class Signed:
    """One signature under a correction."""

    number: str
    name: str
    role: str
    camera_reference: str | None


@dataclass(frozen=True, slots=True)
class CorrectionDone:
    """One correction: when and by whom it was entered, its bill, and who signed which hash."""

    at: datetime
    stream: str
    seq: int
    entry_hash: str
    actor: str
    bill: Mapping[str, Any]  # Any: the document as it was signed
    bill_hash: str
    signed: tuple[Signed, ...]


def corrected_by(name: RoundName, *, bill_hash: str) -> int | None:
    """Return the id of the entry that the bill with this hash was corrected by, if it was."""
    try:
        content = bytes.fromhex(bill_hash)
    except ValueError:
        return None
    found = Signature.objects.filter(
        entry__subject=name.key, purpose=PURPOSE, subject=name.key, content_hash=content
    ).values_list("entry_id", flat=True)
    return found.first()


def corrections_of(round_key: str) -> list[CorrectionDone]:
    """Return the corrections of a round, oldest first, in two queries."""
    entries = [entry for entry in entries_of(round_key) if entry.action == CORRECTED]
    signatures: dict[int, list[Signature]] = {}
    for signature in (
        Signature.objects.filter(entry_id__in=[entry.id for entry in entries], purpose=PURPOSE)
        .select_related("staff")
        .order_by("id")
    ):
        signatures.setdefault(signature.entry_id, []).append(signature)
    return [_done(entry, signatures.get(entry.id, [])) for entry in entries]


def _done(entry: EntryView, signatures: list[Signature]) -> CorrectionDone:
    bill = entry.body["data"]
    assert isinstance(bill, dict)
    return CorrectionDone(
        at=entry.at,
        stream=entry.stream,
        seq=entry.seq,
        entry_hash=entry.hash,
        actor=entry.actor_name,
        bill=bill,
        bill_hash=bytes(signatures[0].content_hash).hex() if signatures else "",
        signed=tuple(
            Signed(
                number=signature.staff.number,
                name=signature.staff.name,
                role=signature.role,
                camera_reference=signature.camera_reference,
            )
            for signature in signatures
        ),
    )
