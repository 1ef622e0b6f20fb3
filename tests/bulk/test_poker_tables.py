"""The tables of game A against a plain reading of the rules text, and its exact probabilities."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from settlements.bulk.codes import FACES, Verdict
from settlements.bulk.columns import hand_index
from settlements.bulk.poker_tables import CLASSES, NO_CLASS, STRIDE, PokerTables, compile_poker
from tests.bulk import reading
from tests.bulk.rulesets import COMPARISONS, POKER, options

NAMES = {code: rank for rank, code in FACES.items()}
HANDS = ["".join(NAMES[face] for face in faces) for faces in CLASSES]


def compiled(**changed: object) -> PokerTables:
    """Compile game A with some options changed."""
    return compile_poker(options(POKER, **changed))


def main_verdicts(tables: PokerTables) -> NDArray[np.uint8]:
    """Take the 455 x 455 part of the table."""
    table = tables.main.reshape(STRIDE, STRIDE)
    assert not table[NO_CLASS:].any()
    assert not table[:, NO_CLASS:].any()
    return table[:NO_CLASS, :NO_CLASS]


def signs(tables: PokerTables) -> NDArray[np.int64]:
    """Reduce verdicts to 1, 0 and -1."""
    verdicts = main_verdicts(tables)
    return np.where(verdicts >= Verdict.WIN, 1, np.where(verdicts == Verdict.LOSE, -1, 0))


def test_there_are_455_classes_and_every_order_of_dealing_finds_its_own() -> None:
    tables = compiled()
    deals = np.array(list(product(range(1, 14), repeat=3)), dtype=np.int8)
    found = tables.classes.take(hand_index(deals))
    assert len(CLASSES) == len(set(CLASSES)) == NO_CLASS
    for deal, number in zip(deals.tolist(), found.tolist(), strict=True):
        assert CLASSES[number] == tuple(sorted(deal, reverse=True))
    assert (tables.classes != NO_CLASS).sum() == 13**3


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda chosen: "-".join(chosen.values()))
def test_every_pair_of_hands_compares_as_the_text_reads(comparison: dict[str, str]) -> None:
    found = signs(compiled(**comparison)).tolist()
    wrong = [
        (HANDS[mine], HANDS[theirs])
        for mine in range(NO_CLASS)
        for theirs in range(mine, NO_CLASS)
        if found[mine][theirs] != reading.compare(HANDS[mine], HANDS[theirs], comparison)
    ]
    assert wrong == []


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda chosen: "-".join(chosen.values()))
def test_what_one_side_wins_the_other_loses(comparison: dict[str, str]) -> None:
    found = signs(compiled(**comparison))
    assert (found == -found.T).all()
    assert not found.diagonal().any()


def test_a_win_takes_the_price_of_the_winning_hand() -> None:  # A2
    for by in ("poker_over_lucky9", "by_count"):
        verdicts = main_verdicts(compiled(mixed_compare=by))
        for mine, hand in enumerate(HANDS):
            won = verdicts[mine][verdicts[mine] >= Verdict.WIN]
            price = ("trio", "pair", "lucky9").index(reading.kind(hand))
            assert set(won.tolist()) <= {Verdict.WIN + price}


def test_mixed_hands_by_count_have_no_total_order() -> None:  # A1
    found = signs(compiled(mixed_compare="by_count"))
    place = {hand: number for number, hand in enumerate(HANDS)}
    assert found[place["AK8"], place["222"]] == 1
    assert found[place["222"], place["AA7"]] == 1
    assert found[place["AA7"], place["AK8"]] == 1


def test_ties_by_points_have_no_total_order() -> None:  # A8
    found = signs(compiled(tie_value="points"))
    place = {hand: number for number, hand in enumerate(HANDS)}
    assert found[place["KT9"], place["Q72"]] == 1
    assert found[place["Q72"], place["JT9"]] == 1
    assert found[place["KT9"], place["JT9"]] == 0


def test_pair_table_knows_all_first_two_cards() -> None:  # A18
    table = compiled().pair.reshape(16, 16)
    for first, second in product(range(16), repeat=2):
        known = 1 <= first <= 13 and 1 <= second <= 13
        expected = Verdict.NONE
        if known:
            expected = Verdict.WIN if first == second else Verdict.LOSE
        assert table[first, second] == expected


@pytest.mark.parametrize("scope", ["hand_order", "same_rank_trio", "pair_only"])
def test_jacks_table_reads_the_house_hand_as_the_text_does(scope: str) -> None:  # A16, A17
    table = compiled(jacks_scope=scope).jacks
    for number, hand in enumerate(HANDS):
        assert (table[number] == Verdict.WIN) == reading.jacks_wins(hand, scope)
    assert not table[NO_CLASS:].any()


def ways() -> NDArray[np.int64]:
    """Count in how many ways each hand, then each other hand, comes from eight decks."""
    table = np.zeros((NO_CLASS, NO_CLASS), dtype=np.int64)
    counts = [Counter(hand) for hand in HANDS]
    for mine, held in enumerate(counts):
        first = 1
        for copies in held.values():
            first *= comb(32, copies)
        for theirs, needed in enumerate(counts):
            second = first
            for rank, copies in needed.items():
                second *= comb(32 - held[rank], copies)
            table[mine, theirs] = second
    return table


WAYS = ways()
DEALS = comb(416, 3) * comb(413, 3)


def share(chosen: NDArray[np.bool_]) -> Fraction:
    """Give the exact probability of the chosen pairs of hands."""
    return Fraction(int(WAYS[chosen].sum()), DEALS)


def edge(tables: PokerTables) -> Fraction:
    """Give the exact house edge of the main wager."""
    verdicts, prices = main_verdicts(tables), tables.prices["main"]
    gains = sum(
        int(WAYS[verdicts == verdict].sum()) * gain for verdict, gain in enumerate(prices.gains)
    )
    return Fraction(-gains, DEALS * prices.denominator)


def test_all_deals_are_counted() -> None:
    assert int(WAYS.sum()) == DEALS


def test_main_wager_has_the_probabilities_of_the_rules_page() -> None:
    verdicts = main_verdicts(compiled())
    percent = {
        name: f"{float(100 * share(verdicts == verdict)):.3f}"
        for name, verdict in [
            ("trio", Verdict.WIN),
            ("pair", Verdict.WIN + 1),
            ("lucky9", Verdict.WIN + 2),
            ("lose", Verdict.LOSE),
            ("tie", Verdict.PUSH),
        ]
    }
    assert percent == {
        "trio": "0.540",
        "pair": "18.501",
        "lucky9": "30.847",
        "lose": "49.887",
        "tie": "0.225",
    }


@pytest.mark.parametrize(
    ("mixed", "percent"), [("poker_over_lucky9", "1.27"), ("by_count", "1.86")]
)
def test_main_wager_has_the_edges_of_the_rules_page(mixed: str, percent: str) -> None:  # A1, A2
    assert f"{float(100 * edge(compiled(mixed_compare=mixed))):.2f}" == percent


def test_equal_counts_are_as_frequent_as_the_rules_page_says() -> None:  # A8, A9
    lucky = np.array([reading.kind(hand) == "lucky9" for hand in HANDS])
    both = lucky[:, None] & lucky[None, :]
    count = np.array([reading.count(hand) for hand in HANDS])
    equal = both & (count[:, None] == count[None, :])
    top = np.array([max(map(reading.height, hand)) for hand in HANDS])
    found = [
        share(equal),
        share(equal & (top[:, None] == top[None, :])),
        share(equal & np.eye(NO_CLASS, dtype=bool)),
        share(both & (signs(compiled(tie_value="points")) == 0)),
    ]
    assert [f"{float(100 * each):.3f}" for each in found] == ["6.202", "0.943", "0.201", "0.721"]


@pytest.mark.parametrize(
    ("scope", "percent"),
    [("pair_only", "6.396"), ("same_rank_trio", "6.562"), ("hand_order", "6.937")],
)
def test_jacks_wager_is_as_likely_as_the_rules_page_says(scope: str, percent: str) -> None:
    won = compiled(jacks_scope=scope).jacks[:NO_CLASS] == Verdict.WIN
    assert f"{float(100 * share(np.broadcast_to(won, WAYS.shape))):.3f}" == percent


@pytest.mark.parametrize(
    "changed",
    [
        {"mixed_compare": "other"},
        {"kicker_by": "other"},
        {"tie_break": "other"},
        {"tie_value": "other"},
        {"jacks_scope": "other"},
        {"side_on_tie": "other"},
        {"pair_bet_on_void": "other"},
        {"main_odds": 2},
        {"tie_odds": 8},
        {"rounding": {"unit_minor": 0, "mode": "down"}},
        {"rounding": {"unit_minor": 1, "mode": "other"}},
    ],
    ids=str,
)
def test_a_value_without_a_table_is_refused(changed: Mapping[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        compiled(**changed)
