"""The values that a round of play consists of: what goes into the engine and what comes out.

Everything here is immutable. Money is integer minor units; breakage and commission are exact
fractions of one. Seat 0 is the bank's hand (the House, or the banker). This module must not decide
anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from tables.games.canonical import read_object

BANK: Final = 0
STAKE_MAX: Final = 2**53 - 1
# The most minor units that a round at a table may come to, and one amount handed over: so far below
# 2^53 that the sums of a session and of a day stay exact in every JSON reader.
TABLE_MONEY_MAX: Final = 10**12
# The cards of a hand of which not even the number could be read; no face is spelled so.
UNREAD: Final = ("-",)

Odds: TypeAlias = tuple[int, int]
Outcome: TypeAlias = Literal["win", "lose", "push", "void", "rejected"]
Part: TypeAlias = Literal["sweep", "final"]
StepKind: TypeAlias = Literal["bet", "deal", "ask", "sweep", "settle", "done"]
Bets: TypeAlias = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: a stable code, the place, what was expected, data for a client."""

    code: str
    where: str
    detail: str
    data: Mapping[str, object] = field(default_factory=dict)


class Place(NamedTuple):
    """Where a draw goes: the hand (0 is the bank's), its n-th card, in a lap of the deal."""

    draw: int
    hand: int
    nth: int
    lap: int


@dataclass(frozen=True, slots=True)
class Step:
    """What comes next. `open_draws` are the draws that may be keyed now, in dealing order.

    For "deal", `draw`, `hand` and `lap` name the first of them; for "ask", `hand` is who decides.
    """

    kind: StepKind
    draw: int | None = None
    hand: int | None = None
    lap: int | None = None
    open_draws: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card about to be keyed.

    `as_seen` answers the questions that the keys raise (event 13: one copy too many; a face that
    nobody saw). `hand` is where the person keying believes it goes, if the client says so.
    """

    draw: int
    face: str
    as_seen: bool = False
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class TakenOut:
    """A wager (or, with None, a whole hand) that an irregularity took out of play.

    `returned_minor` is what went back outside the settlement; what remains of the stake counts.
    None means the whole stake. Of a whole hand, `stands` names wagers that were settled before and
    stay so, `reverses` those that are taken back: void in the sweep from then on (A20). Side wagers
    stay judged by what was placed: to take them out, name them.
    """

    seat: int
    wager: str | None
    event: int
    returned_minor: int | None = None
    stands: tuple[str, ...] = ()
    reverses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round so far: stakes by seat and kind, live seats in dealing order, faces by draw.

    `decisions` are "hit", "stand" or "no_decision" by hand, for games that ask. `departures` says
    of a draw which hand's n-th card it became, or None for no hand, where that is not the plan's.
    `carried` says that the first card came from the round before (event 1): it is draw 0. With
    `sweep_late` third cards were handed out before the sweep and may be keyed (event 19).
    """

    wagers: Mapping[int, Bets]
    live: tuple[int, ...]
    cards: Mapping[int, str]
    swept: bool = False
    decisions: Mapping[int, str] = field(default_factory=dict)
    taken_out: tuple[TakenOut, ...] = ()
    settled: bool = False
    departures: Mapping[int, tuple[int, int] | None] = field(default_factory=dict)
    carried: bool = False
    sweep_late: bool = False


class Why(NamedTuple):
    """The reason of an outcome as data; `explain` makes the sentence."""

    code: str
    params: Mapping[str, str]


class Line(NamedTuple):
    """What is owed for one wager.

    stake x odds = profit + cap_cut + commission + breakage, exactly; where something is owed beyond
    a lost stake (B13), it is extra_owed - breakage. `part` is the settlement that the line belongs
    to; `clause` is the rule that decided.
    """

    seat: int
    wager: str
    stake_minor: int
    outcome: Outcome
    odds: Odds | None
    profit_minor: int
    returned_minor: int
    extra_owed_minor: int
    breakage: Fraction
    cap_cut_minor: int
    commission: Fraction
    part: Part
    clause: str
    why: Why

    @property
    def commission_minor(self) -> int:
        """The commission in whole minor units; what is left of it counts as breakage."""
        return self.commission.numerator // self.commission.denominator

    @property
    def bank_minor(self) -> int:
        """What the bank gains on this line, commission included."""
        return self.stake_minor - self.returned_minor + self.extra_owed_minor


@dataclass(frozen=True, slots=True)
class Settlement:
    """The lines of one settlement and what the bank gains over all of them, in minor units."""

    lines: tuple[Line, ...]
    bank_minor: int


class SeatPlay(NamedTuple):
    """One seat as it lay on the table: stakes, faces in dealing order, the decision it gave.

    `where` is how faults name the seat. A face "" is one that could not be read. `placed` are the
    stakes at entry, where some were taken out of play since.
    """

    where: str
    seat: int
    bets: Bets
    faces: tuple[str, ...]
    draw: str | None = None
    placed: Bets | None = None

    @property
    def bought(self) -> Bets:
        """The stakes by which the rules say what was taken and who got a hand."""
        return self.bets if self.placed is None else self.placed


class Play(NamedTuple):
    """A whole round as it lay on the table; what engine and document settle from."""

    seats: tuple[SeatPlay, ...]
    bank: SeatPlay


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game and all its options: canonical bytes, their SHA-256, and the rules read from them.

    Equal hashes are equal rulesets. `rules` is the game's own typed reading.
    """

    game: str
    hash: str
    canonical: bytes = field(repr=False)
    rules: object = field(repr=False, compare=False)

    @property
    def options(self) -> dict[str, object]:
        """All options with the defaults filled in, as a copy that the caller may keep."""
        return read_object(self.canonical, "options")
