"""Dispute holds: opened with one tap, ruled by a supervisor and the manager in charge (event 25).

The round settles around a hold, which blocks changes to what it holds. What the settlements count
as the bank's though it lies apart is kept on the session; a ruling for the player is paid by a
correction, which the release makes possible. Amounts are in minor units.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from audit.chain import canonical
from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.selectors import signed_entry
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)
from tables.acting import Acting
from tables.errors import RoundStageError
from tables.games.values import TABLE_MONEY_MAX
from tables.irregularities import Case, Letter, Told
from tables.irregularity_errors import (
    DisputeMissingError,
    DisputeNumberError,
    DisputeOutcomeError,
    DisputeRefusedError,
    DisputeReleasedError,
    DisputeRulingChangedError,
    IrregularityTextError,
)
from tables.models import DisputeHold, Irregularity, Round, TableSession, TakenOut
from tables.selectors.disputes import RELEASE_PURPOSE, find_dispute, latest_dispute
from tables.selectors.held import apart_of, passed_on
from tables.selectors.irregularities import latest_revision
from tables.selectors.round_read import ROUND_OVER, RoundName, RoundRead, read_round
from tables.services.irregularities.authority import require_letters
from tables.services.irregularities.ground import TEXT_MAX, latest_number
from tables.services.irregularities.holding import (
    Held,
    apart_at_once,
    hold_row,
    session_apart,
    stake_of,
)
from tables.services.irregularities.record import irregularity_row

OPENS_DISPUTES = (Role.DEALER, Role.SUPERVISOR, Role.MANAGER)
RULES_DISPUTES = (Role.SUPERVISOR, Role.MANAGER)
# What a ruling leaves as it is on record.
_KEPT = (
    "number",
    "event",
    "stage",
    "seats",
    "draws",
    "procedure",
    "seen",
    "chips_moved",
    "patrons_told",
    "regulator_told",
    "details",
    "happened_at",
)
_EVENT = 25
_CLOSED = TableSession.State.CLOSED


@dataclass(frozen=True, slots=True)
class Disputed:
    """What is disputed: a wager, a seat's wagers (wager ""), or the round (no seat).

    `disputed_minor` None is what lies there. `number` is the table's next dispute.
    """

    number: int
    seen: str
    seat: int | None = None
    wager: str = ""
    disputed_minor: int | None = None


@dataclass(frozen=True, slots=True)
class DisputeDone:
    """What a service did: the receipt, and the dispute's key."""

    receipt: Receipt
    key: str
    done_before: bool = False


@service
def open_dispute(*, name: RoundName, disputed: Disputed, by: Acting) -> DisputeDone:
    """Open a hold; a dealer does so at the tablet of the table, for his own or a later round.

    The same hold again under its number changes nothing, whatever became of it since.
    Raises DisputeNumberError, DisputeRefusedError, RoundStageError, IrregularityTextError.
    """
    require_role(by.person, *OPENS_DISPUTES)
    by.require_dealer_at_table(name.table)
    if not 0 < len(disputed.seen.strip()) <= TEXT_MAX:
        raise IrregularityTextError(limit=TEXT_MAX)
    lock_stream(name.stream)
    read = read_round(name)
    if read.stage in (Round.Stage.AWAITED, Round.Stage.CALLED_OFF):
        raise RoundStageError(round=name.key, stage=read.stage, expected=Round.Stage.SETTLED)
    latest = latest_dispute(read.table)
    if done := _opened_before(read, disputed):
        return done
    if disputed.number != latest + 1:
        raise DisputeNumberError(table=name.table, next=latest + 1, number=disputed.number)
    held = _held(read, disputed)
    return write_hold(
        read=read, held=held, irregularity=None, seen=disputed.seen, number=disputed.number, by=by
    )


def _opened_before(read: RoundRead, disputed: Disputed) -> DisputeDone | None:
    """Return the first answer to a call that is sent again."""
    hold = DisputeHold.objects.filter(
        table_id=read.table.id,
        number=disputed.number,
        round_id=read.ref.id,
        seat=disputed.seat,
        wager=disputed.wager,
    ).first()
    if hold is None:
        return None
    opened = Irregularity.objects.filter(
        table_id=read.table.id,
        number=hold.irregularity_number,
        revision=1,
        event=_EVENT,
        seen=disputed.seen,
    ).first()
    if opened is None:
        return None
    # Another sum may lie apart by now.
    at_first = opened.details["found"]["disputed_minor"]
    if disputed.disputed_minor not in (None, at_first):
        return None
    return DisputeDone(receipt_of(opened.entry_id), hold.key, done_before=True)


@service
def write_hold(
    *,
    read: RoundRead,
    held: Held,
    irregularity: int | None,
    seen: str,
    number: int,
    by: Acting,
) -> DisputeDone:
    """Open hold `number` in a round read under the lock; without an irregularity it is event 25."""
    key = f"{read.table.key}/D{number}"
    facts = []
    if irregularity is None:
        irregularity = latest_number(read.table) + 1
        facts = [_opened(read, held, number=irregularity, seen=seen, key=key, by=by)]
    row = hold_row(read, held, number=number, irregularity=irregularity, now=by.now)
    if read.session_state == _CLOSED:
        row = Row(DisputeHold, {**row.values, "moved_at": by.now})
    receipt = append(
        stream=read.name.stream,
        action="dispute.opened",
        subject=read.ref.key,
        actor=by.actor,
        facts=facts,
        new_heads=[row],
        changes=session_apart(read, apart_at_once(read, held)),
        data={"dispute": key},
    )
    return DisputeDone(receipt, key)


def _held(read: RoundRead, disputed: Disputed) -> Held:
    """Return what is held. Raises DisputeRefusedError."""
    stakes = read.wagers
    lies = bool(stakes) if disputed.seat is None else disputed.seat in stakes
    if disputed.wager:
        lies = disputed.seat is not None and disputed.wager in stakes.get(disputed.seat, {})
    amount = disputed.disputed_minor
    if amount is None:
        amount = stake_of(read, disputed.seat, disputed.wager)
    if not lies or not 0 <= amount <= TABLE_MONEY_MAX:
        raise DisputeRefusedError(round=read.ref.key, most=TABLE_MONEY_MAX)
    return Held(disputed.seat, disputed.wager, amount)


def _opened(read: RoundRead, held: Held, *, number: int, seen: str, key: str, by: Acting) -> Row:
    """Return the dispute as an irregularity; its ruling comes with the release (event 25)."""
    case = Case(
        table=read.name.table,
        number=number,
        event=_EVENT,
        procedure="hold",
        told=Told(seen=seen, ruling=f"held as {key} until it is ruled"),
        happened_at=by.now,
        shoe=read.name.shoe,
        round=read.name.number,
    )
    return irregularity_row(
        case,
        table=read.table,
        shoe=read.shoe,
        read=read,
        seats=[held.seat] if held.seat else [],
        found={"dispute": key, "wager": held.wager, "disputed_minor": held.disputed_minor},
        signed_hash=case.signed_hash(),
    )


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a dispute is ruled; `content_hash` names what was read before it was signed, in hex."""

    outcome: str
    ruling: str
    content_hash: str | None = None


def require_ruling(hold: DisputeHold, ruling: Ruling) -> dict[str, object]:
    """Return what two people sign of a ruling, as it is logged.

    Raises IrregularityTextError, DisputeReleasedError, DisputeOutcomeError.
    """
    if not 0 < len(ruling.ruling.strip()) <= TEXT_MAX:
        raise IrregularityTextError(limit=TEXT_MAX)
    if hold.state != DisputeHold.State.OPEN:
        raise DisputeReleasedError(dispute=hold.key)
    if not hold.in_result and ruling.outcome != DisputeHold.Outcome.PATRON:
        raise DisputeOutcomeError(dispute=hold.key)
    return _ruling_content(hold, ruling)


def _ruling_content(hold: DisputeHold, ruling: Ruling) -> dict[str, object]:
    return {
        "act": RELEASE_PURPOSE,
        "dispute": hold.key,
        "outcome": ruling.outcome,
        "ruling": ruling.ruling,
        "disputed_minor": hold.disputed_minor,
    }


def ruling_hash(content: dict[str, object]) -> bytes:
    """Return the SHA-256 that a ruling is signed by."""
    return sha256(canonical(content)).digest()


def release_dispute(
    *,
    table: str,
    number: int,
    ruling: Ruling,
    signers: Sequence[SignerInput],
    by: Acting,
) -> DisputeDone:
    """Release a hold with its ruling: for the house, or for the player; S, then H sign.

    The same ruling signed again by the same people changes nothing; another one is refused.
    Raises DisputeMissingError, DisputeRulingChangedError, what `require_ruling` raises,
    IrregularitySignersError, NobodyInChargeError and what `verify_signers` raises.
    """
    require_role(by.person, *RULES_DISPUTES)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _release(table=table, number=number, ruling=ruling, signers=verified, by=by)


@service
def _release(
    *, table: str, number: int, ruling: Ruling, signers: Sequence[Signer], by: Acting
) -> DisputeDone:
    lock_stream(f"table/{table}")
    hold = find_dispute(table, number)
    if hold is None:
        raise DisputeMissingError(table=table, dispute=number)
    name = RoundName(table, hold.round.shoe.number, hold.round.number)
    if done := _ruled_before(hold, ruling, name=name, signers=signers):
        return done
    content = require_ruling(hold, ruling)
    digest = ruling_hash(content)
    if ruling.content_hash not in (None, digest.hex()):
        raise DisputeRulingChangedError(dispute=hold.key)
    read = read_round(name)
    require_letters(
        (Letter.SUPERVISOR, Letter.IN_CHARGE),
        signers,
        event=_EVENT,
        procedure="release",
        dealer=read.dealer.id,
        now=by.now,
    )
    released: dict[str, object] = {
        "state": DisputeHold.State.RELEASED.value,
        "released_at": by.now,
        "outcome": ruling.outcome,
        "ruling": ruling.ruling,
    }
    # What left the table when it closed is no chip of the tray that was counted.
    back = apart_of(hold, over=read.stage in ROUND_OVER) if hold.moved_at is None else 0
    passed = passed_on(read, hold)
    stays = sum(lying.apart_minor - (other.apart_minor or 0) for other, lying in passed)
    receipt = append(
        stream=read.name.stream,
        action="dispute.released",
        subject=read.ref.key,
        actor=by.actor,
        facts=[
            *_ruled(hold, ruling=ruling.ruling, digest=digest),
            *_given_back(read, hold),
            *signature_rows(
                signers,
                content_hash=digest,
                purpose=RELEASE_PURPOSE,
                subject=read.ref.key,
                device=by.person.device,
            ),
        ],
        changes=[
            Change(DisputeHold, Ref(hold.pk, hold.key), released),
            *(Change(DisputeHold, other.ref, asdict(lying)) for other, lying in passed),
            *session_apart(read, stays - back),
        ],
        data=content,
    )
    return DisputeDone(receipt, hold.key)


def _ruled_before(
    hold: DisputeHold, ruling: Ruling, *, name: RoundName, signers: Sequence[Signer]
) -> DisputeDone | None:
    """Return the first answer to a ruling that is sent again (trust R3)."""
    if hold.state == DisputeHold.State.OPEN:
        return None
    entry = signed_entry(
        purpose=RELEASE_PURPOSE,
        subject=name.key,
        content_hash=ruling_hash(_ruling_content(hold, ruling)),
        staff=[signer.staff.id for signer in signers],
    )
    return None if entry is None else DisputeDone(receipt_of(entry), hold.key, done_before=True)


def _ruled(hold: DisputeHold, *, ruling: str, digest: bytes) -> list[Row]:
    """Return the ruling on the irregularity that the hold is, if it is one of its own."""
    stands = latest_revision(hold.table.code, hold.irregularity_number)
    if stands is None or stands.event != _EVENT or stands.round is None or stands.shoe is None:
        return []
    values = {
        **{name: getattr(stands, name) for name in _KEPT},
        "table": Ref(stands.table_id, stands.table.code),
        "shoe": Ref(stands.shoe.pk, stands.shoe.key),
        "round": Ref(stands.round.pk, stands.round.key),
        "revision": stands.revision + 1,
        "ruling": ruling,
        "signed_hash": digest.hex(),
    }
    return [Row(Irregularity, values)]


def _given_back(read: RoundRead, hold: DisputeHold) -> list[Row]:
    """Return the held stakes of a dead hand as given back (event 20).

    Another hold of the same seat is about wagers that count, and gives none of them back.
    """
    for out in () if hold.in_result else read.taken_out:
        if out.seat == hold.seat and out.wager is None and out.returned_minor == 0:
            values = {
                "round": read.ref,
                "seat": out.seat,
                "wager": "",
                "revision": read.taken_revisions[out.seat, ""] + 1,
                "event": out.event,
                "returned_minor": None,
                "stands": list(out.stands),
                "reverses": list(out.reverses),
                "irregularity_number": hold.irregularity_number,
            }
            return [Row(TakenOut, values)]
    return []
