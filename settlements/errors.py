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


class VoidSeatsError(Invalid):
    """A fault touches the first two cards of seats that had a hand (A20)."""

    code = "void.seats"
    message = "Expected seats that had a hand in round {round}: {seats}."


class VoidCardsError(Invalid):
    """A void states how many cards are out: those that are keyed, and no more than the deal has.

    In the third lap it must; elsewhere what is keyed is out.
    """

    code = "void.cards_out"
    message = "Expected `cards_out`, the cards of round {round} out of the shoe: {least} to {most}."


class VoidChangedError(Conflict):
    """People sign what they saw go back; when the round has moved on, they look again."""

    code = "void.changed"
    message = "Round {round} has changed since. Look at what goes back now, and sign again."


class RoundOverError(Conflict):
    """A round that is over is changed only by a correction."""

    code = "round.over"
    message = "Round {round} is {stage}. Only a correction changes it."


class CheckSubjectError(Missing):
    """A check names a settlement that was written: round, part, revision."""

    code = "check.subject_missing"
    message = "There is no {part} of round {round} in revision {revision} to check."


class CorrectionStageError(Conflict):
    """A correction is of a round that is over; until then cards and wagers are keyed anew."""

    code = "correction.not_over"
    message = "Round {round} is {stage}. Expected a round that is settled or voided."


class CorrectionEventError(Invalid):
    """A correction names what it is from the list of events (events 21 to 24, 28)."""

    code = "correction.event"
    message = "Expected one of the events {events}."


class CorrectionReasonError(Invalid):
    """A correction says in words what was wrong and how it came out (control 7.2)."""

    code = "correction.reason"
    message = "Expected a reason in 1 to {limit} characters."


class CorrectionRefusedError(Invalid):
    """What is corrected must be a round that could have been; every fault comes at once."""

    code = "correction.refused"
    message = "Round {round} cannot have been so: {count} faults."


class CorrectionEmptyError(Conflict):
    """A correction changes something."""

    code = "correction.empty"
    message = "Round {round} stands as you want it already."


class CorrectionDisputeError(Conflict):
    """A correction carries out the ruling of a dispute of its own round (event 25)."""

    code = "correction.dispute"
    message = "Dispute {dispute} of table {table} is not one that was ruled in round {round}."


class CorrectionDisputedError(Conflict):
    """An open dispute hold blocks changes to what it holds (event 25)."""

    code = "correction.disputed"
    message = "Dispute {dispute} holds what this changes in round {round}. Release it first."


class BillChangedError(Conflict):
    """People sign the bill of the state that they saw; after another write it is a new bill."""

    code = "correction.bill_changed"
    message = "Round {round} has changed since. Read the new bill and sign again."


class CorrectionSignersError(Invalid):
    """Who signs depends on the window and the amount, and is never the dealer (rules 2.1)."""

    code = "correction.signers"
    message = "Correcting round {round} needs two people, not its dealer: {needs}."


class CameraReferenceError(Invalid):
    """Surveillance signs with a camera reference (rules 2.1, V)."""

    code = "correction.camera_reference"
    message = "Surveillance names the camera reference with the signature."


class NobodyInChargeError(Conflict):
    """After the window the manager in charge signs, so there must be one (rules 2.1, H)."""

    code = "correction.nobody_in_charge"
    message = "No manager is in charge. Two managers sign who is."


class DayUnknownError(Missing):
    """A day is reconciled that the log holds or that a session belongs to; no other ever was."""

    code = "day.unknown"
    message = "The log holds nothing of the day {day}: its first is {first}."


class DayRunMissingError(Missing):
    """A run of a day's reconciliation is named by the day and its number."""

    code = "day.run_missing"
    message = "There is no run {run}."


class DayRunningError(Conflict):
    """One run of a day at a time; a later one overwrites nothing."""

    code = "day.running"
    message = "Run {run} is still working. Wait for it."


class DayParkedError(Conflict):
    """Work that was given up five times waits for a person, and the run with it."""

    code = "day.parked"
    message = "Work of run {run} was given up. See the page of follow-up work."


class ShoeNotVoidError(Conflict):
    """Rounds are decided of only where their shoe was voided (event 27)."""

    code = "shoe_void.not_void"
    message = "Shoe {shoe} is {state}. Only the rounds of a void shoe are decided of."


class ShoeDecisionError(Invalid):
    """A decision is one of the list, and of rounds that the void put in question (event 27)."""

    code = "shoe_void.decision"
    message = "Expected one of {expected}; not known: {rounds}."


class ShoeDecisionReplacedError(Conflict):
    """A decision that is sent again changes nothing: another one stands by now (event 27)."""

    code = "shoe_void.replaced"
    message = "Another decision stands of {rounds} by now. To go back, read and sign a new bill."


class DecisionChangedError(Conflict):
    """People sign what a decision costs as they saw it; after another write it is a new bill."""

    code = "shoe_void.bill_changed"
    message = "The rounds of shoe {shoe} have changed since. Read the new bill and sign again."


class DecisionDealerError(Invalid):
    """Nobody decides of a round that he or she dealt (rules 2.1)."""

    code = "shoe_void.dealer"
    message = "{dealer} dealt round {round} and cannot sign what is decided of it."


class IrregularityChangedError(Conflict):
    """What an irregularity does is signed as it was seen; cards and wagers may have moved since."""

    code = "irregularity.changed"
    message = "Something else follows now than was shown. Look at it again, then sign."
