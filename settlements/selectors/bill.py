"""The bill of a correction: the round settled anew beside how it stands, without writing anything.

The lines before are the payouts as they were written, the lines after are the engine's under the
round's own ruleset. What the record says of chips is kept unless it is stated otherwise.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from settlements.correction import (
    EVENTS,
    REASON_CHARACTERS_MAX,
    VOID_SHOE_EVENT,
    Bill,
    Correction,
    LineBill,
    LineSide,
    PartBill,
    Reissue,
    ShoeRuling,
    sides_differ,
)
from settlements.errors import (
    CorrectionDisputedError,
    CorrectionDisputeError,
    CorrectionEmptyError,
    CorrectionEventError,
    CorrectionReasonError,
    CorrectionRefusedError,
    CorrectionStageError,
)
from settlements.lines import (
    VOID_SHOE_CLAUSE,
    VoidNote,
    WagerName,
    given_back,
    payout_values,
    sums_of,
)
from settlements.models import Part, Payout
from settlements.selectors.corrected import CorrectedRound, corrected_round
from settlements.selectors.late import late_money
from settlements.selectors.reported import reported
from settlements.selectors.standing import StandingPart, standing_parts
from tables.faults import fault_documents
from tables.games import Fault, Line, as_voided, settle, void, with_taken_back
from tables.games.values import TABLE_MONEY_MAX
from tables.models import DisputeHold, Round, Shoe, TableSession
from tables.selectors.disputes import find_dispute
from tables.selectors.held import covers
from tables.selectors.round_read import (
    CARRIED,
    KeyedFace,
    RoundName,
    RoundRead,
    read_round,
    wager_place,
)

CORRECTABLE = (Round.Stage.SETTLED, Round.Stage.VOIDED)


def correction_bill(name: RoundName, correction: Correction) -> Bill:
    """Return the bill of a correction as the round stands now. Raises as `bill_of` does."""
    return bill_of(read_round(name, faces=faces_of(correction)), correction)


def faces_of(correction: Correction) -> list[str]:
    """Return the faces whose copies must be counted for the bill."""
    return [card.face for card in correction.cards]


def bill_of(read: RoundRead, correction: Correction) -> Bill:
    """Return the bill of a correction of a round that is settled or voided.

    Raises CorrectionStageError, CorrectionEventError, CorrectionReasonError,
    CorrectionRefusedError with every fault, OneCardTooManyError (a question, event 13),
    UnsettledError, CorrectionDisputedError, CorrectionDisputeError, CorrectionEmptyError.
    """
    require_correctable(read)
    if correction.event not in EVENTS:
        raise CorrectionEventError(events=list(EVENTS))
    if not correction.reason.strip() or len(correction.reason) > REASON_CHARACTERS_MAX:
        raise CorrectionReasonError(limit=REASON_CHARACTERS_MAX)
    _require_ruled(read, correction)
    bill = _bill(read, correction)
    if bill is None:
        raise CorrectionEmptyError(round=read.ref.key)
    return bill


def ruled_bill(read: RoundRead, ruling: ShoeRuling, *, reason: str, moved: bool) -> Bill | None:
    """Return the bill of a decision on a round of a void shoe; None where nothing changes.

    Raises CorrectionStageError, CorrectionRefusedError, CorrectionDisputedError.
    """
    require_correctable(read)
    return _bill(read, Correction(VOID_SHOE_EVENT, reason, moved, ruling=ruling))


def _bill(read: RoundRead, correction: Correction) -> Bill | None:
    corrected = corrected_round(read, correction)
    parts = _parts(read, corrected, correction)
    bill = Bill(
        round_key=read.ref.key,
        correction=correction,
        base=_base(read),
        live=(read.live, corrected.after.live),
        cards=corrected.cards,
        seats=corrected.seats,
        parts=parts,
        session_key=read.session.key,
        reissue=_reissue(read, corrected, parts),
        warnings=tuple(fault_documents(corrected.warnings)),
        draw_error=corrected.draw_error,
    )
    if not (bill.cards or bill.seats or bill.parts):
        return None
    _require_undisputed(read, bill)
    return replace(bill, late=late_money(read, bill))


def require_correctable(read: RoundRead) -> None:
    """Refuse a round that is not over, or in which no money moved. Raises CorrectionStageError."""
    if read.stage not in CORRECTABLE:
        raise CorrectionStageError(round=read.ref.key, stage=read.stage)


def _base(read: RoundRead) -> dict[str, object]:
    """Name the state by its revisions: any later write of those makes another bill."""
    return {
        "stage": read.stage,
        "sweep": read.sweep_revision,
        "final": read.final_revision,
        "cards": {str(draw): keyed.revision for draw, keyed in _cards_keyed(read).items()},
        "wagers": {str(seat): keyed.revision for seat, keyed in read.seats.items()},
    }


def _cards_keyed(read: RoundRead) -> dict[int, KeyedFace]:
    """Return what was keyed at each draw, a card carried over among them."""
    carried = {CARRIED: read.carried.keyed} if read.carried else {}
    return {**carried, **read.cards}


def _parts(
    read: RoundRead, corrected: CorrectedRound, correction: Correction
) -> tuple[PartBill, ...]:
    """Settle both parts anew and keep those whose lines change.

    What is decided of a round of a void shoe is kept with each of its parts, also where it changes
    no line yet: a card that is corrected later may make another wager the loser.
    """
    standing = standing_parts(read)
    ruling = correction.ruling
    which = standing[Part.FINAL].given_back if ruling is None else ruling.given_back
    owed = {
        part: (given_back(lines, which), note)
        for part, (lines, note) in _owed(read, corrected.after, standing).items()
    }
    known = {name for part in standing.values() for name in part.lines}
    known |= {(line.seat, line.wager) for lines, _ in owed.values() for line in lines}
    faults = list(_handed_faults(correction, known))
    given = _given_back_once(read, standing, correction)
    parts = []
    for part, (lines, note) in owed.items():
        stands = standing[part]
        bills = _line_bills(stands, lines, correction, given=given, bank_seat=read.bank_seat)
        ruled_otherwise = bool(stands.revision) and stands.given_back != which
        if not ruled_otherwise and not any(line.is_changed for line in bills):
            continue
        faults += _unholdable(bills, correction)
        handed = {(line.seat, line.wager): line.after.handed_minor for line in bills if line.after}
        parts.append(
            PartBill(
                part=part,
                revision=stands.revision + 1,
                void=note,
                given_back=which,
                owed=lines,
                handed=handed,
                lines=bills,
                before=stands.sums,
                after=sums_of(lines, handed=handed, bank_seat=read.bank_seat),
            )
        )
    if faults:
        raise CorrectionRefusedError(
            round=read.ref.key, count=len(faults), faults=fault_documents(faults)
        )
    return tuple(parts)


_Owed = dict[Part, tuple[tuple[Line, ...], VoidNote | None]]


def _owed(read: RoundRead, after: RoundRead, standing: Mapping[Part, StandingPart]) -> _Owed:
    """Return what is owed of each part under the round's own rules, sweep first.

    A voided round stays voided as it was ruled (A20): its money changes by the rule alone.
    """
    state = after.state()
    note = standing[Part.FINAL].void
    if read.stage != Round.Stage.VOIDED or note is None:
        return {
            Part.SWEEP: (settle(after.ruleset, state, "sweep").lines, None),
            Part.FINAL: (settle(after.ruleset, state, "final").lines, None),
        }
    seats = dict(zip(read.live, after.live, strict=True))
    note = VoidNote(note.stage, tuple(seats.get(seat, seat) for seat in note.seats))
    voided = as_voided(after.ruleset, state, note.stage)
    lines = void(after.ruleset, voided, note.stage, note.seats).lines
    sweep = tuple(line for line in lines if line.part == "sweep")
    final = tuple(line for line in lines if line.part == "final")
    if any(line.outcome == "void" for line in sweep):
        sweep = with_taken_back(after.ruleset, state, sweep)
        return {Part.SWEEP: (sweep, note), Part.FINAL: (final, note)}
    # Pair wagers that stand are those of the sweep: the void did not touch them.
    if sweep:
        sweep = settle(after.ruleset, state, "sweep").lines
    else:
        sweep = with_taken_back(after.ruleset, state, ())
    return {Part.SWEEP: (sweep, None), Part.FINAL: (final, note)}


def _line_bills(
    stands: StandingPart,
    lines: Sequence[Line],
    correction: Correction,
    *,
    given: Collection[WagerName],
    bank_seat: int | None,
) -> tuple[LineBill, ...]:
    owed = {(line.seat, line.wager): line for line in lines}
    return tuple(
        _line_bill(
            name,
            stands.lines.get(name),
            owed.get(name),
            correction,
            was_given_back=name in given,
            bank_seat=bank_seat,
        )
        for name in sorted(
            {*stands.lines, *owed}, key=lambda name: (name[0], wager_place(name[1]), name[1])
        )
    )


def _line_bill(
    name: WagerName,
    before: LineSide | None,
    line: Line | None,
    correction: Correction,
    *,
    was_given_back: bool,
    bank_seat: int | None,
) -> LineBill:
    """Lay one wager's payout beside the one that stands.

    A stake that was recorded wrongly moves no chips by itself: unless it is stated, what the player
    has gained up to now stays what the record says.
    """
    taken = line.stake_minor + line.extra_owed_minor if line else 0
    owed = line.returned_minor if line else 0
    stated = correction.handed.get(name)
    gained = before.net_handed_minor if before else 0
    touched = (
        stated is not None
        or before is None
        or (before.taken_minor, before.owed_minor) != (taken, owed)
        or was_given_back
        or _is_paid_now(line, correction)
    )
    so_far = gained + taken if stated is None else stated
    to_move = owed - so_far if touched else 0
    handed = owed if touched and correction.moved else so_far
    after = None
    if line is not None:
        after = LineSide(
            taken_minor=taken,
            owed_minor=owed,
            handed_minor=handed,
            columns=payout_values(line, handed_minor=handed, bank_seat=bank_seat),
        )
    restated = touched and so_far - taken != gained
    return LineBill(
        seat=name[0],
        wager=name[1],
        before=before,
        after=after,
        so_far_minor=so_far if touched else None,
        to_move_minor=to_move,
        is_changed=sides_differ(before, after) or restated,
    )


def _given_back_once(
    read: RoundRead, standing: Mapping[Part, StandingPart], correction: Correction
) -> set[WagerName]:
    """Return the wagers that decisions gave back before, for one that moves the money.

    It pays what is still owed of them, also of those that another decision took back since.
    """
    was_corrected = any(part.revision > 1 for part in standing.values())
    if correction.ruling is None or not correction.moved or not was_corrected:
        return set()
    given = Payout.objects.filter(round_id=read.ref.id, clause=VOID_SHOE_CLAUSE)
    return set(given.values_list("seat", "wager"))


def _is_paid_now(line: Line | None, correction: Correction) -> bool:
    """Tell whether a wager is given back by a decision whose money moves."""
    return (
        correction.ruling is not None
        and correction.moved
        and line is not None
        and line.clause == VOID_SHOE_CLAUSE
    )


def _handed_faults(correction: Correction, known: set[WagerName]) -> Iterator[Fault]:
    for seat, wager in sorted(correction.handed):
        amount, where = correction.handed[seat, wager], f"handed.{seat}.{wager}"
        data: dict[str, object] = {"seat": seat, "wager": wager}
        if (seat, wager) not in known:
            detail = f"expected a wager of this round, not {wager} of seat {seat}"
            yield Fault("correction.no_such_wager", where, detail, data)
        elif not 0 <= amount <= TABLE_MONEY_MAX:
            detail = f"expected whole minor units from 0 to {TABLE_MONEY_MAX}"
            yield Fault("correction.handed", where, detail, data | {"most_minor": TABLE_MONEY_MAX})


def _unholdable(lines: Sequence[LineBill], correction: Correction) -> Iterator[Fault]:
    """Refuse to leave open what no payout could show: chips without a wager, or above a stake."""
    if correction.moved:
        return
    for line in lines:
        so_far = line.so_far_minor
        if so_far is not None and (so_far < 0 or (line.after is None and so_far)):
            detail = (
                "expected that its money is moved now: no payout can hold what was moved so far"
            )
            data = {"seat": line.seat, "wager": line.wager, "to_move_minor": line.to_move_minor}
            where = f"handed.{line.seat}.{line.wager}"
            yield Fault("correction.money_stays", where, detail, data)


def _reissue(
    read: RoundRead, corrected: CorrectedRound, parts: Sequence[PartBill]
) -> tuple[Reissue, ...]:
    """List what was made from the round as it stands and is made anew."""
    found = [
        Reissue("check", f"{read.ref.key}/{part.part.value}/{part.revision}") for part in parts
    ]
    if corrected.cards and read.shoe_state == Shoe.State.ENDED:
        found.append(Reissue("shoe_statement", read.shoe.key))
    if parts and read.session_state == TableSession.State.CLOSED:
        found.append(Reissue("session", read.session.key))
    return (*found, *reported(read))


def _require_undisputed(read: RoundRead, bill: Bill) -> None:
    """Refuse to change what an open dispute hold holds (event 25)."""
    for hold in read.holds:
        touched = any(covers(hold, line.seat, line.wager) for line in bill.lines)
        if touched or (hold.seat is None and (bill.cards or bill.seats)):
            raise CorrectionDisputedError(round=read.ref.key, dispute=hold.ref.key)


def _require_ruled(read: RoundRead, correction: Correction) -> None:
    """Refuse to carry out a ruling that was not made, or not in this round (event 25)."""
    if correction.dispute is None:
        return
    hold = find_dispute(read.name.table, correction.dispute)
    released = hold is not None and hold.state == DisputeHold.State.RELEASED
    if hold is None or not released or hold.round_id != read.ref.id:
        raise CorrectionDisputeError(
            dispute=correction.dispute, table=read.name.table, round=read.ref.key
        )
