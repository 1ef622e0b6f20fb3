"""What was paid in a round that is over, as the app that keeps payouts tells it.

Payouts belong to `settlements`, which stands above this app: it registers its reader when it is
made ready, and this app asks it. Nothing here reads a payout itself.
"""

from collections.abc import Callable, Mapping

from tables.selectors.round_read import ROUND_OVER, RoundRead

# What was handed over by seat and wager, in minor units, stake included.
HandedAmounts = Mapping[tuple[int, str], int]
PaidReader = Callable[[RoundRead], dict[str, object] | None]

_readers: list[PaidReader] = []


def register_paid(reader: PaidReader) -> None:
    """Make the reader of payouts known; called once, when its app is made ready."""
    _readers[:] = [reader]


def paid_document(read: RoundRead) -> dict[str, object] | None:
    """Return what a round that is over paid, in the shape of `owed`; None while it is played."""
    if read.stage not in ROUND_OVER or not read.final_revision:
        return None
    return next((reader(read) for reader in _readers), None)
