"""A shoe is void: the rounds since the last good check are listed, and decided of later (event 27).

Nothing is reversed by itself. The manager in charge and a second manager decide of rounds in a
batch: they sign the bill of all of them, the regulator is told, and each decision is a revision of
the round's line. What it changes of a round is one correction of that round, written with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Ref, Row
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
from settlements.errors import (
    DecisionChangedError,
    DecisionDealerError,
    ShoeDecisionReplacedError,
)
from settlements.models import ShoeVoidRound
from settlements.selectors.shoe_decisions import (
    decision_bill,
    decision_signed,
    name_of_round,
    replaced_since,
    require_decision,
    require_void,
)
from settlements.selectors.shoe_voids import rounds_in_question
from settlements.services.corrections import write_correction
from settlements.shoe_decision import DECIDED, PURPOSE, DecisionBill, RoundDecided, ShoeDecision
from tables.acting import Acting
from tables.errors import RoundInPlayError, ShoeNotInStateError
from tables.irregularities import Case, Letter
from tables.models import Shoe
from tables.selectors.floor import UsedShoe, read_table
from tables.selectors.round_read import read_round
from tables.services.irregularities.authority import require_letters

_OPEN = ShoeVoidRound.Decision.OPEN
_VOIDABLE = (
    Shoe.State.PREPARING,
    Shoe.State.READY,
    Shoe.State.STOPPED,
    Shoe.State.ENDED,
)
# Who decides of the rounds of a void shoe (rules 2.1: H and a second manager).
LETTERS = (Letter.IN_CHARGE, Letter.MANAGER)


@dataclass(frozen=True, slots=True)
class RoundsDecided:
    """What a decision did: the receipt of its entry, and the hash of the bill that was signed."""

    receipt: Receipt
    bill_hash: str
    done_before: bool = False


@service
def write_shoe_void(*, case: Case, by: Acting) -> Receipt:
    """Void the shoe of a recorded case and list its rounds; the caller verified who signed.

    Raises ShoeNotInStateError, RoundInPlayError.
    """
    lock_stream(case.stream)
    floor = read_table(case.table, shoe=case.shoe)
    used, playing = floor.require_shoe(case.shoe), floor.round_in_play
    require_shoe_voidable(used)
    if playing is not None and playing.shoe_key == used.ref.key:
        raise RoundInPlayError(round=playing.key, stage=playing.stage)
    since = since_shoe(case, used)
    rounds = rounds_in_question(floor.table, shoe=used.number, since_shoe=since)
    signed = case.signed_hash().hex()
    return append(
        stream=case.stream,
        action="shoe.voided",
        subject=used.ref.key,
        actor=by.actor,
        facts=[
            Row(
                ShoeVoidRound,
                {
                    "shoe": used.ref,
                    "round": Ref(round_.pk, round_.key),
                    "revision": 1,
                    "decision": _OPEN.value,
                    "sweep_revision": round_.sweep_revision,
                    "final_revision": round_.final_revision,
                    "irregularity_number": case.number,
                    "signed_hash": signed,
                },
            )
            for round_ in rounds
        ],
        changes=[Change(Shoe, used.ref, {"state": Shoe.State.VOIDED.value})],
        data={"irregularity": case.key, "since_shoe": since, "rounds": len(rounds)},
    )


def require_shoe_voidable(used: UsedShoe) -> None:
    """Refuse a shoe that is void already. Raises ShoeNotInStateError."""
    if used.state not in _VOIDABLE:
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)


def since_shoe(case: Case, used: UsedShoe) -> int:
    """Return the first shoe whose rounds a void puts in question."""
    return min(case.since_shoe or used.number, used.number)


def decide_rounds(
    *,
    table: str,
    shoe: int,
    decision: ShoeDecision,
    bill_hash: str,
    signers: Sequence[SignerInput],
    by: Acting,
) -> RoundsDecided:
    """Decide of rounds of a void shoe as the bill with this hash says: the manager in charge and a
    second manager sign, and the regulator is told.

    Under the lock the bill is made again: another hash is a conflict that carries the new bill. The
    same bill signed again by the same people changes nothing while it stands; one that was replaced
    meanwhile is refused. Raises DecisionChangedError, ShoeDecisionReplacedError,
    DecisionDealerError, ShoeNotVoidError, IrregularitySignersError, NobodyInChargeError, what
    `decision_bill` raises and what `verify_signers` raises.
    """
    require_role(by.person, Role.MANAGER)
    require_decision(decision)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _decide(
        table=table, shoe=shoe, decision=decision, bill_hash=bill_hash, signers=verified, by=by
    )


@service
def _decide(
    *,
    table: str,
    shoe: int,
    decision: ShoeDecision,
    bill_hash: str,
    signers: Sequence[Signer],
    by: Acting,
) -> RoundsDecided:
    stream = f"table/{table}"
    lock_stream(stream)
    used = require_void(table, shoe)
    if done := _decided_before(used.ref, decision, bill_hash=bill_hash, signers=signers):
        return done
    require_letters(
        LETTERS,
        signers,
        event=27,
        procedure=decision.decision,
        dealer=None,
        now=by.now,
    )
    bill = decision_bill(used.ref, decision)
    _require_no_dealer(bill, signers)
    if bill.hash != bill_hash:
        raise DecisionChangedError(shoe=used.ref.key, bill=bill.document, bill_hash=bill.hash)
    receipt = append(
        stream=stream,
        action=DECIDED,
        subject=used.ref.key,
        actor=by.actor,
        facts=[
            *(_decided(each, bill) for each in bill.rounds),
            *signature_rows(
                signers,
                content_hash=bill.content_hash,
                purpose=PURPOSE,
                subject=used.ref.key,
                device=by.person.device,
            ),
        ],
        data=bill.document,
    )
    _correct(bill, signers=signers, by=by)
    return RoundsDecided(receipt, bill.hash)


def _decided_before(
    shoe: Ref, decision: ShoeDecision, *, bill_hash: str, signers: Sequence[Signer]
) -> RoundsDecided | None:
    """Return the first answer to a decision that is sent again (trust R3).

    Raises ShoeDecisionReplacedError.
    """
    staff = [signer.staff.id for signer in signers]
    entry = decision_signed(shoe.key, decision, bill_hash=bill_hash, staff=staff)
    if entry is None:
        return None
    replaced = replaced_since(shoe, bill_hash=bill_hash)
    if replaced:
        raise ShoeDecisionReplacedError(shoe=shoe.key, rounds=replaced)
    return RoundsDecided(receipt_of(entry), bill_hash, done_before=True)


def _correct(bill: DecisionBill, *, signers: Sequence[Signer], by: Acting) -> None:
    """Write one correction for each round that changes; each moves the sums of its session."""
    for each in bill.rounds:
        if each.bill is not None:
            write_correction(read_round(name_of_round(each.key)), each.bill, signers=signers, by=by)
    ring()


def _require_no_dealer(bill: DecisionBill, signers: Sequence[Signer]) -> None:
    """Refuse the signature of whoever dealt one of the rounds. Raises DecisionDealerError."""
    signing = {signer.staff.id: signer.staff.key for signer in signers}
    for each in bill.rounds:
        if each.row.round.dealer_id in signing:
            raise DecisionDealerError(round=each.key, dealer=signing[each.row.round.dealer_id])


def _decided(each: RoundDecided, bill: DecisionBill) -> Row:
    row = each.row
    return Row(
        ShoeVoidRound,
        {
            "shoe": Ref(row.shoe_id, row.shoe.key),
            "round": Ref(row.round_id, row.round.key),
            "revision": row.revision + 1,
            "decision": bill.decision.decision,
            "sweep_revision": row.sweep_revision,
            "final_revision": row.final_revision,
            "irregularity_number": row.irregularity_number,
            "note": bill.decision.note,
            "signed_hash": bill.hash,
        },
    )
