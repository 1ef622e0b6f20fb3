"""What stakes bring the bank: exact, as paid in coins, and a whole table's spread."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from tables.games import load_ruleset
from tables.games.odds import covariance_of_seats, round_odds, seat_covariance
from tables.games.odds_counting import OddsError, composition_of
from tables.games.odds_stakes import bank_result, table_result
from tests.games.odds_by_hand import (
    elective_answer,
    expected,
    fixed_answer,
    lines_of,
    net_of,
    poker_answer,
    probabilities,
    total_of,
)

STAKES = {"main": 333, "tie": 70, "pair": 45, "jacks": 101}
POKER_SMALL = {"A": 2, "K": 2, "J": 1, "9": 2, "8": 1}
LUCKY_SMALL = {"9": 3, "4": 2, "K": 2, "5": 1}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rounding": {"unit_minor": 100, "mode": "half_up"}},
        {"rounding": {"unit_minor": 25, "mode": "up"}, "max_payout_minor": {"jacks": 500}},
        {"side_on_tie": "push_unsettled", "tie_break": "high_card_only"},
    ],
)
def test_poker_lucky_9_as_the_engine_pays(options: dict[str, object]) -> None:
    priced = {"tie_odds": [77, 2], **options}
    ruleset = load_ruleset("poker-lucky-9", priced)

    def bank(ranks: str) -> object:
        return -net_of(lines_of(poker_answer(ranks, options=priced, stakes=STAKES)))

    result = bank_result(ruleset, round_odds(ruleset, POKER_SMALL), stakes=STAKES)
    chances = probabilities(POKER_SMALL, cards=6, key=bank)
    assert dict(result.chances) == chances
    assert [amount for amount, _ in result.chances] == sorted(dict(result.chances))
    mean = sum((amount * chance for amount, chance in result.chances), Fraction(0))
    square = sum((amount**2 * chance for amount, chance in result.chances), Fraction(0))
    assert result.paid == mean
    assert result.variance == square - mean**2


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"commission": [5, 100], "rounding": {"unit_minor": 10, "mode": "half_up"}},
        {
            "colon": {"odds": [5, 2], "nine_odds": [13, 4], "on_loss": "bonus_part"},
            "banker_colon_collects": "multiple",
            "rounding": {"unit_minor": 100, "mode": "up"},
        },
    ],
)
def test_the_fixed_draw_as_the_engine_pays(options: dict[str, object]) -> None:
    ruleset = load_ruleset("lucky-9", options)
    stakes = {"main": 333}

    def bank(ranks: str) -> object:
        return -net_of(lines_of(fixed_answer(ranks, options=options, stakes=stakes)))

    result = bank_result(ruleset, round_odds(ruleset, LUCKY_SMALL), stakes=stakes)
    assert dict(result.chances) == probabilities(LUCKY_SMALL, cards=6, key=bank)


def test_the_elective_draw_as_the_engine_pays() -> None:
    options = {"odds": [9, 10], "rounding": {"unit_minor": 10, "mode": "down"}}
    ruleset = load_ruleset("lucky-9-social", options)
    stakes = {"main": 333}

    def bank(ranks: str) -> int:
        found = elective_answer(
            ranks,
            options=options,
            seat_draws=lambda hand: total_of(hand) <= 5,
            bank_draws=lambda hand, _: total_of(hand) <= 5,
            stakes=stakes,
        )
        return -net_of(lines_of(found))

    result = bank_result(ruleset, round_odds(ruleset, LUCKY_SMALL), stakes=stakes)
    assert result.paid == expected(LUCKY_SMALL, cards=6, value=bank)
    assert result.kept == result.paid - result.exact > 0


def test_a_stake_that_divides_leaves_nothing_to_rounding() -> None:
    ruleset = load_ruleset("poker-lucky-9", {})
    odds = round_odds(ruleset)
    stakes = {"main": 10000, "pair": 1000}
    result = bank_result(ruleset, odds, stakes=stakes)
    main, pair = (odds.wagers[wager].house_edge for wager in ("main", "pair"))
    assert main is not None
    assert pair is not None
    assert result.exact == result.paid == 10000 * main + 1000 * pair
    odd = bank_result(ruleset, odds, stakes={"main": 10001})
    won = odds.wagers["main"]
    cut = Fraction(95, 100) * won.probability("win", "lucky9")
    cut += Fraction(1, 2) * won.probability("win", "trio")
    assert odd.kept == cut, "95 hundredths and a half of a coin are cut where they arise"


def test_a_table_of_two_seats_over_every_deal() -> None:
    remaining = {"A": 3, "K": 3, "9": 3}
    ruleset = load_ruleset("poker-lucky-9", {})
    seats: list[Mapping[str, int]] = [{"main": 200, "jacks": 100}, {"main": 100, "pair": 300}]
    odds = round_odds(ruleset, remaining)
    between = covariance_of_seats(
        ruleset, composition=composition_of(remaining, decks=8), policy=None
    )
    table = table_result(ruleset, odds, between=between, seats=seats)

    def bank(ranks: str) -> object:
        first = poker_answer(ranks, options={}, stakes=seats[0], seats=2)
        second = poker_answer(ranks, options={}, stakes=seats[1], seats=2)
        return -net_of(lines_of(first, seat=1)) - net_of(lines_of(second, seat=2))

    chances = probabilities(remaining, cards=9, key=bank)
    mean = square = Fraction(0)
    for amount, chance in chances.items():
        assert isinstance(amount, int)
        mean += amount * chance
        square += amount**2 * chance
    assert table.expected == mean
    assert table.variance == square - mean**2


def test_five_seats_swing_more_than_five_tables() -> None:
    """All seats meet one House hand, so a full table's variance is far above five seats apart."""
    ruleset = load_ruleset("poker-lucky-9", {})
    odds = round_odds(ruleset)
    seats = [{"main": 100}] * 5
    table = table_result(ruleset, odds, between=seat_covariance(ruleset), seats=seats)
    alone = table_result(ruleset, odds, between={}, seats=seats[:1])
    assert table.expected == 5 * alone.expected
    assert table.variance > 11 * alone.variance


@pytest.mark.parametrize(
    ("game", "options", "stakes", "codes"),
    [
        ("poker-lucky-9", {}, {"main": 100, "tie": 5, "colour": 3}, "refused_wager unknown_wager"),
        ("poker-lucky-9", {}, {"pair": 100}, "refused_wager"),
        ("poker-lucky-9", {}, {"main": 0, "jacks": True, "pair": "1"}, "bad_stake"),
        ("poker-lucky-9", {}, {"main": 2**53}, "bad_stake"),
        (
            "poker-lucky-9",
            {"side_requires_main": False, "side_on_tie": "push_unsettled"},
            {"jacks": 100},
            "no_hand",
        ),
        ("lucky-9", {}, {"pair": 100}, "unknown_wager"),
    ],
)
def test_stakes_that_the_rules_refuse(
    game: str, options: dict[str, object], stakes: dict[str, int], codes: str
) -> None:
    ruleset = load_ruleset(game, options)
    with pytest.raises(OddsError) as refused:
        bank_result(ruleset, round_odds(ruleset), stakes=stakes)
    found = {str(fault["code"]).removeprefix("odds.") for fault in refused.value.faults}
    assert found == set(codes.split())


def test_side_wagers_alone_where_the_rules_allow_them() -> None:
    ruleset = load_ruleset("poker-lucky-9", {"side_requires_main": False})
    result = bank_result(ruleset, round_odds(ruleset), stakes={"jacks": 100})
    assert result.exact == 100 * Fraction(20793, 124085)
