"""Prices and rounding of the second engine against exact fractions (A22 to A25, B23)."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlements.bulk.codes import BulkError, Verdict
from settlements.bulk.money import (
    INT64_MAX,
    Ledger,
    Whole,
    breakage_parts,
    cap_cut_minor,
    commission_parts,
    gain_minor,
    make_prices,
    read_odds,
)

STAKE_MAX = 2**53 - 1
WIN = int(Verdict.WIN)


def rounded(exact: Fraction, unit: int, mode: str) -> int:
    """Round an exact amount to whole units."""
    units = exact / unit
    match mode:
        case "down":
            return math.floor(units) * unit
        case "up":
            return math.ceil(units) * unit
        case _:
            return math.floor(units + Fraction(1, 2)) * unit


def column(stakes: list[int]) -> tuple[Whole, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """Lay each stake out with a loss, a push and a win."""
    verdicts = [Verdict.LOSE, Verdict.PUSH, Verdict.WIN]
    stake = np.repeat(np.array(stakes, dtype=np.int64), len(verdicts))
    return stake, np.array(verdicts * len(stakes), dtype=np.uint8)


odds_pairs = st.tuples(st.integers(1, 10**4) | st.integers(1, 2**53), st.integers(1, 10**4))
roundings = st.tuples(
    st.integers(1, 1000) | st.integers(1, 10**25), st.sampled_from(["down", "half_up", "up"])
)
stake_lists = st.lists(st.integers(1, 10**7) | st.integers(1, STAKE_MAX), min_size=1, max_size=5)


@given(
    odds=odds_pairs,
    rounding=roundings,
    stakes=stake_lists,
    cap=st.none() | st.integers(0, 10**9) | st.integers(0, 2**70),
    commission=st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 3)]),
)
def test_every_figure_is_exact(
    odds: tuple[int, int],
    rounding: tuple[int, str],
    stakes: list[int],
    cap: int | None,
    commission: Fraction,
) -> None:
    unit, mode = rounding
    prices = make_prices(
        [odds],
        rounding={"unit_minor": unit, "mode": mode},
        cap_minor=cap,
        commission=commission,
    )
    stake, verdict = column(stakes)
    gains = gain_minor(prices, verdict, stake).tolist()
    cuts = cap_cut_minor(prices, verdict, stake).tolist()
    broken = breakage_parts(prices, verdict, stake).tolist()
    kept = commission_parts(prices, verdict, stake).tolist()
    for number, amount in enumerate(stakes):
        lost, pushed, won = range(3 * number, 3 * number + 3)
        exact = amount * Fraction(*odds) * (1 - commission)
        whole = rounded(exact, unit, mode)
        paid = whole if cap is None else min(whole, cap)
        assert [gains[lost], gains[pushed], gains[won]] == [-amount, 0, paid]
        assert [cuts[lost], cuts[pushed], cuts[won]] == [0, 0, whole - paid]
        assert [broken[lost], broken[pushed]] == [0, 0]
        assert Fraction(broken[won], prices.denominator) == exact - whole
        assert Fraction(kept[won], prices.denominator) == amount * Fraction(*odds) * commission
        assert [kept[lost], kept[pushed]] == [0, 0]


def test_ordinary_stakes_stay_in_machine_integers() -> None:
    prices = make_prices([(3, 2), (1, 1), (95, 100)], rounding={"unit_minor": 1, "mode": "down"})
    stake, verdict = column([10**12])
    assert gain_minor(prices, verdict, stake).dtype == np.int64
    assert prices.stake_bound > 10**15


def test_stakes_about_the_bound_are_exact_side_by_side() -> None:
    prices = make_prices([(2**40, 3)], rounding={"unit_minor": 25, "mode": "half_up"})
    bound = prices.stake_bound
    stakes = [1, bound, bound + 1, bound + 2]
    verdict = np.full(len(stakes), WIN, np.uint8)
    found = gain_minor(prices, verdict, np.array(stakes, np.int64))
    assert found.tolist() == [rounded(Fraction(each * 2**40, 3), 25, "half_up") for each in stakes]
    assert found.dtype == np.int64
    huge = gain_minor(prices, verdict, np.array([*stakes[:3], STAKE_MAX], np.int64))
    assert huge.tolist()[:3] == found.tolist()[:3]
    assert huge[3] == rounded(Fraction(STAKE_MAX * 2**40, 3), 25, "half_up")
    assert huge.dtype == np.object_


def test_a_column_turns_to_python_integers_only_when_it_must() -> None:
    ledger = Ledger((4,))
    ledger.put(slice(0, 1), np.array([1], dtype=np.int64))
    ledger.put(slice(1, 2), np.array([INT64_MAX], dtype=np.object_))
    assert ledger.values.dtype == np.int64
    ledger.put(slice(2, 3), np.array([-INT64_MAX - 1], dtype=np.object_))
    ledger.put(slice(3, 4), np.array([4], dtype=np.int64))
    assert ledger.values.dtype == np.object_
    assert ledger.values.tolist() == [1, INT64_MAX, -INT64_MAX - 1, 4]
    assert all(type(value) is int for value in ledger.values)


@pytest.mark.parametrize("value", [None, 2, "2:1", [2], [2, 1, 1]])
def test_odds_are_two_integers(value: object) -> None:
    with pytest.raises(BulkError, match="two integers"):
        read_odds(value)
