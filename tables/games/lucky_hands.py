"""Hands of Lucky 9, fixed and elective: two or three cards, of which the last digit counts.

No hand can go over: 9+9+9 = 27 counts 7. This module must not know stakes, prices or draw rules.
"""

from functools import cache
from typing import NamedTuple

from tables.games.cards import POINTS, RANK_LABELS, UNKNOWN
from tables.games.values import SeatPlay


class LuckyHand(NamedTuple):
    """A hand read. `first_two` is the total of the first two cards; `pair` their rank, or ""."""

    total: int
    first_two: int
    pair: str
    label: str

    @property
    def pair_label(self) -> str:
        """The pair of the first two cards as a player says it."""
        return f"{RANK_LABELS[self.pair]}-{RANK_LABELS[self.pair]}"


@cache  # 2,366 hands at most
def read_lucky(ranks: str) -> LuckyHand:
    """Read two or three rank letters in dealing order."""
    points = [POINTS[rank] for rank in ranks]
    total = sum(points)
    label = "+".join(map(str, points)) + f" = {total}"
    return LuckyHand(
        total=total % 10,
        first_two=(points[0] + points[1]) % 10,
        pair=ranks[0] if ranks[0] == ranks[1] else "",
        label=label + f", so {total % 10}" if total > 9 else label,
    )


def read_faces(faces: tuple[str, ...]) -> LuckyHand | None:
    """Return a hand of two or three known cards read; None for any other."""
    if len(faces) not in (2, 3) or "" in faces or UNKNOWN in faces:
        return None
    return read_lucky("".join([face[0] for face in faces]))


def first_two_total(hand: SeatPlay) -> int | None:
    """Return the total of the first two cards, None where they are not both known."""
    faces = hand.faces[:2]
    if len(faces) < 2 or "" in faces or UNKNOWN in faces:
        return None
    return read_lucky(faces[0][0] + faces[1][0]).first_two
