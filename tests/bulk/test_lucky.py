"""Games B and C settled in columns against a plain reading of their rules, and point by point."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from settlements.bulk import BulkError, Recomputed, RoundRecord, compile_ruleset, settle_one
from tests.bulk.rulesets import (
    FIXED,
    FIXED_DEFAULTS,
    SOCIAL,
    options,
)

COLON = {"enabled": True, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "none"}
BONUS_PART = {**COLON, "on_loss": "bonus_part"}


def settle_fixed(
    punter: str | Mapping[int, str],
    banker: str,
    changed: Mapping[str, object] | None = None,
    *,
    stake: int = 100,
    stage: str = "",
) -> Recomputed:
    """Settle one round of game B; equal stakes on every seat."""
    seats = {1: punter} if isinstance(punter, str) else punter
    return settle_one(
        RoundRecord(
            game=FIXED,
            options=options(FIXED, **(changed or {})),
            wagers={seat: {"main": stake} for seat in seats},
            hands={0: tuple(banker), **{seat: tuple(hand) for seat, hand in seats.items()}},
            part="void" if stage else "whole",
            stage=stage,
        )
    )


def settle_social(
    seats: Mapping[int, tuple[str, str]],
    banker: tuple[str, str],
    changed: Mapping[str, object] | None = None,
    *,
    stage: str = "",
    touches: bool | Sequence[int] = False,
) -> Recomputed:
    """Settle one round of game C; hands with their decisions."""
    dealt = {0: banker, **seats}
    return settle_one(
        RoundRecord(
            game=SOCIAL,
            options=options(SOCIAL, **(changed or {})),
            wagers={seat: {"main": 200} for seat in seats},
            hands={hand: tuple(cards) for hand, (cards, _) in dealt.items()},
            decisions={hand: decision for hand, (_, decision) in dealt.items()},
            part="void" if stage else "whole",
            stage=stage,
            touches_first_two=touches,
        )
    )


def brief(found: Recomputed) -> list[tuple[int, str, str, int, int]]:
    """Reduce lines to seat, kind, outcome, profit and return; without a fault."""
    assert found.fault == ""
    return [
        (line.seat, line.kind, line.outcome, line.profit_minor, line.returned_minor)
        for line in found.lines
    ]


def main_of(found: Recomputed) -> tuple[str, int]:
    """Take outcome and profit of the only main wager."""
    assert found.fault == ""
    (line,) = (line for line in found.lines if line.kind == "main")
    return line.outcome, line.profit_minor


def test_five_draws_to_nine_and_beats_a_standing_seven() -> None:
    assert brief(settle_fixed("234", "K7", stake=10000)) == [(1, "main", "win", 10000, 20000)]


def test_a_losing_colon_is_paid_its_extra_part_where_the_table_agrees() -> None:  # B10
    found = settle_fixed("33", "52", {"colon": BONUS_PART}, stake=10000)
    assert brief(found) == [
        (1, "main", "lose", 0, 0),
        (1, "colon_bonus", "win", 10000, 10000),
    ]
    assert found.bank_minor == 0
    assert brief(settle_fixed("33", "52")) == [(1, "main", "lose", 0, 0)]
    assert len(settle_fixed("33", "A5", {"colon": BONUS_PART}).lines) == 1  # B11: a tie
    assert len(settle_fixed("33", "223", {"colon": BONUS_PART}).lines) == 1  # B12


def test_colon_replaces_even_money_when_it_wins() -> None:  # B9, B14
    assert main_of(settle_fixed("44", "52")) == ("win", 200)
    assert main_of(settle_fixed("99", "52")) == ("win", 300)
    assert main_of(settle_fixed("99", "54")) == ("lose", 0)
    assert main_of(settle_fixed("99", "44")) == ("push", 0)  # B12
    assert main_of(settle_fixed("KQ9", "52")) == ("win", 100)  # B8
    assert main_of(settle_fixed("226", "52")) == ("lose", 0)
    assert main_of(settle_fixed("225", "52")) == ("win", 200)
    assert main_of(settle_fixed("44", "52", {"colon": {**COLON, "enabled": False}})) == ("win", 100)


def test_bankers_colon_takes_the_multiple_only_where_agreed() -> None:  # B13
    found = settle_fixed("52", "44", {"banker_colon_collects": "multiple"})
    assert [line.extra_owed_minor for line in found.lines] == [100]
    assert found.bank_minor == 200
    nine = settle_fixed("52", "99", {"banker_colon_collects": "multiple"})
    assert nine.bank_minor == 300
    assert settle_fixed("52", "44").bank_minor == 100


@pytest.mark.parametrize(("mode", "owed"), [("down", 150), ("half_up", 175), ("up", 175)])
def test_rounding_what_is_owed_beyond_the_stake_is_breakage(mode: str, owed: int) -> None:  # B13
    changed = {
        "banker_colon_collects": "multiple",
        "colon": {**COLON, "odds": [5, 2]},
        "rounding": {"unit_minor": 25, "mode": mode},
    }
    found = settle_fixed("52", "44", changed, stake=111)
    (line,) = found.lines
    assert (line.extra_owed_minor, line.breakage) == (owed, owed - Fraction(333, 2))
    assert found.bank_minor == 111 + owed


@pytest.mark.parametrize(
    ("punter", "banker", "by_priority"),
    [
        # A natural nine against a drawn nine, a natural eight against a drawn nine.
        ("54", "234", {"outranks_drawn": "win", "nine_only": "win", "total_only": "push"}),
        ("53", "234", {"outranks_drawn": "win", "nine_only": "lose", "total_only": "lose"}),
    ],
)
def test_naturals_against_drawn_nines(
    punter: str, banker: str, by_priority: dict[str, str]
) -> None:  # B3
    found = {}
    for priority in by_priority:
        # A second seat keeps a comparison open, so that the banker draws (B5).
        lines = settle_fixed({1: punter, 2: "K6"}, banker, {"natural_priority": priority})
        assert lines.fault == ""
        found[priority] = lines.lines[0].outcome
    assert found == by_priority


@pytest.mark.parametrize(
    ("seats", "banker", "changed", "sound"),
    [
        ({1: "23"}, "K7", {}, False),  # five must draw
        ({1: "24A"}, "K7", {}, False),  # six stands
        ({1: "24"}, "K7", {}, True),
        ({1: "24"}, "K7", {"forced_draw": "to_7"}, False),  # B16
        ({1: "24A"}, "K7K", {"forced_draw": "to_7"}, True),
        ({1: "53"}, "K72", {"forced_draw": "to_7"}, False),  # the banker need not draw (B5)
        ({1: "53"}, "K7", {"forced_draw": "to_7"}, True),
        ({1: "53", 2: "24A"}, "K72", {"forced_draw": "to_7"}, True),
        ({1: "53"}, "K72", {"forced_draw": "all"}, False),
        ({1: "532"}, "K72", {"forced_draw": "all"}, True),
        ({1: "532"}, "K92", {"forced_draw": "all"}, True),
        ({1: "23"}, "K9", {}, True),  # a natural stops draws (B4)
        ({1: "23A"}, "K9", {}, False),
        ({1: "23A"}, "K9", {"banker_natural_stops_draws": False}, True),
        ({1: "23"}, "K9", {"banker_natural_stops_draws": False}, False),
        ({1: "54"}, "23A", {}, False),  # nothing is open (B5)
        ({1: "54"}, "23", {}, True),
        ({1: "54"}, "23A", {"natural_priority": "total_only"}, True),
        ({1: "54"}, "23A", {"natural_priority": "nine_only"}, False),
        ({1: "53"}, "23A", {"natural_priority": "nine_only"}, True),
        ({1: "54", 2: "53"}, "23A", {"natural_priority": "nine_only"}, True),
        ({1: "2"}, "K7", {}, False),
        ({1: "24"}, "7", {}, False),
    ],
)
def test_draw_errors_are_faults(
    seats: dict[int, str], banker: str, changed: dict[str, object], sound: bool
) -> None:  # B1, B4, B5, B16, event 30
    found = settle_fixed(seats, banker, changed)
    assert found.fault == ("" if sound else "card_count")


def test_cards_at_a_seat_without_a_wager_are_a_fault() -> None:
    record = RoundRecord(
        game=FIXED,
        options=FIXED_DEFAULTS,
        wagers={1: {"main": 1}},
        hands={0: ("K", "7"), 1: ("2", "4"), 2: ("2", "4")},
    )
    assert settle_one(record).fault == "card_count"


def test_commission_is_taken_before_the_one_rounding() -> None:  # B23
    found = settle_fixed("24", "KKA", {"commission": [5, 100]}, stake=333)
    (line,) = found.lines
    assert line.commission == Fraction(333, 20)
    assert line.profit_minor == 316
    assert line.breakage == Fraction(333 * 19, 20) - 316
    assert found.bank_minor == -316


def test_a_void_in_game_b_returns_everything() -> None:  # event 26
    found = settle_fixed({1: "54", 2: "?"}, "K", {"colon": BONUS_PART}, stage="third_lap")
    assert brief(found) == [(1, "main", "void", 0, 100), (2, "main", "void", 0, 100)]
    assert found.bank_minor == 0


def test_worked_example_of_game_c() -> None:
    bank = ("A6", "stand")
    assert main_of(settle_social({1: ("874", "hit")}, bank)) == ("win", 200)
    assert main_of(settle_social({1: ("877", "hit")}, bank)) == ("lose", 0)


def test_naturals_of_game_c() -> None:  # C1, C2, C3
    both = settle_social({1: ("9K", "none"), 2: ("8A", "none")}, ("22", "none"))
    assert [line.outcome for line in both.lines] == ["win", "win"]
    assert main_of(settle_social({1: ("9K", "none")}, ("54", "none"))) == ("push", 0)
    assert main_of(settle_social({1: ("8K", "none")}, ("54", "none"))) == ("lose", 0)
    against_three = settle_social({1: ("9K", "none"), 2: ("KK", "stand")}, ("225", "hit"))
    assert [line.outcome for line in against_three.lines] == ["win", "lose"]
    eight = settle_social({1: ("8K", "stand")}, ("6A2", "hit"))
    assert main_of(eight) == ("lose", 0)
    assert main_of(settle_social({1: ("6K", "stand")}, ("4AA", "hit"))) == ("push", 0)  # C8


@pytest.mark.parametrize(("choice", "outcome"), [("stand", "win"), ("void_bet", "void")])
def test_no_decision(choice: str, outcome: str) -> None:  # C6
    found = settle_social(
        {1: ("7K", "no_decision"), 2: ("6K", "stand")}, ("6K", "stand"), {"no_decision": choice}
    )
    assert [line.outcome for line in found.lines] == [outcome, "push"]


@pytest.mark.parametrize(
    ("seats", "bank", "fault"),
    [
        ({1: ("7K", "hit")}, ("6K", "stand"), "card_count"),
        ({1: ("7K2", "stand")}, ("6K", "stand"), "card_count"),
        ({1: ("7K", "none")}, ("6K", "stand"), "decision"),
        ({1: ("7K", "")}, ("6K", "stand"), "decision"),
        ({1: ("9K", "hit")}, ("6K", "none"), "decision"),
        ({1: ("9K", "")}, ("6K", ""), ""),
        ({1: ("9K2", "none")}, ("6K", "none"), "card_count"),
        ({1: ("9K2", "hit")}, ("6K", "stand"), "card_count"),
        ({1: ("7K", "stand")}, ("9K2", "hit"), "card_count"),
        ({1: ("7K", "stand")}, ("6K", "none"), "decision"),
        ({1: ("9K", "none")}, ("6K", "stand"), "decision"),
        ({1: ("7K", "none")}, ("9K", "none"), ""),
        ({1: ("7K", "stand")}, ("9K", "none"), "decision"),
        ({1: ("7?", "stand")}, ("6K", "stand"), "face_unknown"),
    ],
)
def test_decisions_and_cards_must_agree(
    seats: dict[int, tuple[str, str]], bank: tuple[str, str], fault: str
) -> None:  # C4, C5
    assert settle_social(seats, bank).fault == fault


@pytest.mark.parametrize(
    ("stage", "touches", "outcomes"),
    [
        ("second_lap", False, ["void", "void"]),
        ("pair_settled", False, ["win", "void"]),
        ("third_lap", False, ["win", "void"]),
        ("opened", [1], ["void", "void"]),
        ("opened", [2], ["win", "void"]),
        ("opened", True, ["void", "void"]),
    ],
)
def test_settled_naturals_of_game_c_stand_in_a_void(
    stage: str, touches: bool | list[int], outcomes: list[str]
) -> None:  # C3, event 26
    seats = {1: ("9K", "none"), 2: ("6K", "")}
    found = settle_social(seats, ("6K", ""), stage=stage, touches=touches)
    assert [line.outcome for line in found.lines] == outcomes
    bank = settle_social(seats, ("4T5", ""), stage=stage, touches=touches)
    assert [line.outcome for line in bank.lines] == outcomes
    natural_bank = settle_social(seats, ("54", ""), stage=stage, touches=touches)
    settled = {"win": "push", "void": "lose"}
    expected = ["void", "void"]
    if stage != "second_lap":
        untouched = [
            touches is False or (touches is not True and seat not in touches) for seat in (1, 2)
        ]
        expected = [
            result if stands else "void"
            for result, stands in zip(settled.values(), untouched, strict=True)
        ]
    assert [line.outcome for line in natural_bank.lines] == expected


def test_an_unknown_first_card_hides_whether_a_natural_stood() -> None:
    seats = {1: ("9?", "")}
    assert settle_social(seats, ("6K", ""), stage="third_lap").fault == "face_unknown"
    touched = settle_social(seats, ("6K", ""), stage="third_lap", touches=[1])
    assert [line.outcome for line in touched.lines] == ["void"]


@pytest.mark.parametrize(
    ("game", "changed"),
    [
        (FIXED, {"forced_draw": "other"}),
        (FIXED, {"natural_priority": "other"}),
        (FIXED, {"banker_colon_collects": "other"}),
        (FIXED, {"colon": {**COLON, "on_loss": "other"}}),
        (FIXED, {"colon": None}),
        (SOCIAL, {"no_decision": "other"}),
        (SOCIAL, {"odds": 1}),
        ("baccarat", {}),
    ],
)
def test_what_has_no_table_is_refused(game: str, changed: dict[str, object]) -> None:
    defaults = options(game) if game != "baccarat" else {}
    with pytest.raises(BulkError, match="expected"):
        compile_ruleset(game, {**defaults, **changed})
    with pytest.raises(BulkError, match="expected"):
        compile_ruleset(game, {})
