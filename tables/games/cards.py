"""Cards as they are written: rank and suit ("AS"), rank alone ("A"), or a face never known ("?").

Ranks are compared by `RANK_ORDER` (Ace high, A10) and counted by `POINTS` (Ace 1, tens and pictures
0). Suits never decide anything (A7, B8); they serve the count of copies only. This module must not
know any game.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
UNKNOWN: Final = "?"

RANK_ORDER: Final = {rank: place for place, rank in enumerate(RANKS, start=2)}
POINTS: Final = dict.fromkeys("TJQK", 0) | {str(n): n for n in range(2, 10)} | {"A": 1}
# As a player says them: the ten has two digits, everything else is as it is keyed.
RANK_LABELS: Final = {rank: rank for rank in RANKS} | {"T": "10"}

FULL_FACES: Final = frozenset(rank + suit for rank in RANKS for suit in SUITS)
FACES: Final = FULL_FACES | frozenset(RANKS) | {UNKNOWN}


def is_face(value: object) -> bool:
    """Tell whether `value` is spelled as a face: rank and suit, rank alone, or "?"."""
    return isinstance(value, str) and value in FACES


def copies_max(face: str, *, decks: int) -> int:
    """Return how many copies of a face `decks` decks hold; a rank alone stands for four suits."""
    return decks if len(face) == 2 else 4 * decks


def surplus_places(faces: Sequence[str], *, decks: int) -> list[int]:
    """Return the places in `faces` of cards that `decks` decks can no longer hold.

    A rank written alone takes one of the copies that its four suits have left, so that a list which
    mixes both spellings is judged by identity and by rank. Unknown faces and "" are not counted.
    """
    counts = Counter(faces)
    if max(counts.values(), default=0) <= decks and all(len(face) == 2 for face in counts):
        return []  # Nearly always; no rank can exceed its copies where no identity does.
    found: list[int] = []
    by_face: dict[str, int] = {}
    by_rank: dict[str, int] = {}
    for place, face in enumerate(faces):
        if face in ("", UNKNOWN):
            continue
        rank = face[0]
        identity = by_face.get(face, 0)
        total = by_rank.get(rank, 0)
        if identity >= copies_max(face, decks=decks) or total >= 4 * decks:
            found.append(place)
            continue
        by_face[face] = identity + 1
        by_rank[rank] = total + 1
    return found
