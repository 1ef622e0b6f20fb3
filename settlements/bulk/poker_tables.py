"""Lookup tables of Poker Lucky 9 for the second engine (rules 1A).

A hand is one of 455 classes: the multisets of three ranks (suits never matter, A7). What a player's
class does against the house's is one byte in a 455 x 455 table, because some options have no total
order of hands (A1, A8). Compiled from a ruleset's options; settles nothing itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from settlements.bulk.codes import POINTS, POKER, BulkError, Verdict
from settlements.bulk.money import Prices, make_prices, read_odds

Signs = NDArray[np.int8]
Keys = NDArray[np.int64]

KINDS: Final = ("main", "tie", "pair", "jacks")
# Prices of the main wager in the order of their index, which is the class of the winning hand (A2).
MAIN_PRICES: Final = ("trio", "pair", "lucky9")
TRIO, PAIR, LUCKY9 = 0, 1, 2
NO_CLASS: Final = 455
STRIDE: Final = 512
JACK: Final = 10

# The classes, highest face first; a class's number is its place here.
CLASSES: Final = tuple(
    (high, middle, low) for low, middle, high in combinations_with_replacement(range(1, 14), 3)
)


@dataclass(frozen=True, slots=True)
class PokerTables:
    """One ruleset of game A as tables.

    `classes` by hand index; `main` by player's class x STRIDE + house's class; `tie` by main
    verdict; `pair` by the first two faces of the hand index; `jacks` by house's class.
    """

    game: str
    classes: NDArray[np.int16]
    main: NDArray[np.uint8]
    tie: NDArray[np.uint8]
    pair: NDArray[np.uint8]
    jacks: NDArray[np.uint8]
    prices: Mapping[str, Prices]
    tie_open: bool
    side_requires_main: bool
    push_jacks_on_tie: bool
    pair_stands_on_void: bool


def _class_numbers() -> NDArray[np.int16]:
    """Number every hand index; a hand that lacks a card or has an unknown one is in no class."""
    number = {faces: place for place, faces in enumerate(CLASSES)}
    table = np.full(16**3, NO_CLASS, dtype=np.int16)
    for first in range(1, 14):
        for second in range(1, 14):
            for third in range(1, 14):
                low, middle, high = sorted((first, second, third))
                table[first << 8 | second << 4 | third] = number[high, middle, low]
    return table


def _against(keys: Keys) -> Signs:
    """Compare every class with every class by a key: 1 where the row is higher, -1 where lower."""
    signs: Signs = np.sign(keys[:, None] - keys[None, :]).astype(np.int8)
    return signs


def hand_kinds() -> NDArray[np.int8]:
    """Tell trios, pairs and Lucky 9 hands apart (A4: no other Poker hand exists)."""
    faces = np.array(CLASSES)
    equal = (faces[:, 0] == faces[:, 1]).astype(int) + (faces[:, 1] == faces[:, 2])
    kinds: NDArray[np.int8] = np.array([LUCKY9, PAIR, TRIO], dtype=np.int8)[equal]
    return kinds


def _poker_signs(kicker_by: str) -> Signs:
    """Compare Poker hands: trios above pairs, each by rank (A5), then the kicker (A6, A7)."""
    faces = np.array(CLASSES)
    # The middle of three sorted cards belongs to the pair; the kicker is the card that differs.
    paired = faces[:, 1]
    kicker = np.where(faces[:, 0] == paired, faces[:, 2], faces[:, 0])
    if kicker_by == "points":
        kicker = np.array(POINTS)[kicker] * 16 + kicker
    elif kicker_by != "rank":
        raise BulkError(f"expected kicker_by rank or points, got {kicker_by!r}")
    trio = hand_kinds() == TRIO
    return _against(np.where(trio, 16 + paired, paired) * 256 + np.where(trio, 0, kicker))


def _lucky_signs(tie_break: str, tie_value: str) -> Signs:
    """Compare by count; equal counts by the highest card or, in a cascade, by all (A8, A9)."""
    faces = np.array(CLASSES)
    points = np.array(POINTS)[faces]
    depth = {"cascade": 3, "high_card_only": 1}.get(tie_break)
    if depth is None or tie_value not in ("rank", "points"):
        raise BulkError(
            f"expected a known tie_break and tie_value, got {tie_break!r}, {tie_value!r}"
        )
    cards = sum(faces[:, place] * 16 ** (2 - place) for place in range(depth))
    signs = _against(points.sum(axis=1) % 10 * 16**3 + cards)
    if tie_value == "points":
        same = np.sort(points, axis=1) @ np.array([100, 10, 1])
        signs[_against(same) == 0] = 0
    return signs


def class_signs(options: Mapping[str, object]) -> Signs:
    """Compare all 455 x 455 pairs of hands under the options: 1 where the row's hand wins."""
    lucky = _lucky_signs(str(options["tie_break"]), str(options["tie_value"]))
    poker = _poker_signs(str(options["kicker_by"]))
    is_poker = hand_kinds() != LUCKY9
    both = is_poker[:, None] & is_poker[None, :]
    mixed = is_poker[:, None] != is_poker[None, :]
    signs = np.where(both, poker, lucky)
    match options["mixed_compare"]:
        case "poker_over_lucky9":
            signs = np.where(mixed, np.where(is_poker[:, None], 1, -1), signs)
        case "by_count":
            pass
        case other:
            raise BulkError(f"expected mixed_compare poker_over_lucky9 or by_count, got {other!r}")
    return signs.astype(np.int8)


def _main_table(options: Mapping[str, object]) -> NDArray[np.uint8]:
    """Give the main wager's verdict; a win takes the price of the winning hand's kind (A2, A3)."""
    signs = class_signs(options)
    won = (Verdict.WIN + hand_kinds()).astype(np.uint8)[:, None]
    verdicts = np.where(signs > 0, won, np.where(signs < 0, Verdict.LOSE, Verdict.PUSH))
    table = np.zeros((STRIDE, STRIDE), dtype=np.uint8)
    table[:NO_CLASS, :NO_CLASS] = verdicts
    return table.ravel()


def _pair_table() -> NDArray[np.uint8]:
    """Give the pair wager's verdict by two faces: the same rank wins, suits never matter (A18)."""
    table = np.zeros((16, 16), dtype=np.uint8)
    table[1:14, 1:14] = Verdict.LOSE
    table[range(1, 14), range(1, 14)] = Verdict.WIN
    return table.ravel()


def _jacks_table(scope: object) -> NDArray[np.uint8]:
    """Give the jacks wager's verdict by the house's class (A16, A17)."""
    faces, kinds = np.array(CLASSES), hand_kinds()
    high = faces[:, 1] >= JACK
    match scope:
        case "hand_order":
            won = ((kinds == PAIR) & high) | (kinds == TRIO)
        case "same_rank_trio":
            won = (kinds != LUCKY9) & high
        case "pair_only":
            won = (kinds == PAIR) & high
        case other:
            raise BulkError(f"expected a known jacks_scope, got {other!r}")
    table = np.zeros(STRIDE, dtype=np.uint8)
    table[:NO_CLASS] = np.where(won, Verdict.WIN, Verdict.LOSE)
    return table


def _prices(options: Mapping[str, object]) -> dict[str, Prices]:
    """Compile the prices of the four kinds; a closed tie wager has none (A13)."""
    main, caps, rounding = options["main_odds"], options["max_payout_minor"], options["rounding"]
    if not (
        isinstance(main, Mapping) and isinstance(caps, Mapping) and isinstance(rounding, Mapping)
    ):
        raise BulkError("expected main_odds, max_payout_minor and rounding as objects")
    tie = options["tie_odds"]
    odds = {
        "main": [read_odds(main[name]) for name in MAIN_PRICES],
        "tie": [] if tie is None else [read_odds(tie)],
        "pair": [read_odds(options["pair_odds"])],
        "jacks": [read_odds(options["jacks_odds"])],
    }
    return {
        kind: make_prices(odds[kind], rounding=rounding, cap_minor=caps.get(kind)) for kind in KINDS
    }


def compile_poker(options: Mapping[str, object]) -> PokerTables:
    """Compile a complete ruleset of game A. Raises BulkError for an unknown value."""
    if options["side_on_tie"] not in ("settle", "push_unsettled"):
        raise BulkError(f"expected a known side_on_tie, got {options['side_on_tie']!r}")
    if options["pair_bet_on_void"] not in ("stands", "reversed"):
        raise BulkError(f"expected a known pair_bet_on_void, got {options['pair_bet_on_void']!r}")
    tie = np.zeros(Verdict.WIN + len(MAIN_PRICES), dtype=np.uint8)
    tie[[Verdict.LOSE, *range(Verdict.WIN, len(tie))]] = Verdict.LOSE
    tie[Verdict.PUSH] = Verdict.WIN
    return PokerTables(
        game=POKER,
        classes=_class_numbers(),
        main=_main_table(options),
        tie=tie,
        pair=_pair_table(),
        jacks=_jacks_table(options["jacks_scope"]),
        prices=_prices(options),
        tie_open=options["tie_odds"] is not None,
        side_requires_main=bool(options["side_requires_main"]),
        push_jacks_on_tie=options["side_on_tie"] == "push_unsettled",
        pair_stands_on_void=options["pair_bet_on_void"] == "stands",
    )
