"""The best draws of one side of game C against a stated policy of the other.

For every first hand: what standing and drawing are worth, and so which is right. Equal worth
stands. The bank's best policy comes in two kinds: by its own hand alone, which is best for any
number of seats with one policy, and one that also heeds whether its only opponent drew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from tables.games.odds_counting import Hand
from tables.games.odds_draw_values import (
    CHOICES,
    DRAW,
    STAND,
    DrawValues,
    bank_gains,
    seat_gains,
)
from tables.games.odds_elective_draw import DrawPolicy


@dataclass(frozen=True, slots=True)
class DrawAdvice:
    """What to do with one first hand: worth for a stake of 1 to the side that asks.

    The worth is what is expected once the hand is known and neither side has a natural. `after` is
    `draw` or `stand` where the seat's choice is heeded, else empty.
    """

    hand: Hand
    after: str
    stand: Fraction
    draw: Fraction

    @property
    def draws(self) -> bool:
        """Whether drawing is better."""
        return self.draw > self.stand


@dataclass(frozen=True, slots=True)
class BestDraws:
    """A best policy, the other side's part unchanged, hand by hand, and what the seat then expects.

    Hands that the composition cannot deal are not advised on and stand.
    """

    policy: DrawPolicy
    advice: tuple[DrawAdvice, ...]
    seat_expects: Fraction


def best_seat_draws(values: DrawValues, *, policy: DrawPolicy) -> BestDraws:
    """Find the seat's best draws against the bank's part of the policy."""
    chances: dict[Hand, int] = {}
    for (seat, _), pair in values.open_pairs.items():
        chances[seat] = chances.get(seat, 0) + pair.deals
    gains = seat_gains(values, policy=policy)
    advice = tuple(
        DrawAdvice(
            hand,
            "",
            Fraction(gains[hand][STAND], deals * values.unit),
            Fraction(gains[hand][DRAW], deals * values.unit),
        )
        for hand, deals in sorted(chances.items())
    )
    best = replace(policy, seat=frozenset(one.hand for one in advice if one.draws))
    return BestDraws(best, advice, policy_value(values, policy=best))


def best_bank_draws(values: DrawValues, *, policy: DrawPolicy, heeds_seat: bool) -> BestDraws:
    """Find the bank's best draws against the seat's part of the policy."""
    chances: dict[tuple[Hand, int], int] = {}
    for (seat, bank), pair in values.open_pairs.items():
        key = (bank, int(seat in policy.seat))
        chances[key] = chances.get(key, 0) + pair.deals
    gains = dict(bank_gains(values, policy=policy))
    if not heeds_seat:
        chances, gains = _pooled(chances, gains)
    advice = tuple(
        DrawAdvice(
            hand,
            ("stand", "draw")[choice] if heeds_seat else "",
            Fraction(-gains[hand, choice][STAND], deals * values.unit),
            Fraction(-gains[hand, choice][DRAW], deals * values.unit),
        )
        for (hand, choice), deals in sorted(chances.items())
    )
    drawn = {
        choice: frozenset(
            one.hand for one in advice if one.draws and one.after in ("", ("stand", "draw")[choice])
        )
        for choice in CHOICES
    }
    best = replace(policy, bank_after_stand=drawn[STAND], bank_after_draw=drawn[DRAW])
    return BestDraws(best, advice, policy_value(values, policy=best))


_Chances = dict[tuple[Hand, int], int]
_Gains = dict[tuple[Hand, int], tuple[int, int]]


def _pooled(chances: _Chances, gains: _Gains) -> tuple[_Chances, _Gains]:
    """Add up what follows a stand and a draw: one choice for both."""
    both: _Chances = {}
    for (hand, _), deals in chances.items():
        both[hand, STAND] = both.get((hand, STAND), 0) + deals
    worth = {
        (hand, STAND): (
            gains[hand, STAND][STAND] + gains[hand, DRAW][STAND],
            gains[hand, STAND][DRAW] + gains[hand, DRAW][DRAW],
        )
        for hand, _ in gains
    }
    return both, worth


def policy_value(values: DrawValues, *, policy: DrawPolicy) -> Fraction:
    """State what a seat expects for a stake of 1 when both sides keep to the policy."""
    gains = seat_gains(values, policy=policy)
    chosen: Mapping[Hand, int] = {hand: row[hand in policy.seat] for hand, row in gains.items()}
    return values.mean(values.natural_gain + sum(chosen.values()))
