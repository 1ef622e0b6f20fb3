"""What can be refused when money moves: one class per reason that a caller can act on."""

from casino.kernel.errors import Conflict, Invalid, Missing


class NotDueError(Conflict):
    """A part is settled when its cards lie: pairs after the second lap, the rest at showdown."""

    code = "settlement.not_due"
    message = "Round {round} is in stage {stage}; the {part} is not due. Expected: {expected}."


class SettlementConflictError(Conflict):
    """Another settlement stands at this part and revision; a change is a correction."""

    code = "settlement.conflict"
    message = "The {part} of round {round}, revision {revision}, was handed over otherwise."


class HandedRefusedError(Invalid):
    """An amount handed over belongs to a wager of this part, in whole minor units, 0 or more."""

    code = "settlement.handed_refused"
    message = "Expected amounts for wagers of this part: {expected}."


class VoidSignersError(Invalid):
    """A dealt round is voided by a supervisor and a manager, two people (design 10)."""

    code = "void.signers"
    message = "Voiding round {round} needs a supervisor and a manager."


class VoidReasonError(Invalid):
    """A void names its cause from the list of events (event 26)."""

    code = "void.reason"
    message = "Expected one of the events {events} as the cause."


class RoundOverError(Conflict):
    """A round that is over is changed only by a correction."""

    code = "round.over"
    message = "Round {round} is {stage}. Only a correction changes it."


class CheckSubjectError(Missing):
    """A check names a settlement that was written: round, part, revision."""

    code = "check.subject_missing"
    message = "There is no {part} of round {round} in revision {revision} to check."
