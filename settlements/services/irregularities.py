"""The door to irregularities: recorded with everything they do, in one transaction.

What a case does to cards, wagers and shoe is `tables`' to say; what voids a round or a shoe, takes
settled wagers back, or holds what a void returns, is composed here.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from audit.log.rows import Receipt
from audit.log.services import lock_stream, service
from casino.people.services.signatures import Signer, SignerInput, verify_signers
from settlements.errors import IrregularityChangedError
from settlements.lines import WagerName
from settlements.services.irregularity_preview import foresee_irregularity
from settlements.services.reversals import reverse_pairs
from settlements.services.shoe_voids import write_shoe_void
from settlements.services.voids import VoidCause, Voided, write_void
from tables.acting import Acting
from tables.irregularities import Case, ShoeEffect, WagerEffect
from tables.selectors.disputes import latest_dispute
from tables.selectors.floor import read_table
from tables.selectors.held import held_whole
from tables.selectors.round_read import RoundName, read_round
from tables.services.disputes import write_hold
from tables.services.irregularities import Recorded, require_recording, write_irregularity
from tables.services.irregularities.ground import is_in_play, latest_number
from tables.services.irregularities.holding import Held
from tables.services.shoe_end import write_end


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was recorded, and the void that came with it, if one did."""

    recorded: Recorded
    voided: Voided | None = None

    @property
    def receipt(self) -> Receipt:
        """The entry of the irregularity."""
        return self.recorded.receipt


def record_irregularity(
    *, case: Case, signers: Sequence[SignerInput], by: Acting, seen: str | None = None
) -> Ruled:
    """Record a case as it happened and was ruled; the signatures are verified before any lock.

    Who signs follows from event and procedure (rules 2.2, 2.3). The same case again under its
    number changes nothing. `seen` is the hash of what was foreseen, where somebody was shown that.
    Raises IrregularityChangedError, and what `require_recording`, `write_irregularity`,
    `write_void`, `write_shoe_void` and `verify_signers` raise.
    """
    require_recording(case, by=by)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _rule(case=case, signers=verified, seen=seen, by=by)


@service
def _rule(*, case: Case, signers: Sequence[Signer], seen: str | None, by: Acting) -> Ruled:
    lock_stream(case.stream)
    if seen is not None:
        _require_as_seen(case, seen, by=by)
    recorded = write_irregularity(case=case, signers=signers, by=by)
    if recorded.done_before:
        return Ruled(recorded)
    procedure = recorded.procedure
    if recorded.reversed_seats:
        reverse_pairs(
            name=_name(case),
            seats=recorded.reversed_seats,
            signed_hash=case.signed_hash().hex(),
            irregularity=case.key,
            by=by,
        )
    voided = None
    playing = recorded.round is not None and is_in_play(recorded.round)
    if procedure.voids_round and playing:
        apart = held_whole(read_round(_name(case)))
        voided = _void(case, signers, by=by)
        if procedure.wagers == WagerEffect.ROUND_HELD:
            _hold(case, voided, apart=apart, by=by)
    if procedure.shoe == ShoeEffect.VOIDED:
        write_shoe_void(case=case, by=by)
    if procedure.shoe == ShoeEffect.ENDS and case.shoe is not None:
        write_end(table=case.table, shoe=case.shoe, stub_cards=0, by=by)
    return Ruled(recorded, voided)


def _require_as_seen(case: Case, seen: str, *, by: Acting) -> None:
    """Refuse a case that does something else than was shown; a retry is answered further on."""
    if case.number <= latest_number(read_table(case.table).table):
        return
    if foresee_irregularity(case=case, by=by).hash != seen:
        raise IrregularityChangedError(irregularity=case.key)


def _name(case: Case) -> RoundName:
    """Return the round of a case that has one."""
    assert case.shoe is not None
    assert case.round is not None
    return RoundName(case.table, case.shoe, case.round)


def _void(case: Case, signers: Sequence[Signer], *, by: Acting) -> Voided:
    cause = VoidCause(
        event=case.event,
        first_two=case.first_two,
        note=case.told.ruling,
        cards_out=case.cards_out,
    )
    return write_void(
        name=_name(case), cause=cause, signers=signers, by=by, irregularity=case.number
    )


def _hold(case: Case, voided: Voided, *, apart: Container[WagerName], by: Acting) -> None:
    """Hold what the void gives back: the players' stakes lie apart, with a receipt (event 32).

    What was `apart` under another hold before the void stays under that one.
    """
    read = read_round(_name(case))
    given = [
        line
        for line in voided.lines
        if line.outcome in ("void", "rejected") and (line.seat, line.wager) not in apart
    ]
    back = sum(line.returned_minor for line in given)
    write_hold(
        read=read,
        held=Held(None, "", back, in_result=False),
        irregularity=case.number,
        seen=case.told.seen,
        number=latest_dispute(read.table) + 1,
        by=by,
    )
