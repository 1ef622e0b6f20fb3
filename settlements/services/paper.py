"""Rounds from paper, in the money's layer: keyed twice, compared, agreed on (event 29).

Equal keyings are accepted with the second one. Where they differ, where a tablet held a copy too,
and where the round is void, a supervisor says what counts and it is signed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from audit.log.receipts import receipt_of
from audit.log.rows import Receipt
from audit.log.services import lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.services.signatures import Signer, SignerInput, verify_signers
from settlements.services.paper_round import Kept, accept_sheet
from tables.acting import Acting
from tables.models import Round, SheetKeying
from tables.selectors.paper import (
    SheetCopy,
    are_both_keyed,
    keyings_differ,
    sheet_copies,
)
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.paper import Keyed, Keying, laid_sheet, record_keying, stored_as
from tables.sheets import Laid, faces_in
from tables.sheets.errors import (
    SheetCopyMissingError,
    SheetNotAwaitedError,
    SheetNotKeyedError,
    SheetSignersError,
)

AGREES = (Role.SUPERVISOR, Role.MANAGER)


@dataclass(frozen=True, slots=True)
class KeyedSheet:
    """What keying a sheet led to: the receipt of the keying, and of its acceptance if it was."""

    receipt: Receipt
    accepted: Receipt | None
    copies: Mapping[str, SheetCopy]
    done_before: bool = False


@dataclass(frozen=True, slots=True)
class Agreement:
    """What counts of a round from paper: a copy that is kept, or a sheet keyed anew.

    `keep` is the name of a copy (first, second, device), or empty where `document` and `dealt_at`
    say what the sheet really says. `note` is why.
    """

    keep: str
    note: str
    document: Mapping[str, object] | None = None
    dealt_at: datetime | None = None
    as_seen: bool = False


@service
def key_sheet(*, name: RoundName, keying: Keying, by: Acting) -> KeyedSheet:
    """Key one copy of a sheet; the second one that equals the first makes the round.

    Raises what `record_keying` raises. A sheet that is void, that differs, or of which a tablet
    held a copy, waits for a supervisor.
    """
    keyed = record_keying(name=name, keying=keying, by=by)
    if keyed.done_before or keyed.laid is None or not _accepts_itself(keyed):
        return KeyedSheet(keyed.receipt, None, keyed.copies, keyed.done_before)
    accepted = accept_sheet(
        keyed.laid, keep=Kept("paper", keying.dealt_at), copies=keyed.copies, by=by
    )
    return KeyedSheet(keyed.receipt, accepted, keyed.copies)


def _accepts_itself(keyed: Keyed) -> bool:
    return (
        are_both_keyed(keyed.copies)
        and not keyings_differ(keyed.copies)
        and SheetKeying.Copy.DEVICE not in keyed.copies
        and keyed.laid is not None
        and keyed.laid.sheet.end != "voided"
    )


def agree_sheet(
    *, name: RoundName, agreement: Agreement, signers: Sequence[SignerInput], by: Acting
) -> Receipt:
    """Say what counts of a round from paper, signed; then it is on record.

    One supervisor or manager signs; a void takes a supervisor and a manager. None of them dealt the
    round, and none keyed one of two copies that differ. Secrets are verified before any lock. The
    same again answers with the receipt that it got. Raises SheetNotKeyedError,
    SheetCopyMissingError, SheetNotAwaitedError, SheetSignersError, SheetRefusedError,
    OneCardTooManyError and what `verify_signers` raises.
    """
    require_role(by.person, *AGREES)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _agree(name=name, agreement=agreement, signers=verified, by=by)


@service
def _agree(
    *, name: RoundName, agreement: Agreement, signers: Sequence[Signer], by: Acting
) -> Receipt:
    lock_stream(name.stream)
    read = read_round(name)
    copies = sheet_copies(read.ref)
    if not are_both_keyed(copies):
        raise SheetNotKeyedError(round=name.key)
    keying = _agreed_keying(read, agreement, copies)
    done = copies.get(SheetKeying.Copy.AGREED)
    if done is not None and (dict(done.document), done.dealt_at) == stored_as(keying, read):
        return receipt_of(done.entry_id)
    if read.stage != Round.Stage.AWAITED:
        raise SheetNotAwaitedError(round=name.key, stage=read.stage)
    read = read_round(name, faces=faces_in(keying.document))
    laid = laid_sheet(read, keying, now=by.now)
    require_signers(laid, signers, copies=copies)
    kept = Kept(agreement.keep or "agreed", keying.dealt_at, agreement.note, tuple(signers))
    return accept_sheet(laid, keep=kept, copies=copies, by=by)


def _agreed_keying(
    read: RoundRead, agreement: Agreement, copies: Mapping[str, SheetCopy]
) -> Keying:
    """Return what counts as a keying of its own. Raises SheetCopyMissingError."""
    document, dealt_at = agreement.document, agreement.dealt_at
    if agreement.keep:
        kept = copies.get(agreement.keep)
        if kept is None or kept.copy == SheetKeying.Copy.AGREED:
            raise SheetCopyMissingError(round=read.ref.key, copy=agreement.keep)
        document, dealt_at = kept.document, kept.dealt_at
    if document is None or dealt_at is None:
        raise SheetCopyMissingError(round=read.ref.key, copy=SheetKeying.Copy.AGREED.value)
    return Keying(
        copy=SheetKeying.Copy.AGREED.value,
        revision=1,
        document=document,
        dealt_at=dealt_at,
        as_seen=agreement.as_seen,
    )


def require_signers(
    laid: Laid, signers: Sequence[Signer], *, copies: Mapping[str, SheetCopy]
) -> None:
    """Refuse signatures that do not carry an agreement. Raises SheetSignersError."""
    void = laid.sheet.end == "voided"
    roles = [signer.role for signer in signers]
    enough = (
        sorted(roles) == sorted((Role.SUPERVISOR.value, Role.MANAGER.value))
        if void
        else bool(roles) and set(roles) <= set(AGREES)
    )
    strangers = {laid.sheet.dealer}
    if keyings_differ(copies):
        strangers |= {copies[copy].staff.key for copy in ("first", "second")}
    if not enough or any(signer.staff.key in strangers for signer in signers):
        needs = "a supervisor and a manager" if void else "one supervisor or manager"
        raise SheetSignersError(
            round=laid.round.ref.key,
            needs=f"{needs}, not the dealer and not of two whose keyings differ",
            roles=sorted({str(role) for role in AGREES}),
        )
