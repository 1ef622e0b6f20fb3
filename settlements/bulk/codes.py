"""Names and numbers that the second engine's columns are written in.

A column holds small integers; this module says what they mean. It knows nothing of any rule of
play.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

POKER: Final = "poker-lucky-9"
FIXED: Final = "lucky-9"
SOCIAL: Final = "lucky-9-social"

# A face in a column of cards: no card, the ranks from the lowest to the Ace, or a card never known.
RANKS: Final = "23456789TJQKA"
UNKNOWN: Final = 14
FACES: Final[Mapping[str, int]] = {rank: 1 + place for place, rank in enumerate(RANKS)} | {
    "?": UNKNOWN
}
# Points by face (A10, and the value of cards in texts B and C); absent and unknown cards have none.
POINTS: Final = (0, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1, 0)


class Verdict(IntEnum):
    """What became of a wager; `WIN` and above are wins, the distance from `WIN` names the price."""

    NONE = 0
    LOSE = 1
    PUSH = 2
    VOID = 3
    REJECTED = 4
    WIN = 5


OUTCOMES: Final = ("", "lose", "push", "void", "rejected", "win")


class Stage(IntEnum):
    """Where a round was when it was voided; `PLAYED` is a round that was not voided."""

    PLAYED = 0
    BETTING = 1
    FIRST_LAP = 2
    SECOND_LAP = 3
    PAIR_SETTLED = 4
    THIRD_LAP = 5
    OPENED = 6


STAGES: Final[Mapping[str, Stage]] = {
    "betting": Stage.BETTING,
    "first_lap": Stage.FIRST_LAP,
    "second_lap": Stage.SECOND_LAP,
    "pair_settled": Stage.PAIR_SETTLED,
    "third_lap": Stage.THIRD_LAP,
    "third_pass": Stage.THIRD_LAP,
    "opened": Stage.OPENED,
}


class Decision(IntEnum):
    """What a seat or the bank of game C did with its right to a third card (C4, C6)."""

    UNSET = 0
    HIT = 1
    STAND = 2
    NONE = 3
    NO_DECISION = 4


DECISIONS: Final[Mapping[str, Decision]] = {
    "": Decision.UNSET,
    "hit": Decision.HIT,
    "stand": Decision.STAND,
    "none": Decision.NONE,
    "no_decision": Decision.NO_DECISION,
}


class Fault(IntEnum):
    """Why a round cannot be settled as it lies; its lines are then empty."""

    SOUND = 0
    CARD_COUNT = 1
    FACE_UNKNOWN = 2
    DECISION = 3


FAULTS: Final = ("", "card_count", "face_unknown", "decision")


class Part(IntEnum):
    """Which wagers of a round are settled: the pair wagers, all others, or all."""

    WHOLE = 0
    SWEEP = 1
    FINAL = 2


class BulkError(ValueError):
    """The columns, records or options handed in do not fit the game; the message says which."""
