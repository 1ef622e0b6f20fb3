"""Sessions: a table opens and closes on two blind counts that agree (control 1.5, 1.11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.errors import (
    CountConflictError,
    CountMissingError,
    CountRefusedError,
    CountSamePersonError,
    CountsDisagreeError,
    CountSettledError,
    CountSideError,
    SessionNotInStateError,
    TableAlreadyOpenError,
    TableNotQuietError,
    TableSessionMissingError,
)
from tables.models import Count, DisputeHold, TableSession
from tables.selectors.counts import latest_counts
from tables.selectors.disputes import holds_at_table
from tables.selectors.floor import Floor, OpenSession, read_table
from tables.selectors.house import gaming_day_at, house_settings
from tables.selectors.shoes import uncounted_shoe, unproven_shoes
from tables.services.rounds import require_revision
from tables.services.shoe_end import raise_unproven
from tables.shoe_errors import ShoeUncountedError

PIECES_MAX = 100_000
_STATE_OF_KIND = {
    Count.Kind.OPENER: TableSession.State.OPENING,
    Count.Kind.CLOSER: TableSession.State.CLOSING,
}
_ROLES_OF_SIDE = {
    Count.Side.DEALER: (Role.DEALER,),
    Count.Side.SUPERVISOR: (Role.SUPERVISOR, Role.MANAGER),
}


@dataclass(frozen=True, slots=True)
class SessionStep:
    """What a service did with a session: the receipt and the table as it stands now."""

    receipt: Receipt
    floor: Floor
    done_before: bool = False


@service
def start_session(*, table: str, by: Acting) -> SessionStep:
    """Begin to open a table: its session is numbered and belongs to the gaming day of now.

    The gaming day is computed once and stored. Raises TableAlreadyOpenError, TermsMissingError.
    """
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    stream = f"table/{table}"
    lock_stream(stream)
    floor = read_table(table)
    floor.require_terms()
    if floor.session is not None:
        raise TableAlreadyOpenError(
            table=table, session=floor.session.ref.key, state=floor.session.state
        )
    number = floor.sessions + 1
    values = {
        "key": f"{table}/S{number}",
        "table": floor.table,
        "number": number,
        "state": TableSession.State.OPENING.value,
        "gaming_day": gaming_day_at(by.now),
    }
    receipt = append(
        stream=stream,
        action="session.started",
        subject=f"{table}/S{number}",
        actor=by.actor,
        new_heads=[Row(TableSession, values)],
    )
    return SessionStep(receipt=receipt, floor=read_table(table))


@service
def key_count(
    *, table: str, session: int, kind: str, revision: int, pieces: Mapping[str, int], by: Acting
) -> SessionStep:
    """Record one person's count: pieces by denomination (minor units as text).

    The side follows from the person's role; the other side's count is neither needed nor shown.
    One's latest count again changes nothing, whatever became of the session since.
    Raises NotAtThisTableError, CountRefusedError, CountSamePersonError, CountSideError,
    Revision*Error, CountConflictError (another count at the same revision), CountSettledError,
    TableSessionMissingError, SessionNotInStateError.
    """
    side = _side_of(by)
    if side == Count.Side.DEALER:
        by.require_at_table(table)
    stream = f"table/{table}"
    lock_stream(stream)
    floor = read_table(table)
    opened = _session(floor, session)
    counted, total_minor = _valued(pieces, by=by)
    counts = latest_counts(opened.ref, kind=kind)
    stands, other = counts.get(side), counts.get(_other(side))
    if other is not None and other.staff_id == by.person.staff.id:
        raise CountSamePersonError
    latest = stands.revision if stands else 0
    if stands is not None and revision == latest and stands.pieces == counted:
        return SessionStep(receipt=receipt_of(stands.entry_id), floor=floor, done_before=True)
    if opened.state != _STATE_OF_KIND[Count.Kind(kind)]:
        raise SessionNotInStateError(
            table=table, state=opened.state, expected=_STATE_OF_KIND[Count.Kind(kind)]
        )
    require_revision(f"the {side}'s count", revision=revision, latest=latest)
    if revision == latest:
        raise CountConflictError(side=side, revision=revision)
    values = {
        "session": opened.ref,
        "kind": kind,
        "side": side.value,
        "revision": revision,
        "staff": by.person.staff,
        "pieces": counted,
        "total_minor": total_minor,
    }
    receipt = append(
        stream=stream,
        action="count.keyed",
        subject=opened.ref.key,
        actor=by.actor,
        facts=[Row(Count, values)],
    )
    return SessionStep(receipt=receipt, floor=floor)


@service
def open_table(*, table: str, session: int, by: Acting) -> SessionStep:
    """Open a table on the opener that both people counted. Raises CountsDisagreeError."""
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    floor, opened = _locked(table, session, expected=TableSession.State.OPENING)
    opener_minor = _agreed(opened.ref, kind=Count.Kind.OPENER)
    return _change(
        floor,
        opened,
        action="session.opened",
        by=by,
        values={
            "state": TableSession.State.OPEN.value,
            "opened_at": by.now,
            "opener_minor": opener_minor,
        },
    )


@service
def start_closing(*, table: str, session: int, by: Acting) -> SessionStep:
    """Begin to close a table: no round in play, no shoe in use, none that waits to be counted
    (control 1.11). Raises TableNotQuietError, ShoeUncountedError."""
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    floor, opened = _locked(table, session, expected=TableSession.State.OPEN)
    if floor.round_in_play is not None:
        raise TableNotQuietError(table=table, what=f"round {floor.round_in_play.key}")
    if floor.shoe is not None:
        raise TableNotQuietError(table=table, what=f"shoe {floor.shoe.ref.key}")
    uncounted = uncounted_shoe(opened.ref)
    if uncounted is not None:
        raise ShoeUncountedError(shoe=uncounted)
    return _change(
        floor,
        opened,
        action="session.closing",
        by=by,
        values={"state": TableSession.State.CLOSING.value},
    )


@service
def close_table(*, table: str, session: int, by: Acting) -> SessionStep:
    """Close a table on the closer that both people counted. Raises CountsDisagreeError.

    Chips under open dispute holds were not counted: they leave the table with their holds, which
    the entry names (event 25). A shoe whose cards are not accounted for yet is a finding from then
    on (events 27, 28).
    """
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    floor, opened = _locked(table, session, expected=TableSession.State.CLOSING)
    closer_minor = _agreed(opened.ref, kind=Count.Kind.CLOSER)
    holds = holds_at_table(opened.ref)
    closed = _change(
        floor,
        opened,
        action="session.closed",
        by=by,
        values={
            "state": TableSession.State.CLOSED.value,
            "closed_at": by.now,
            "closer_minor": closer_minor,
        },
        moved=[Change(DisputeHold, Ref(hold.pk, hold.key), {"moved_at": by.now}) for hold in holds],
        data={
            "disputes": [
                {"dispute": hold.key, "disputed_minor": hold.disputed_minor} for hold in holds
            ]
        },
    )
    raise_unproven(unproven_shoes(session=opened.ref.key), by=by.actor, now=by.now)
    return closed


def _locked(table: str, session: int, *, expected: TableSession.State) -> tuple[Floor, OpenSession]:
    lock_stream(f"table/{table}")
    floor = read_table(table)
    opened = _session(floor, session)
    if opened.state != expected:
        raise SessionNotInStateError(table=table, state=opened.state, expected=expected)
    return floor, opened


def _session(floor: Floor, number: int) -> OpenSession:
    """Return the table's open session; one that is closed refuses by its state."""
    if floor.session is not None and floor.session.number == number:
        return floor.session
    if 1 <= number <= floor.sessions:
        raise CountSettledError(kind="session", session=f"{floor.table.key}/S{number}")
    raise TableSessionMissingError(table=floor.table.key, session=number)


def _change(
    floor: Floor,
    session: OpenSession,
    *,
    action: str,
    by: Acting,
    values: Mapping[str, object],
    moved: Sequence[Change] = (),
    data: Mapping[str, object] | None = None,
) -> SessionStep:
    receipt = append(
        stream=f"table/{floor.table.key}",
        action=action,
        subject=session.ref.key,
        actor=by.actor,
        changes=[Change(TableSession, session.ref, values), *moved],
        data=data,
    )
    return SessionStep(receipt=receipt, floor=read_table(floor.table.key))


def _agreed(session: Ref, *, kind: Count.Kind) -> int:
    """Return the total that the latest revisions of both sides state, denomination by
    denomination (control 1.4: equal totals are not enough)."""
    counts = latest_counts(session, kind=kind)
    for side in Count.Side:
        if side not in counts:
            raise CountMissingError(side=side.value)
    dealer, supervisor = counts[Count.Side.DEALER], counts[Count.Side.SUPERVISOR]
    if dealer.pieces != supervisor.pieces:
        raise CountsDisagreeError
    return dealer.total_minor


def _side_of(by: Acting) -> Count.Side:
    for side, roles in _ROLES_OF_SIDE.items():
        if by.person.role in roles:
            return side
    raise CountSideError(role=by.person.role, side="table")


def _other(side: Count.Side) -> Count.Side:
    return Count.Side.SUPERVISOR if side == Count.Side.DEALER else Count.Side.DEALER


def _valued(pieces: Mapping[str, int], *, by: Acting) -> tuple[dict[str, int], int]:
    """Return the pieces of every denomination, 0 where none were stated, and their value."""
    denominations = house_settings(at=by.now).denominations
    known = {str(denomination) for denomination in denominations}
    if set(pieces) - known or any(not 0 <= n <= PIECES_MAX for n in pieces.values()):
        raise CountRefusedError(denominations=denominations)
    counted = {
        str(denomination): pieces.get(str(denomination), 0) for denomination in denominations
    }
    return counted, sum(int(denomination) * n for denomination, n in counted.items())
