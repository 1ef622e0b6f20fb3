"""What can go wrong with follow-up work.

Conflict
└── LeaseLostError       outbox.lease_lost    another worker has the row, or it is done
Missing
└── ItemMissingError     outbox.item_missing  no parked row of that name
"""

from casino.kernel.errors import Conflict, Missing


class LeaseLostError(Conflict):
    """A result may be stored only by who holds the row's current lease."""

    code = "outbox.lease_lost"
    message = "The work {topic} {key} was taken over by another worker or is done."


class ItemMissingError(Missing):
    """Only a parked row can be put back."""

    code = "outbox.item_missing"
    message = "There is no parked work {topic} {key}."
