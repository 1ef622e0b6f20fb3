"""Where the cards of Lucky 9 lie, worked out from the order of the deal alone (rules 1B, 1C).

The first two laps go round; third cards go, in the same order and the bank last, to whoever has to
draw by the rule (B1, B4, B5, B16), or asked for one (C4, C5). Decides no money.
"""

from collections.abc import Collection, Mapping, Sequence

from settlements.bulk.codes import FACES, FIXED, POINTS, SOCIAL, BulkError

Hands = dict[int, list[str | None]]
# Of a draw that left the turn: the hand and which of its cards it became, or no hand.
Elsewhere = Mapping[int, tuple[int, int] | None]

_THIRD = 3
_NATURAL = 9  # of the two cards that settle a comparison of game C early (C1)

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
    elsewhere: Elsewhere | None = None,
    dead: Collection[int] = (),
    out: Collection[int] = (),
) -> Hands:
    """Lay the draws of a round of game B or C into hands; `order` are the seats, the bank is 0.

    A draw that is said to have gone elsewhere lies there; the places left over are filled in turn,
    and a dead hand gets no more. With the seats `out` nothing is compared. Draw 0 is a card that
    came over from the round before. A card that was never dealt is None; one that no hand had to
    draw is laid to the bank, where it is one too many. Raises BulkError for another game.
    """
    if game not in (FIXED, SOCIAL):
        raise BulkError(f"no deal order is known here for the game {game!r}")
    turns, gone = (*order, 0), elsewhere or {}
    told = {place: draw for draw, place in gone.items() if place is not None}
    hands: Hands = {hand: [None, None] for hand in turns}
    draws = [
        draw
        for draw in range(0 if 0 in cards else 1, max(cards, default=0) + 1)
        if draw not in gone
    ]
    early = [(hand, nth) for nth in (1, 2) for hand in turns]
    left = [place for place in early if place not in told and place[0] not in dead]
    for (hand, nth), draw in [
        *((place, draw) for place, draw in told.items() if place[1] < _THIRD),
        *zip(left, draws, strict=False),
    ]:
        hands[hand][nth - 1] = cards.get(draw)
    alive = [hand for hand in turns if hand not in dead]
    drawing = (
        _asking(alive, decisions) if game == SOCIAL else _drawing(options, hands, alive, out=out)
    )
    thirds = [hand for hand in drawing if (hand, _THIRD) not in told]
    for place, draw in enumerate(draws[len(left) :]):
        hands[thirds[place] if place < len(thirds) else 0].append(cards.get(draw))
    for (hand, nth), draw in told.items():
        # A third card that lies where the rule asks for none counts for nothing (event 30).
        if nth == _THIRD and (game == SOCIAL or hand in drawing):
            hands[hand].append(cards.get(draw))
    for hand in _with_nothing_to_decide(options, hands, decisions) if game == SOCIAL else ():
        del hands[hand][2:]  # a natural that was seen only later: what it drew counts for nothing
    return hands


def early_hands(hands: Mapping[int, Sequence[str | None]]) -> set[int]:
    """Name the seats whose comparison a natural decided in game C before anyone drew (C2, C3)."""
    totals = {hand: first_two_total(faces) for hand, faces in hands.items()}
    return {hand for hand in totals if hand and _NATURAL in (totals[hand], totals[0])}


def decisions_that_count(
    options: Mapping[str, object],
    hands: Mapping[int, Sequence[str | None]],
    decisions: Mapping[int, str],
) -> dict[int, str]:
    """Leave out what was decided though a natural, seen only later, had left nothing to decide."""
    silenced = _with_nothing_to_decide(options, hands, decisions) if decisions else ()
    return {hand: choice for hand, choice in decisions.items() if hand not in silenced}


def _with_nothing_to_decide(
    options: Mapping[str, object],
    hands: Mapping[int, Sequence[str | None]],
    decisions: Mapping[int, str],
) -> set[int]:
    """Name the seats that a natural settled, and the bank (0) if nothing is left to compare with it
    (C5, C6)."""
    early = early_hands(hands)
    voids = options["no_decision"] == "void_bet"
    quiet = {hand for hand, choice in decisions.items() if voids and choice == "no_decision"}
    return early | {0} if hands.keys() <= early | quiet | {0} else early


def first_two_total(hand: Sequence[str | None]) -> int | None:
    """Count the first two cards; None where they are not both known."""
    first, second = (*hand[:2], None, None)[:2]
    if first is None or second is None or "?" in (first, second):
        return None
    return (POINTS[FACES[first[0]]] + POINTS[FACES[second[0]]]) % 10


def _asking(dealt: Sequence[int], decisions: Mapping[int, str]) -> list[int]:
    """Name the hands that asked for a third card (C4, C5)."""
    return [hand for hand in dealt if decisions.get(hand) == "hit"]


def _drawing(
    options: Mapping[str, object],
    hands: Hands,
    dealt: Sequence[int],
    *,
    out: Collection[int],
) -> list[int]:
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
        not (hand in naturals and (total or 0) >= least)
        for hand, total in totals.items()
        if hand and hand not in out
    )
    if 0 in naturals and options["banker_natural_stops_draws"]:
        return []
    found = [
        hand for hand in dealt if hand and (total := totals[hand]) is not None and total <= draws_to
    ]
    return found + ([0] if is_open and bank <= draws_to else [])
