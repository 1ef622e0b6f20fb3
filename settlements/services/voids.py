"""Void a dealt round: stakes back, cards stay dealt, two people sign (event 26, design 10).

What lies apart under a dispute hold stays there: it is owed back and not handed over.
A sweep that was settled stands, unless the fault touches the first two cards of the seat or the
ruleset says `reversed` (A20): then the next sweep revision takes those pair wagers back. Every void
is an irregularity on record, by itself as event 26, or as part of the event that made it necessary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from audit.chain import canonical
from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.outbox.bell import ring
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)
from settlements.errors import (
    RoundOverError,
    VoidCardsError,
    VoidChangedError,
    VoidReasonError,
    VoidSeatsError,
    VoidSignersError,
)
from settlements.lines import Sums, VoidNote, WagerName, sums_of
from settlements.models import Part, Settlement
from settlements.selectors.payouts import handed_of
from settlements.selectors.signed import entry_signed
from settlements.services.rows import (
    apart_change,
    held_changes,
    session_change,
    settlement_rows,
    shoe_change,
)
from settlements.services.settle import check_row
from tables.acting import Acting
from tables.errors import RoundStageError
from tables.games import Line, as_voided, places, settle, void, with_taken_back
from tables.irregularities import Case, Told
from tables.models import Round, Shoe
from tables.selectors.held import lying_by_hold, not_handed
from tables.selectors.round_read import ROUND_OVER, RoundName, RoundRead, read_round
from tables.services.irregularities import departing
from tables.services.irregularities.ground import latest_number
from tables.services.irregularities.record import irregularity_row
from tables.sheets import VOID_EVENTS

PURPOSE = "round.void"
# Causes that put the cards of the shoe in doubt.
_SHOE_IN_DOUBT = (5, 13, 15)
# A shoe that runs out ends with the round: that is ruled as the event of its own (event 18).
_CAUSES = tuple(event for event in VOID_EVENTS if event != 18)


@dataclass(frozen=True, slots=True)
class VoidCause:
    """Why a round is void: the event, the seats whose first two cards it touches, and words.

    `first_two` is True for all seats, False for none. `cards_out` is how many cards of the round
    have left the shoe, needed in the third lap, whose cards lie face down.
    """

    event: int
    first_two: bool | tuple[int, ...]
    note: str
    cards_out: int | None = None


@dataclass(frozen=True, slots=True)
class VoidSeen:
    """What the people saw who sign a void: the stage, and the sum that then lies with the players.

    The stage belongs to it: before and after a sweep other wagers can come to the same sum.
    """

    stage: str
    returned_minor: int


@dataclass(frozen=True, slots=True)
class VoidBill:
    """What a void hands back as a round stands: shown first, then signed."""

    stage: str
    lines: tuple[Line, ...]

    @property
    def seen(self) -> VoidSeen:
        """What is sent along with the signatures."""
        return VoidSeen(self.stage, sum(line.returned_minor for line in self.lines))


@dataclass(frozen=True, slots=True)
class Voided:
    """What a void did: the receipt, what goes back, and the stage the round stood in."""

    receipt: Receipt
    lines: tuple[Line, ...]
    stage: str
    done_before: bool = False


def void_round(
    *,
    name: RoundName,
    cause: VoidCause,
    seen: VoidSeen,
    signers: Sequence[SignerInput],
    by: Acting,
) -> Voided:
    """Void a round of which cards were dealt; the signatures are verified before any lock.

    A supervisor and a manager sign, two people; neither is the round's dealer. Under the lock it is
    worked out again what goes back: other than was seen is a conflict that says what it is now. The
    same void again is accepted and changes nothing (trust R3).
    Raises VoidChangedError, VoidSignersError, VoidReasonError, VoidSeatsError, VoidCardsError,
    RoundOverError and what `verify_signers` raises.
    """
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    if cause.event not in _CAUSES:
        raise VoidReasonError(events=list(_CAUSES))
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    if {signer.role for signer in verified} != {Role.SUPERVISOR, Role.MANAGER}:
        raise VoidSignersError(round=name.key)
    return write_void(name=name, cause=cause, seen=seen, signers=verified, by=by)


def void_bill(name: RoundName, *, first_two: bool | tuple[int, ...]) -> VoidBill:
    """Return what a void would hand back as the round stands now, without writing it.

    Raises RoundOverError, RoundStageError, VoidSeatsError.
    """
    return bill_of_void(read_round(name), first_two)


def bill_of_void(read: RoundRead, first_two: bool | tuple[int, ...]) -> VoidBill:
    """Return what a void would hand back of a round that stands so. Raises as `void_bill` does."""
    key = read.name.key
    if read.stage in ROUND_OVER:
        raise RoundOverError(round=key, stage=read.stage)
    if read.stage in (Round.Stage.AWAITED, Round.Stage.BETTING):
        raise RoundStageError(round=key, stage=read.stage, expected=Round.Stage.FIRST_LAP)
    if set(_seats(read, first_two)) - set(read.live):
        raise VoidSeatsError(round=key, seats=list(read.live))
    stage = document_stage(read)
    return VoidBill(stage, _lines(read, first_two, stage=stage))


def _lines(read: RoundRead, first_two: bool | tuple[int, ...], *, stage: str) -> tuple[Line, ...]:
    state = as_voided(read.ruleset, read.state(), stage)
    return tuple(void(read.ruleset, state, stage, first_two).lines)


@service
def write_void(
    *,
    name: RoundName,
    cause: VoidCause,
    signers: Sequence[Signer],
    by: Acting,
    seen: VoidSeen | None = None,
    irregularity: int | None = None,
) -> Voided:
    """Void a dealt round with verified signers; `irregularity` is the one that records it.

    Without one the void is put on record as event 26, and the shoe is set aside where its cards are
    in doubt (events 5, 13, 15). Raises RoundOverError, RoundStageError, VoidSignersError,
    VoidSeatsError, VoidCardsError, VoidChangedError.
    """
    lock_stream(name.stream)
    read = read_round(name)
    if seen is not None and (repeated := _repeated(read, cause, seen=seen)):
        return repeated
    bill = bill_of_void(read, cause.first_two)
    if any(signer.staff.id == read.dealer.id for signer in signers):
        raise VoidSignersError(round=name.key)
    if seen not in (None, bill.seen):
        raise VoidChangedError(round=name.key, **asdict(bill.seen))
    content = _content(read, cause, seen=bill.seen)
    digest = sha256(canonical(content)).digest()
    number = irregularity or latest_number(read.table) + 1
    unseen = _left_unseen(read, cause)
    unseen = unseen.then(departing.burn_carried(unseen.read, number=number))
    read = unseen.read
    stage = document_stage(read)
    lines = _lines(read, cause.first_two, stage=stage)
    note = VoidNote(stage=stage, seats=tuple(_seats(read, cause.first_two)))
    handed = _handed(read, lines)
    lying = lying_by_hold(read, lines, handed=handed, over=True)
    rows, sums, checked = _settlements(
        read, lines, handed=handed, note=note, signed_hash=digest.hex()
    )
    signatures = signature_rows(
        signers,
        content_hash=digest,
        purpose=PURPOSE,
        subject=name.key,
        device=by.person.device,
    )
    misdeal = _misdeal(read, cause, digest, irregularity, by=by)
    ended: dict[str, object] = {
        "stage": Round.Stage.VOIDED.value,
        "final_revision": 1,
        "sweep_revision": read.sweep_revision + (1 if Part.SWEEP in checked else 0),
        "ended_at": by.now,
    }
    receipt = append(
        stream=name.stream,
        action="round.voided",
        subject=name.key,
        actor=by.actor,
        facts=[*unseen.rows, *rows, *signatures, *misdeal],
        changes=[
            Change(Round, read.ref, ended),
            _shoe_after(read, cause, aside=irregularity is None),
            session_change(read, sums, rounds=0, disputed_minor=apart_change(read, lying)),
            *held_changes(read, lying),
        ],
        work=[check_row(read, part=part, revision=rev) for part, rev in checked.items()],
        data=content,
    )
    ring()
    return Voided(receipt=receipt, lines=lines, stage=stage)


def _left_unseen(read: RoundRead, cause: VoidCause) -> departing.Turned:
    """Return the round with every card on record that is out. Raises VoidCardsError."""
    out = cause.cards_out
    if out is None and read.stage != Round.Stage.THIRD_LAP:
        return departing.Turned(read)
    keyed = max((draw for draw in read.faces if draw), default=0)
    most = max(departing.last_certain(read), keyed)
    if out is None or not keyed <= out <= most:
        raise VoidCardsError(round=read.name.key, least=keyed, most=most)
    return departing.leave_unseen(read, out=out)


def _content(read: RoundRead, cause: VoidCause, *, seen: VoidSeen) -> dict[str, object]:
    """Return what the two people sign."""
    return {
        "act": PURPOSE,
        "round": read.name.key,
        "event": cause.event,
        "first_two": _seats(read, cause.first_two),
        "stage": seen.stage,
        "note": cause.note,
        "returned_minor": seen.returned_minor,
        **({} if cause.cards_out is None else {"cards_out": cause.cards_out}),
    }


def _repeated(read: RoundRead, cause: VoidCause, *, seen: VoidSeen) -> Voided | None:
    """Return what the very same void did already, None where it is not the one that stands."""
    if read.stage != Round.Stage.VOIDED:
        return None
    digest = sha256(canonical(_content(read, cause, seen=seen))).digest()
    entry = entry_signed(read.name, purpose=PURPOSE, content_hash=digest)
    if entry is None:
        return None
    stored = Settlement.objects.get(round_id=read.ref.id, part=Part.FINAL, revision=1)
    lines = _lines(read, cause.first_two, stage=stored.void_stage)
    return Voided(receipt_of(entry), lines, seen.stage, done_before=True)


def _misdeal(
    read: RoundRead, cause: VoidCause, digest: bytes, irregularity: int | None, *, by: Acting
) -> list[Row]:
    """Return the void as an irregularity of its own, unless another one records it (event 26)."""
    if irregularity is not None:
        return []
    case = Case(
        table=read.name.table,
        number=latest_number(read.table) + 1,
        event=26,
        procedure="void",
        told=Told(seen=cause.note, ruling=cause.note),
        happened_at=by.now,
        shoe=read.name.shoe,
        round=read.name.number,
        first_two=cause.first_two,
        cards_out=cause.cards_out,
    )
    return [
        irregularity_row(
            case,
            table=read.table,
            shoe=read.shoe,
            read=read,
            seats=_seats(read, cause.first_two),
            found={"cause": cause.event},
            signed_hash=digest,
        )
    ]


def _shoe_after(read: RoundRead, cause: VoidCause, *, aside: bool) -> Change:
    """Return the shoe once the round is over; doubtful cards are set aside until judged."""
    change = shoe_change(read)
    if not aside or cause.event not in _SHOE_IN_DOUBT:
        return change
    return replace(change, values={**change.values, "state": Shoe.State.STOPPED.value})


def document_stage(read: RoundRead) -> str:
    """Return the stage as a round document names it (round document, `void`)."""
    if read.stage == Round.Stage.SWEEP:
        return "second_lap"
    if read.stage == Round.Stage.FIRST_LAP:
        laps = [p.lap for p in places(read.ruleset, read.state()) if p.draw in read.faces]
        return "first_lap" if max(laps, default=1) == 1 else "second_lap"
    if read.stage == Round.Stage.SHOWDOWN:
        return "opened"
    if read.stage == Round.Stage.THIRD_LAP:
        third = {place.draw for place in places(read.ruleset, read.state()) if place.lap == 3}
        return "third_lap" if third & read.faces.keys() else "pair_settled"
    return read.stage


def _seats(read: RoundRead, first_two: bool | tuple[int, ...]) -> list[int]:
    if first_two is True:
        return list(read.live)
    return list(first_two or ())


def _handed(read: RoundRead, lines: Sequence[Line]) -> dict[WagerName, int]:
    """Return what is handed over otherwise than owed: what stands of the sweep as it was, and
    nothing of what lies apart under a dispute hold (events 25, 33)."""
    handed = not_handed(read, [(line.seat, line.wager) for line in lines])
    swept = [line for line in lines if line.part == "sweep"]
    if swept:
        stored = handed_of(read.ref, part=Part.SWEEP, revision=read.sweep_revision)
        for line in swept:
            name = (line.seat, line.wager)
            if line.outcome != "void":
                handed[name] = stored[name][1]
            elif stored[name][1]:  # it was handed over before it was held
                handed.pop(name, None)
    return handed


def _settlements(
    read: RoundRead,
    lines: Sequence[Line],
    *,
    handed: Mapping[WagerName, int],
    note: VoidNote,
    signed_hash: str,
) -> tuple[list[Row], Sums, dict[Part, int]]:
    """Return the rows of a void, by how much the session's sums move, and what is to be checked.

    The final part holds every open wager, void; a sweep that is reversed is written anew, whole.
    """
    swept: Sequence[Line] = [line for line in lines if line.part == "sweep"]
    final = [line for line in lines if line.part == "final"]
    voided = Settlement.Kind.VOIDED
    rows = settlement_rows(
        read,
        final,
        part=Part.FINAL,
        revision=1,
        kind=voided,
        handed=handed,
        void=note,
        signed_hash=signed_hash,
    )
    bank_seat = read.bank_seat
    sums, checked = sums_of(final, handed=handed, bank_seat=bank_seat), {Part.FINAL: 1}
    if any(line.outcome == "void" for line in swept):
        before = settle(read.ruleset, read.state(), "sweep").lines
        stored = handed_of(read.ref, part=Part.SWEEP, revision=read.sweep_revision)
        was: dict[WagerName, int] = {key: given for key, (_, given) in stored.items()}
        # What went back with a dead hand before stays as it was handed over.
        now = {(line.seat, line.wager) for line in swept}
        handed = {**{key: given for key, given in was.items() if key not in now}, **handed}
        swept = with_taken_back(read.ruleset, read.state(), swept)
        revision = read.sweep_revision + 1
        rows += settlement_rows(
            read,
            swept,
            part=Part.SWEEP,
            revision=revision,
            kind=voided,
            handed=handed,
            void=note,
            signed_hash=signed_hash,
        )
        sums += sums_of(swept, handed=handed, bank_seat=bank_seat)
        sums -= sums_of(before, handed=was, bank_seat=bank_seat)
        checked[Part.SWEEP] = revision
    return rows, sums, checked
