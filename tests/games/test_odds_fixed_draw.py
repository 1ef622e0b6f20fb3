"""Odds of Lucky 9 with the fixed draw: fractions of full packs, every deal of small ones."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.games import load_ruleset
from tables.games.odds import round_odds
from tables.games.odds_counting import OddsError
from tables.games.odds_document import decimal_text
from tables.games.odds_elective_draw import draw_policy
from tables.games.odds_results import RoundOdds
from tests.games.odds_by_hand import POINTS, fixed_answer, lines_of, net_of, probabilities

GAME = "lucky-9"
COLON = {"enabled": True, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "none"}
# Naturals of both kinds, Colons, Colon Nines, hands that draw, and thirds that make 8 and 9.
SMALL = {"9": 3, "4": 2, "K": 2, "5": 1}
SUPER = {"8": 1, "A": 3, "2": 2, "T": 1, "Q": 1}


def odds_under(remaining: dict[str, int] | None = None, **options: object) -> RoundOdds:
    return round_odds(load_ruleset(GAME, options), remaining)


def walk_the_pack(decks: int, *, draws_to: int) -> dict[str, Fraction]:
    """Draw card after card from whole packs: win by kind, push, lose; naturals above all drawn.

    For the default reading; a punter draws also against a natural, which changes no result.
    """
    whole = dict.fromkeys(POINTS, 4 * decks)
    firsts = list(combinations_with_replacement(POINTS, 2))
    counts = dict.fromkeys(("even", "colon", "colon_nine", "push", "lose"), 0)
    for mine in firsts:
        for theirs in firsts:
            left, ways = dict(whole), 1
            for rank in (*mine, *theirs):
                ways *= left[rank]
                left[rank] -= 1
            ways *= (1 + (mine[0] != mine[1])) * (1 + (theirs[0] != theirs[1]))
            for result, share in _results(mine, theirs, left, draws_to=draws_to).items():
                won = (
                    ("colon_nine" if mine[0] == "9" else "colon") if mine[0] == mine[1] else "even"
                )
                counts[won if result == "win" else result] += ways * share
    deals = sum(counts.values())
    return {ending: Fraction(ways, deals) for ending, ways in counts.items()}


def _results(
    mine: tuple[str, ...], theirs: tuple[str, ...], left: Mapping[str, int], *, draws_to: int
) -> dict[str, int]:
    """Share out the two third cards, drawn or not."""
    own, bank = (sum(POINTS[rank] for rank in hand) % 10 for hand in (mine, theirs))
    by_points: dict[int, int] = {}
    for rank, count in left.items():
        by_points[POINTS[rank]] = by_points.get(POINTS[rank], 0) + count
    shares = dict.fromkeys(("win", "push", "lose"), 0)
    for third, ways in by_points.items():
        for fourth, count in by_points.items():
            own_end = (own + third) % 10 if own <= draws_to else own
            bank_end = (bank + fourth) % 10 if bank <= draws_to else bank
            mine_rank = (own >= 8, own_end)
            their_rank = (bank >= 8, bank_end)
            result = "push" if mine_rank == their_rank else "lose"
            if mine_rank > their_rank:
                result = "win"
            shares[result] += ways * (count - (third == fourth))
    return shares


@pytest.mark.parametrize(("decks", "forced", "draws_to"), [(1, "off", 5), (8, "to_7", 7)])
def test_full_packs_card_by_card(decks: int, forced: str, draws_to: int) -> None:
    main = odds_under(decks=decks, forced_draw=forced).wagers["main"]
    found = {
        "even": main.probability("win", "even"),
        "colon": main.probability("win", "colon"),
        "colon_nine": main.probability("win", "colon_nine"),
        "push": main.push_rate,
        "lose": main.probability("lose"),
    }
    assert found == walk_the_pack(decks, draws_to=draws_to)


def test_default_as_fractions() -> None:
    """One pack: the Colon pays 2.73% to the punter, who is otherwise even with the banker."""
    main = odds_under().wagers["main"]
    assert main.probability("win", "even") == Fraction(19713179, 45806670)
    assert main.probability("win", "colon") == Fraction(756656, 38172225)
    assert main.probability("win", "colon_nine") == Fraction(202, 54145)
    assert main.push_rate == Fraction(10556384, 114516675)
    assert main.hit_rate == main.probability("lose") == Fraction(103960291, 229033350)
    assert main.house_edge == Fraction(-1041476, 38172225)
    assert decimal_text(main.house_edge * 100, places=2) == "-2.73"
    bonus = main.probability("win", "colon") + 2 * main.probability("win", "colon_nine")
    assert main.house_edge == -bonus


def test_straight_game_is_even() -> None:
    main = odds_under(colon={"enabled": False}).wagers["main"]
    assert main.house_edge == 0
    assert [row.ending.price for row in main.outcomes] == ["even", "", ""]


def test_naturals_meet_drawn_hands_in_one_round_of_seventy() -> None:
    """B3: a natural is caught up with, or passed, by a drawn hand in about 1.35% of seat-rounds."""
    above = odds_under().wagers["main"]
    totals = odds_under(natural_priority="total_only").wagers["main"]
    assert decimal_text((above.hit_rate - totals.hit_rate) * 100, places=2) == "1.35"


def test_commission_comes_off_every_win() -> None:
    main = odds_under(commission=[5, 100]).wagers["main"]
    free = odds_under().wagers["main"]
    won = sum(
        (row.probability * row.profit for row in free.outcomes if row.profit and row.profit > 0),
        Fraction(0),
    )
    assert main.expected == (free.expected or 0) - won * Fraction(5, 100)


def test_what_the_banker_takes_evens_what_it_pays() -> None:
    """With a banker's Colon at the same multiple, both sides are alike again (B13)."""
    assert odds_under(banker_colon_collects="multiple").wagers["main"].house_edge == 0


@pytest.mark.parametrize("forced", ["off", "to_7", "all"])
@pytest.mark.parametrize("priority", ["outranks_drawn", "nine_only", "total_only"])
@pytest.mark.parametrize("stops", [True, False])
def test_sides_are_alike_unless_a_natural_stops_the_punter(
    forced: str, priority: str, stops: bool
) -> None:
    main = odds_under(
        forced_draw=forced,
        natural_priority=priority,
        banker_natural_stops_draws=stops,
        colon={"enabled": False},
    ).wagers["main"]
    alike = not stops or forced == "all" or priority == "outranks_drawn"
    assert (main.house_edge == 0) == alike
    assert main.house_edge is not None
    assert main.house_edge >= 0


OPTION_SETS: list[dict[str, object]] = [
    {},
    {"colon": {**COLON, "enabled": False}},
    {"colon": {**COLON, "on_loss": "bonus_part"}},
    {"colon": {**COLON, "on_loss": "bonus_part"}, "banker_colon_collects": "multiple"},
    {"banker_colon_collects": "multiple", "commission": [5, 100]},
    {"natural_priority": "nine_only"},
    {"natural_priority": "total_only"},
    {"natural_priority": "total_only", "banker_natural_stops_draws": False},
    {"natural_priority": "nine_only", "banker_natural_stops_draws": False},
    {"forced_draw": "to_7"},
    {"forced_draw": "all", "natural_priority": "nine_only"},
    {"colon": {**COLON, "odds": [3, 2], "nine_odds": [1, 1], "on_loss": "bonus_part"}},
]


@pytest.mark.parametrize("options", OPTION_SETS)
@pytest.mark.parametrize("remaining", [SMALL, SUPER])
def test_every_deal_of_a_small_pack_settled_by_the_engine(
    options: dict[str, object], remaining: dict[str, int]
) -> None:
    """What a seat gains from a stake of 200, Colons' lines and extras included."""

    def gain(ranks: str) -> object:
        found = fixed_answer(ranks, options=options, stakes={"main": 200})
        return net_of(lines_of(found))

    main = odds_under(remaining, **options).wagers["main"]
    counted: dict[object, Fraction] = {}
    for row in main.outcomes:
        assert row.profit is not None
        paid = row.profit * 200
        counted[paid] = counted.get(paid, Fraction(0)) + row.probability
    assert counted == probabilities(remaining, cards=6, key=gain)


compositions = st.fixed_dictionaries({rank: st.integers(0, 8) for rank in "23456789TJQKA"}).filter(
    lambda remaining: sum(remaining.values()) >= 7
)


@settings(max_examples=2, deadline=None)
@given(remaining=compositions, forced=st.sampled_from(["off", "to_7", "all"]))
def test_a_card_burned_unseen_changes_nothing(remaining: dict[str, int], forced: str) -> None:
    main = odds_under(remaining, decks=2, forced_draw=forced).wagers["main"]
    cards = sum(remaining.values())
    average = Fraction(0)
    for rank, count in remaining.items():
        if count:
            fewer = {**remaining, rank: count - 1}
            one = odds_under(fewer, decks=2, forced_draw=forced).wagers["main"].expected
            average += Fraction(count, cards) * (one or 0)
    assert average == main.expected


def test_a_policy_has_no_place_where_the_rule_draws() -> None:
    with pytest.raises(OddsError) as refused:
        round_odds(load_ruleset(GAME, {}), policy=draw_policy())
    assert [fault["code"] for fault in refused.value.faults] == ["odds.not_elective"]
