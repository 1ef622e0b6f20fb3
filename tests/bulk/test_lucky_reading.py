"""Games B and C settled in columns against a plain reading of their rules, in exact fractions."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import floor
from random import Random

import pytest

from settlements.bulk import Recomputed, RoundRecord, recompute
from tests.bulk.dealing import random_lucky_record
from tests.bulk.lucky_reading import Reading, read_elective, read_fixed
from tests.bulk.rulesets import FIXED, SOCIAL, options, random_fixed, random_social

BONUS_PART = {"enabled": True, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "bonus_part"}


def expected_lines(
    seat: int, stake: int, reading: Reading, ruleset: Mapping[str, object]
) -> list[tuple[object, ...]]:
    """Work out what the columns should say, in exact fractions."""
    rounding = ruleset["rounding"]
    assert isinstance(rounding, dict)

    def rounded(exact: Fraction) -> int:
        unit = int(rounding["unit_minor"])
        match rounding["mode"]:
            case "down":
                return floor(exact / unit) * unit
            case "up":
                return -floor(-exact / unit) * unit
            case _:
                return floor(exact / unit + Fraction(1, 2)) * unit

    commission = ruleset.get("commission", [0, 1])
    assert isinstance(commission, list)
    gross = stake * Fraction(*(reading.odds or (0, 1)))
    exact = gross * (1 - Fraction(*commission))
    profit = rounded(exact)
    back = 0 if reading.outcome == "lose" else stake + profit
    extra = rounded(stake * reading.extra)
    broken = exact - profit + extra - stake * reading.extra
    main = (seat, "main", reading.outcome, reading.odds, profit, back, extra, broken, gross - exact)
    if not reading.bonus:
        return [main]
    bonus = rounded(stake * reading.bonus)
    broken = stake * reading.bonus - bonus
    return [main, (seat, "colon_bonus", "win", None, bonus, bonus, 0, broken, Fraction(0))]


def found_lines(found: Recomputed) -> list[tuple[object, ...]]:
    """Lay the columns' lines beside the expected ones; a bonus has no odds to compare."""
    return [
        (
            line.seat,
            line.kind,
            line.outcome,
            line.odds if line.kind == "main" else None,
            line.profit_minor,
            line.returned_minor,
            line.extra_owed_minor,
            line.breakage,
            line.commission,
        )
        for line in found.lines
        # A Colon at even money has a bonus part of nothing.
        if line.kind == "main" or line.profit_minor or line.breakage
    ]


@pytest.mark.parametrize("game", [FIXED, SOCIAL])
def test_random_rounds_come_out_as_the_text_reads(game: str) -> None:
    random = Random(f"lucky 9 {game}")
    records = []
    for _ in range(200):
        ruleset = random_fixed(random) if game == FIXED else random_social(random)
        records += [random_lucky_record(random, game=game, options=ruleset) for _ in range(25)]
    for record, found in zip(records, recompute(records), strict=True):
        assert found.fault == "", record
        expected: list[tuple[object, ...]] = []
        bank = 0
        for seat, stakes in record.wagers.items():
            hand, banker = ("".join(map(str, record.hands[each])) for each in (seat, 0))
            if game == FIXED:
                reading = read_fixed(hand, banker, record.options)
            else:
                decision = record.decisions[seat]
                reading = read_elective(hand, banker, decision, record.options)
            expected += expected_lines(seat, stakes["main"], reading, record.options)
        assert found_lines(found) == expected, record
        for line in found.lines:
            bank += line.stake_minor + line.extra_owed_minor - line.returned_minor
        assert found.bank_minor == bank


def test_every_side_meets_every_other() -> None:
    """All kinds of final hands, by total, number of cards and Colon, under each priority."""
    twos = ["".join(pair) for pair in product("29K", "369A")] + ["99", "44"]
    threes = ["".join(three) for three in product("2K", "3T", "A489")]
    for priority in ("outranks_drawn", "nine_only", "total_only"):
        ruleset = options(FIXED, natural_priority=priority, forced_draw="off", colon=BONUS_PART)
        records = [
            RoundRecord(
                game=FIXED,
                options=ruleset,
                wagers={1: {"main": 100}, 2: {"main": 100}},
                hands={0: tuple(banker), 1: tuple(punter), 2: ("6", "K")},
            )
            for punter, banker in product(twos + threes, repeat=2)
        ]
        for record, found in zip(records, recompute(records), strict=True):
            punter, banker = ("".join(map(str, record.hands[each])) for each in (1, 0))
            if not found.fault:
                expected = read_fixed(punter, banker, ruleset)
                assert found.lines[0].outcome == expected.outcome
