"""A shoe is void: the rounds since the last good check are listed, and decided of later (event 27).

Nothing is reversed by itself. The manager in charge decides of rounds in a batch, the regulator is
told, and each decision is a revision of the round's line; money moves only by corrections.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
from settlements.errors import (
    ShoeDecisionError,
    ShoeDecisionReplacedError,
    ShoeNotVoidError,
)
from settlements.models import ShoeVoidRound
from settlements.selectors.shoe_voids import rounds_in_question, standing_rows
from tables.acting import Acting
from tables.errors import RoundInPlayError, ShoeNotInStateError
from tables.irregularities import Case, Letter
from tables.irregularity_errors import IrregularityTextError, RegulatorToldError
from tables.models import Shoe
from tables.selectors.floor import UsedShoe, read_table
from tables.services.irregularities.authority import require_letters
from tables.services.irregularities.ground import TEXT_MAX

PURPOSE = "shoe.decide"
_OPEN = ShoeVoidRound.Decision.OPEN
_VOIDABLE = (
    Shoe.State.PREPARING,
    Shoe.State.READY,
    Shoe.State.STOPPED,
    Shoe.State.ENDED,
)


@dataclass(frozen=True, slots=True)
class ShoeDecision:
    """What is decided of rounds of a void shoe; `rounds` are their keys, none means all open ones.

    `told` says whom of the regulator was told, when and how.
    """

    decision: str
    note: str
    told: str
    rounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundsDecided:
    """What a decision did: the receipt."""

    receipt: Receipt
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
    signers: Sequence[SignerInput],
    by: Acting,
) -> RoundsDecided:
    """Record what is decided of rounds of a void shoe: the manager in charge and a second manager
    sign, and the regulator is told.

    The same decision signed again by the same people changes nothing while it stands; one that was
    replaced meanwhile is refused. Raises ShoeNotVoidError, ShoeDecisionError,
    ShoeDecisionReplacedError, RegulatorToldError, IrregularityTextError,
    IrregularitySignersError, NobodyInChargeError and what `verify_signers` raises.
    """
    require_role(by.person, Role.MANAGER)
    choices = [choice.value for choice in ShoeVoidRound.Decision if choice != _OPEN]
    if decision.decision not in choices:
        raise ShoeDecisionError(expected=choices, rounds=[])
    if not decision.note.strip() or max(len(decision.note), len(decision.told)) > TEXT_MAX:
        raise IrregularityTextError(limit=TEXT_MAX)
    if not decision.told.strip():
        raise RegulatorToldError(event=27)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _decide(table=table, shoe=shoe, decision=decision, signers=verified, by=by)


@service
def _decide(
    *, table: str, shoe: int, decision: ShoeDecision, signers: Sequence[Signer], by: Acting
) -> RoundsDecided:
    stream = f"table/{table}"
    lock_stream(stream)
    used = read_table(table, shoe=shoe).require_shoe(shoe)
    if not used.is_void:
        raise ShoeNotVoidError(shoe=used.ref.key, state=used.state)
    standing = standing_rows(used.ref)
    if done := _decided_before(used, standing, decision=decision, signers=signers):
        return done
    require_letters(
        (Letter.IN_CHARGE, Letter.MANAGER),
        signers,
        event=27,
        procedure=decision.decision,
        dealer=None,
        now=by.now,
    )
    rows = _chosen(standing, decision)
    content = _content(used, decision, rounds=[row.round.key for row in rows])
    digest = sha256(canonical(content)).digest()
    receipt = append(
        stream=stream,
        action="shoe.decided",
        subject=used.ref.key,
        actor=by.actor,
        facts=[
            *(_decided(row, decision, digest) for row in rows),
            *signature_rows(
                signers,
                content_hash=digest,
                purpose=PURPOSE,
                subject=used.ref.key,
                device=by.person.device,
            ),
        ],
        data=content,
    )
    return RoundsDecided(receipt)


def _content(used: UsedShoe, decision: ShoeDecision, *, rounds: Sequence[str]) -> dict[str, object]:
    """Return what the two managers sign."""
    return {
        "act": PURPOSE,
        "shoe": used.ref.key,
        "decision": decision.decision,
        "note": decision.note,
        "told": decision.told,
        "rounds": list(rounds),
    }


def _decided_before(
    used: UsedShoe,
    standing: Sequence[ShoeVoidRound],
    *,
    decision: ShoeDecision,
    signers: Sequence[Signer],
) -> RoundsDecided | None:
    """Return the first answer to a decision that is sent again (trust R3).

    One that named no rounds meant those that were open: those that stand as it says. Raises
    ShoeDecisionReplacedError.
    """
    rounds = list(dict.fromkeys(decision.rounds))
    if not rounds:
        if any(row.decision == _OPEN for row in standing):
            return None
        rounds = _signed_together(used, standing, decision)
    content = _content(used, decision, rounds=rounds)
    digest = sha256(canonical(content)).digest()
    entry = signed_entry(
        purpose=PURPOSE,
        subject=used.ref.key,
        content_hash=digest,
        staff=[signer.staff.id for signer in signers],
    )
    if entry is None:
        return None
    signed = {row.round.key: row.signed_hash for row in standing}
    replaced = [key for key in rounds if signed.get(key) != digest.hex()]
    if replaced:
        raise ShoeDecisionReplacedError(shoe=used.ref.key, rounds=replaced)
    return RoundsDecided(receipt_of(entry), done_before=True)


def _signed_together(
    used: UsedShoe, standing: Sequence[ShoeVoidRound], decision: ShoeDecision
) -> list[str]:
    """Return the rounds that stand as one decision in these words was signed of them."""
    for signed in dict.fromkeys(row.signed_hash for row in standing):
        rounds = [row.round.key for row in standing if row.signed_hash == signed]
        content = _content(used, decision, rounds=rounds)
        if sha256(canonical(content)).hexdigest() == signed:
            return rounds
    return []


def _chosen(rows: Sequence[ShoeVoidRound], decision: ShoeDecision) -> list[ShoeVoidRound]:
    """Return the rounds that are decided of: those named, or all that are open."""
    known = {row.round.key: row for row in rows}
    unknown = sorted(set(decision.rounds) - known.keys())
    chosen = [known[key] for key in dict.fromkeys(decision.rounds) if key in known]
    if not decision.rounds:
        chosen = [row for row in rows if row.decision == _OPEN]
    if unknown or not chosen:
        raise ShoeDecisionError(expected=sorted(known), rounds=unknown)
    return chosen


def _decided(row: ShoeVoidRound, decision: ShoeDecision, digest: bytes) -> Row:
    return Row(
        ShoeVoidRound,
        {
            "shoe": Ref(row.shoe_id, row.shoe.key),
            "round": Ref(row.round_id, row.round.key),
            "revision": row.revision + 1,
            "decision": decision.decision,
            "sweep_revision": row.sweep_revision,
            "final_revision": row.final_revision,
            "irregularity_number": row.irregularity_number,
            "note": decision.note,
            "signed_hash": digest.hex(),
        },
    )
