"""One irregularity on record: the fact, what it does to cards, wagers and shoe, who signed.

All of it is one entry. The number is the table's next one, so that a retry finds what it did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.findings.services import raise_finding
from audit.log.receipts import receipt_of
from audit.log.rows import Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.services.signatures import Signer, signature_rows
from tables.acting import Acting
from tables.irregularities import Case, Procedure
from tables.irregularity_errors import IrregularityNumberError
from tables.models import Irregularity
from tables.selectors.round_read import RoundRead
from tables.services.irregularities.authority import require_letters
from tables.services.irregularities.effects import Effects, effects_of
from tables.services.irregularities.fitting import require_fitting
from tables.services.irregularities.ground import (
    Ground,
    procedure_of,
    read_ground,
    require_moment,
    require_told,
)

PURPOSE = "irregularity.record"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was recorded: the receipt, the procedure, and the round as it stands now.

    `reversed_seats` are dead hands of which a settled wager has to be taken back (A20).
    """

    receipt: Receipt
    procedure: Procedure
    round: RoundRead | None
    reversed_seats: tuple[int, ...] = ()
    done_before: bool = False


def require_recording(case: Case, *, by: Acting) -> Procedure:
    """Refuse who may not report, and what no list knows; before secrets are looked at.

    A dealer reports at the tablet of the table and never rules alone (control 5.8). Raises
    EventUnknownError, ProcedureUnknownError, IrregularityElsewhereError, IrregularityTextError,
    RegulatorToldError, IrregularityTimeError.
    """
    require_role(by.person, Role.DEALER, Role.SUPERVISOR, Role.MANAGER)
    by.require_dealer_at_table(case.table)
    procedure = procedure_of(case)
    require_told(case, procedure, by=by)
    return procedure


@service
def write_irregularity(*, case: Case, signers: Sequence[Signer], by: Acting) -> Recorded:
    """Record a case with verified signers, and do to cards, wagers and shoe what it says.

    What voids a round or a shoe is only recorded here: the caller does it in the same transaction.
    Raises IrregularityNumberError, IrregularitySignersError, IrregularityStageError,
    ProcedurePolicyError, DisputeHeldError, IrregularityRefusedError with every fault, and what
    `deal_cards` raises of cards.
    """
    procedure = procedure_of(case)
    lock_stream(case.stream)
    ground = read_ground(case, procedure)
    if case.number <= ground.latest:
        return _repeated(ground)
    if case.number != ground.latest + 1:
        _refuse_number(ground)
    require_letters(
        procedure.signers(in_round=ground.in_round),
        signers,
        event=case.event,
        procedure=procedure.code,
        dealer=ground.read.dealer.id if ground.read else None,
        now=by.now,
    )
    require_moment(ground)
    require_fitting(ground)
    effects = effects_of(ground, number=case.number, now=by.now)
    receipt = append(
        stream=case.stream,
        action="irregularity.recorded",
        subject=ground.subject,
        actor=by.actor,
        facts=[
            _row(ground, effects),
            *effects.facts,
            *signature_rows(
                signers,
                content_hash=case.signed_hash(),
                purpose=PURPOSE,
                subject=ground.subject,
                device=by.person.device,
            ),
        ],
        new_heads=effects.new_heads,
        changes=effects.changes,
        data={"irregularity": case.key},
    )
    _raise_findings(ground, effects, by=by)
    return Recorded(receipt, procedure, effects.read, effects.reversed_seats)


def _repeated(ground: Ground) -> Recorded:
    """Answer a retry as the first time; another case under a used number is a conflict."""
    case = ground.case
    stored = Irregularity.objects.get(
        table_id=ground.floor.table.id, number=case.number, revision=1
    )
    if stored.signed_hash != case.signed_hash().hex():
        _refuse_number(ground)
    return Recorded(receipt_of(stored.entry_id), ground.procedure, ground.read, done_before=True)


def _refuse_number(ground: Ground) -> None:
    raise IrregularityNumberError(
        table=ground.case.table, next=ground.latest + 1, number=ground.case.number
    )


def _row(ground: Ground, effects: Effects) -> Row:
    case = ground.case
    seats = {*case.seats, *(wager.seat for wager in case.wagers)}
    seats |= {drawn.hand for drawn in case.draws if drawn.hand}
    return irregularity_row(
        case,
        table=ground.floor.table,
        shoe=ground.floor.shoe.ref if case.shoe is not None and ground.floor.shoe else None,
        read=ground.read,
        seats=sorted(seats),
        found=effects.shoe.found,
        signed_hash=case.signed_hash(),
    )


def irregularity_row(
    case: Case,
    *,
    table: Ref,
    shoe: Ref | None,
    read: RoundRead | None,
    seats: Sequence[int],
    found: Mapping[str, object],
    signed_hash: bytes,
) -> Row:
    """Return a case as its first fact; `found` is what the system worked out for it."""
    told = case.told
    return Row(
        Irregularity,
        {
            "table": table,
            "number": case.number,
            "revision": 1,
            "event": case.event,
            "shoe": shoe,
            "round": read.ref if read else None,
            "stage": read.stage if read else "",
            "seats": list(seats),
            "draws": sorted(drawn.draw for drawn in case.draws),
            "procedure": case.procedure,
            "ruling": told.ruling,
            "seen": told.seen,
            "chips_moved": told.chips_moved,
            "patrons_told": told.patrons,
            "regulator_told": told.regulator,
            "details": {**case.details(), "found": dict(found)},
            "signed_hash": signed_hash.hex(),
            "happened_at": case.happened_at,
        },
    )


def _raise_findings(ground: Ground, effects: Effects, *, by: Acting) -> None:
    """Raise what somebody has to look at: a card to inspect (11), a count that differs (28)."""
    kind = _FINDINGS.get((ground.case.event, ground.procedure.code))
    if kind is None:
        return
    in_round = ground.case.event == 11
    raise_finding(
        kind=kind,
        subject_kind="round" if in_round else "shoe",
        subject_key=ground.subject if in_round else ground.shoe.ref.key,
        table_code=ground.case.table,
        detail={
            "irregularity": ground.case.key,
            "draws": [drawn.draw for drawn in ground.case.draws],
            **effects.shoe.found,
        },
        raised_by=by.actor,
        now=by.now,
    )


_FINDINGS = {
    (11, "keep"): "card.to_inspect",
    (11, "keep_withdraw"): "card.to_inspect",
    (28, "record_error"): "shoe.record_error",
    (28, "composition_error"): "shoe.composition_error",
}
