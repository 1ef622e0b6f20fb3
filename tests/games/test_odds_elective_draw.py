"""Odds of home Lucky 9: stated policies, best draws, and draws that neither side can better."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.games import load_ruleset
from tables.games.cards import RANKS
from tables.games.odds import best_bank_policy, best_policies, best_seat_policy, round_odds
from tables.games.odds_best_draw import policy_value
from tables.games.odds_counting import TWO_CARDS, Hand, OddsError, composition_of
from tables.games.odds_draw_solution import solve_matrix
from tables.games.odds_draw_values import draw_values
from tables.games.odds_elective_draw import DrawPolicy, draw_on, draw_policy, name_draws
from tests.games.odds_by_hand import (
    POINTS,
    elective_answer,
    expected,
    lines_of,
    net_of,
    orders,
    probabilities,
    total_of,
)

GAME = "lucky-9-social"
SMALL = {"9": 2, "4": 2, "K": 2, "2": 2}
TINY = {"A": 2, "3": 2, "6": 2, "K": 1}
POLICIES = [
    draw_policy(),
    draw_policy(seat=[0, 1, 2, 3, 4, 8], bank=range(4)),
    draw_policy(seat=[], bank=range(9)),
    draw_policy(seat=range(6), bank=range(5), bank_after_stand=range(7)),
]


def draws_in(hands: Iterable[Hand], ranks: str) -> bool:
    return tuple(sorted(RANKS.index(rank) for rank in ranks)) in set(hands)


def gain_under(policy: DrawPolicy, ranks: str) -> int:
    found = elective_answer(
        ranks,
        seat_draws=lambda hand: draws_in(policy.seat, hand),
        bank_draws=lambda hand, drew: draws_in(
            policy.bank_after_draw if drew else policy.bank_after_stand, hand
        ),
        stakes={"main": 1},
    )
    return net_of(lines_of(found))


@pytest.mark.parametrize("policy", POLICIES)
def test_every_deal_of_a_small_pack_settled_by_the_engine(policy: DrawPolicy) -> None:
    main = round_odds(load_ruleset(GAME, {}), SMALL, policy=policy).wagers["main"]
    by_hand = probabilities(SMALL, cards=6, key=lambda ranks: gain_under(policy, ranks))
    assert {row.profit: row.probability for row in main.outcomes} == by_hand


def test_one_pack_under_the_default_policy() -> None:
    """Both sides draw on 0 to 5: they are alike, whoever decides first."""
    odds = round_odds(load_ruleset(GAME, {}))
    main = odds.wagers["main"]
    assert main.hit_rate == main.probability("lose") == Fraction(102952987, 229033350)
    assert main.push_rate == Fraction(11563688, 114516675)
    assert main.house_edge == 0
    assert odds.policy == {"seat": "draw on 0-5", "bank": "draw on 0-5"}


def test_one_pack_walked_card_by_card() -> None:
    """The same by drawing four cards rank by rank and the two thirds by their points."""
    counts = {1: 0, 0: 0, -1: 0}
    whole = dict.fromkeys(POINTS, 4)
    for first, ways in orders(whole, cards=4):
        own, bank = total_of(first[::2]), total_of(first[1::2])
        left = [0] * 10
        for rank in POINTS:
            left[POINTS[rank]] += 4 - first.count(rank)
        sure = 9 in (own, bank)
        for third, one in enumerate(left):
            for fourth, other in enumerate(left):
                mine = own if sure or own > 5 else (own + third) % 10
                theirs = bank if sure or bank > 5 else (bank + fourth) % 10
                deals = ways * one * (other - (third == fourth))
                counts[(mine > theirs) - (mine < theirs)] += deals
    main = round_odds(load_ruleset(GAME, {})).wagers["main"]
    assert main.hit_rate == Fraction(counts[1], sum(counts.values()))
    assert main.push_rate == Fraction(counts[0], sum(counts.values()))


def subsets(hands: Sequence[Hand]) -> Iterable[frozenset[Hand]]:
    sizes = (combinations(hands, size) for size in range(len(hands) + 1))
    return map(frozenset, chain.from_iterable(sizes))


def dealt_hands(remaining: dict[str, int]) -> list[Hand]:
    """First hands that can be dealt and are no natural."""
    whole = [remaining.get(rank, 0) for rank in RANKS]
    return [
        hand
        for hand in TWO_CARDS
        if all(hand.count(rank) <= whole[rank] for rank in hand)
        and total_of("".join(RANKS[rank] for rank in hand)) != 9
    ]


def test_no_other_draws_of_the_seat_are_better() -> None:
    """Against every one of the policies that a seat can have with few first hands."""
    ruleset = load_ruleset(GAME, {"odds": [3, 2]})
    best = best_seat_policy(ruleset, TINY, policy=draw_policy(bank=range(5)))
    values = draw_values(composition_of(TINY, decks=1), odds=(3, 2))
    bank = draw_on(range(5))
    others = [
        policy_value(values, policy=DrawPolicy(seat, bank, bank))
        for seat in subsets(dealt_hands(TINY))
    ]
    assert best.seat_expects == max(others)
    assert best.seat_expects > min(others)
    odds = round_odds(ruleset, TINY, policy=best.policy)
    assert odds.wagers["main"].expected == best.seat_expects


@pytest.mark.parametrize("heeds_seat", [True, False])
def test_no_other_draws_of_the_bank_are_better(heeds_seat: bool) -> None:
    ruleset = load_ruleset(GAME, {})
    best = best_bank_policy(ruleset, TINY, heeds_seat=heeds_seat)
    values = draw_values(composition_of(TINY, decks=1), odds=(1, 1))
    seat, stand = draw_policy().seat, best.policy.bank_after_stand
    others = [
        policy_value(values, policy=DrawPolicy(seat, bank, stand if heeds_seat else bank))
        for bank in subsets(dealt_hands(TINY))
    ]
    assert best.seat_expects == min(others)
    assert best.policy.bank_sees <= heeds_seat


def test_policy_value_is_what_the_engine_pays() -> None:
    values = draw_values(composition_of(SMALL, decks=1), odds=(1, 1))
    for policy in POLICIES:
        by_hand = expected(SMALL, cards=6, value=partial(gain_under, policy))
        assert policy_value(values, policy=policy) == by_hand


def test_best_draws_of_one_pack() -> None:
    """Drawing on 0 to 5 is best for either side where it cannot see; a bank that sees gains."""
    ruleset = load_ruleset(GAME, {})
    seat = best_seat_policy(ruleset)
    assert name_draws(seat.policy.seat) == "draw on 0-5"
    assert seat.seat_expects == 0
    bank = best_bank_policy(ruleset)
    assert bank.policy.describe()["bank"] == "draw on 0-5"
    seeing = best_bank_policy(ruleset, heeds_seat=True)
    assert seeing.policy.describe() == {
        "seat": "draw on 0-5",
        "bank after a draw": "draw on 0-4",
        "bank after a stand": "draw on 0-6",
    }
    assert seeing.seat_expects < 0
    odds = round_odds(ruleset, policy=seeing.policy)
    assert odds.wagers["main"].expected == seeing.seat_expects


def test_draws_of_one_pack_that_neither_can_better() -> None:
    ruleset = load_ruleset(GAME, {})
    blind = best_policies(ruleset)
    assert blind.seat_expects == 0
    assert set(blind.seat.values()) == {1}
    assert name_draws(blind.seat) == name_draws(blind.bank_after_draw) == "draw on 0-5"
    seeing = best_policies(ruleset, heeds_seat=True)
    assert seeing.seat_expects == Fraction(-1163927, 134725500)
    best = best_bank_policy(ruleset, heeds_seat=True)
    assert best.seat_expects < seeing.seat_expects, "mixing costs the seat less than always 0 to 5"


@pytest.mark.parametrize("heeds_seat", [True, False])
def test_neither_side_can_better_the_solution(heeds_seat: bool) -> None:
    """Each choice of each hand is weighed anew from the deals, the other side mixing."""
    solution = best_policies(load_ruleset(GAME, {}), TINY, heeds_seat=heeds_seat)
    seat_worth: dict[tuple[str, bool], Fraction] = {}
    bank_worth: dict[tuple[str, bool, bool], Fraction] = {}
    settled = Fraction(0)
    for ranks, ways in orders(TINY, cards=6):
        mine, theirs = "".join(sorted(ranks[:4:2])), "".join(sorted(ranks[1:4:2]))
        if 9 in (total_of(mine), total_of(theirs)):
            settled += ways * ((total_of(mine) == 9) - (total_of(theirs) == 9))
            continue
        for drew in (True, False):
            for draws in (True, False):
                own = total_of(mine + ranks[4] * drew)
                bank = total_of(theirs + ranks[5] * draws)
                gain = ways * ((own > bank) - (own < bank))
                bank_share = chance_of(
                    solution.bank_after_draw if drew else solution.bank_after_stand, theirs
                )
                seat_share = chance_of(solution.seat, mine)
                seat_worth[mine, drew] = seat_worth.get((mine, drew), Fraction(0)) + gain * (
                    bank_share if draws else 1 - bank_share
                )
                heard = drew if heeds_seat else False
                key = (theirs, heard, draws)
                bank_worth[key] = bank_worth.get(key, Fraction(0)) + gain * (
                    seat_share if drew else 1 - seat_share
                )
    deals = sum(ways for _, ways in orders(TINY, cards=6))
    most = settled + sum(
        max(seat_worth[hand, True], seat_worth[hand, False]) for hand, drew in seat_worth if drew
    )
    least = settled + sum(
        min(bank_worth[hand, heard, True], bank_worth[hand, heard, False])
        for hand, heard, draws in bank_worth
        if draws
    )
    assert most == least == solution.seat_expects * deals


def chance_of(shares: object, ranks: str) -> Fraction:
    assert isinstance(shares, dict)
    share = shares.get(tuple(sorted(RANKS.index(rank) for rank in ranks)), Fraction(0))
    assert isinstance(share, Fraction)
    return share


def test_small_games_with_known_values() -> None:
    rows, columns, value = solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert list(rows) == list(columns) == [Fraction(1, 3)] * 3
    assert value == 0
    assert solve_matrix([[3, 5], [1, 7]])[2] == 3, "a saddle needs no mixing"
    rows, columns, value = solve_matrix([[2, -1], [-1, 1]])
    assert (rows[0], columns[0], value) == (Fraction(2, 5), Fraction(2, 5), Fraction(1, 5))


matrices = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-9, 9), min_size=width, max_size=width), min_size=1, max_size=5
    )
)


@settings(max_examples=100, deadline=None)
@given(matrix=matrices)
def test_no_row_or_column_betters_the_value(matrix: list[list[int]]) -> None:
    rows, columns, value = solve_matrix(matrix)
    assert sum(rows) == sum(columns) == 1
    assert min(*rows, *columns, Fraction(0)) == 0
    for row in matrix:
        assert sum(share * entry for share, entry in zip(columns, row)) <= value
    for column in zip(*matrix):
        assert sum(share * entry for share, entry in zip(rows, column)) >= value


def test_policies_are_named_by_their_totals() -> None:
    assert name_draws([]) == "stand on all"
    assert name_draws(draw_on([0, 1, 2, 4, 8])) == "draw on 0-2, 4, 8"
    assert name_draws(draw_on([0]) | {(3, 11)}) == "draw on 0, 5 with K-5"


@pytest.mark.parametrize("totals", [[9], [-1], [0, 12]])
def test_a_natural_nine_never_draws(totals: list[int]) -> None:
    with pytest.raises(OddsError) as refused:
        draw_policy(seat=totals)
    assert [fault["code"] for fault in refused.value.faults] == ["odds.bad_policy"]


def test_a_policy_names_first_hands() -> None:
    wrong: list[Hand] = [(0, 5), (1,), (3, 2)]  # a natural nine, one card, the higher rank first
    for hand in wrong:
        with pytest.raises(OddsError):
            DrawPolicy(frozenset({hand}), frozenset(), frozenset())


@pytest.mark.parametrize("game", ["poker-lucky-9", "lucky-9"])
def test_only_an_elective_game_has_best_draws(game: str) -> None:
    with pytest.raises(OddsError) as refused:
        best_seat_policy(load_ruleset(game, {}))
    assert [fault["code"] for fault in refused.value.faults] == ["odds.not_elective"]
