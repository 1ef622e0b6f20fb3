"""Rounds: betting opens, wagers are placed, a round without cards is called off.

Every service takes the lock of the table first and reads in a statement after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.errors import (
    BankRotationError,
    BankSeatNeededError,
    BankSeatRefusedError,
    BettingClosedError,
    CutCardOutError,
    PackNotShuffledError,
    RevisionBeyondError,
    RevisionSupersededError,
    RoundDealtError,
    RoundInPlayError,
    RoundOfAnotherDealerError,
    RoundStageError,
    SessionNotInStateError,
    ShoeExhaustedError,
    ShoeNotInStateError,
    WagersConflictError,
    WagersRefusedError,
)
from tables.faults import fault_documents
from tables.games import Fault, wager_faults
from tables.irregularity_errors import DisputeHeldError
from tables.models import Round, SeatWagers, Shoe, TableSession
from tables.selectors.bank import bank_due
from tables.selectors.floor import Floor, OpenSession, UsedShoe, read_table
from tables.selectors.round_read import (
    WAGER_KINDS,
    KeyedSeat,
    RoundName,
    RoundRead,
    read_round,
)

# The fewest cards that any round takes: three for one seat and three for the House.
_CARDS_OF_A_ROUND_MIN = 6


@dataclass(frozen=True, slots=True)
class Step:
    """What a service at the table did: the receipt, and the round as it stands now."""

    receipt: Receipt
    round: RoundRead
    done_before: bool = False


def require_dealing(by: Acting, read: RoundRead) -> None:
    """Refuse who may not key in this round.

    A dealer keys in his own rounds only (control 5.9); a supervisor may finish any. Raises
    RoleNotAllowedError, NotAtThisTableError, RoundOfAnotherDealerError.
    """
    require_role(by.person, Role.DEALER, Role.SUPERVISOR)
    by.require_at_table(read.name.table)
    if by.person.role == Role.DEALER and by.person.staff.id != read.dealer.id:
        raise RoundOfAnotherDealerError(round=read.ref.key, dealer=read.dealer.key)


def require_revision(what: str, *, revision: int, latest: int) -> None:
    """Refuse a revision that is neither the latest nor the next one.

    `latest` is 0 where there is none yet. Raises RevisionSupersededError, RevisionBeyondError.
    """
    if revision < max(latest, 1):
        raise RevisionSupersededError(what=what, revision=revision, latest=latest)
    if revision > latest + 1:
        raise RevisionBeyondError(what=what, revision=revision, next=latest + 1)


def require_before_cut(shoe: str, *, number: int, rounds_max: int | None) -> None:
    """Refuse to start a round that the cut card does not let start (event 17).

    `rounds_max` is the last number that may still be dealt, None before the card came out. Raises
    CutCardOutError.
    """
    if rounds_max is not None and number > rounds_max:
        raise CutCardOutError(shoe=shoe)


@service
def open_betting(*, table: str, shoe: int, by: Acting, bank_seat: int | None = None) -> Step:
    """Open betting: the next round of the shoe gets its number, gapless.

    Where players bank, the bank moves by rotation; `bank_seat` states who drew the first one (C11),
    or what a supervisor ruled instead. Refuses while a round is in play, the shoe is not ready, the
    cut card is out (event 17), too few cards remain for one seat (event 18; the first card asks
    again for the seats that bet) or a pack was not shuffled. Raises BankSeat*Error,
    BankRotationError, PackNotShuffledError.
    """
    require_role(by.person, Role.DEALER, Role.SUPERVISOR)
    by.require_at_table(table)
    lock_stream(f"table/{table}")
    floor = read_table(table, shoe=shoe)
    session, used = _require_ready(floor)
    bank = _bank_seat(floor, session, used, stated=bank_seat, by=by)
    name = RoundName(table=table, shoe=shoe, number=used.rounds + 1)
    receipt = append(
        stream=name.stream,
        action="round.opened",
        subject=name.key,
        actor=by.actor,
        new_heads=[
            Row(
                Round,
                {
                    "key": name.key,
                    "table": floor.table,
                    "session": session.ref,
                    "shoe": used.ref,
                    "number": name.number,
                    "stage": Round.Stage.BETTING.value,
                    "gaming_day": session.gaming_day,
                    "dealer": by.person.staff,
                    "ruleset": used.ruleset,
                    "bank_seat": bank,
                    "opened_at": by.now,
                },
            )
        ],
        changes=[Change(Shoe, used.ref, {"rounds": name.number})],
    )
    return Step(receipt=receipt, round=read_round(name))


def _require_ready(floor: Floor) -> tuple[OpenSession, UsedShoe]:
    """Return session and shoe of a table at which a round may begin; refuse otherwise."""
    session, playing = floor.session, floor.round_in_play
    if session is None or session.state != TableSession.State.OPEN:
        state = session.state if session else TableSession.State.CLOSED
        raise SessionNotInStateError(
            table=floor.table.key, state=state, expected=TableSession.State.OPEN
        )
    used = floor.require_shoe()
    if used.state != Shoe.State.READY:
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)
    if playing is not None:
        raise RoundInPlayError(round=playing.key, stage=playing.stage)
    if used.procedures.pack_each_round and used.cards_dealt:
        raise PackNotShuffledError(shoe=used.ref.key)
    require_before_cut(used.ref.key, number=used.rounds + 1, rounds_max=used.rounds_max)
    left = used.cards_loaded - used.cards_out
    if left < _CARDS_OF_A_ROUND_MIN:
        raise ShoeExhaustedError(cards_left=left, cards_needed=_CARDS_OF_A_ROUND_MIN)
    return session, used


def _bank_seat(
    floor: Floor, session: OpenSession, used: UsedShoe, *, stated: int | None, by: Acting
) -> int | None:
    """Return the seat that banks the next round, None where the house does (B20, C10, C11)."""
    if not used.procedures.players_bank:
        if stated is not None:
            raise BankSeatRefusedError(expected="no seat: the house banks", bank_seat=stated)
        return None
    if stated is not None and not 1 <= stated <= floor.seats:
        raise BankSeatRefusedError(expected=f"a seat from 1 to {floor.seats}", bank_seat=stated)
    due = bank_due(session.ref, procedures=used.procedures)
    if due is None and stated is None:
        raise BankSeatNeededError(table=floor.table.key, seats=floor.seats)
    if due is None or stated is None:
        return stated if due is None else due
    if stated != due and by.person.role != Role.SUPERVISOR:
        raise BankRotationError(due=due, rotation=used.procedures.banker_rotation)
    return stated


@service
def place_wagers(
    *, name: RoundName, seat: int, revision: int, wagers: Mapping[str, int], by: Acting
) -> Step:
    """State a seat's whole set of wagers in minor units; a kind left out is cleared.

    The content of the latest revision again is accepted and changes nothing. All faults of the set
    come at once (A21, A24). Refuses after the first card (A23), and while a dispute holds what the
    seat has (event 25). Raises BettingClosedError, WagersRefusedError, DisputeHeldError,
    WagersConflictError (other content at the same revision), Revision*Error, and what
    `require_dealing` raises.
    """
    lock_stream(name.stream)
    read = read_round(name)
    require_dealing(by, read)
    stands = read.seats.get(seat, KeyedSeat(revision=0, wagers={}, entry_id=0))
    require_revision(f"seat {seat}", revision=revision, latest=stands.revision)
    if revision == stands.revision:
        if dict(wagers) != dict(stands.wagers):
            raise WagersConflictError(
                seat=seat, revision=revision, stored=dict(stands.wagers), keyed=dict(wagers)
            )
        return Step(receipt=receipt_of(stands.entry_id), round=read, done_before=True)
    if read.stage != Round.Stage.BETTING:
        raise BettingClosedError(round=name.key)
    for hold in read.holds:
        if hold.seat in (None, seat):
            raise DisputeHeldError(dispute=hold.ref.key)
    _require_wagers(read, seat, wagers)
    receipt = append(
        stream=name.stream,
        action="wagers.placed" if wagers else "wagers.cleared",
        subject=name.key,
        actor=by.actor,
        facts=[
            Row(
                SeatWagers,
                {
                    "round": read.ref,
                    "seat": seat,
                    "revision": revision,
                    **{f"{kind}_minor": wagers.get(kind) for kind in WAGER_KINDS},
                },
            )
        ],
    )
    keyed = KeyedSeat(revision=revision, wagers=dict(wagers), entry_id=receipt.entry_id)
    seats = dict(sorted({**read.seats, seat: keyed}.items()))
    return Step(receipt=receipt, round=replace(read, seats=seats))


def _require_wagers(read: RoundRead, seat: int, wagers: Mapping[str, int]) -> None:
    """Refuse a seat that the table has not, and every fault of the whole table's wagers."""
    if not 1 <= seat <= read.seats_of_table:
        detail = f"expected a seat from 1 to {read.seats_of_table}, not {seat}"
        faults = [Fault("seat.unknown", f"seats.{seat}", detail, {"seat": seat})]
    else:
        # What is placed now is placed last: beyond the bank's cover it is refused first (B20).
        placed = {s: w for s, w in read.wagers_as_placed.items() if s != seat} | {seat: wagers}
        faults = wager_faults(
            read.ruleset,
            read.limits,
            {s: w for s, w in placed.items() if w},
            bank_seat=read.bank_seat,
        )
    if faults:
        raise WagersRefusedError(count=len(faults), faults=fault_documents(faults))


@service
def call_off_round(*, name: RoundName, by: Acting) -> Step:
    """End a round without cards: the dealer alone may, and the round keeps its number.

    Stakes go back as they lie. Refuses once a card was keyed, also one that was undone. The
    last round that the cut card lets start is not lost by it: the next number takes its place
    (event 17). Raises RoundStageError, RoundDealtError, DisputeHeldError.
    """
    lock_stream(name.stream)
    read = read_round(name)
    require_dealing(by, read)
    if read.stage == Round.Stage.CALLED_OFF:
        raise RoundStageError(round=name.key, stage=read.stage, expected=Round.Stage.BETTING)
    if read.cards or read.stage != Round.Stage.BETTING:
        raise RoundDealtError(round=name.key)
    if read.holds:
        raise DisputeHeldError(dispute=read.holds[0].ref.key)
    ended = {"stage": Round.Stage.CALLED_OFF.value, "ended_at": by.now}
    changes = [Change(Round, read.ref, ended)]
    if read.rounds_max == name.number:
        # Only under `one_more` is a round in play the last one: the cut card moves on by one.
        changes.append(Change(Shoe, read.shoe, {"cut_card_round": name.number}))
    receipt = append(
        stream=name.stream,
        action="round.called_off",
        subject=name.key,
        actor=by.actor,
        changes=changes,
    )
    return Step(receipt=receipt, round=replace(read, stage=Round.Stage.CALLED_OFF.value))
