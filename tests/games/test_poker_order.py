"""The order of Poker Lucky 9 hands against a reading of the rules text made from scratch."""

from itertools import combinations_with_replacement, product

import pytest

from tables.games.poker_hands import OrderRules, PokerHand, compare_hands, read_hand

TEXT_ORDER = "AKQJT98765432"
HANDS = ["".join(ranks) for ranks in combinations_with_replacement(TEXT_ORDER, 3)]
COMBINATIONS = [OrderRules(*flags) for flags in product((False, True), repeat=4)]


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def text_place(hand: str) -> int:
    """Return the hand's place in the text's list of 26: 1 is A-A-A; 0 if it is not in it."""
    for place, rank in enumerate(TEXT_ORDER, start=1):
        if hand.count(rank) == 3:
            return place
        if hand.count(rank) == 2:
            return 13 + place
    return 0


def text_count(hand: str) -> int:
    """Return the last digit of the sum: tens and pictures 0, Ace 1 (text B)."""
    return sum(0 if rank in "TJQK" else 1 if rank == "A" else int(rank) for rank in hand) % 10


def text_points(rank: str) -> int:
    return text_count(rank)


def text_height(rank: str) -> int:
    """Return a rank's height: "highest card will be Ace while the lowest card is 2"."""
    return -TEXT_ORDER.index(rank)


def text_key(hand: str, rules: OrderRules) -> tuple[object, ...]:
    """Return a sort key of a hand, where the options leave a total order."""
    place = text_place(hand)
    heights = sorted((text_height(rank) for rank in hand), reverse=True)
    if not place:
        if rules.high_card_only:
            heights = heights[:1]
        return (0, text_count(hand), heights)
    kicker = next((rank for rank in hand if hand.count(rank) == 1), "A")
    by_points = (text_points(kicker),) if rules.kicker_by_points else ()
    return (1, -place, (*by_points, text_height(kicker)))


@pytest.mark.parametrize(
    "rules",
    [rules for rules in COMBINATIONS if not rules.by_count and not rules.tie_by_points],
    ids=str,
)
def test_order_agrees_with_the_text_where_it_is_total(rules: OrderRules) -> None:
    keyed = [(read_hand(hand), text_key(hand, rules)) for hand in HANDS]

    for (own, own_key), (house, house_key) in product(keyed, repeat=2):
        wanted = (own_key > house_key) - (own_key < house_key)
        assert sign(compare_hands(own, house, rules=rules).result) == wanted, (own, house)


@pytest.mark.parametrize("rules", COMBINATIONS, ids=str)
def test_the_house_sees_the_same_result_from_its_side(rules: OrderRules) -> None:
    read = [read_hand(hand) for hand in HANDS]

    for own, house in combinations_with_replacement(read, 2):
        there = compare_hands(own, house, rules=rules)
        back = compare_hands(house, own, rules=rules)
        assert sign(there.result) == -sign(back.result)
        assert (there.clause, there.code) == (back.clause, back.code)


@pytest.mark.parametrize("rules", COMBINATIONS, ids=str)
def test_a_hand_ties_with_itself(rules: OrderRules) -> None:
    assert all(compare_hands(h, h, rules=rules).result == 0 for h in map(read_hand, HANDS))


def test_a_tie_needs_the_same_three_ranks_by_default() -> None:
    rules = OrderRules(False, False, False, False)

    for own, house in product(HANDS, repeat=2):
        tie = compare_hands(read_hand(own), read_hand(house), rules=rules).result == 0
        assert tie == (own == house)


def beats(own: str, house: str, rules: OrderRules) -> bool:
    return compare_hands(read_hand(own), read_hand(house), rules=rules).result > 0


def test_by_count_has_the_cycle_that_the_rules_name() -> None:
    rules = OrderRules(True, False, False, False)

    assert beats("AK8", "222", rules)
    assert beats("222", "AA7", rules)
    assert beats("AA7", "AK8", rules)


def test_tie_by_points_has_the_cycle_that_the_rules_name() -> None:
    rules = OrderRules(False, False, False, True)

    assert beats("KT9", "Q72", rules)
    assert beats("Q72", "JT9", rules)
    assert compare_hands(read_hand("KT9"), read_hand("JT9"), rules=rules).result == 0


@pytest.mark.parametrize("hand", HANDS)
def test_dealing_order_does_not_matter(hand: str) -> None:
    def told(read: PokerHand) -> tuple[object, ...]:
        return (*read[:-1],)

    turned = read_hand(hand[2] + hand[0] + hand[1])

    assert told(turned) == told(read_hand(hand))
    assert turned.lucky_count == text_count(hand)
    assert (turned.kind != "lucky9") == bool(text_place(hand))
