"""What can be refused when rounds come in from paper: one class per reason to act on."""

from casino.kernel.errors import Conflict, Forbidden, Invalid


class AwaitedNumbersError(Conflict):
    """Who reserves says how many rounds the shoe has so far, so that a retry reserves nothing."""

    code = "paper.numbers"
    message = "Shoe {shoe} has {rounds} rounds, not {after}. Look again, then reserve."


class AwaitedCountError(Invalid):
    """At least one round was dealt on paper, and no more than a shoe can hold."""

    code = "paper.count"
    message = "Expected 1 to {most} rounds dealt on paper."


class SheetNotAwaitedError(Conflict):
    """Only a round that was reserved for its sheet is keyed from paper; once."""

    code = "sheet.not_awaited"
    message = "Round {round} is {stage}. Expected a round that waits for its sheet."


class SheetRefusedError(Invalid):
    """A sheet must be a round that could have been; every fault comes at once."""

    code = "sheet.refused"
    message = "This sheet cannot be a round: {count} faults."


class SheetSamePersonError(Forbidden):
    """A sheet is keyed by two different people."""

    code = "sheet.same_person"
    message = "You keyed this sheet already. A second person keys it again."


class SheetOtherPersonError(Forbidden):
    """A keying is revised by the person who made it."""

    code = "sheet.other_person"
    message = "The {copy} keying of round {round} is another person's."


class SheetConflictError(Conflict):
    """Another content stands at this copy and revision."""

    code = "sheet.conflict"
    message = "The {copy} keying of round {round}, revision {revision}, holds another sheet."


class SheetComparedError(Conflict):
    """Once both keyings are in, neither changes: a supervisor settles what differs."""

    code = "sheet.compared"
    message = "Both keyings of round {round} are in. A supervisor settles what differs."


class SheetNotKeyedError(Conflict):
    """Two keyings are compared; both must be there first."""

    code = "sheet.not_keyed"
    message = "Round {round} is not keyed twice yet."


class SheetCopyMissingError(Conflict):
    """A copy that is kept must be there."""

    code = "sheet.no_copy"
    message = "There is no {copy} copy of round {round}."


class SheetSignersError(Invalid):
    """Who agrees on a sheet signs: a supervisor or manager, for a void one of each (rules 2.1).

    Never the round's dealer, nor one of two people whose keyings differ.
    """

    code = "sheet.signers"
    message = "Round {round} from paper needs: {needs}."
