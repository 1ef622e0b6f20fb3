"""What can be refused of a shoe's burns, and of a table whose shoe is not counted yet.

One class per reason that a caller can act on, beside those of `tables.errors`.
"""

from casino.kernel.errors import Conflict


class BurnConflictError(Conflict):
    """A burn event is one fact: what it says is never stated otherwise."""

    code = "burn.conflict"
    message = "Burn {event} of shoe {shoe} says otherwise already. The next one is {next}."


class BurnBeyondError(Conflict):
    """Burn events of a shoe are numbered without a gap."""

    code = "burn.beyond"
    message = "Shoe {shoe} has no burn {event} yet. The next one is {next}."


class ShoeUncountedError(Conflict):
    """A shoe that was set aside for checking is counted before its table closes (events 5, 13, 15).

    Only where the table closed in a round is it counted later (event 32).
    """

    code = "shoe.uncounted"
    message = "Shoe {shoe} was set aside and is not counted. Count its stub or void it first."
