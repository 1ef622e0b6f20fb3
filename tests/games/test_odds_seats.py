"""Two seats: covariance by walking every deal of small shoes, and fractions of the full one."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
import pytest

from tables.games import load_ruleset
from tables.games.odds import covariance_of_seats, round_odds, seat_covariance
from tables.games.odds_counting import (
    HANDS,
    OddsError,
    composition_of,
    deals_of,
    falling,
    full_composition,
    orders_of,
)
from tables.games.odds_elective_draw import draw_policy
from tables.games.odds_poker import compared
from tables.games.poker_options import poker_rules
from tests.games.odds_by_hand import (
    elective_answer,
    fixed_answer,
    lines_of,
    net_of,
    poker_answer,
    probabilities,
    total_of,
)

STAKES = {"main": 100, "tie": 100, "pair": 100, "jacks": 100}
Gains = Callable[[str], object]
MAIN_MAIN = Fraction(12655520169852685026955925506, 39695031633538368734267179125)


def covariance_by_hand(
    remaining: Mapping[str, int], *, gains: Gains, kinds: list[str]
) -> dict[tuple[str, str], Fraction]:
    """Average the products over all deals of nine cards; `gains` are seat 1's, then seat 2's."""
    chances = probabilities(remaining, cards=9, key=gains)
    found = {}
    for one, first in enumerate(kinds):
        for other, second in enumerate(kinds):
            product = mean = second_mean = Fraction(0)
            for both, chance in chances.items():
                assert isinstance(both, tuple)
                mine, theirs = both[one], both[len(kinds) + other]
                product += mine * theirs * chance
                mean += mine * chance
                second_mean += theirs * chance
            found[first, second] = (product - mean * second_mean) / 10000
    return found


@pytest.mark.parametrize(
    "options", [{}, {"side_on_tie": "push_unsettled", "tie_break": "high_card_only"}]
)
def test_two_seats_of_poker_lucky_9_over_every_deal(options: dict[str, object]) -> None:
    priced = {"tie_odds": [100, 1], **options}
    remaining = {"A": 3, "K": 3, "9": 3}

    def gains(ranks: str) -> object:
        found = poker_answer(ranks, options=priced, stakes=STAKES, seats=2)
        lines = [line for seat in (1, 2) for line in lines_of(found, seat=seat)]
        return tuple(net_of([line]) for line in lines)

    counted = covariance_of_seats(
        load_ruleset("poker-lucky-9", priced),
        composition=composition_of(remaining, decks=8),
        policy=None,
    )
    assert counted == covariance_by_hand(remaining, gains=gains, kinds=list(STAKES))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"banker_natural_stops_draws": False, "natural_priority": "total_only"},
        {"banker_colon_collects": "multiple", "forced_draw": "to_7"},
    ],
)
def test_two_seats_of_the_fixed_draw_over_every_deal(options: dict[str, object]) -> None:
    remaining = {"9": 2, "4": 3, "K": 3, "5": 1}

    def gains(ranks: str) -> object:
        found = fixed_answer(ranks, options=options, stakes={"main": 100}, seats=2)
        return tuple(net_of(lines_of(found, seat=seat)) for seat in (1, 2))

    counted = covariance_of_seats(
        load_ruleset("lucky-9", options),
        composition=composition_of(remaining, decks=1),
        policy=None,
    )
    assert counted == covariance_by_hand(remaining, gains=gains, kinds=["main"])


def test_two_seats_of_the_elective_draw_over_every_deal() -> None:
    remaining = {"9": 2, "4": 3, "K": 2, "2": 2}

    def gains(ranks: str) -> object:
        found = elective_answer(
            ranks,
            seat_draws=lambda hand: total_of(hand) <= 4,
            bank_draws=lambda hand, _: total_of(hand) <= 6,
            stakes={"main": 100},
            seats=2,
        )
        return tuple(net_of(lines_of(found, seat=seat)) for seat in (1, 2))

    counted = covariance_of_seats(
        load_ruleset("lucky-9-social", {}),
        composition=composition_of(remaining, decks=1),
        policy=draw_policy(seat=range(5), bank=range(7)),
    )
    assert counted == covariance_by_hand(remaining, gains=gains, kinds=["main"])


def test_full_shoe_of_poker_lucky_9() -> None:
    ruleset = load_ruleset("poker-lucky-9", {})
    between = seat_covariance(ruleset)
    odds = round_odds(ruleset)
    assert set(between) == {
        (one, other) for one in ("main", "pair", "jacks") for other in ("main", "pair", "jacks")
    }
    assert all(value == between[other, one] for (one, other), value in between.items())
    assert between["jacks", "jacks"] == odds.covariance["jacks", "jacks"], "one House hand"
    assert between["main", "jacks"] == odds.covariance["main", "jacks"], "met by either seat"
    assert between["jacks", "pair"] == odds.covariance["jacks", "pair"]
    assert between["pair", "pair"] == pairs_at_two_seats()
    assert between["main", "main"] == MAIN_MAIN
    assert round(between["main", "main"], 4) == Fraction(3188, 10000)


def pairs_at_two_seats() -> Fraction:
    """Both pairs of one rank, or of two, among 416 cards; 11 a win counts above a loss."""
    one_rank = 13 * falling(32, 4)
    two_ranks = 13 * 12 * falling(32, 2) ** 2
    both = Fraction(one_rank + two_ranks, falling(416, 4))
    return 11 * 11 * (both - Fraction(31, 415) ** 2)


def test_seats_of_the_other_games_as_fractions() -> None:
    fixed = seat_covariance(load_ruleset("lucky-9", {}))
    assert fixed == {("main", "main"): Fraction(2329812047378156171, 6635718839646146250)}
    elective = seat_covariance(load_ruleset("lucky-9-social", {}))
    assert elective == {("main", "main"): Fraction(7813498177, 23704951725)}


def test_a_bank_that_heeds_a_seat_has_no_covariance_of_two() -> None:
    policy = draw_policy(bank=range(5), bank_after_stand=range(7))
    with pytest.raises(OddsError) as refused:
        seat_covariance(load_ruleset("lucky-9-social", {}), policy=policy)
    assert [fault["code"] for fault in refused.value.faults] == ["odds.bad_policy"]


@pytest.mark.long
def test_main_wagers_of_two_seats_summed_hand_by_hand() -> None:
    """All 455 x 455 x 455 hands of two seats and the House, in floating point."""
    ruleset = load_ruleset("poker-lucky-9", {})
    copies = np.array([[hand.count(rank) for hand in HANDS] for rank in range(13)])
    draws = np.array([[float(falling(count, k)) for k in range(7)] for count in range(33)])
    signs = np.array(compared(poker_rules(ruleset).order), dtype=np.int8)
    price = np.array([{1: 1.5, 2: 1.0, 3: 0.95}[len(set(hand))] for hand in HANDS])
    of_orders = np.array([float(orders_of(hand)) for hand in HANDS])
    total = 0.0
    for house, hand in enumerate(HANDS):
        profit = np.where(signs[:, house] > 0, price, signs[:, house]) * of_orders
        ways = np.ones((len(HANDS), len(HANDS)))
        for rank in range(13):
            held = copies[rank][:, None] + copies[rank][None, :]
            ways *= draws[32 - hand.count(rank)][held]
        deals = orders_of(hand) * deals_of(full_composition(8), hand)
        total += float(profit @ ways @ profit) * deals / falling(416, 9)
    expected = round_odds(ruleset).wagers["main"].expected
    assert expected is not None
    assert total - float(expected) ** 2 == pytest.approx(float(MAIN_MAIN), abs=1e-12)
