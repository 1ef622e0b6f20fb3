"""Where the cards of Poker Lucky 9 lie, worked out from the order of the deal alone (A11, A28).

Three laps round, the House last in each. A draw that is said to have gone elsewhere lies there, and
the places that are left over are filled in turn; a dead hand gets no more. Decides no money.
"""

from collections.abc import Collection, Mapping, Sequence

Hands = dict[int, list[str | None]]
# Of a draw that left the turn: the hand and which of its cards it became, or no hand.
Elsewhere = Mapping[int, tuple[int, int] | None]

_LAPS = 3


def lay_poker(
    order: Sequence[int],
    cards: Mapping[int, str],
    *,
    elsewhere: Elsewhere,
    dead: Collection[int] = (),
) -> Hands:
    """Lay the draws of a round into hands; `order` are the seats in turn, the House is 0.

    Draw 0 is a card that came over from the round before. A card that was never dealt is None; one
    that no hand had to get is laid on in turn, where it is one too many.
    """
    turns = (*order, 0)
    hands: Hands = {hand: [None] * _LAPS for hand in turns}
    told = {place: draw for draw, place in elsewhere.items() if place is not None}
    for (hand, nth), draw in told.items():
        _put(hands, hand, nth, cards.get(draw))
    left = [
        (hand, nth)
        for nth in range(1, _LAPS + 1)
        for hand in turns
        if (hand, nth) not in told and hand not in dead
    ]
    last = max(cards, default=0)
    draws = [draw for draw in range(0 if 0 in cards else 1, last + 1) if draw not in elsewhere]
    for draw, (hand, nth) in zip(draws, left, strict=False):
        _put(hands, hand, nth, cards.get(draw))
    for place, draw in enumerate(draws[len(left) :]):
        hands[turns[place % len(turns)]].append(cards.get(draw))
    return hands


def _put(hands: Hands, hand: int, nth: int, face: str | None) -> None:
    """Lay a face as the n-th card of a hand, which may be one that was not dealt to."""
    lying = hands.setdefault(hand, [None] * _LAPS)
    lying += [None] * (nth - len(lying))
    lying[nth - 1] = face
