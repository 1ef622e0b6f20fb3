"""Wagers of game A settled in columns: the points of 1A that speak of money, one by one."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from settlements.bulk import (
    BulkError,
    Columns,
    Line,
    Part,
    Recomputed,
    RoundRecord,
    build_columns,
    compile_ruleset,
    settle_columns,
    settle_one,
)
from settlements.bulk import columns as columns_module
from tests.bulk.rulesets import POKER, options

Stakes = Mapping[str, int]
NINE = ("2H", "7C", "KD")
EIGHT = ("5S", "3D", "QC")


def settle(
    wagers: Mapping[int, Stakes],
    hands: Mapping[int, Sequence[str | None]],
    changed: Mapping[str, object] | None = None,
    *,
    part: str = "whole",
    stage: str = "",
    touches: bool | Sequence[int] = False,
    taken_out: Sequence[tuple[int, str]] = (),
) -> Recomputed:
    """Settle one round of game A."""
    return settle_one(
        RoundRecord(
            game=POKER,
            options=options(POKER, **(changed or {})),
            wagers=wagers,
            hands=hands,
            part=part,
            stage=stage,
            touches_first_two=touches,
            taken_out=taken_out,
        )
    )


def short(recomputed: Recomputed) -> list[tuple[int, str, str, int, int]]:
    """Reduce lines to seat, kind, outcome, profit and return; without a fault."""
    assert recomputed.fault == ""
    return [
        (line.seat, line.kind, line.outcome, line.profit_minor, line.returned_minor)
        for line in recomputed.lines
    ]


def line(recomputed: Recomputed, kind: str) -> Line:
    """Take the only line of a kind."""
    (found,) = (each for each in recomputed.lines if each.kind == kind)
    return found


def test_higher_count_wins_at_ninety_five_hundredths() -> None:
    found = settle({1: {"main": 10000}}, {1: NINE, 0: EIGHT})
    assert short(found) == [(1, "main", "win", 9500, 19500)]
    assert found.bank_minor == -9500
    assert line(found, "main").odds == (95, 100)


@pytest.mark.parametrize(
    ("hand", "profit"), [(("4S", "4H", "4D"), 150), (("4S", "9H", "4D"), 100), (NINE, 95)]
)
def test_price_follows_the_winning_hand(hand: tuple[str, ...], profit: int) -> None:  # A2, A3
    found = settle({3: {"main": 100}}, {3: hand, 0: EIGHT})
    assert short(found) == [(3, "main", "win", profit, 100 + profit)]


def test_house_pair_of_tens_beats_nine_and_is_below_jacks() -> None:
    found = settle(
        {4: {"main": 15000, "jacks": 1000}},
        {4: ("9C", "KD", "QH"), 0: ("TH", "TS", "2C")},
    )
    assert short(found) == [(4, "main", "lose", 0, 0), (4, "jacks", "lose", 0, 0)]
    assert found.bank_minor == 16000


def test_kicker_by_points_turns_the_result() -> None:  # A6
    hands = {4: ("8C", "8D", "KH"), 0: ("8S", "8H", "9C")}
    wagers = {4: {"main": 10000, "pair": 1000}}
    by_points = settle(wagers, hands, {"kicker_by": "points"})
    assert short(by_points) == [(4, "main", "lose", 0, 0), (4, "pair", "win", 10000, 11000)]
    assert by_points.bank_minor == 0
    assert line(settle(wagers, hands), "main").outcome == "win"


def test_side_wager_without_main_is_rejected_and_gets_no_hand() -> None:  # A21
    found = settle(
        {1: {"pair": 1000, "jacks": 500, "tie": 100}, 2: {"main": 10000}},
        {2: ("4D", "5S", "QC"), 0: ("8H", "TC", "9D")},
    )
    assert short(found) == [
        (1, "tie", "rejected", 0, 100),
        (1, "pair", "rejected", 0, 1000),
        (1, "jacks", "rejected", 0, 500),
        (2, "main", "win", 9500, 19500),
    ]
    assert found.bank_minor == -9500


def test_side_wagers_alone_buy_a_hand_where_the_ruleset_lets_them() -> None:  # A21
    changed = {"side_requires_main": False, "tie_odds": [100, 1]}
    house = ("4D", "4S", "QC")
    found = settle(
        {1: {"pair": 100}, 2: {"tie": 10}, 3: {"jacks": 5}},
        {1: ("9D", "9S", "2C"), 2: ("4C", "QH", "4H"), 0: house},
        changed,
    )
    assert short(found) == [
        (1, "pair", "win", 1000, 1100),
        (2, "tie", "win", 1000, 1010),
        (3, "jacks", "lose", 0, 0),
    ]
    lone_jacks = settle({3: {"jacks": 5}}, {0: ("KD", "KS", "QC")}, changed)
    assert short(lone_jacks) == [(3, "jacks", "win", 55, 60)]
    with_cards = settle({3: {"jacks": 5}}, {0: house, 3: NINE}, changed)
    assert with_cards.fault == "card_count"


def test_tie_wager_is_closed_without_a_price() -> None:  # A13
    hands = {1: NINE, 0: ("7S", "2C", "KC")}
    closed = settle({1: {"main": 100, "tie": 10}}, hands)
    assert short(closed) == [(1, "main", "push", 0, 100), (1, "tie", "rejected", 0, 10)]
    priced = settle({1: {"main": 100, "tie": 10}}, hands, {"tie_odds": [300, 1]})
    assert short(priced) == [(1, "main", "push", 0, 100), (1, "tie", "win", 3000, 3010)]
    equal_count = settle(
        {1: {"main": 100, "tie": 10}}, {1: NINE, 0: ("8S", "AC", "KC")}, {"tie_odds": [300, 1]}
    )
    assert line(equal_count, "tie").outcome == "lose"


def test_jacks_pushes_with_a_tied_main_only_where_the_ruleset_says_so() -> None:  # A15
    hands = {1: ("KH", "KC", "2D"), 2: NINE, 0: ("KS", "2C", "KD")}
    wagers = {1: {"main": 100, "pair": 10, "jacks": 10}, 2: {"main": 100, "jacks": 10}}
    outcomes = {
        choice: [each.outcome for each in settle(wagers, hands, {"side_on_tie": choice}).lines]
        for choice in ("settle", "push_unsettled")
    }
    assert outcomes == {
        "settle": ["push", "win", "win", "lose", "win"],
        "push_unsettled": ["push", "win", "push", "lose", "win"],
    }


def test_pair_wager_looks_at_the_first_two_cards_alone() -> None:  # A18
    for hand, outcome in [
        (("3S", "3D", "KC"), "win"),
        (("3S", "KD", "3C"), "lose"),
        (("KS", "QD", "2C"), "lose"),
        (("3S", "3D", "3C"), "win"),
    ]:
        assert line(settle({1: {"main": 1, "pair": 1}}, {1: hand, 0: EIGHT}), "pair").outcome == (
            outcome
        )


def test_payout_is_capped_after_rounding() -> None:  # A24, A25
    found = settle(
        {1: {"main": 999}},
        {1: NINE, 0: EIGHT},
        {"max_payout_minor": {"main": 500}, "rounding": {"unit_minor": 25, "mode": "half_up"}},
    )
    main = line(found, "main")
    # 999 x 95 / 100 = 949.05, to the nearest 25 is 950, of which the cap leaves 500.
    assert (main.profit_minor, main.cap_cut_minor, main.returned_minor) == (500, 450, 1499)
    assert main.breakage == -main.breakage.__class__(95, 100)


def test_sweep_settles_pair_wagers_before_the_third_card() -> None:  # A19
    wagers = {1: {"main": 100, "pair": 10}, 5: {"main": 100, "pair": 20}}
    two = {1: ("9D", "9S"), 5: ("9C", "TS"), 0: ("2C", "2D")}
    swept = settle(wagers, two, part="sweep")
    assert short(swept) == [(1, "pair", "win", 100, 110), (5, "pair", "lose", 0, 0)]
    assert swept.bank_minor == -80
    three = {1: (*two[1], "KS"), 5: (*two[5], "8S"), 0: (*two[0], "3S")}
    final = settle(wagers, three, part="final")
    assert [each.kind for each in final.lines] == ["main", "main"]
    assert settle(wagers, three).bank_minor == swept.bank_minor + final.bank_minor


@pytest.mark.parametrize(
    ("stage", "touches", "option", "pair"),
    [
        ("betting", False, "stands", "void"),
        ("second_lap", False, "stands", "void"),
        ("pair_settled", False, "stands", "win"),
        ("third_lap", False, "stands", "win"),
        ("third_pass", [2], "stands", "win"),
        ("opened", [1, 2], "stands", "void"),
        ("opened", True, "stands", "void"),
        ("opened", False, "reversed", "void"),
    ],
)
def test_void_returns_open_wagers_and_leaves_settled_pairs(
    stage: str, touches: bool | list[int], option: str, pair: str
) -> None:  # A20, event 26
    found = settle(
        {1: {"main": 100, "tie": 5, "pair": 10, "jacks": 20}},
        {1: ("9D", "9S", "?"), 0: ("2C",)},
        {"pair_bet_on_void": option},
        part="void",
        stage=stage,
        touches=touches,
    )
    assert [(each.kind, each.outcome) for each in found.lines] == [
        ("main", "void"),
        ("tie", "rejected"),
        ("pair", pair),
        ("jacks", "void"),
    ]
    assert found.bank_minor == (-100 if pair == "win" else 0)
    assert line(found, "main").returned_minor == 100


@pytest.mark.parametrize(
    ("hands", "fault"),
    [
        ({1: ("9D", "9S"), 0: EIGHT}, "card_count"),
        ({0: EIGHT}, "card_count"),
        ({1: NINE, 0: EIGHT[:2]}, "card_count"),
        ({1: NINE}, "card_count"),
        ({1: NINE, 2: NINE, 0: EIGHT}, "card_count"),
        ({1: (None, "9D", "9S"), 0: EIGHT}, "card_count"),
        ({1: ("?", "9D", "9S"), 0: EIGHT}, "face_unknown"),
        ({1: NINE, 0: ("2S", "?", "9S")}, "face_unknown"),
    ],
)
def test_a_round_that_does_not_lie_right_has_a_fault_and_no_lines(
    hands: Mapping[int, tuple[str | None, ...]], fault: str
) -> None:  # A11, A28
    found = settle({1: {"main": 100, "pair": 1}}, hands)
    assert found == Recomputed((), 0, fault)


def test_a_voided_round_needs_only_the_cards_it_is_judged_by() -> None:
    wagers = {1: {"main": 100, "pair": 1}}
    open_pair = settle(wagers, {1: ("?",), 0: ("2S",)}, part="void", stage="second_lap")
    assert [each.outcome for each in open_pair.lines] == ["void", "void"]
    unknown = settle(wagers, {1: ("?", "2D"), 0: ("2S",)}, part="void", stage="third_lap")
    assert unknown == Recomputed((), 0, "face_unknown")
    touched = settle(
        wagers, {1: ("?", "2D"), 0: ("2S",)}, part="void", stage="third_lap", touches=[1]
    )
    assert [each.outcome for each in touched.lines] == ["void", "void"]


def test_what_an_irregularity_took_out_has_no_line() -> None:  # event 9
    wagers = {1: {"main": 100, "pair": 10}, 2: {"main": 50}}
    found = settle(wagers, {1: ("?", "2D"), 2: NINE, 0: EIGHT}, taken_out=[(1, "all")])
    assert short(found) == [(2, "main", "win", 47, 97)]
    hands = {1: ("2S", "2D"), 2: NINE, 0: EIGHT}
    main_only = settle(wagers, hands, taken_out=[(1, "main")])
    assert short(main_only) == [(1, "pair", "win", 100, 110), (2, "main", "win", 47, 97)]
    assert settle(wagers, hands, taken_out=[(2, "main")]).fault == "card_count"


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        RoundRecord(
            game=POKER,
            options=options(POKER),
            wagers={1: {"main": 100 + number}},
            hands={1: NINE, 0: EIGHT if number % 3 else NINE[:2]},
        )
        for number in range(50)
    ]
    batch = build_columns(POKER, records, part=Part.WHOLE)
    tables = compile_ruleset(POKER, options(POKER))
    whole = settle_columns(tables, batch)
    monkeypatch.setattr(columns_module, "BLOCK", 7)
    cut = settle_columns(tables, batch)
    assert whole.bank_minor.tolist() == cut.bank_minor.tolist()
    assert whole.fault.tolist() == cut.fault.tolist()
    assert (whole.kinds["main"].verdict == cut.kinds["main"].verdict).all()


def test_amounts_past_int64_are_exact() -> None:
    stake = 2**53 - 1
    found = settle(
        {seat: {"main": stake} for seat in range(1, 6)},
        {**dict.fromkeys(range(1, 6), NINE), 0: EIGHT},
        {"main_odds": {"trio": [3, 2], "pair": [1, 1], "lucky9": [2**40 + 1, 3]}},
    )
    assert found.bank_minor == -5 * (stake * (2**40 + 1) // 3)
    assert {each.profit_minor for each in found.lines} == {stake * (2**40 + 1) // 3}


def test_columns_that_do_not_fit_are_refused() -> None:
    tables = compile_ruleset(POKER, options(POKER))
    cards, bank = np.zeros((2, 5, 3), np.int8), np.zeros((2, 3), np.int8)
    stakes = np.zeros((2, 5), np.int64)
    for bad in (
        Columns(cards, bank[:1], {"main": stakes}),
        Columns(cards, bank, {"main": stakes[:, :4]}),
        Columns(cards, bank, {"other": stakes}),
        Columns(cards, bank, {"main": stakes}, stage=np.zeros(3, np.int8)),
        Columns(cards, bank, {"main": stakes}, touched=np.zeros((2, 4), np.bool_)),
    ):
        with pytest.raises(BulkError, match="expected"):
            settle_columns(tables, bad)
