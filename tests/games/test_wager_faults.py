"""What is wrong with the wagers of a table: every fault at once."""

import pytest

from casino.kernel.jsonio import FloatLiteral
from tables.games import Ruleset, load_limits, owes_beyond_stake, wager_faults
from tables.games.registry import game_of
from tables.games.values import STAKE_MAX, TABLE_MONEY_MAX
from tests.games.rounds import FIXED, POKER, SOCIAL, ruleset

NO_LIMITS = load_limits(POKER, {})
HOUSE_LIMITS = load_limits(
    POKER,
    {
        "min": {"main": 10000, "pair": 1000},
        "max": {"main": 500000, "jacks": 50000},
        "step": {"main": 2000},
        "aggregate": {"jacks": 1_100_000, "tie": 100_000},
    },
)


def codes(
    wagers: object, *, rules: Ruleset | None = None, limits: object = NO_LIMITS
) -> list[tuple[str, str]]:
    faults = wager_faults(rules or ruleset(), limits, wagers)  # type: ignore[arg-type]  # bad input is the point
    assert all(fault.detail.startswith("expected") for fault in faults)
    return [(fault.code, fault.where) for fault in faults]


def test_sound_wagers_have_no_fault() -> None:
    wagers = {1: {"main": 10000, "pair": 1000, "jacks": 500}, 5: {"main": 500000}}

    assert codes(wagers, limits=HOUSE_LIMITS) == []
    assert codes({}) == []


@pytest.mark.parametrize(
    "stake", [0, -1, 2**53, True, "100", None, 1.5, FloatLiteral("1e4"), [100]]
)
def test_a_stake_is_whole_minor_units(stake: object) -> None:
    assert codes({1: {"main": stake}}) == [("wager.stake", "seats.1.main")]


@pytest.mark.parametrize("seat", [0, 6, -1, True, "1"])
def test_seat_unknown(seat: object) -> None:
    assert [code for code, _ in codes({seat: {"main": 5}})] == ["seat.unknown"]


def test_lucky_9_has_eight_seats() -> None:
    limits = load_limits(FIXED, {})

    assert codes({8: {"main": 5}}, rules=ruleset(FIXED), limits=limits) == []
    assert codes({9: {"main": 5}}, rules=ruleset(FIXED), limits=limits) == [
        ("seat.unknown", "seats.9")
    ]


def test_unknown_kind() -> None:
    assert codes({1: {"main": 5, "straight": 5}}) == [("wager.unknown_kind", "seats.1.straight")]
    assert codes({1: {"pair": 5}}, rules=ruleset(SOCIAL), limits=load_limits(SOCIAL, {})) == [
        ("wager.unknown_kind", "seats.1.pair")
    ]


def test_closed_tie_and_side_wagers_without_main() -> None:
    assert codes({1: {"main": 5, "tie": 5}}) == [("wager.closed", "seats.1.tie")]
    assert codes({1: {"pair": 5, "jacks": 5}}) == [
        ("wager.needs_main", "seats.1.pair"),
        ("wager.needs_main", "seats.1.jacks"),
    ]
    open_rules = ruleset(side_requires_main=False, tie_odds=[8, 1])
    assert codes({1: {"pair": 5, "jacks": 5, "tie": 5}}, rules=open_rules) == []


def test_limits_of_each_wager() -> None:
    assert codes({1: {"main": 9000}}, limits=HOUSE_LIMITS) == [
        ("wager.below_min", "seats.1.main"),
        ("wager.off_step", "seats.1.main"),
    ]
    assert codes({1: {"main": 502000}}, limits=HOUSE_LIMITS) == [
        ("wager.above_max", "seats.1.main")
    ]
    assert codes({1: {"main": 11000}}, limits=HOUSE_LIMITS) == [("wager.off_step", "seats.1.main")]


def test_a_limit_fault_says_the_limits() -> None:
    [fault] = wager_faults(ruleset(), HOUSE_LIMITS, {2: {"main": 502000}})

    assert fault.detail == "expected at most 500000, not 502000"
    assert fault.data == {
        "seat": 2,
        "wager": "main",
        "stake_minor": 502000,
        "min": 10000,
        "max": 500000,
        "step": 2000,
    }


def test_the_aggregate_is_the_worst_case_of_the_whole_table() -> None:
    wagers = {seat: {"main": 10000, "jacks": 50000} for seat in (1, 2)}
    assert codes(wagers, limits=HOUSE_LIMITS) == []

    wagers[3] = {"main": 10000, "jacks": 1}
    assert codes(wagers, limits=HOUSE_LIMITS) == [("wager.over_aggregate", "table.jacks")]
    capped = ruleset(max_payout_minor={"jacks": 300_000})
    assert codes(wagers, rules=capped, limits=HOUSE_LIMITS) == []


def test_all_faults_of_the_table_come_at_once() -> None:
    wagers = {
        1: {"main": 0, "tie": 5},
        7: {"main": 5},
        2: {"pair": 500, "poker": 1},
        3: {"main": 600_000},
    }

    assert codes(wagers, limits=HOUSE_LIMITS) == [
        ("wager.stake", "seats.1.main"),
        ("wager.closed", "seats.1.tie"),
        ("seat.unknown", "seats.7"),
        ("wager.needs_main", "seats.2.pair"),
        ("wager.unknown_kind", "seats.2.poker"),
        ("wager.above_max", "seats.3.main"),
    ]


def test_bets_beyond_cover_are_refused_in_reverse_order_of_placing() -> None:
    rules = ruleset(FIXED)
    limits = load_limits(FIXED, {"bank_cover_minor": 1000})
    wagers = {5: {"main": 100}, 2: {"main": 200}, 7: {"main": 30}, 1: {"main": 300}}

    assert codes(wagers, rules=rules, limits=limits) == [("wager.over_cover", "seats.1.main")]
    assert codes({**wagers, 2: {"main": 400}}, rules=rules, limits=limits) == [
        ("wager.over_cover", "seats.2.main"),
        ("wager.over_cover", "seats.7.main"),
        ("wager.over_cover", "seats.1.main"),
    ]


def most(rules: Ruleset, stakes: dict[str, int]) -> int:
    """The most that the bank can have to pay in winnings on the wagers of one seat."""
    game = game_of(rules)
    worst = (game.worst_case(rules, kind=kind, stake_minor=stakes[kind]) for kind in stakes)
    return sum(each.bank_minor for each in worst)


def test_cover_is_for_the_highest_colon_rate() -> None:
    assert most(ruleset(FIXED), {"main": 150}) == 450
    assert most(ruleset(FIXED, colon={"enabled": False}), {"main": 150}) == 150
    assert most(ruleset(FIXED, colon={"odds": [9, 1]}), {"main": 150}) == 1350
    assert most(ruleset(SOCIAL), {"main": 150}) == 150


@pytest.mark.parametrize(
    ("rules", "owes"),
    [
        (ruleset(), False),
        (ruleset(SOCIAL), False),
        (ruleset(FIXED), False),
        (ruleset(FIXED, banker_colon_collects="multiple"), True),
        (ruleset(FIXED, banker_colon_collects="multiple", colon={"enabled": False}), False),
        (
            ruleset(
                FIXED,
                banker_colon_collects="multiple",
                colon={"odds": [1, 1], "nine_odds": [101, 100]},
            ),
            True,
        ),
        (
            ruleset(
                FIXED, banker_colon_collects="multiple", colon={"odds": [1, 2], "nine_odds": [1, 1]}
            ),
            False,
        ),
    ],
)
def test_what_a_lost_wager_may_owe_beyond_its_stake(rules: Ruleset, owes: bool) -> None:
    assert owes_beyond_stake(rules) is owes


def test_the_home_bank_covers_all_bets() -> None:
    limits = load_limits(SOCIAL, {"bank_cover_minor": 120})
    wagers = {1: {"main": 100}, 2: {"main": 50}}

    assert codes(wagers, rules=ruleset(SOCIAL), limits=limits) == [
        ("wager.over_cover", "seats.2.main")
    ]


def test_a_table_takes_no_more_than_sums_can_hold() -> None:
    """Without it a round could be dealt that no settlement and no void can write down."""
    most = TABLE_MONEY_MAX * 2 // 5  # a trio pays 3 to 2
    assert codes({1: {"main": most}}) == []
    assert codes({1: {"main": most}, 2: {"main": 1}}) == [("wager.over_table", "table")]
    assert codes({1: {"main": STAKE_MAX}}) == [("wager.over_table", "table")]


def test_poker_worst_case_is_the_trio() -> None:
    assert most(ruleset(), {"main": 101, "pair": 10, "jacks": 10}) == 151 + 210
    assert most(ruleset(tie_odds=[8, 1]), {"tie": 10}) == 80


def test_the_seat_that_banks_cannot_bet() -> None:
    wagers = {1: {"main": 100}, 2: {"main": 50}, 3: {}}
    rules, limits = ruleset(FIXED), load_limits(FIXED, {})

    for bank, expected in ((2, [("seat.banks", "seats.2")]), (3, []), (None, [])):
        faults = wager_faults(rules, limits, wagers, bank_seat=bank)
        assert [(fault.code, fault.where) for fault in faults] == expected


def test_nine_seats_bet_only_around_a_bank_that_holds_one_of_them() -> None:
    rules, limits = ruleset(FIXED), load_limits(FIXED, {})

    def places(wagers: dict[int, dict[str, int]], bank: int | None) -> list[str]:
        faults = wager_faults(rules, limits, wagers, bank_seat=bank)
        return [f"{fault.code} {fault.where}" for fault in faults]

    assert places({9: {"main": 100}}, 3) == []
    assert places({9: {"main": 100}}, None) == ["seat.unknown seats.9"]
    assert places({10: {"main": 100}}, 3) == ["seat.unknown seats.10"]
