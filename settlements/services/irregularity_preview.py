"""What an irregularity would do, as a page shows it before anybody signs. Nothing is written.

The same functions that record a case say here what they would record, without the table's lock.
What was seen is sent along with the signatures, and refused if it is something else by then.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256

from audit.chain import canonical
from settlements.models import Part
from settlements.selectors.payouts import handed_of
from settlements.selectors.shoe_voids import rounds_in_question
from settlements.services.shoe_voids import require_shoe_voidable, since_shoe
from settlements.services.voids import bill_of_void
from tables.acting import Acting
from tables.games import Line, stakes_in_play
from tables.irregularities import (
    EVENTS,
    Case,
    Letter,
    Procedure,
    ShoeEffect,
    Told,
    WagerCase,
    WagerEffect,
)
from tables.irregularity_errors import VerificationError
from tables.models import Shoe
from tables.selectors.floor import Floor
from tables.selectors.held import held_whole
from tables.selectors.round_read import RoundRead, wager_place
from tables.services.irregularities.effects import Effects, effects_of
from tables.services.irregularities.fitting import require_fitting
from tables.services.irregularities.ground import (
    Ground,
    procedure_of,
    read_ground,
    require_moment,
    require_open,
    require_told,
    settled_wagers,
)
from tables.services.irregularities.wagering import returned_so_far


@dataclass(frozen=True, slots=True)
class WagerTurn:
    """What becomes of one wager; amounts in minor units.

    `what` is stays, partly, back, held (out of play, or under a hold), settled (it stands), undone
    (a settled one that is taken back). Of that one only what moves yet goes back: the stake, less
    what was handed over already. Where that was more, the rest is collected.
    """

    seat: int
    wager: str
    stake_minor: int
    back_minor: int
    held_minor: int
    what: str
    was_minor: int | None = None  # the stake on record, where it lay otherwise
    collect_minor: int = 0


@dataclass(frozen=True, slots=True)
class DrawTurn:
    """What becomes of one draw: its use as on record, with hand and place where it has one."""

    draw: int
    face: str
    use: str
    hand: int | None


@dataclass(frozen=True, slots=True)
class ShoeTurn:
    """What becomes of the shoe; `listed` rounds are put in question by its void."""

    key: str
    was: str
    state: str
    burned: tuple[str, ...] = ()
    found: Mapping[str, object] = field(default_factory=dict)
    listed: int | None = None

    def document(self) -> dict[str, object]:
        """Return all of it, as JSON."""
        return {
            "key": self.key,
            "was": self.was,
            "state": self.state,
            "burned": list(self.burned),
            "found": dict(self.found),
            "listed": self.listed,
        }


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a case would do, and who signs it. `hash` names all of that."""

    case: Case
    procedure: Procedure
    letters: tuple[Letter, ...]
    before: RoundRead | None
    after: RoundRead | None
    wagers: tuple[WagerTurn, ...]
    draws: tuple[DrawTurn, ...]
    shoe: ShoeTurn | None

    @property
    def hash(self) -> str:
        """SHA-256 of the case and of what it would do."""
        shown = {
            "case": self.case.document(),
            "letters": [letter.value for letter in self.letters],
            "stage": self.after.stage if self.after else None,
            "wagers": [
                [
                    turn.seat,
                    turn.wager,
                    turn.stake_minor,
                    turn.was_minor,
                    turn.back_minor,
                    turn.held_minor,
                    turn.collect_minor,
                    turn.what,
                ]
                for turn in self.wagers
            ],
            "draws": [[turn.draw, turn.face, turn.use, turn.hand] for turn in self.draws],
            "shoe": self.shoe.document() if self.shoe else None,
        }
        return sha256(canonical(shown)).hexdigest()


def foresee_irregularity(*, case: Case, by: Acting) -> Foreseen:
    """Return what a case would do as the table stands now.

    Of a count (event 28) the result is taken that the cards say. Raises what recording it raises,
    but for its number and its signers, and BodyError for a case that could not be signed.
    """
    case.signed_hash()
    try:
        return _foresee(case, by=by)
    except VerificationError as error:
        return _foresee(replace(case, procedure=str(error.data["expected"])), by=by)


def _foresee(case: Case, *, by: Acting) -> Foreseen:
    procedure = procedure_of(case)
    require_told(case, procedure, by=by)
    ground = read_ground(case, procedure)
    require_moment(ground)
    require_fitting(ground)
    effects = effects_of(ground, number=case.number, now=by.now)
    before = ground.read if ground.in_round else None
    lines: Sequence[Line] = ()
    if before is not None and effects.read is not None and procedure.voids_round:
        lines = bill_of_void(effects.read, case.first_two).lines
    wagers: tuple[WagerTurn, ...] = ()
    if before is not None and effects.read is not None:
        turns = _voided(ground, lines) if procedure.voids_round else _played(ground, effects)
        wagers = tuple(sorted(turns, key=lambda turn: (turn.seat, wager_place(turn.wager))))
    return Foreseen(
        case=case,
        procedure=procedure,
        letters=procedure.signers(in_round=ground.in_round),
        before=before,
        after=effects.read if before is not None else None,
        wagers=wagers,
        draws=tuple(_draws(before, effects.read)),
        shoe=_shoe(ground, effects),
    )


def _voided(ground: Ground, lines: Sequence[Line]) -> Iterator[WagerTurn]:
    """What a void returns is held, where the house keeps it with a receipt (event 32), and where
    it lies under a dispute hold already."""
    all_held = ground.procedure.wagers == WagerEffect.ROUND_HELD
    apart = held_whole(ground.require_read())
    handed = _handed(ground)
    for line in lines:
        back, name = line.returned_minor, (line.seat, line.wager)
        held = all_held or (name in apart and not handed.get(name))
        if line.outcome not in ("void", "rejected"):
            yield WagerTurn(line.seat, line.wager, line.stake_minor, 0, 0, "settled")
        elif (given := handed.get(name)) is not None:
            turn = _undone(name, line.stake_minor, handed=given, held=held)
            yield turn
        elif held:
            yield WagerTurn(line.seat, line.wager, line.stake_minor, 0, back, "held")
        else:
            yield WagerTurn(line.seat, line.wager, line.stake_minor, back, 0, "back")


def _undone(name: tuple[int, str], stake: int, *, handed: int, held: bool) -> WagerTurn:
    """The player is to have the stake, or nothing while it is held; `handed` was handed over."""
    moves = (0 if held else stake) - handed
    return WagerTurn(
        seat=name[0],
        wager=name[1],
        stake_minor=stake,
        back_minor=max(moves, 0),
        held_minor=stake if held else 0,
        what="undone",
        collect_minor=max(-moves, 0),
    )


def _handed(ground: Ground) -> dict[tuple[int, str], int]:
    """Return what was handed over for each wager of a settled sweep, in minor units."""
    read = ground.read
    if read is None or not read.sweep_revision:
        return {}
    stored = handed_of(read.ref, part=Part.SWEEP, revision=read.sweep_revision)
    return {name: handed for name, (_owed, handed) in stored.items()}


def _played(ground: Ground, effects: Effects) -> Iterator[WagerTurn]:
    """What becomes of each wager of a round that goes on, also of one that never was on record."""
    before, after = ground.require_read(), effects.read
    assert after is not None
    lay, stays = stakes_in_play(before.state()), stakes_in_play(after.state())
    for seat, kinds in sorted(after.wagers.items()):
        for kind, stake in kinds.items():
            was = before.wagers.get(seat, {}).get(kind)
            gone = returned_so_far(before, WagerCase(seat, kind))
            lies = lay.get(seat, {}).get(kind, 0) if was == stake else stake - gone
            if lies:
                rest = stays.get(seat, {}).get(kind, 0)
                turn = _turn(ground, effects, (seat, kind), lies=lies, rest=rest)
                yield turn if was == stake else replace(turn, was_minor=was or 0)
    for each in ground.case.wagers if ground.procedure.wagers == WagerEffect.RETURNED else ():
        if each.wager not in after.wagers.get(each.seat, {}):
            stake = each.stake_minor or 0
            yield WagerTurn(each.seat, each.wager, stake, each.returned_minor or stake, 0, "back")


def _turn(
    ground: Ground, effects: Effects, name: tuple[int, str], *, lies: int, rest: int
) -> WagerTurn:
    seat, kind = name
    read, effect = ground.require_read(), ground.procedure.wagers
    settled = name in settled_wagers(read)
    gone = lies - rest
    if settled and not gone:
        return WagerTurn(seat, kind, lies, 0, 0, "settled")
    if settled and seat in effects.reversed_seats:
        return _undone(name, lies, handed=_handed(ground)[name], held=False)
    if effect == WagerEffect.SEAT_HELD and gone:
        return WagerTurn(seat, kind, lies, 0, gone, "held")
    if effect == WagerEffect.HELD and _is_held(ground.case, seat, kind):
        return WagerTurn(seat, kind, lies, 0, lies, "held")
    if not gone:
        return WagerTurn(seat, kind, lies, 0, 0, "stays")
    return WagerTurn(seat, kind, lies, gone, 0, "partly" if rest else "back")


def _is_held(case: Case, seat: int, kind: str) -> bool:
    if case.wagers:
        return any((each.seat, each.wager) == (seat, kind) for each in case.wagers)
    return seat in case.seats


def _draws(before: RoundRead | None, after: RoundRead | None) -> Iterator[DrawTurn]:
    if before is None or after is None:
        return
    for draw, departed in sorted(after.departures.items()):
        if before.departures.get(draw) != departed:
            yield DrawTurn(draw, after.faces.get(draw, ""), departed.use, departed.hand)


def _shoe(ground: Ground, effects: Effects) -> ShoeTurn | None:
    if ground.case.shoe is None:
        return None
    used, effect = ground.shoe, ground.procedure.shoe
    state = str(effects.shoe.changed.get("state", used.state))
    listed = None
    if effect == ShoeEffect.VOIDED:
        require_shoe_voidable(used)
        state = Shoe.State.VOIDED.value
        since = since_shoe(ground.case, used)
        rounds = rounds_in_question(ground.floor.table, shoe=used.number, since_shoe=since)
        listed = len(rounds) + (1 if ground.in_round else 0)
    if effect == ShoeEffect.ENDS:
        state = Shoe.State.ENDED.value
    return ShoeTurn(
        key=used.ref.key,
        was=used.state,
        state=state,
        burned=ground.case.burned,
        found=effects.shoe.found,
        listed=listed,
    )


def require_choosable(
    procedure: Procedure, *, event: int, floor: Floor, read: RoundRead | None, now: datetime
) -> None:
    """Refuse a procedure that cannot be chosen now, whatever a case may say of hands and cards.

    Raises EventUnknownError, ProcedureUnknownError, IrregularityStageError, ProcedurePolicyError,
    RoundInPlayError, ShoeMissingError.
    """
    used = floor.require_shoe()
    case = Case(
        table=floor.table.key,
        number=1,
        event=event,
        procedure=procedure.code,
        told=Told(seen="", ruling=""),
        happened_at=now,
        shoe=used.number,
        round=read.name.number if read else None,
    )
    require_open(Ground(case, EVENTS[event].procedures[procedure.code], floor, read, 0))
