"""Odds as a JSON value: every figure as its fraction and as a decimal, both text, never a float."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from tables.games.cards import RANKS
from tables.games.odds_best_draw import BestDraws
from tables.games.odds_draw_solution import DrawSolution
from tables.games.odds_elective_draw import name_hand
from tables.games.odds_results import RoundOdds, WagerOdds
from tables.games.odds_stakes import BankResult

PLACES: Final = 12
"""Decimal places of a figure that is shown beside its fraction."""


def decimal_text(value: Fraction, *, places: int = PLACES) -> str:
    """Write a fraction as a decimal, the last place rounded, a half to the even digit."""
    scaled = round(value * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def short_text(value: Fraction) -> str:
    """Write a decimal to four places without the zeros at its end."""
    return decimal_text(value, places=4).rstrip("0").rstrip(".")


def percent_text(value: Fraction, *, places: int = 3) -> str:
    """Write a share as a percentage."""
    return f"{decimal_text(value * 100, places=places)}%"


def figure(value: Fraction) -> dict[str, object]:
    """Write one figure: `{"fraction": "1/3", "decimal": "0.333333333333"}`."""
    return {"fraction": str(value), "decimal": decimal_text(value)}


def _figure_or_none(value: Fraction | None) -> dict[str, object] | None:
    return None if value is None else figure(value)


def odds_document(odds: RoundOdds) -> dict[str, object]:
    """Write the odds of a round; the joint probabilities of all wagers come last."""
    kinds = list(odds.wagers)
    return {
        "game": odds.game,
        "ruleset": odds.ruleset,
        "cards": sum(odds.composition),
        "remaining": dict(zip(RANKS, odds.composition)),
        "policy": dict(odds.policy),
        "wagers": [_wager_document(one) for one in odds.wagers.values()],
        "covariance": covariance_document(odds.covariance),
        "joint": [
            {
                "endings": {
                    kind: {"outcome": ending.outcome, "price": ending.price}
                    for kind, ending in zip(kinds, deal.endings)
                },
                "probability": figure(deal.probability),
            }
            for deal in odds.joint
        ],
    }


def _wager_document(odds: WagerOdds) -> dict[str, object]:
    return {
        "wager": odds.wager,
        "outcomes": [
            {
                "outcome": row.ending.outcome,
                "price": row.ending.price,
                "profit": _figure_or_none(row.profit),
                "probability": figure(row.probability),
            }
            for row in odds.outcomes
        ],
        "hit_rate": figure(odds.hit_rate),
        "push_rate": figure(odds.push_rate),
        "fair_odds": _figure_or_none(odds.fair_odds),
        "expected": _figure_or_none(odds.expected),
        "house_edge": _figure_or_none(odds.house_edge),
        "variance": _figure_or_none(odds.variance),
    }


def covariance_document(covariance: Mapping[tuple[str, str], Fraction]) -> list[dict[str, object]]:
    """Write the covariances of ordered pairs of wagers."""
    return [
        {"wagers": list(wagers), "covariance": figure(value)}
        for wagers, value in covariance.items()
    ]


def bank_result_document(result: BankResult) -> dict[str, object]:
    """Write what a bank expects from one seat's stakes, in minor units."""
    return {
        "exact": figure(result.exact),
        "paid": figure(result.paid),
        "kept_by_rounding": figure(result.kept),
        "variance": figure(result.variance),
        "chances": [
            {"bank_minor": amount, "probability": figure(chance)}
            for amount, chance in result.chances
        ],
    }


def best_draws_document(best: BestDraws) -> dict[str, object]:
    """Write a best policy with what each hand is worth either way."""
    return {
        "policy": best.policy.describe(),
        "seat_expects": figure(best.seat_expects),
        "hands": [
            {
                "hand": name_hand(one.hand),
                "after": one.after,
                "stand": figure(one.stand),
                "draw": figure(one.draw),
                "draws": one.draws,
            }
            for one in best.advice
        ],
    }


def solution_document(solution: DrawSolution) -> dict[str, object]:
    """Write draws that neither side can better: hands with their probability of drawing."""
    return {
        "seat_expects": figure(solution.seat_expects),
        "seat": _shares(solution.seat),
        "bank_after_draw": _shares(solution.bank_after_draw),
        "bank_after_stand": _shares(solution.bank_after_stand),
    }


def _shares(hands: Mapping[tuple[int, ...], Fraction]) -> dict[str, object]:
    return {name_hand(hand): figure(share) for hand, share in hands.items()}
