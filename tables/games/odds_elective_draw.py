"""The odds of home Lucky 9 with the elective draw (game C, rules 1C), one seat and the bank.

Whoever may draw decides, so odds hold for a stated policy only. A policy names the first hands on
which a side draws. The bank decides last and has seen whether the seat drew (C5), but not the card
(C13): it may have one policy after a draw and one after a stand. With one policy for both, the odds
hold for any number of seats; with two they are those of a single seat.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tables.games.cards import RANKS
from tables.games.lucky_9_social import NATURAL
from tables.games.odds_counting import TWO_CARDS, Hand, odds_error
from tables.games.odds_results import LOSE, PUSH, Ending, Profits
from tables.games.odds_two_cards import First, Side, total_of
from tables.games.values import Odds

DRAW_TO: Final = range(6)
"""Totals that draw by default: the house's written rule (C5), and the same for a seat."""
EVEN: Final = "even"


@dataclass(frozen=True, slots=True)
class DrawPolicy:
    """The first hands to which the seat draws, and the bank after a draw and after a stand."""

    seat: frozenset[Hand]
    bank_after_draw: frozenset[Hand]
    bank_after_stand: frozenset[Hand]

    def __post_init__(self) -> None:
        sides = (self.seat, self.bank_after_draw, self.bank_after_stand)
        if any(hand not in _ELECTIVE for side in sides for hand in side):
            detail = "expected first hands of two ranks, lower first, that are no natural nine"
            raise odds_error(("odds.bad_policy", "policy", detail))

    @property
    def bank_sees(self) -> bool:
        """Whether the bank's draw depends on what the seat did."""
        return self.bank_after_draw != self.bank_after_stand

    def describe(self) -> dict[str, str]:
        """Say the policy in words, a line for each side."""
        if not self.bank_sees:
            return {"seat": name_draws(self.seat), "bank": name_draws(self.bank_after_draw)}
        return {
            "seat": name_draws(self.seat),
            "bank after a draw": name_draws(self.bank_after_draw),
            "bank after a stand": name_draws(self.bank_after_stand),
        }


_ELECTIVE: Final = frozenset(hand for hand in TWO_CARDS if total_of(hand) != NATURAL)


def draw_on(totals: Iterable[int]) -> frozenset[Hand]:
    """Name the first hands of these totals, 0 to 8; a natural nine never draws (C2)."""
    wanted = set(totals)
    if not wanted <= set(range(NATURAL)):
        raise odds_error(("odds.bad_policy", "policy", "expected totals from 0 to 8"))
    return frozenset(hand for hand in TWO_CARDS if total_of(hand) in wanted)


def draw_policy(
    *,
    seat: Iterable[int] = DRAW_TO,
    bank: Iterable[int] = DRAW_TO,
    bank_after_stand: Iterable[int] | None = None,
) -> DrawPolicy:
    """Make a policy of totals on which to draw; `bank` holds after a stand too unless told."""
    after_draw = draw_on(bank)
    after_stand = after_draw if bank_after_stand is None else draw_on(bank_after_stand)
    return DrawPolicy(draw_on(seat), after_draw, after_stand)


def name_hand(hand: Hand) -> str:
    """Write a first hand by its ranks, the higher first: `7-5`."""
    return "-".join(RANKS[rank] for rank in reversed(hand))


def name_draws(hands: Iterable[Hand]) -> str:
    """Write the totals on which a side draws, `draw on 0-5`; a total in part with its hands."""
    drawn = set(hands)
    spans: list[list[int]] = []
    parts: list[str] = []
    for total in range(NATURAL):
        every = {hand for hand in TWO_CARDS if total_of(hand) == total}
        if every <= drawn and spans and spans[-1][-1] == total - 1:
            spans[-1].append(total)
        elif every <= drawn:
            spans.append([total])
        elif every & drawn:
            named = " ".join(name_hand(hand) for hand in sorted(every & drawn))
            parts.append(f"{total} with {named}")
    totals = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in spans]
    return "draw on " + ", ".join(totals + parts) if totals or parts else "stand on all"


@dataclass(frozen=True, slots=True)
class ElectiveDraw:
    """Who draws and who wins in game C under a policy."""

    policy: DrawPolicy

    def seat_first(self, hand: Hand) -> First:
        """Describe a seat's first two cards."""
        draws = hand in self.policy.seat
        return First(total_of(hand), draws=draws, draws_on_stand=draws)

    def bank_first(self, hand: Hand) -> First:
        """Describe the bank's first two cards."""
        return First(
            total_of(hand),
            draws=hand in self.policy.bank_after_draw,
            draws_on_stand=hand in self.policy.bank_after_stand,
        )

    def sides(self, seat: First, bank: First) -> tuple[Side, Side]:
        """Say who draws: against or with a natural nine nobody does (C2, C5)."""
        if NATURAL in (seat.total, bank.total):
            return Side(seat.total, draws=False), Side(bank.total, draws=False)
        bank_draws = bank.draws if seat.draws else bank.draws_on_stand
        return Side(seat.total, seat.draws), Side(bank.total, bank_draws)

    def ending(self, seat: First, bank: First, *, finals: tuple[int, int]) -> Ending:
        """Say how the main wager ends: by total; a natural never meets a drawn nine (C8)."""
        if finals[0] == finals[1]:
            return PUSH
        return Ending("win", EVEN) if finals[0] > finals[1] else LOSE


def elective_draw_profits(odds: Odds) -> Profits:
    """State the profit for a stake of 1 of each ending of the main wager (C9)."""
    return {
        "main": {
            Ending("win", EVEN): Fraction(*odds),
            PUSH: Fraction(0),
            LOSE: Fraction(-1),
        }
    }
