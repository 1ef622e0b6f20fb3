"""The corrections of a round as they were signed and logged: bill, signatures, entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from audit.log.selectors import EntryView, entries_of
from casino.people.models import Signature
from settlements.correction import Correction
from settlements.selectors.signed import entry_signed
from settlements.selectors.standing import standing_parts
from tables.selectors.round_read import RoundRead

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


def corrected_by(read: RoundRead, correction: Correction, *, bill_hash: str) -> int | None:
    """Return the id of the entry that this correction was made by with this bill, if it was.

    With the hash of another correction's bill it is none that was made.
    """
    try:
        content = bytes.fromhex(bill_hash)
    except ValueError:
        return None
    entry = entry_signed(read.name, purpose=PURPOSE, content_hash=content)
    if entry is None:
        return None
    made = [each for each in corrections_of(read.ref.key) if each.bill_hash == bill_hash]
    return entry if any(_says(each.bill, correction, read) for each in made) else None


def _says(bill: Mapping[str, Any], correction: Correction, read: RoundRead) -> bool:
    """Tell whether a bill is that of a correction. What it leaves out changed nothing: of that the
    correction must say what stands."""
    dispute = f"{read.name.table}/D{correction.dispute}" if correction.dispute else None
    asked = (correction.event, correction.reason, correction.moved, dispute)
    if asked != (bill["event"], bill["reason"], bill["moved"], bill.get("dispute")):
        return False
    cards = {card["draw"]: card["after"] for card in bill["cards"]}
    seats = {seat["seat"]: seat["after"] for seat in bill["wagers"]}
    faces = {card.draw: card.face for card in correction.cards}
    if not (cards.keys() <= faces.keys() and seats.keys() <= correction.wagers.keys()):
        return False
    stand = {seat: keyed.wagers for seat, keyed in read.seats.items()}
    return (
        all(cards.get(draw, _face(read, draw)) == face for draw, face in faces.items())
        and all(
            seats.get(seat, stand.get(seat, {})) == dict(wagers)
            for seat, wagers in correction.wagers.items()
        )
        and _says_handed(bill, correction, read)
    )


def _says_handed(bill: Mapping[str, Any], correction: Correction, read: RoundRead) -> bool:
    if not correction.handed:
        return True
    so_far = {
        name: line.handed_minor
        for part in standing_parts(read).values()
        for name, line in part.lines.items()
    }
    for part in bill["parts"]:
        so_far |= {(line["seat"], line["wager"]): line["so_far_minor"] for line in part["lines"]}
    return all(so_far.get(name) == amount for name, amount in correction.handed.items())


def _face(read: RoundRead, draw: int) -> str | None:
    keyed = read.keyed(draw)
    return keyed.face if keyed else None


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
