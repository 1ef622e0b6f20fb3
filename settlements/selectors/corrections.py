"""The corrections of a round as they were signed and logged: bill, signatures, entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from audit.log.selectors import EntryView, entries_of
from casino.people.models import Signature
from settlements.selectors.signed import entry_signed
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
    return entry_signed(name, purpose=PURPOSE, content_hash=content)


def corrections_of(round_key: str) -> list[CorrectionDone]:
    """Return the corrections of a round, oldest first, in two queries."""
    return corrections_in(entries_of(round_key))


def corrections_in(entries: Sequence[EntryView]) -> list[CorrectionDone]:
    """Return the corrections among the entries of a round, oldest first, in one query."""
    corrected = [entry for entry in entries if entry.action == CORRECTED]
    signatures = signatures_under([entry.id for entry in corrected], purpose=PURPOSE)
    return [_done(entry, signatures.get(entry.id, [])) for entry in corrected]


def signatures_under(entries: Sequence[int], *, purpose: str) -> dict[int, list[Signature]]:
    """Return the signatures that came with entries, by entry, in the order they were given."""
    found: dict[int, list[Signature]] = {}
    for signature in (
        Signature.objects.filter(entry_id__in=entries, purpose=purpose)
        .select_related("staff")
        .order_by("id")
    ):
        found.setdefault(signature.entry_id, []).append(signature)
    return found


def signed_by(signatures: Sequence[Signature]) -> tuple[Signed, ...]:
    """Return who signed, as pages and the API say it."""
    return tuple(
        Signed(
            number=signature.staff.number,
            name=signature.staff.name,
            role=signature.role,
            camera_reference=signature.camera_reference,
        )
        for signature in signatures
    )


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
        signed=signed_by(signatures),
    )
