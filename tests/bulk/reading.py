"""The rules of Poker Lucky 9 read out sentence by sentence, with no regard for speed.

A third voice in the tests: what two clever engines agree on is compared with this plain reading.
"""

from collections.abc import Mapping
from typing import Final

# The text ranks the cards from highest to lowest: Ace, King, Queen, Jack, 10, 9 and so on to 2.
RANKS: Final = "AKQJT98765432"
# The order of hands is a closed list: places 1 to 13 are the trios, 14 to 26 the pairs (A4).
ORDER: Final = [rank * 3 for rank in RANKS] + [rank * 2 for rank in RANKS]


def height(rank: str) -> int:
    """Say how high a card is: Ace highest, 2 lowest."""
    return len(RANKS) - RANKS.index(rank)


def count(hand: str) -> int:
    """Add up: tens and pictures 0, the ace 1, the rest at face value; only the last digit."""
    return sum({"A": 1}.get(rank, int(rank) if rank.isdigit() else 0) for rank in hand) % 10


def place_in_order(hand: str) -> int | None:
    """Find a hand's place in the order of hands; None if it must play Lucky 9."""
    for rank in hand:
        if hand.count(rank) > 1:
            return ORDER.index(rank * hand.count(rank))
    return None


def kind(hand: str) -> str:
    """Name what a hand is paid as."""
    place = place_in_order(hand)
    return "lucky9" if place is None else "trio" if place < len(RANKS) else "pair"


def kicker(hand: str) -> str:
    """Find the card beside the pair."""
    return next(rank for rank in hand if hand.count(rank) == 1)


def compare_poker(player: str, house: str, options: Mapping[str, object]) -> int:
    """Compare two Poker hands: 1 the player's is better, -1 the house's, 0 a tie (A5 to A7)."""
    if sorted(player) == sorted(house):
        return 0
    mine, theirs = place_in_order(player), place_in_order(house)
    assert mine is not None
    assert theirs is not None
    if mine != theirs:
        return 1 if mine < theirs else -1
    one, other = kicker(player), kicker(house)
    if options["kicker_by"] == "points" and count(one) != count(other):
        return 1 if count(one) > count(other) else -1
    return 1 if height(one) > height(other) else -1


def compare_lucky9(player: str, house: str, options: Mapping[str, object]) -> int:
    """Compare two hands by count, then card by card from the highest (A8, A9)."""
    if count(player) != count(house):
        return 1 if count(player) > count(house) else -1
    if options["tie_value"] == "points" and sorted(map(count, player)) == sorted(map(count, house)):
        return 0
    mine, theirs = sorted(map(height, player)), sorted(map(height, house))
    for one, other in list(zip(mine[::-1], theirs[::-1], strict=True)):
        if one != other:
            return 1 if one > other else -1
        if options["tie_break"] == "high_card_only":
            return 0
    return 0


def compare(player: str, house: str, options: Mapping[str, object]) -> int:
    """Compare the player's three ranks with the house's (A1)."""
    poker_hands = [hand for hand in (player, house) if place_in_order(hand) is not None]
    if len(poker_hands) == 2:
        return compare_poker(player, house, options)
    if len(poker_hands) == 1 and options["mixed_compare"] == "poker_over_lucky9":
        return 1 if poker_hands == [player] else -1
    return compare_lucky9(player, house, options)


def jacks_wins(house: str, scope: object) -> bool:
    """Say whether the house has a pair of Jacks or higher (A16)."""
    place = place_in_order(house)
    jacks = ORDER.index("JJ")
    if place is None:
        return False
    if scope == "hand_order":
        return place <= jacks
    high_pair = len(RANKS) <= place <= jacks
    return high_pair or (scope == "same_rank_trio" and place <= ORDER.index("JJJ"))
