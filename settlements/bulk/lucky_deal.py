"""Where the cards of Lucky 9 lie, worked out from the order of the deal alone (rules 1B, 1C).

The first two laps go round; third cards go, in the same order and the bank last, to whoever has to
draw by the rule (B1, B4, B5, B16), or asked for one (C4, C5). Decides no money.
"""

from collections.abc import Mapping, Sequence

from settlements.bulk.codes import FACES, FIXED, POINTS, SOCIAL, BulkError

Hands = dict[int, list[str | None]]

_DRAWS_TO: Mapping[object, int] = {"off": 5, "to_7": 7, "all": 9}


def dealing_order(
    seats: Sequence[int], *, direction: str, bank_seat: int | None
) -> tuple[int, ...]:
    """Put seats in the order of the deal: after the bank's seat, or from the dealer (B18, C10)."""
    first, turn = bank_seat or 0, -1 if direction == "anticlockwise" else 1
    ring = max((*seats, first), default=0) + 1
    return tuple(sorted(seats, key=lambda seat: (turn * (seat - first)) % ring))


def lay_lucky(
    game: str,
    options: Mapping[str, object],
    *,
    order: Sequence[int],
    cards: Mapping[int, str],
    decisions: Mapping[int, str],
) -> Hands:
    """Lay the draws of a round of game B or C into hands; `order` are the seats, the bank is 0.

    A card that was never dealt is None. A card that no hand had to draw is laid to the bank, where
    it is one too many. Raises BulkError for another game.
    """
    if game not in (FIXED, SOCIAL):
        raise BulkError(f"no deal order is known here for the game {game!r}")
    dealt = (*order, 0)
    hands: Hands = {
        hand: [cards.get(place), cards.get(place + len(dealt))]
        for place, hand in enumerate(dealt, start=1)
    }
    thirds = sorted(draw for draw in cards if draw > 2 * len(dealt))
    if not thirds:
        return hands
    drawing = _asking(dealt, decisions) if game == SOCIAL else _drawing(options, hands, dealt)
    for place in range(thirds[-1] - 2 * len(dealt)):
        face = cards.get(2 * len(dealt) + place + 1)
        hands[drawing[place] if place < len(drawing) else 0].append(face)
    return hands


def first_two_total(hand: Sequence[str | None]) -> int | None:
    """Count the first two cards; None where they are not both known."""
    first, second = (*hand[:2], None, None)[:2]
    if first is None or second is None or "?" in (first, second):
        return None
    return (POINTS[FACES[first[0]]] + POINTS[FACES[second[0]]]) % 10


def _asking(dealt: Sequence[int], decisions: Mapping[int, str]) -> list[int]:
    """Name the hands that asked for a third card (C4, C5)."""
    return [hand for hand in dealt if decisions.get(hand) == "hit"]


def _drawing(options: Mapping[str, object], hands: Hands, dealt: Sequence[int]) -> list[int]:
    """Name the hands that have to draw; a hand that cannot be read does not."""
    forced = options["forced_draw"]
    draws_to = _DRAWS_TO[forced]
    totals = {hand: first_two_total(hands[hand]) for hand in dealt}
    bank = totals[0]
    if bank is None:
        return []
    naturals = {hand for hand, total in totals.items() if forced != "all" and (total or 0) >= 8}
    settled_at = {"outranks_drawn": 8, "nine_only": 9, "total_only": 10}
    least = settled_at[str(options["natural_priority"])]
    is_open = any(
        not (hand in naturals and (total or 0) >= least) for hand, total in totals.items() if hand
    )
    if 0 in naturals and options["banker_natural_stops_draws"]:
        return []
    found = [
        hand for hand in dealt if hand and (total := totals[hand]) is not None and total <= draws_to
    ]
    return found + ([0] if is_open and bank <= draws_to else [])
