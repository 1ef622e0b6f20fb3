"""Decisions of a hand where the rules ask: draw or stand (C4), and the bank's, last (C5).

A decision is a fact with revisions. The last clear signal counts until the hand's third card lies
(C7); "no decision" is recorded as such, and the ruleset says what it means (C6).
"""

from collections.abc import Mapping
from dataclasses import replace

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.errors import DomainError
from tables.acting import Acting
from tables.errors import (
    DecisionBoundError,
    DecisionConflictError,
    DecisionNotAskedError,
    DecisionPolicyError,
    DecisionRefusedError,
    RoundStageError,
)
from tables.faults import fault_documents
from tables.games import decision_faults, next_step
from tables.models import Decision, Round
from tables.selectors.round_read import (
    ROUND_OVER,
    KeyedDecision,
    RoundName,
    RoundRead,
    read_round,
)
from tables.services.cards import stage_of
from tables.services.rounds import Step, require_dealing, require_revision

# The error of a fault that a tablet may act on by itself.
_ERRORS: Mapping[str, type[DomainError]] = {
    "decision.not_asked": DecisionNotAskedError,
    "decision.out_of_turn": DecisionNotAskedError,
    "decision.binding": DecisionBoundError,
    "decision.moves_cards": DecisionBoundError,
    "decision.house_policy": DecisionPolicyError,
}


@service
def decide(*, name: RoundName, hand: int, revision: int, choice: str | None, by: Acting) -> Step:
    """Record what a hand decided: hit, stand, no_decision, or None to take it back.

    Hand 0 is the bank. Only the hand that is asked now may decide, or one that decided already
    while no third card lies by it (C7). A staffed bank follows the house's rule (C5). Raises
    DecisionNotAskedError, DecisionBoundError, DecisionPolicyError, DecisionRefusedError,
    DecisionConflictError, Revision*Error, RoundStageError once the round is over, and what
    `require_dealing` raises.
    """
    lock_stream(name.stream)
    read = read_round(name)
    require_dealing(by, read)
    kept = choice or ""
    stands = read.decisions.get(hand)
    latest = stands.revision if stands else 0
    require_revision(f"the decision of hand {hand}", revision=revision, latest=latest)
    if stands is not None and revision == latest:
        if stands.choice != kept:
            raise DecisionConflictError(hand=hand, stored=stands.choice or None, keyed=choice)
        return Step(receipt=receipt_of(stands.entry_id), round=read, done_before=True)
    if read.stage in ROUND_OVER:
        raise RoundStageError(round=name.key, stage=read.stage, expected=Round.Stage.THIRD_LAP)
    _require_sound(read, hand=hand, choice=kept)
    decisions = {**read.decisions, hand: KeyedDecision(revision, kept, 0)}
    after = replace(read, decisions=decisions)
    stage = stage_of(next_step(after.ruleset, after.state())).value
    receipt = append(
        stream=name.stream,
        action="decision.made" if choice else "decision.taken_back",
        subject=name.key,
        actor=by.actor,
        facts=[
            Row(
                Decision,
                {"round": read.ref, "hand": hand, "revision": revision, "choice": kept},
            )
        ],
        changes=[Change(Round, read.ref, {"stage": stage})] if stage != read.stage else [],
    )
    return Step(receipt=receipt, round=_with_entry(after, hand=hand, stage=stage, receipt=receipt))


def _require_sound(read: RoundRead, *, hand: int, choice: str) -> None:
    """Refuse what the engine finds wrong with a decision, by its first fault."""
    faults = decision_faults(read.ruleset, read.procedures, read.state(), hand=hand, choice=choice)
    if not faults:
        return
    step = next_step(read.ruleset, read.state())
    error = _ERRORS.get(faults[0].code, DecisionRefusedError)
    raise error(
        hand=hand,
        keyed=choice or None,
        expected=faults[0].data.get("expected", step.kind),
        asked=step.hand,
        faults=fault_documents(faults),
    )


def _with_entry(read: RoundRead, *, hand: int, stage: str, receipt: Receipt) -> RoundRead:
    kept = replace(read.decisions[hand], entry_id=receipt.entry_id)
    return replace(read, stage=stage, decisions={**read.decisions, hand: kept})
