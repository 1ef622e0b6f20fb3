"""Whose chips a correction moves when the session of its round is closed.

What is restated of then belongs to the closed session, whose tray was counted with it. What moves
now lay in no chip of that tray: it comes from the dispute's hold, or out of the tray of the session
that is open at the table, or from elsewhere in the house. Amounts are in minor units.
"""

from settlements.correction import Bill, LateMoney
from settlements.selectors.corrections import corrections_of
from tables.models import DisputeHold, TableSession
from tables.selectors.disputes import find_dispute
from tables.selectors.floor import OpenSession, read_table
from tables.selectors.held import apart_of
from tables.selectors.round_read import RoundRead

# Sessions whose tray is handed over, so that something can be paid out of it.
_HAVE_A_TRAY = (TableSession.State.OPEN, TableSession.State.CLOSING)


def late_money(read: RoundRead, bill: Bill) -> LateMoney | None:
    """Return where the money of a bill comes from; None while the round's session is open, and
    where none of the house's moves."""
    moved = _moved_minor(read, bill)
    if not moved or read.session_state != TableSession.State.CLOSED:
        return None
    hold, hold_minor = _from_hold(read, bill, moved)
    session = paying_session(read)
    return LateMoney(moved, hold, hold_minor, session.ref.key if session else None)


def paying_session(read: RoundRead) -> OpenSession | None:
    """Return the session whose tray pays at the table of a round, if there is one."""
    session = read_table(read.name.table).session
    return session if session is not None and session.state in _HAVE_A_TRAY else None


def _moved_minor(read: RoundRead, bill: Bill) -> int:
    """Return what goes to players less what comes back, out of the house's chips.

    Where a seat holds the bank that is the commission alone. It counts as handed over whether or
    not the players' money moves, so it never lies in the tray that was counted before.
    """
    if read.bank_seat is not None:
        return -bill.sums.bank_handed_minor
    return bill.to_move_minor if bill.correction.moved else 0


def _from_hold(read: RoundRead, bill: Bill, moved: int) -> tuple[str | None, int]:
    """Return the hold that pays and how much: what left the tray with it and is there still."""
    number = bill.correction.dispute
    hold = None if number is None else find_dispute(read.name.table, number)
    if hold is None or hold.outcome != DisputeHold.Outcome.PATRON or not _took_chips(hold):
        return None, 0
    paid = 0
    for done in corrections_of(read.ref.key):
        late = done.document.get("late")
        if late is not None and late["hold"] == hold.key:
            paid += late["hold_minor"]
    taken = min(moved, apart_of(hold, over=True) - paid)
    return (hold.key, taken) if taken > 0 else (None, 0)


def _took_chips(hold: DisputeHold) -> bool:
    """Tell whether chips of the bank's left the table with a hold when it closed: one that was
    opened later took none, and stakes out of play are no result of the bank's."""
    return hold.in_result and hold.moved_at == hold.round.session.closed_at
