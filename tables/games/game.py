"""What a game must be able to answer; one subclass for each game, none for a variant.

A variant is a ruleset. The questions: what comes next, what is wrong, what is owed; the odds are in
modules of their own. Everything is pure: a game never mutates what it is given.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import ClassVar, NamedTuple

from tables.games.cards import UNKNOWN
from tables.games.options import Group
from tables.games.values import (
    UNREAD,
    Bets,
    Fault,
    Line,
    Place,
    Play,
    RoundState,
    Ruleset,
    Step,
    Why,
)

# The stages at which a round can be voided, in order, as the round document spells them.
STAGES = (
    "betting",
    "first_lap",
    "second_lap",
    "pair_settled",
    "third_lap",
    "third_pass",
    "opened",
)
SETTLED_EARLY_STAGES = frozenset(("pair_settled", "third_lap", "third_pass", "opened"))
CARDS_AT_STAGE: Mapping[str, int] = {
    "betting": 0,
    "first_lap": 1,
    "second_lap": 2,
    "pair_settled": 2,
    "third_lap": 3,
    "third_pass": 3,
    "opened": 3,
}


class Refusal(NamedTuple):
    """Why the rules refuse a wager that spoils nothing else: the clause and the reason's code."""

    clause: str
    code: str


class WorstCase(NamedTuple):
    """The most that one wager can cost the bank, and its owner beyond the stake; minor units."""

    bank_minor: int
    owner_extra_minor: int


class VoidCause(NamedTuple):
    """Where a round stood when it was voided, and the seats whose first two cards are touched.

    `touched` None means all of them.
    """

    stage: str
    touched: Collection[int] | None

    def touches(self, seat: int) -> bool:
        """Tell whether the fault touches the first two cards of `seat`."""
        return self.touched is None or seat in self.touched

    @property
    def after_sweep(self) -> bool:
        """Tell whether what is settled early had been settled (A19, A20, C3)."""
        return self.stage in SETTLED_EARLY_STAGES


class Game(ABC):
    """One game of the rules texts. The methods expect a ruleset of this game."""

    code: ClassVar[str]
    bank: ClassVar[str]  # "house" or "banker": how documents call hand 0
    seats_max: ClassVar[int]
    kinds: ClassVar[tuple[str, ...]]  # wagers in the order of lines
    schema: ClassVar[Group]
    deal_direction: ClassVar[str]
    deal_from: ClassVar[str]
    asks: ClassVar[bool] = False  # whether hands decide about a third card
    # Clause and reason of what was settled early and goes back with its dead hand.
    taken_back: ClassVar[tuple[str, Why]] = ("A20", Why("pair_of_dead_hand", {}))

    def last_seat(self, *, bank_seat: int | None) -> int:
        """Return the highest number of a seat that bets: a bank at a seat is one more (B21)."""
        return self.seats_max if bank_seat is None else self.seats_max + 1

    @abstractmethod
    def compile(self, options: Mapping[str, object]) -> object:
        """Return the typed reading of validated options."""

    @abstractmethod
    def decks(self, ruleset: Ruleset) -> int:
        """Return the number of decks that are loaded."""

    @abstractmethod
    def refusal(self, ruleset: Ruleset, bets: Bets, *, kind: str) -> Refusal | None:
        """Return why this wager of a seat is refused at entry, or None."""

    @abstractmethod
    def has_hand(self, ruleset: Ruleset, bets: Bets) -> bool:
        """Tell whether a seat with these wagers gets cards."""

    @abstractmethod
    def worst_case(self, ruleset: Ruleset, *, kind: str, stake_minor: int) -> WorstCase:
        """Return the most that a wager can win, and lose beyond its stake."""

    @abstractmethod
    def places(self, ruleset: Ruleset, state: RoundState) -> tuple[Place, ...]:
        """Return where draws go, in dealing order, as far as the cards so far tell."""

    @abstractmethod
    def next_step(self, ruleset: Ruleset, state: RoundState) -> Step:
        """Return what comes next in a round in which something is at stake."""

    @abstractmethod
    def play_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        """Return what is wrong with the hands of a finished round: numbers, draws, decisions."""

    def sweep_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        """Return what keeps the sweep from being settled: cards of the first two laps."""
        return []

    def sweep_lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        """Settle what is decided once the second lap is complete; third cards do not matter."""
        return []

    @abstractmethod
    def void_faults(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Fault]:
        """Return what is wrong with the hands of a voided round."""

    @abstractmethod
    def lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        """Settle a lawful, finished round; lines by seat as given, by kind within a seat."""

    @abstractmethod
    def void_lines(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Line]:
        """Settle a voided round: stakes back, but for what was validly settled before."""

    def in_play(self, ruleset: Ruleset, wagers: Mapping[int, Bets]) -> bool:
        """Tell whether any wager is accepted, so that a round is dealt for it."""
        return any(
            stake and self.refusal(ruleset, bets, kind=kind) is None
            for bets in wagers.values()
            for kind, stake in bets.items()
            if kind in self.kinds
        )


def expected_cards_fault(
    where: str, *, expected: str, found: int, code: str = "card_count"
) -> Fault:
    """Return the fault of a hand with a wrong number of cards."""
    return Fault(
        code,
        f"{where}.cards",
        f"expected {expected}, found {found}",
        {"expected": expected, "found": found},
    )


_ONLY_IN_VOID = '"?" is allowed only where the round is voided'
_SETTLED_BEFORE = "it decides what was settled before the void"


def unknown_face_faults(where: str, faces: tuple[str, ...], *, voided: bool = False) -> list[Fault]:
    """Return the faults of faces never known in a hand that must be settled."""
    if UNKNOWN not in faces:
        return []
    return [
        Fault(
            "card_unknown",
            f"{where}.cards[{place}]",
            f"expected a known card; {_SETTLED_BEFORE if voided else _ONLY_IN_VOID}",
        )
        for place, face in enumerate(faces)
        if face == UNKNOWN
    ]


def too_many_for_stage(where: str, faces: tuple[str, ...], *, stage: str) -> list[Fault]:
    """Return the fault of a hand with more cards than a round has dealt at `stage`."""
    most = CARDS_AT_STAGE[stage]
    if len(faces) <= most or faces == UNREAD:
        return []
    expected = f"at most {most} cards at the stage {stage}"
    return [expected_cards_fault(where, expected=expected, found=len(faces))]
