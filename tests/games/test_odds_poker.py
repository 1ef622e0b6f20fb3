"""Odds of Poker Lucky 9: the published table as fractions, and every deal of small shoes."""

from fractions import Fraction
from math import comb, prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.games import load_ruleset
from tables.games.odds import round_odds
from tables.games.odds_counting import HANDS, POINTS, OddsError
from tables.games.odds_document import decimal_text
from tables.games.odds_results import RoundOdds
from tests.games.count_meetings import count_meetings
from tests.games.odds_by_hand import lines_of, poker_answer, probabilities

GAME = "poker-lucky-9"
SMALL = {"A": 2, "K": 2, "J": 1, "9": 2, "8": 1}
STAKES = {"main": 100, "tie": 100, "pair": 100, "jacks": 100}


def odds_under(remaining: dict[str, int] | None = None, **options: object) -> RoundOdds:
    return round_odds(load_ruleset(GAME, options), remaining)


def shown(value: Fraction | None, *, places: int = 3) -> str:
    """Write a percentage with as many places as the published table has."""
    assert value is not None
    return decimal_text(value * 100, places=places)


def brute_force_main() -> dict[str, Fraction]:
    """Read the rules text anew: binomials instead of falling factorials, keys instead of pairs."""

    def strength(hand: tuple[int, ...]) -> tuple[object, ...]:
        high = tuple(sorted(hand, reverse=True))
        same = [rank for rank in set(hand) if hand.count(rank) >= 2]
        if same:
            kicker = [rank for rank in hand if rank != same[0]]
            return (len(hand) - len(set(hand)), same[0], *kicker)
        return (0, sum(POINTS[rank] for rank in hand) % 10, high)

    counts = {"trio": 0, "pair": 0, "lucky9": 0, "lose": 0, "push": 0}
    strengths = [strength(hand) for hand in HANDS]
    kinds = [("trio", "pair", "lucky9")[len(set(hand)) - 1] for hand in HANDS]
    whole = {count: comb(32, count) for count in range(4)}
    for own, mine, kind in zip(HANDS, strengths, kinds):
        own_ways = prod(whole[own.count(rank)] for rank in set(own))
        for house, theirs in zip(HANDS, strengths):
            ways = own_ways
            for rank in set(house):
                ways *= comb(32 - own.count(rank), house.count(rank))
            ending = "push" if mine == theirs else kind if mine > theirs else "lose"
            counts[ending] += ways
    deals = comb(416, 3) * comb(413, 3)
    return {ending: Fraction(ways, deals) for ending, ways in counts.items()}


def test_main_bet_of_the_full_shoe_as_fractions() -> None:
    main = odds_under().wagers["main"]
    found = {
        "trio": main.probability("win", "trio"),
        "pair": main.probability("win", "pair"),
        "lucky9": main.probability("win", "lucky9"),
        "lose": main.probability("lose"),
        "push": main.probability("push"),
    }
    assert found == {
        "trio": Fraction(180145216, 33376056861),
        "pair": Fraction(1470192608, 7946680205),
        "lucky9": Fraction(3431825408, 11125352287),
        "lose": Fraction(83252151968, 166880284305),
        "push": Fraction(375980369, 166880284305),
    }
    assert found == brute_force_main()
    assert [shown(chance) for chance in found.values()] == [
        "0.540",
        "18.501",
        "30.847",
        "49.887",
        "0.225",
    ]
    assert main.house_edge == Fraction(2123506016, 166880284305)
    assert shown(main.house_edge, places=2) == "1.27"
    assert main.hit_rate == found["lose"], "either hand is as likely to be the better one"
    assert main.fair_odds == 1


def test_pair_bet_of_the_full_shoe() -> None:
    pair = odds_under().wagers["pair"]
    assert pair.hit_rate == Fraction(31, 415), "the second card: 31 of its rank among 415"
    assert pair.house_edge == Fraction(74, 415)
    assert (shown(pair.hit_rate), shown(pair.house_edge, places=1)) == ("7.470", "17.8")


@pytest.mark.parametrize(
    ("scope", "ways", "rate", "edge"),
    [
        ("pair_only", 4 * comb(32, 2) * 384, "6.396", "23.3"),
        ("same_rank_trio", 4 * comb(32, 2) * 384 + 4 * comb(32, 3), "6.562", "21.3"),
        ("hand_order", 4 * comb(32, 2) * 384 + 13 * comb(32, 3), "6.937", "16.8"),
    ],
)
def test_jacks_bet_of_the_full_shoe(scope: str, ways: int, rate: str, edge: str) -> None:
    jacks = odds_under(jacks_scope=scope).wagers["jacks"]
    assert jacks.hit_rate == Fraction(ways, comb(416, 3))
    assert jacks.house_edge == 1 - 12 * jacks.hit_rate
    assert (shown(jacks.hit_rate), shown(jacks.house_edge, places=1)) == (rate, edge)


@pytest.mark.parametrize(
    ("odds", "edge"), [(8, "98.0"), (100, "77.2"), (200, "54.7"), (300, "32.2")]
)
def test_tie_bet_at_posted_prices(odds: int, edge: str) -> None:
    tie = odds_under(tie_odds=[odds, 1]).wagers["tie"]
    assert tie.hit_rate == Fraction(375980369, 166880284305)
    assert tie.house_edge == 1 - (odds + 1) * tie.hit_rate
    assert shown(tie.house_edge, places=1) == edge


def test_a_closed_tie_bet_has_a_fair_price_but_no_edge() -> None:
    odds = odds_under()
    tie = odds.wagers["tie"]
    assert (tie.house_edge, tie.expected, tie.variance) == (None, None, None)
    assert tie.fair_odds == Fraction(166880284305 - 375980369, 375980369)
    assert decimal_text(tie.fair_odds, places=0) == "443"
    assert [row.profit for row in tie.outcomes] == [None, -1]
    assert ("tie", "main") not in odds.covariance


def test_options_move_the_main_bet_as_published() -> None:
    default = odds_under().wagers["main"]
    by_count = odds_under(mixed_compare="by_count").wagers["main"]
    assert shown(by_count.house_edge, places=2) == "1.86"
    assert odds_under(tie_value="points").wagers["main"].push_rate > default.push_rate
    meetings = count_meetings(decks=8)
    high_card = odds_under(tie_break="high_card_only").wagers["main"]
    assert high_card.push_rate == default.push_rate + meetings.cascade_decides
    kicker = odds_under(kicker_by="points").wagers["main"]
    assert kicker.outcomes == default.outcomes, "who wins changes, not how often"


def test_meetings_of_equal_counts() -> None:
    meetings = count_meetings(decks=8)
    assert meetings.equal_counts == Fraction(134540248064, 2169443695965)
    assert meetings.same_top_card == Fraction(4090754048, 433888739193)
    assert meetings.identical == Fraction(335565824, 166880284305)
    assert [
        shown(value)
        for value in (
            meetings.equal_counts,
            meetings.same_top_card,
            meetings.identical,
            meetings.cascade_decides,
            meetings.third_card_decides,
        )
    ] == ["6.202", "0.943", "0.201", "0.742", "0.007"]


def test_ties_on_lucky_9_by_points() -> None:
    """The Poker ties of the default do not change; the rest of the ties are on Lucky 9."""
    meetings = count_meetings(decks=8)
    by_rank = odds_under().wagers["main"].probability("push")
    by_points = odds_under(tie_value="points").wagers["main"].probability("push")
    assert shown(by_points - (by_rank - meetings.identical)) == "0.721"


OPTION_SETS: list[dict[str, object]] = [
    {},
    {"mixed_compare": "by_count"},
    {"kicker_by": "points"},
    {"tie_break": "high_card_only"},
    {"tie_value": "points"},
    {"jacks_scope": "pair_only"},
    {"side_on_tie": "push_unsettled", "jacks_scope": "same_rank_trio"},
    {"mixed_compare": "by_count", "tie_value": "points", "tie_break": "high_card_only"},
]


@pytest.mark.parametrize("options", OPTION_SETS)
def test_every_deal_of_a_small_shoe_settled_by_the_engine(options: dict[str, object]) -> None:
    """The joint endings of all four wagers equal a walk through every order of the cards."""
    priced = {"tie_odds": [100, 1], **options}

    def endings(ranks: str) -> object:
        found = poker_answer(ranks, options=priced, stakes=STAKES)
        return tuple((line["bet"], line["outcome"], tuple(_odds(line))) for line in lines_of(found))

    by_hand = probabilities(SMALL, cards=6, key=endings)
    odds = odds_under(SMALL, **priced)
    prices: dict[str, dict[str, list[int]]] = {
        "main": {"trio": [3, 2], "pair": [1, 1], "lucky9": [95, 100]},
        "tie": {"tie": [100, 1]},
        "pair": {"pair": [10, 1]},
        "jacks": {"jacks": [11, 1]},
    }
    counted = {
        tuple(
            (
                wager,
                ending.outcome,
                tuple(prices[wager][ending.price] if ending.outcome == "win" else ()),
            )
            for wager, ending in zip(STAKES, deal.endings, strict=True)
        ): deal.probability
        for deal in odds.joint
    }
    assert counted == by_hand


def _odds(line: Any) -> list[int]:  # Any: a line of the answer
    return line["odds"] or []


def test_covariance_within_a_seat_of_a_small_shoe() -> None:
    """Variance and covariance from the profits of every deal, in whole hundredths."""
    options = {"tie_odds": [100, 1]}

    def profits(ranks: str) -> object:
        found = poker_answer(ranks, options=options, stakes=STAKES)
        return tuple(_gain(line) for line in lines_of(found))

    chances = probabilities(SMALL, cards=6, key=profits)
    odds = odds_under(SMALL, **options)
    for one, first in enumerate(STAKES):
        for other, second in enumerate(STAKES):
            product = mean = second_mean = Fraction(0)
            for gains, chance in chances.items():
                assert isinstance(gains, tuple)
                product += gains[one] * gains[other] * chance
                mean += gains[one] * chance
                second_mean += gains[other] * chance
            assert odds.covariance[first, second] * 10000 == product - mean * second_mean
        assert odds.covariance[first, first] == odds.wagers[first].variance


def _gain(line: Any) -> int:  # Any: a line of the answer
    gain = line["returned_minor"] - line["stake_minor"]
    assert isinstance(gain, int)
    return gain


compositions = st.fixed_dictionaries({rank: st.integers(0, 32) for rank in "23456789TJQKA"}).filter(
    lambda remaining: sum(remaining.values()) >= 7
)
readings = st.fixed_dictionaries(
    {
        "mixed_compare": st.sampled_from(["poker_over_lucky9", "by_count"]),
        "kicker_by": st.sampled_from(["rank", "points"]),
        "tie_break": st.sampled_from(["cascade", "high_card_only"]),
        "tie_value": st.sampled_from(["rank", "points"]),
    }
)


@settings(max_examples=10, deadline=None)
@given(remaining=compositions, options=readings)
def test_either_hand_is_as_likely_to_win(
    remaining: dict[str, int], options: dict[str, object]
) -> None:
    odds = odds_under(remaining, **options)
    main = odds.wagers["main"]
    assert main.hit_rate == main.probability("lose")
    assert main.hit_rate + main.push_rate + main.probability("lose") == 1
    assert sum(deal.probability for deal in odds.joint) == 1
    assert odds.wagers["tie"].hit_rate == main.push_rate


@settings(max_examples=3, deadline=None)
@given(remaining=compositions)
def test_a_card_burned_unseen_changes_nothing(remaining: dict[str, int]) -> None:
    """The average over the next card, taken away, is the composition as it is."""
    odds = odds_under(remaining)
    cards = sum(remaining.values())
    average = dict.fromkeys(odds.wagers, Fraction(0))
    for rank, count in remaining.items():
        if count:
            fewer = odds_under({**remaining, rank: count - 1})
            for wager, less in fewer.wagers.items():
                average[wager] += Fraction(count, cards) * less.hit_rate
    assert average == {wager: whole.hit_rate for wager, whole in odds.wagers.items()}


def test_fewer_court_cards_make_fewer_jacks_and_one_of_each_no_pair() -> None:
    full = dict.fromkeys("23456789TJQKA", 32)
    fewer = odds_under({**full, "J": 10, "Q": 10, "K": 10, "A": 10})
    assert fewer.wagers["jacks"].hit_rate < odds_under().wagers["jacks"].hit_rate
    single = odds_under(dict.fromkeys("23456789TJQKA", 1))
    assert single.wagers["pair"].hit_rate == 0
    assert single.wagers["pair"].fair_odds is None
    assert single.wagers["tie"].hit_rate == 0
    only_kings = odds_under({"K": 6})
    assert only_kings.wagers["tie"].hit_rate == only_kings.wagers["jacks"].hit_rate == 1


def test_fewer_decks_make_fewer_pairs() -> None:
    rates = [odds_under(decks=decks).wagers["pair"].hit_rate for decks in range(1, 9)]
    assert rates == [Fraction(4 * decks - 1, 52 * decks - 1) for decks in range(1, 9)]


def test_identities_count_as_their_ranks() -> None:
    by_identity = {rank + suit: 8 for rank in "23456789TJQKA" for suit in "SHDC"}
    assert round_odds(load_ruleset(GAME, {}), by_identity) == odds_under()
    assert odds_under({**by_identity, "AS": 3}) == odds_under(
        {**dict.fromkeys("23456789TJQKA", 32), "A": 27}
    )


@pytest.mark.parametrize(
    ("remaining", "codes"),
    [
        ({"A": 5}, {"odds.too_few_cards"}),
        ({}, {"odds.too_few_cards"}),
        ({"A": 33}, {"odds.too_many_copies"}),
        ({"AS": 9}, {"odds.too_many_copies"}),
        ({"A": 30, "AS": 3}, {"odds.too_many_copies"}),
        ({"?": 3, "1": 4, "AX": 1, "": 2}, {"odds.unknown_card"}),
        ({"A": -1, "K": True, "Q": "3"}, {"odds.bad_count"}),
        (
            {"A": 40, "X": 2, "K": None},
            {"odds.too_many_copies", "odds.unknown_card", "odds.bad_count"},
        ),
    ],
)
def test_a_composition_that_cannot_be_names_every_fault(
    remaining: dict[str, Any], codes: set[str]
) -> None:
    with pytest.raises(OddsError) as refused:
        round_odds(load_ruleset(GAME, {}), remaining)
    assert refused.value.code == "odds.invalid"
    assert {fault["code"] for fault in refused.value.faults} == codes
