"""What is dealt: shuffled shoes, wagers of a kind a house sees, settled by the engine that pays."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tables.games import Line, RoundState, Ruleset, settle

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
DECKS = 8
CUT_CARD_DEPTH = 52
_MAIN = (10_000, 20_000, 50_000, 100_000)
_SIDE = (10_000, 20_000)


@dataclass(frozen=True, slots=True)
class DealtRound:
    """One round: wagers in minor units, faces in the order of the draws, and what is owed."""

    wagers: Mapping[int, Mapping[str, int]]
    faces: tuple[str, ...]
    sweep: tuple[Line, ...]
    final: tuple[Line, ...]

    @property
    def live(self) -> tuple[int, ...]:
        """Every seat that bet has a hand."""
        return tuple(sorted(self.wagers))


def calls_of(dealt: DealtRound) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Every write of a round after its opening, as the API takes it: a lap of cards in a call."""
    for seat, wagers in dealt.wagers.items():
        yield "PUT", f"seats/{seat}/wagers", {"revision": 1, "wagers": dict(wagers)}
    lap = len(dealt.live) + 1
    for first in range(1, len(dealt.faces) + 1, lap):
        if first > 2 * lap and dealt.sweep:
            yield "POST", "settlements", {"part": "sweep", "revision": 1}
        cards = [
            {"draw": draw, "revision": 1, "face": dealt.faces[draw - 1]}
            for draw in range(first, first + lap)
        ]
        yield "POST", "cards", {"cards": cards}
    yield "POST", "settlements", {"part": "final", "revision": 1}


def shoes(ruleset: Ruleset, *, seed: str, five_seats: bool) -> Iterator["DealtShoe"]:
    """Yield shuffled shoes without end."""
    generator = random.Random(seed)
    while True:
        yield DealtShoe(ruleset, generator, five_seats=five_seats)


class DealtShoe:
    """One shoe, dealt round by round until the cut card."""

    def __init__(self, ruleset: Ruleset, generator: random.Random, *, five_seats: bool) -> None:
        self.ruleset, self.random, self.five_seats = ruleset, generator, five_seats
        self.cards = CARDS * DECKS
        self.random.shuffle(self.cards)
        self.cards.pop()  # burned after the cut

    def rounds(self) -> Iterator[DealtRound]:
        """Deal until the cut card is out."""
        while len(self.cards) > CUT_CARD_DEPTH:
            yield self._round()

    def _round(self) -> DealtRound:
        wagers = self._wagers()
        hands = len(wagers) + 1
        faces = tuple(self.cards.pop() for _ in range(3 * hands))
        state = RoundState(
            wagers=wagers,
            live=tuple(sorted(wagers)),
            cards=dict(enumerate(faces, start=1)),
            swept=any("pair" in kinds for kinds in wagers.values()),
        )
        sweep = settle(self.ruleset, state, "sweep").lines if state.swept else ()
        return DealtRound(wagers, faces, sweep, settle(self.ruleset, state, "final").lines)

    def _wagers(self) -> dict[int, dict[str, int]]:
        choose = self.random.choice
        if self.five_seats:
            return {
                seat: {"main": choose(_MAIN), "pair": choose(_SIDE), "jacks": choose(_SIDE)}
                for seat in range(1, 6)
            }
        seats = sorted(self.random.sample(range(1, 6), self.random.randint(1, 5)))
        return {
            seat: {
                "main": choose(_MAIN),
                **{kind: choose(_SIDE) for kind in ("pair", "jacks") if self.random.random() < 0.5},
            }
            for seat in seats
        }
