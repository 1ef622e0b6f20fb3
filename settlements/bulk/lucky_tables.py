"""Lookup tables of Lucky 9 for the second engine: fixed draw (1B) and elective draw (1C).

A hand as it was dealt is one of 4,096 indexes. One table says how strong it is and what the draw
rule makes of it, one byte tells what a punter's side does against the bank's. Settles nothing
itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import FIXED, POINTS, SOCIAL, UNKNOWN, BulkError, Verdict
from settlements.bulk.money import Prices, make_prices, read_odds

Beyond = Sequence[tuple[int, int]]

KINDS: Final = ("main",)
# What lies on a hand's side of a comparison: strength x 4 + Colon, in the low byte of its entry.
SIDE_BITS: Final = 6
SIDE_MASK: Final = 2**SIDE_BITS - 1
NO_COLON, COLON, COLON_NINE = 0, 1, 2
# Above every total of points, by which B3 and C2 let a natural win outright.
OUTRIGHT_EIGHT: Final = 10
OUTRIGHT_NINE: Final = 11


class Mark(IntFlag):
    """What else a hand's entry says, above its low byte."""

    WHOLE = 1 << 8  # Two or three known cards.
    DREW = 1 << 9  # It has a third card.
    MUST_DRAW = 1 << 10  # Its first two cards demand a third, if nothing stops the draw.
    NATURAL = 1 << 11  # Its first two cards are a natural.
    OUTRIGHT = 1 << 12  # A natural that beats every hand that is no natural, whatever is drawn.


@dataclass(frozen=True, slots=True)
class LuckyTables:
    """One ruleset of game B or C as tables.

    `hands` by hand index: side and marks. `main`, `bonus` (B10) and `extra` (B13) by punter's side
    x 64 + banker's side; `bonus` and `extra` are None where the ruleset never pays or collects
    them.
    """

    game: str
    hands: NDArray[np.uint16]
    main: NDArray[np.uint8]
    bonus: NDArray[np.uint8] | None
    extra: NDArray[np.uint8] | None
    prices: Mapping[str, Prices]
    natural_stops_draws: bool
    elective: bool
    undecided_is_void: bool


@dataclass(frozen=True, slots=True)
class _HandRule:
    """What a ruleset makes of one hand: its naturals, the highest total that must draw."""

    naturals: tuple[int, ...]
    outright: Mapping[int, int]
    draw_to: int
    colon: bool


def _hand_table(rule: _HandRule) -> NDArray[np.uint16]:
    """Give the entry of every hand index; what is no hand of two or three known cards is 0."""
    table = np.zeros(16**3, dtype=np.uint16)
    for first in range(1, UNKNOWN):
        for second in range(1, UNKNOWN):
            for third in range(UNKNOWN):
                table[first << 8 | second << 4 | third] = _entry(rule, first, second, third)
    return table


def _entry(rule: _HandRule, first: int, second: int, third: int) -> int:
    """Describe one hand (B1 to B3, B8, B14, B16; C1, C2)."""
    opening = (POINTS[first] + POINTS[second]) % 10
    marks = Mark.WHOLE
    strength = (opening + POINTS[third]) % 10
    if third:
        marks |= Mark.DREW
    if opening <= rule.draw_to:
        marks |= Mark.MUST_DRAW
    if opening in rule.naturals:
        marks |= Mark.NATURAL
        if opening in rule.outright and not third:
            marks |= Mark.OUTRIGHT
            strength = rule.outright[opening]
    colon = NO_COLON
    if rule.colon and first == second:
        colon = COLON_NINE if POINTS[first] == 9 else COLON
    return int(marks) | strength << 2 | colon


def _sides() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Spread strength and Colon of the punter (rows) and of the banker (columns) over all sides."""
    side = np.arange(2**SIDE_BITS)
    strength, colon = side >> 2, side & 3
    return strength[:, None], colon[:, None], strength[None, :], colon[None, :]


def _main_table() -> NDArray[np.uint8]:
    """Compare strengths: the higher wins at its own Colon's price, equal ones push (B6, B11)."""
    mine, colon, banks, _ = _sides()
    won = Verdict.WIN + colon
    verdict = np.where(mine > banks, won, np.where(mine < banks, Verdict.LOSE, Verdict.PUSH))
    return verdict.astype(np.uint8).ravel()


def _pays(beyond: Beyond, colon: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which Colons pay more than even money."""
    more = np.zeros(4, dtype=np.bool_)
    more[[NO_COLON, COLON, COLON_NINE]] = [part > 0 for part, _ in beyond]
    return more[colon]


def _bonus_table(beyond: Beyond) -> NDArray[np.uint8]:
    """Pay the extra part of a losing Colon (B10), unless the winning banker has one too (B12)."""
    mine, colon, banks, banks_colon = _sides()
    paid = (mine < banks) & _pays(beyond, colon) & (banks_colon == NO_COLON)
    return np.where(paid, Verdict.WIN + colon, Verdict.NONE).astype(np.uint8).ravel()


def _extra_table(beyond: Beyond) -> NDArray[np.uint8]:
    """Collect the banker's winning Colon (B13); its price index is the banker's Colon."""
    mine, _, banks, banks_colon = _sides()
    owed = (mine < banks) & _pays(beyond, banks_colon)
    return np.where(owed, Verdict.WIN + banks_colon, Verdict.NONE).astype(np.uint8).ravel()


def _mapping(options: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Read an option that is an object."""
    value = options[name]
    if not isinstance(value, Mapping):
        raise BulkError(f"expected {name} as an object, got {value!r}")
    return value


def _fixed_rule(options: Mapping[str, object], *, colon: bool) -> _HandRule:
    """Read the draw rule and the rank of naturals (B1, B3, B16)."""
    draw_to = {"off": 5, "to_7": 7, "all": 9}.get(str(options["forced_draw"]))
    outright = {
        "outranks_drawn": {8: OUTRIGHT_EIGHT, 9: OUTRIGHT_NINE},
        "nine_only": {9: OUTRIGHT_NINE},
        "total_only": {},
    }.get(str(options["natural_priority"]))
    if draw_to is None or outright is None:
        raise BulkError("expected a known forced_draw and natural_priority")
    # Where every hand must draw no two-card hand remains, and with it no natural.
    return _HandRule(() if draw_to == 9 else (8, 9), outright, draw_to, colon)


def compile_fixed(options: Mapping[str, object]) -> LuckyTables:
    """Compile a complete ruleset of game B. Raises BulkError for an unknown value."""
    colon, rounding = _mapping(options, "colon"), _mapping(options, "rounding")
    plain, high, nine = (1, 1), read_odds(colon["odds"]), read_odds(colon["nine_odds"])
    if colon["on_loss"] not in ("none", "bonus_part"):
        raise BulkError(f"expected a known colon.on_loss, got {colon['on_loss']!r}")
    if options["banker_colon_collects"] not in ("stake", "multiple"):
        raise BulkError("expected banker_colon_collects stake or multiple")
    # A Colon's rate less the even money that it replaces, by Colon.
    beyond = [(0, 1), *((max(above - below, 0), below) for above, below in (high, nine))]
    enabled = colon["enabled"] is True
    extra_prices = make_prices(beyond, rounding=rounding)
    return LuckyTables(
        game=FIXED,
        hands=_hand_table(_fixed_rule(options, colon=enabled)),
        main=_main_table(),
        bonus=_bonus_table(beyond) if enabled and colon["on_loss"] == "bonus_part" else None,
        extra=_extra_table(beyond)
        if enabled and options["banker_colon_collects"] == "multiple"
        else None,
        prices={
            "main": make_prices(
                [plain, high, nine],
                rounding=rounding,
                commission=Fraction(*read_odds(options["commission"])),
            ),
            "colon_bonus": extra_prices,
            "extra_owed": extra_prices,
        },
        natural_stops_draws=options["banker_natural_stops_draws"] is True,
        elective=False,
        undecided_is_void=False,
    )


def compile_social(options: Mapping[str, object]) -> LuckyTables:
    """Compile a complete ruleset of game C. Raises BulkError for an unknown value."""
    if options["no_decision"] not in ("stand", "void_bet"):
        raise BulkError(f"expected no_decision stand or void_bet, got {options['no_decision']!r}")
    # Only an opening nine is natural, and it wins outright (C1, C2); no pair has a price (C9).
    rule = _HandRule(naturals=(9,), outright={9: OUTRIGHT_NINE}, draw_to=-1, colon=False)
    rounding = _mapping(options, "rounding")
    return LuckyTables(
        game=SOCIAL,
        hands=_hand_table(rule),
        main=_main_table(),
        bonus=None,
        extra=None,
        prices={"main": make_prices([read_odds(options["odds"])], rounding=rounding)},
        natural_stops_draws=True,
        elective=True,
        undecided_is_void=options["no_decision"] == "void_bet",
    )
