"""Correct a round that is over: the bill is signed by two people, then everything is one entry.

Old revisions stay; what changes gets the next one. Only the parts whose lines change are settled
anew. It must not decide what is owed (the engine does) nor what the bill says (the selector does).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.outbox.bell import ring
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)
from settlements.correction import Bill, CardBill, Correction, PartBill, SeatBill
from settlements.errors import (
    BillChangedError,
    CameraReferenceError,
    CorrectionSignersError,
    NobodyInChargeError,
)
from settlements.lines import Sums
from settlements.models import Part, Settlement
from settlements.selectors.authority import Authority, authority_of
from settlements.selectors.bill import bill_of, faces_of
from settlements.selectors.corrected import too_many_as_seen
from settlements.selectors.corrections import CORRECTED, PURPOSE, corrected_by
from settlements.selectors.draw_errors import EVENT, PROCEDURE
from settlements.selectors.late import paying_session
from settlements.services.rows import session_change, settlement_rows
from settlements.services.settle import check_row
from tables.acting import Acting
from tables.irregularities import Case, Told
from tables.models import Card, Round, SeatWagers, TableSession
from tables.selectors.round_read import CARRIED, WAGER_KINDS, RoundName, RoundRead, read_round
from tables.services.cards import raise_one_too_many
from tables.services.irregularities.record import irregularity_row
from tables.services.shoe_end import Restated, restate_shoe

CORRECTS = (Role.SUPERVISOR, Role.MANAGER)
_SIGNERS = 2


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did: the receipt, and the round as it stands now."""

    receipt: Receipt
    round: RoundRead
    bill_hash: str
    done_before: bool = False


def correct_round(
    *,
    name: RoundName,
    correction: Correction,
    bill_hash: str,
    signers: Sequence[SignerInput],
    by: Acting,
) -> Corrected:
    """Correct a round as the bill with this hash says; two people sign it.

    Secrets are verified before any lock, whatever else is wrong. Under the lock the bill is made
    again: another hash is a conflict that carries the new bill. The same bill again is accepted and
    changes nothing. Raises BillChangedError, CorrectionSignersError, CameraReferenceError,
    NobodyInChargeError, what `bill_of` raises and what `verify_signers` raises.
    """
    require_role(by.person, *CORRECTS)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _correct(name=name, correction=correction, bill_hash=bill_hash, signers=verified, by=by)


def require_signers(read: RoundRead, signers: Sequence[Signer], *, authority: Authority) -> None:
    """Refuse signatures that do not carry a correction; the people are known to be different.

    Raises CorrectionSignersError, CameraReferenceError, NobodyInChargeError.
    """
    if authority.late and authority.in_charge is None:
        raise NobodyInChargeError(round=read.ref.key)
    dealt = any(signer.staff.id == read.dealer.id for signer in signers)
    if dealt or not _are_enough(signers, authority=authority):
        raise CorrectionSignersError(
            round=read.ref.key,
            needs=str(authority.needs),
            late=authority.late,
            over_limit=authority.over_limit,
            roles=[[role.value for role in roles] for roles in authority.roles],
        )
    for signer in signers:
        if signer.role == Role.SURVEILLANCE and not (signer.camera_reference or "").strip():
            raise CameraReferenceError(round=read.ref.key)


def _are_enough(signers: Sequence[Signer], *, authority: Authority) -> bool:
    """Tell whether there are two signatures in the roles that are needed, in either order."""
    if len(signers) != _SIGNERS:
        return False
    first, second = authority.roles
    one, other = signers
    fits = (one.role in first and other.role in second) or (
        other.role in first and one.role in second
    )
    if authority.late and authority.in_charge is not None:
        managers = [each.staff.id for each in signers if each.role == Role.MANAGER]
        return fits and managers == [authority.in_charge.staff.id]
    return fits


@service
def _correct(
    *,
    name: RoundName,
    correction: Correction,
    bill_hash: str,
    signers: Sequence[Signer],
    by: Acting,
) -> Corrected:
    lock_stream(name.stream)
    read = read_round(name, faces=faces_of(correction))
    done = corrected_by(read, correction, bill_hash=bill_hash)
    if done is not None:
        return Corrected(receipt_of(done), read, bill_hash, done_before=True)
    bill = bill_of(read, correction)
    if bill.hash != bill_hash:
        raise BillChangedError(round=name.key, bill=bill.document, bill_hash=bill.hash)
    authority = authority_of(read, bill, now=by.now)
    require_signers(read, signers, authority=authority)
    receipt, restated = write_correction(read, bill, signers=signers, by=by)
    if restated is not None:
        restated.raise_findings(by)
    for fault in too_many_as_seen(read, bill.cards):
        raise_one_too_many(read, fault, by=by)
    ring()
    return Corrected(receipt=receipt, round=read_round(name), bill_hash=bill.hash)


def write_correction(
    read: RoundRead, bill: Bill, *, signers: Sequence[Signer], by: Acting
) -> tuple[Receipt, Restated | None]:
    """Write what a bill says as one entry, under the lock that the caller holds.

    The caller has verified who signs and that the bill is of the round as it stands; `read` must be
    read after whatever was written before, because the session's sums move.
    """
    restated = None
    if bill.cards:
        restated = restate_shoe(
            table=read.name.table,
            shoe=read.name.shoe,
            replaced=[(card.before, card.after) for card in bill.cards],
        )
    facts = [
        *(_card_row(read, card) for card in bill.cards),
        *(_seat_row(read, seat) for seat in bill.seats),
        *_draw_error_rows(read, bill, by=by),
        *(row for part in bill.parts for row in _settlement(read, part, bill)),
        *([restated.row] if restated else []),
    ]
    signatures = signature_rows(
        signers,
        content_hash=bill.content_hash,
        purpose=PURPOSE,
        subject=read.ref.key,
        device=by.person.device,
    )
    receipt = append(
        stream=read.name.stream,
        action=CORRECTED,
        subject=read.ref.key,
        actor=by.actor,
        facts=[*facts, *signatures],
        changes=_changes(read, bill),
        work=[check_row(read, part=part.part, revision=part.revision) for part in bill.parts],
        data=bill.document,
    )
    return receipt, restated


def _card_row(read: RoundRead, card: CardBill) -> Row:
    """Return the fact; a card carried over keeps the round and the draw in which it was drawn."""
    carried = read.carried if card.draw == CARRIED else None
    return Row(
        Card,
        {
            "round": carried.round if carried else read.ref,
            "shoe": read.shoe,
            "draw": carried.draw if carried else card.draw,
            "revision": card.revision,
            "face": card.after,
            "as_seen": card.as_seen,
            "claimed_at": None,
        },
    )


def _seat_row(read: RoundRead, seat: SeatBill) -> Row:
    return Row(
        SeatWagers,
        {
            "round": read.ref,
            "seat": seat.seat,
            "revision": seat.revision,
            **{f"{kind}_minor": seat.after.get(kind) for kind in WAGER_KINDS},
        },
    )


def _draw_error_rows(read: RoundRead, bill: Bill, *, by: Acting) -> list[Row]:
    """Return what the bill says of third cards, under an irregularity of its own (event 30).

    In game C somebody was only not asked: no card lies wrongly there.
    """
    error = bill.draw_error
    if error is None:
        return []
    if not error.number:
        return list(error.rows)
    reason = bill.correction.reason
    case = Case(
        table=read.name.table,
        number=error.number,
        event=EVENT,
        procedure=PROCEDURE,
        told=Told(seen=reason, ruling=reason),
        happened_at=by.now,
        shoe=read.name.shoe,
        round=read.name.number,
        seats=tuple(sorted({*error.unneeded.values(), *error.void, *error.alive})),
    )
    made = irregularity_row(
        case,
        table=read.table,
        shoe=read.shoe,
        read=read,
        seats=case.seats,
        found=error.document,
        signed_hash=bill.content_hash,
    )
    return [made, *error.rows]


def _settlement(read: RoundRead, part: PartBill, bill: Bill) -> list[Row]:
    return settlement_rows(
        read,
        part.owed,
        part=part.part,
        revision=part.revision,
        kind=Settlement.Kind.CORRECTED,
        handed=part.handed,
        void=part.void,
        given_back=part.given_back,
        signed_hash=bill.hash,
    )


def _changes(read: RoundRead, bill: Bill) -> list[Change]:
    """Return what moves on the heads: the round's revisions and seats, the session's sums.

    The session's sums move also when it is closed; what was reported of a day stays as it was.
    What moves now is then none of its tray's, but of the one that is open.
    """
    names = {Part.SWEEP: "sweep_revision", Part.FINAL: "final_revision"}
    changed: dict[str, object] = {names[part.part]: part.revision for part in bill.parts}
    before, after = bill.live
    if before != after:
        changed["live_seats"] = list(after)
    changes = [Change(Round, read.ref, changed)] if changed else []
    late = bill.late
    if late is None:
        if bill.sums != Sums(0, 0, 0):
            changes.append(session_change(read, bill.sums, rounds=0))
        return changes
    changes.append(session_change(read, bill.sums, rounds=0, moved_late_minor=late.moved_minor))
    paying = paying_session(read)
    if paying is not None and late.tray_minor:
        total = paying.moved_late_minor - late.tray_minor
        changes.append(Change(TableSession, paying.ref, {"moved_late_minor": total}))
    return changes
