"""Decisions of a hand where the rules ask: draw or stand (C4), and the bank's, last (C5).

A decision is a fact with revisions. The last clear signal counts until the hand's third card lies
(C7); "no decision" is recorded as such, and the ruleset says what it means (C6).
"""

from dataclasses import replace

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from tables.acting import Acting
from tables.errors import (
    DecisionBoundError,
    DecisionConflictError,
    DecisionNotAskedError,
    RoundStageError,
)
from tables.games import hands, next_step
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

_THIRD = 2  # the place of a hand's third card


@service
def decide(*, name: RoundName, hand: int, revision: int, choice: str, by: Acting) -> Step:
    """Record what a hand decided: hit, stand or no_decision; hand 0 is the bank.

    Only the hand that is asked now may decide, or one that decided already and has no third card
    yet (C7). Raises DecisionNotAskedError, DecisionBoundError, Revision*Error.
    """
    lock_stream(name.stream)
    read = read_round(name)
    require_dealing(by, read)
    stands = read.decisions.get(hand)
    latest = stands.revision if stands else 0
    require_revision(f"the decision of hand {hand}", revision=revision, latest=latest)
    if stands is not None and revision == latest:
        if stands.choice != choice:
            raise DecisionConflictError(hand=hand, stored=stands.choice, keyed=choice)
        return Step(receipt=receipt_of(stands.entry_id), round=read, done_before=True)
    if read.stage in ROUND_OVER:
        raise RoundStageError(round=name.key, stage=read.stage, expected=Round.Stage.THIRD_LAP)
    _require_asked(read, hand=hand, decided=stands is not None)
    decisions = {**read.decisions, hand: KeyedDecision(revision, choice, 0)}
    after = replace(read, decisions=decisions)
    stage = stage_of(next_step(after.ruleset, after.state())).value
    receipt = append(
        stream=name.stream,
        action="decision.made",
        subject=name.key,
        actor=by.actor,
        facts=[
            Row(
                Decision,
                {"round": read.ref, "hand": hand, "revision": revision, "choice": choice},
            )
        ],
        changes=[Change(Round, read.ref, {"stage": stage})] if stage != read.stage else [],
    )
    return Step(receipt=receipt, round=_with_entry(after, hand=hand, stage=stage, receipt=receipt))


def _require_asked(read: RoundRead, *, hand: int, decided: bool) -> None:
    """Refuse a decision out of turn, or one that a third card has made binding."""
    laid = hands(read.ruleset, read.state()).get(hand, ())
    if decided and len(laid) > _THIRD and laid[_THIRD] is not None:
        raise DecisionBoundError(hand=hand)
    step = next_step(read.ruleset, read.state())
    if not decided and (step.kind != "ask" or step.hand != hand):
        raise DecisionNotAskedError(hand=hand, expected=step.kind, asked=step.hand)


def _with_entry(read: RoundRead, *, hand: int, stage: str, receipt: Receipt) -> RoundRead:
    kept = replace(read.decisions[hand], entry_id=receipt.entry_id)
    return replace(read, stage=stage, decisions={**read.decisions, hand: kept})
