"""Which seat holds the bank next, where players bank (B20, C10, C11).

It follows from the last round of the session as it stands now, a correction included. Nothing here
says who holds the first bank: that is drawn by lot and stated.
"""

from audit.log.rows import Ref
from tables.games import Procedures, next_bank_seat, settle
from tables.models import Round
from tables.selectors.round_read import RoundName, RoundRead, read_round


def bank_due(session: Ref, *, procedures: Procedures) -> int | None:
    """Return the seat that banks the session's next round; None before its first bank.

    Two statements, whatever the history.
    """
    last = (
        Round.objects.filter(session__key=session.key, bank_seat__isnull=False)
        .exclude(stage=Round.Stage.AWAITED)
        .order_by("-id")
        .values_list("table__code", "shoe__number", "number")
        .first()
    )
    return None if last is None else next_bank(read_round(RoundName(*last)), procedures=procedures)


def next_bank(read: RoundRead, *, procedures: Procedures) -> int | None:
    """Return the seat that banks after this round, by the rotation of `procedures`.

    Only a round that was played out moves the bank: one that was voided or called off does not
    count, and one that is in play has not decided yet.
    """
    if read.bank_seat is None or read.stage != Round.Stage.SETTLED:
        return read.bank_seat
    state = read.state()
    lines = [
        line for part in ("sweep", "final") for line in settle(read.ruleset, state, part).lines
    ]
    return next_bank_seat(
        procedures,
        seats=(*read.live, read.bank_seat),
        bank_seat=read.bank_seat,
        bank_minor=sum(line.bank_minor - line.commission_minor for line in lines),
        winners={line.seat for line in lines if line.outcome == "win" and line.stake_minor},
    )
