"""Who may sign a correction: it follows from the window and from what the correction is worth.

Rules 2.1: within `correction_window` a supervisor and a second supervisor or a manager, above
`correction_limit_minor` one of them the manager; later the manager in charge and surveillance.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.people.models import Role
from casino.people.selectors import InCharge, manager_in_charge
from settlements.correction import Bill
from tables.models import TableSession
from tables.selectors.round_read import RoundRead

# When the round ended, and whether a card of a later round of the table has left the shoe since:
# it was keyed, also if it was undone, or it was dealt on paper and its round is awaited.
_AFTER = """
SELECT r.ended_at,
       EXISTS (SELECT 1 FROM tables_round n
                WHERE n.shoe_id = r.shoe_id AND n.number > r.number
                  AND (n.stage = 'awaited'
                       OR EXISTS (SELECT 1 FROM tables_card c WHERE c.round_id = n.id)))
    OR EXISTS (SELECT 1 FROM tables_shoe ns JOIN tables_round n ON n.shoe_id = ns.id
                WHERE ns.table_id = r.table_id AND ns.number > s.number
                  AND (n.stage = 'awaited'
                       OR EXISTS (SELECT 1 FROM tables_card c WHERE c.round_id = n.id)))
  FROM tables_round r JOIN tables_shoe s ON s.id = r.shoe_id
 WHERE r.id = %s
"""


@dataclass(frozen=True, slots=True)
class Authority:
    """Who must sign, and why: `late` after the window, `over_limit` above the amount.

    `of_bank` says that the bank's own draw was wrong (event 30).
    `roles` are the two signatures, each in one of the roles it lists.
    """

    late: bool
    over_limit: bool
    window: str
    limit_minor: int
    in_charge: InCharge | None
    roles: tuple[tuple[Role, ...], tuple[Role, ...]]
    of_bank: bool = False

    @property
    def needs(self) -> Promise:
        """Who must sign, in words."""
        if self.late:
            return _("the manager in charge, and surveillance with a camera reference")
        if self.over_limit or self.of_bank:
            return _("a supervisor and a manager")
        return _("a supervisor, and a second supervisor or a manager")


def authority_for(
    read: RoundRead, *, amount_minor: int, now: datetime, of_bank: bool = False
) -> Authority:
    """Return who must sign a correction of this round that is worth so much, now.

    A closed session ends every window: its tray was counted on the figures. A draw error of the
    bank takes a manager (event 30).
    """
    values = read.procedures.values
    window, limit = str(values["correction_window"]), _whole(values["correction_limit_minor"])
    in_charge = manager_in_charge(now)
    late = read.session_state == TableSession.State.CLOSED or not _is_open(
        read, window=window, minutes=_whole(values["correction_minutes"]), now=now
    )
    over = amount_minor > limit
    supervisor, manager = (Role.SUPERVISOR,), (Role.MANAGER,)
    roles = (supervisor, manager if over or of_bank else (Role.SUPERVISOR, Role.MANAGER))
    if late:
        roles = (manager, (Role.SURVEILLANCE,))
    return Authority(late, over, window, limit, in_charge, roles, of_bank)


def authority_of(read: RoundRead, bill: Bill, *, now: datetime) -> Authority:
    """Return who must sign this bill now."""
    error = bill.draw_error
    of_bank = error is not None and error.of_bank
    return authority_for(read, amount_minor=bill.amount_minor, now=now, of_bank=of_bank)


def _is_open(read: RoundRead, *, window: str, minutes: int, now: datetime) -> bool:
    """Tell whether the window of the procedure is still open.

    A shift is the time of one manager in charge.
    """
    with connection.cursor() as cursor:
        cursor.execute(_AFTER, [read.ref.id])
        ended_at, went_on = cursor.fetchone()
    if ended_at is None:
        return False
    if window == "minutes":
        return bool(now <= ended_at + timedelta(minutes=minutes))
    if window == "shift":
        then, since = manager_in_charge(ended_at), manager_in_charge(now)
        return then is not None and since is not None and then.revision == since.revision
    return not went_on


def _whole(value: object) -> int:
    """Return a whole number of the procedures, which were checked when they were published."""
    assert isinstance(value, int)
    return value
