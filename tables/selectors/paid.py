"""What was paid in a round that is over, as the app that keeps payouts tells it.

Payouts belong to `settlements`, which stands above this app: it registers its reader when it is
made ready, and this app asks it. Nothing here reads a payout itself.
"""

from collections.abc import Callable, Mapping

from tables.selectors.round_values import ROUND_OVER, RoundRead

# What was handed over by seat and wager, in minor units, stake included.
HandedAmounts = Mapping[tuple[int, str], int]
PaidReader = Callable[[RoundRead], dict[str, object] | None]
SweptReader = Callable[[RoundRead], HandedAmounts]

_readers: list[PaidReader] = []
_swept_readers: list[SweptReader] = []


def register_paid(reader: PaidReader, *, swept: SweptReader) -> None:
    """Make the readers of payouts known; called once, when their app is made ready."""
    _readers[:], _swept_readers[:] = [reader], [swept]


def swept_amounts(read: RoundRead) -> HandedAmounts:
    """Return what was handed over in the sweep as it stands; nothing before it."""
    if not read.sweep_revision:
        return {}
    return next((reader(read) for reader in _swept_readers), {})


def paid_document(read: RoundRead) -> dict[str, object] | None:
    """Return what a round that is over paid, in the shape of `owed`; None while it is played."""
    if read.stage not in ROUND_OVER or not read.final_revision:
        return None
    return next((reader(read) for reader in _readers), None)
