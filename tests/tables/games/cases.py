"""A round of every preset: what is bet, dealt and decided, and what goes back.

Used by the tests of the services and by those in the browser.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

WIN, LOSE, PUSH = "win", "lose", "push"


@dataclass(frozen=True)
class Case:
    """One round: stakes, hands (0 is the bank's) and decisions, and what goes back."""

    wagers: Mapping[int, int]
    hands: Mapping[int, str]
    paid: Mapping[tuple[int, str], tuple[str, int]]
    decisions: Mapping[int, str] = field(default_factory=dict)
    bank_seat: int | None = None
    house_minor: int = 0


# Seat 2 beats a standing 6 with 7; 4-4 is a natural 8 and a Colon; 2-3 has to draw and loses.
HANDS = {2: "8S 9D", 5: "4S 4D", 8: "2S 3H KD", 0: "AS 5D"}
WAGERS = {2: 10_000, 5: 10_000, 8: 10_000}
CASES = {
    "pagcor-poker-lucky-9": Case(
        {2: 10_000},
        {2: "8S 8D 2C", 0: "AS 5D 3C"},
        {(2, "main"): (WIN, 20_000)},
        house_minor=-10_000,
    ),
    "lucky-9": Case(
        WAGERS,
        HANDS,
        {(2, "main"): (WIN, 20_000), (5, "main"): (WIN, 30_000), (8, "main"): (LOSE, 0)},
        house_minor=-20_000,
    ),
    "super-9": Case(
        WAGERS,
        {**HANDS, 8: "2S 3H 2S", 0: "KS 2S 4S"},
        {(2, "main"): (WIN, 20_000), (5, "main"): (WIN, 30_000), (8, "main"): (WIN, 20_000)},
        house_minor=-40_000,
    ),
    "fixed-bank": Case(
        WAGERS,
        HANDS,
        {(2, "main"): (WIN, 20_000), (5, "main"): (WIN, 30_000), (8, "main"): (LOSE, 0)},
        bank_seat=3,
    ),
    "forced-draw": Case(
        WAGERS,
        {2: "3S 4D 2C", 5: "9S 9D", 8: "6S KD 6D", 0: "KS 6H AD"},
        {(2, "main"): (WIN, 20_000), (5, "main"): (WIN, 40_000), (8, "main"): (LOSE, 0)},
        house_minor=-30_000,
    ),
    "multi-deck": Case(
        WAGERS,
        {**HANDS, 8: "2S 3H AS", 0: "AS 5D"},
        {(2, "main"): (WIN, 20_000), (5, "main"): (WIN, 30_000), (8, "main"): (PUSH, 10_000)},
        house_minor=-30_000,
    ),
    "straight": Case(
        WAGERS,
        HANDS,
        {(2, "main"): (WIN, 20_000), (5, "main"): (WIN, 20_000), (8, "main"): (LOSE, 0)},
        house_minor=-10_000,
    ),
    "home": Case(
        {2: 10_000, 5: 10_000, 6: 10_000, 7: 10_000},
        {2: "9S KD", 5: "8S KH", 6: "2S 3H 4D", 7: "AS AD KC", 0: "6S JD 2D"},
        {
            (2, "main"): (WIN, 20_000),
            (5, "main"): (PUSH, 10_000),
            (6, "main"): (WIN, 20_000),
            (7, "main"): (LOSE, 0),
        },
        decisions={7: "hit", 6: "hit", 5: "no_decision", 0: "hit"},
        bank_seat=4,
    ),
}
