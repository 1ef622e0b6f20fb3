"""What can be refused of an irregularity or a dispute: one class per reason to act on.

Invalid    the case does not fit the list of events, or is not signed as the list says
Conflict   the round, the shoe or the house's policy does not allow it now
"""

from casino.kernel.errors import Conflict, Invalid, Missing


class EventUnknownError(Invalid):
    """An irregularity is one of the list of events that its game can meet (rules 2.2)."""

    code = "irregularity.event"
    message = "Expected one of the events {events}."


class ProcedureUnknownError(Invalid):
    """Each event is ruled by one of its procedures (rules 2.2)."""

    code = "irregularity.procedure"
    message = "Event {event} is ruled by one of {expected}, not {procedure!r}."


class ProcedurePolicyError(Conflict):
    """The procedure must be the house's, as it is pinned to the shoe (rules 1E)."""

    code = "irregularity.policy"
    message = "The house's {option} is {value}. Event {event} is not ruled by {procedure}."


class HandDecidedError(Conflict):
    """Who has decided plays on; only the others may withdraw (events 2, 3 and 31 in game C)."""

    code = "irregularity.hand_decided"
    message = "Hands {hands} have decided already and play on."


class HandExpectedError(Invalid):
    """A draw error is ruled by another letter where it is the bank's (event 30)."""

    code = "irregularity.hand"
    message = "Expected {expected}."


class IrregularityElsewhereError(Conflict):
    """Some events are ruled by an act of their own, which records them too."""

    code = "irregularity.elsewhere"
    message = "Event {event} is ruled by a {act}, which records it."


class IrregularityNumberError(Conflict):
    """Irregularities of a table are numbered without a gap; a number is used once."""

    code = "irregularity.number"
    message = "The next irregularity of table {table} is number {next}, not {number}."


class IrregularitySignersError(Invalid):
    """Each letter is one signature of a different person in that role, never the round's dealer."""

    code = "irregularity.signers"
    message = "Event {event}, {procedure}, is signed by {expected}, and not by the round's dealer."


class CameraMissingError(Invalid):
    """Surveillance signs with a camera reference (rules 2.1, V)."""

    code = "irregularity.camera_reference"
    message = "Surveillance names the camera reference with the signature."


class NobodyInChargeError(Conflict):
    """The manager in charge of the shift is a dated, signed assignment (rules 2.1, H)."""

    code = "irregularity.nobody_in_charge"
    message = "No manager is in charge. Two managers sign who is."


class RegulatorToldError(Invalid):
    """R is recorded as told: who, when, how (rules 2.1)."""

    code = "irregularity.regulator"
    message = "Event {event} is told to the regulator. Say whom you told, when and how."


class IrregularityTextError(Invalid):
    """A record says what was seen, by whom, and what was ruled (rules 2.1)."""

    code = "irregularity.told"
    message = "Expected what was seen and what was ruled, each of 1 to {limit} characters."


class IrregularityTimeError(Invalid):
    """An irregularity has happened."""

    code = "irregularity.time"
    message = "Expected a time that has passed, not {happened_at}."


class IrregularityStageError(Conflict):
    """A procedure fits only some moments of a round, or the time between rounds."""

    code = "irregularity.stage"
    message = "{subject} is {state}; expected {expected}."


class IrregularityRefusedError(Invalid):
    """What the case says of seats, draws and wagers must fit the round; every fault is listed."""

    code = "irregularity.refused"
    message = "The case does not fit what lies on the table: {count} faults."


class ThirdCardsKeyedError(Conflict):
    """Third cards are keyed by hand, so their draws cannot move; they are taken back first."""

    code = "irregularity.third_cards"
    message = "Third cards are keyed at the draws {draws}. Take them back, then record this."


class WagerSettledError(Conflict):
    """A wager that was settled changes only by a correction."""

    code = "irregularity.wager_settled"
    message = "The {wager} wager of seat {seat} is settled. It changes only by a correction."


class VerificationError(Invalid):
    """The count of the cards says which result it is (event 28)."""

    code = "irregularity.verification"
    message = "By the count the result is {expected}, not {procedure}."


class DisputeHeldError(Conflict):
    """An open dispute hold blocks changes to what it holds (event 25)."""

    code = "dispute.held"
    message = "Dispute {dispute} holds it. Release the hold first."


class DisputeMissingError(Missing):
    """A dispute is named by its table and number."""

    code = "dispute.missing"
    message = "There is no dispute {dispute} at table {table}."


class DisputeNumberError(Conflict):
    """Disputes of a table are numbered without a gap; a number is used once."""

    code = "dispute.number"
    message = "The next dispute of table {table} is number {next}, not {number}."


class DisputeRefusedError(Invalid):
    """A dispute holds a wager, a seat or a round, and an amount in minor units, 0 or more."""

    code = "dispute.refused"
    message = "Expected a wager that lies in round {round}, or a seat, and an amount up to {most}."


class DisputeReleasedError(Conflict):
    """A dispute is ruled once."""

    code = "dispute.released"
    message = "Dispute {dispute} was ruled already."


class DisputeOutcomeError(Conflict):
    """Stakes that are out of play go back; or the hand is put back in play by a correction."""

    code = "dispute.out_of_play"
    message = "What dispute {dispute} holds is out of play. It can only go back to the player."


class DisputeRulingChangedError(Conflict):
    """What two people sign is what they read."""

    code = "dispute.ruling_changed"
    message = (
        "The ruling of dispute {dispute} is not the one that was read. Read it again, then sign."
    )


class DisputeFileError(Invalid):
    """The file of a dispute says who complains, how to reach them, and what happened."""

    code = "dispute.file"
    message = (
        "Expected patron and contact of 1 to {names} characters and a narrative of 1 to {limit};"
        " a camera reference of at most {names}, and at most {people} staff numbers."
    )


class IrregularityMissingError(Missing):
    """An irregularity is named by its table and number."""

    code = "irregularity.missing"
    message = "There is no irregularity {number} at table {table}."


class IrregularityConflictError(Conflict):
    """Other words stand at this revision; the next one amends them."""

    code = "irregularity.conflict"
    message = "Irregularity {number} of table {table} holds other words at revision {revision}."


class DisputeFileConflictError(Conflict):
    """Another file stands at this revision; the next one amends it."""

    code = "dispute.file_conflict"
    message = "The file of dispute {dispute} says something else at revision {revision}."
