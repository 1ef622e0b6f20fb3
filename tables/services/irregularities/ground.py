"""What a case is about, as it stands under the lock of its table; and whether it may be ruled so.

It must not write. The caller holds the table's stream.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Max

from audit.log.rows import Ref
from casino.kernel.clock import format_instant
from tables.acting import Acting
from tables.errors import RoundInPlayError, RoundMissingError
from tables.games import settle
from tables.irregularities import (
    EVENTS,
    CardEffect,
    Case,
    Procedure,
    ShoeEffect,
    Told,
    WagerEffect,
)
from tables.irregularity_errors import (
    DisputeHeldError,
    EventUnknownError,
    HandDecidedError,
    HandExpectedError,
    IrregularityElsewhereError,
    IrregularityStageError,
    IrregularityTextError,
    IrregularityTimeError,
    ProcedurePolicyError,
    ProcedureUnknownError,
    RegulatorToldError,
)
from tables.models import Irregularity, Round
from tables.selectors.floor import Floor, UsedShoe, read_table
from tables.selectors.round_read import ROUND_OVER, RoundName, RoundRead, read_round

TEXT_MAX = 500
# Clocks of two machines differ; an event cannot have happened later than this.
_AHEAD_MAX = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Ground:
    """A case with its procedure, and the table, shoe and round it is about."""

    case: Case
    procedure: Procedure
    floor: Floor
    read: RoundRead | None
    latest: int

    @property
    def in_round(self) -> bool:
        """Whether the case is about the round in play."""
        return self.read is not None and is_in_play(self.read)

    @property
    def shoe(self) -> UsedShoe:
        """The shoe of the case. Raises ShoeMissingError."""
        return self.floor.require_shoe(self.case.shoe)

    @property
    def subject(self) -> str:
        """What the entry is about: the round, else the shoe, else the table."""
        if self.read is not None:
            return self.read.ref.key
        return self.floor.shoe.ref.key if self.case.shoe and self.floor.shoe else self.case.table

    def require_read(self) -> RoundRead:
        """Return the round in play. Raises IrregularityStageError."""
        if self.read is None or not self.in_round:
            self.refuse_stage("a round in play")
        assert self.read is not None
        return self.read

    def refuse_stage(self, expected: str) -> None:
        """Raise IrregularityStageError."""
        state = self.read.stage if self.read else "not named"
        raise IrregularityStageError(subject=self.subject, state=state, expected=expected)


def is_in_play(read: RoundRead) -> bool:
    """Tell whether a round is being played."""
    return read.stage not in (*ROUND_OVER, Round.Stage.AWAITED)


def procedure_of(case: Case) -> Procedure:
    """Return the procedure that a case names.

    Raises EventUnknownError, ProcedureUnknownError, IrregularityElsewhereError.
    """
    event = EVENTS.get(case.event)
    if event is None:
        raise EventUnknownError(events=sorted(EVENTS))
    procedure = event.procedures.get(case.procedure)
    if procedure is None:
        raise ProcedureUnknownError(
            event=case.event, expected=sorted(event.procedures), procedure=case.procedure
        )
    if procedure.elsewhere:
        raise IrregularityElsewhereError(event=case.event, act=procedure.elsewhere)
    return procedure


def require_told(case: Case, procedure: Procedure, *, by: Acting) -> None:
    """Refuse a record that does not say what it must (rules 2.1).

    Raises IrregularityTextError, RegulatorToldError, IrregularityTimeError for a time to come.
    """
    told = case.told
    require_words(told, procedure, event=case.event)
    if case.happened_at > by.now + _AHEAD_MAX:
        raise IrregularityTimeError(happened_at=format_instant(case.happened_at))


def require_words(told: Told, procedure: Procedure | None, *, event: int) -> None:
    """Refuse words that do not say what they must, recorded or amended.

    Raises IrregularityTextError, RegulatorToldError.
    """
    texts = (told.seen, told.ruling, told.chips_moved, told.patrons, told.regulator)
    if not (told.seen.strip() and told.ruling.strip()) or max(map(len, texts)) > TEXT_MAX:
        raise IrregularityTextError(limit=TEXT_MAX)
    if procedure is not None and procedure.regulator and not told.regulator.strip():
        raise RegulatorToldError(event=event)


def read_ground(case: Case, procedure: Procedure) -> Ground:
    """Read what a case is about, in three statements.

    Raises TableMissingError, ShoeMissingError, RoundMissingError.
    """
    floor = read_table(case.table, shoe=case.shoe)
    read = None
    if case.round is not None:
        if case.shoe is None:
            raise RoundMissingError(table=case.table, shoe=case.shoe, round=case.round)
        faces = [drawn.face for drawn in case.draws if drawn.face]
        read = read_round(RoundName(case.table, case.shoe, case.round), faces=faces)
    return Ground(case, procedure, floor, read, latest_number(floor.table))


def latest_number(table: Ref) -> int:
    """Return the number of a table's latest irregularity; 0 before the first."""
    found = Irregularity.objects.filter(table_id=table.id).aggregate(latest=Max("number"))
    return found["latest"] or 0


def require_moment(ground: Ground) -> None:
    """Refuse a case whose procedure does not fit the moment, its hands, or an open dispute."""
    require_open(ground)
    _require_hands(ground)
    # A void lets what is held lie where it is (event 25); all else would change it.
    changes = _touches_wagers(ground.procedure) and not ground.procedure.voids_round
    if ground.read is not None and ground.in_round and changes:
        refuse_held(ground.read, _seats_of(ground.case))


def require_open(ground: Ground) -> None:
    """Refuse a procedure that does not fit the moment, the game or the house's policy.

    It asks nothing of the seats, cards and wagers of the case. Raises IrregularityStageError,
    RoundInPlayError, EventUnknownError, ProcedureUnknownError, ProcedurePolicyError.
    """
    procedure, playing = ground.procedure, ground.floor.round_in_play
    if procedure.in_round and not ground.in_round:
        ground.refuse_stage("a round in play")
    if procedure.in_round is False and ground.in_round:
        ground.refuse_stage("the time after the shoe")
    if playing is not None and not ground.in_round and _is_of_the_round(procedure):
        raise RoundInPlayError(round=playing.key, stage=playing.stage)
    if procedure.card == CardEffect.SWEEP_LATE and ground.require_read().stage != Round.Stage.SWEEP:
        ground.refuse_stage("sweep, the pair wagers due")
    if _changes_wagers(procedure) and ground.require_read().stage == Round.Stage.BETTING:
        ground.refuse_stage("the end of betting; until then the wager itself is changed")
    if procedure.card == CardEffect.NEXT_ROUND and _is_last(ground.require_read()):
        ground.refuse_stage("a round after which the shoe has another one")
    _require_game(ground)
    if procedure.option is not None:
        _require_policy(ground)


def _is_of_the_round(procedure: Procedure) -> bool:
    """Tell whether it is about the round in play, if there is one: it stops it, its cards leave the
    shoe by draws of that round, or it says how many are out."""
    stops = (ShoeEffect.VOIDED, ShoeEffect.STOPPED, ShoeEffect.CUT_OUT)
    return procedure.shoe in stops or procedure.card in (CardEffect.BURNED, CardEffect.SET_ASIDE)


def _changes_wagers(procedure: Procedure) -> bool:
    """Tell whether it says of wagers that they lay otherwise, or were not in play (19, 23, 24).

    Before the first card there is no such thing: a wager is placed anew, or refused at entry.
    """
    return procedure.wagers in (WagerEffect.RETURNED, WagerEffect.CAPPED, WagerEffect.HONOURED)


def _touches_wagers(procedure: Procedure) -> bool:
    return procedure.wagers not in (WagerEffect.STAND, WagerEffect.HELD)


def _seats_of(case: Case) -> set[int] | None:
    """Return the seats whose wagers a case touches; None for all of the round."""
    seats = {*case.seats, *(wager.seat for wager in case.wagers)}
    return seats or None


def refuse_held(read: RoundRead, seats: set[int] | None) -> None:
    """Refuse to change what an open dispute hold holds: the round, or one of these seats.

    Without seats, whatever is held of the round. Raises DisputeHeldError (event 25).
    """
    for hold in read.holds:
        if seats is None or hold.seat is None or hold.seat in seats:
            raise DisputeHeldError(dispute=hold.ref.key)


def _require_game(ground: Ground) -> None:
    game = _game_of(ground)
    known = sorted(number for number, event in EVENTS.items() if game in event.games)
    if ground.case.event not in known:
        raise EventUnknownError(events=known)
    if game not in ground.procedure.games:
        ways = EVENTS[ground.case.event].procedures.values()
        raise ProcedureUnknownError(
            event=ground.case.event,
            expected=sorted(way.code for way in ways if game in way.games),
            procedure=ground.procedure.code,
        )


def _require_hands(ground: Ground) -> None:
    """Refuse an offer to a hand that has decided, and a ruling of the wrong letter on a hand.

    Only who has not decided may withdraw (events 2, 3, 31); the bank's hand takes another letter
    than a seat's (event 30). Raises HandDecidedError, HandExpectedError.
    """
    case, procedure, read = ground.case, ground.procedure, ground.read
    if read is not None and procedure.undecided:
        decided = [seat for seat in case.seats if has_decided(read, seat)]
        if decided:
            raise HandDecidedError(hands=decided)
    if procedure.bank is not None and (not case.seats or (0 in case.seats) != procedure.bank):
        expected = "the bank's hand, 0" if procedure.bank else "the seat that it is about"
        raise HandExpectedError(expected=expected)


def decision_of(read: RoundRead, hand: int) -> str:
    """Return what a hand decided, "" where it has not, or took it back (C7)."""
    keyed = read.decisions.get(hand)
    return keyed.choice if keyed else ""


def has_decided(read: RoundRead, hand: int) -> bool:
    """Tell whether a hand has nothing to decide any more: it decided, or its main wager was settled
    with the naturals (C3)."""
    return bool(decision_of(read, hand)) or (hand, "main") in settled_wagers(read)


def settled_wagers(read: RoundRead) -> set[tuple[int, str]]:
    """Return the wagers that were settled in the sweep: pair wagers, or those of naturals."""
    if not read.sweep_revision:
        return set()
    lines = settle(read.ruleset, read.state(), "sweep").lines
    return {(line.seat, line.wager) for line in lines}


def _game_of(ground: Ground) -> str:
    if ground.read is not None:
        return ground.read.ruleset.game
    if ground.case.shoe is not None:
        return ground.shoe.game
    return ground.floor.require_terms().game


def _require_policy(ground: Ground) -> None:
    """Refuse what is not the house's procedure, as pinned to the shoe (rules 1E)."""
    assert ground.procedure.option is not None
    option, allowed = ground.procedure.option
    pinned = ground.read.procedures if ground.read is not None else ground.shoe.procedures
    value = str(pinned.values[option])
    if value in allowed or _must_burn(ground):
        return
    raise ProcedurePolicyError(
        option=option, value=value, event=ground.case.event, procedure=ground.procedure.code
    )


def _must_burn(ground: Ground) -> bool:
    """Tell whether an unseen card in excess has no round to go to: then it is burned (event 1)."""
    read = ground.read
    if (ground.case.event, ground.procedure.code) != (1, "burn"):
        return False
    return read is None or _is_last(read)


def _is_last(read: RoundRead) -> bool:
    """Tell whether no round of the shoe can follow: the cut card is out, or packs are shuffled."""
    if read.procedures.pack_each_round:
        return True
    return read.rounds_max is not None and read.name.number >= read.rounds_max
