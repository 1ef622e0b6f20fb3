"""How many cards are burned after the cut (A32); the policy is a procedure of the table."""

from collections.abc import Sequence

from tables.games.cards import POINTS, UNKNOWN

_PICTURE_BURNS = 10


def burn_cards_expected(policy: str, faces: Sequence[str]) -> int:
    """Return how many cards a burn under `policy` takes, given the faces keyed so far.

    `first_card_value`: the first card and as many as it counts, ten for tens and pictures. A first
    card whose face is not known asks for itself alone.
    """
    if policy == "none":
        return 0
    if policy == "one" or not faces or faces[0] == UNKNOWN:
        return 1
    return 1 + (POINTS[faces[0][0]] or _PICTURE_BURNS)
