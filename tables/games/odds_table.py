"""Odds as lines of text for people: columns of percentages, with the fractions behind them.

English and plain, for a terminal. The page has its own words; what is shown is the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tables.games.odds_best_draw import BestDraws
from tables.games.odds_counting import Hand
from tables.games.odds_document import decimal_text, percent_text
from tables.games.odds_draw_solution import DrawSolution
from tables.games.odds_elective_draw import name_draws, name_hand
from tables.games.odds_results import RoundOdds, WagerOdds
from tables.games.odds_rounds import HouseResult
from tables.games.odds_stakes import BankResult


def odds_lines(odds: RoundOdds) -> Iterator[str]:
    """Write the odds of one seat: head, endings of every wager, a summary, covariances."""
    yield f"{odds.game}, ruleset {odds.ruleset}"
    yield f"{sum(odds.composition)} cards left"
    yield from (f"{side}: {draws}" for side, draws in odds.policy.items())
    yield ""
    yield from _columns(
        ("wager", "ends", "profit", "probability", "as a fraction"), _ending_rows(odds.wagers)
    )
    yield ""
    yield from _columns(
        ("wager", "house edge", "hit rate", "fair price", "variance", "edge as a fraction"),
        [_summary_row(one) for one in odds.wagers.values()],
    )
    if len(odds.wagers) > 1:
        yield ""
        yield from covariance_lines(odds.covariance, title="covariance within a seat")
    yield ""
    yield "Edges are those of the exact odds: before rounding to coins, before caps."


def _ending_rows(wagers: Mapping[str, WagerOdds]) -> list[tuple[str, ...]]:
    return [
        (
            one.wager,
            f"{row.ending.outcome} {row.ending.price}".rstrip(),
            "no price" if row.profit is None else str(row.profit),
            percent_text(row.probability, places=4),
            str(row.probability),
        )
        for one in wagers.values()
        for row in one.outcomes
    ]


def _summary_row(one: WagerOdds) -> tuple[str, ...]:
    fair = "never wins" if one.fair_odds is None else decimal_text(one.fair_odds, places=3)
    closed = one.house_edge is None or one.variance is None
    return (
        one.wager,
        "closed" if one.house_edge is None else percent_text(one.house_edge, places=4),
        percent_text(one.hit_rate, places=4),
        f"{fair} to 1" if one.fair_odds is not None else fair,
        "" if closed else decimal_text(one.variance or Fraction(0), places=6),
        "" if one.house_edge is None else str(one.house_edge),
    )


def covariance_lines(
    covariance: Mapping[tuple[str, str], Fraction], *, title: str
) -> Iterator[str]:
    """Write covariances for a stake of 1 each, a line for each unordered pair of wagers."""
    kinds = list(dict.fromkeys(one for one, _ in covariance))
    rows = [
        (one, other, decimal_text(covariance[one, other], places=9), str(covariance[one, other]))
        for place, one in enumerate(kinds)
        for other in kinds[place:]
    ]
    yield from _columns((title, "and", "covariance", "as a fraction"), rows)


def bank_lines(result: BankResult) -> Iterator[str]:
    """Write what the bank expects from one seat's stakes, in minor units."""
    yield f"bank expects {decimal_text(result.exact, places=4)} at the exact odds,"
    variance = decimal_text(result.variance, places=2)
    yield f"  {decimal_text(result.paid, places=4)} as paid, variance {variance}"
    rows = [(str(amount), percent_text(chance, places=4)) for amount, chance in result.chances]
    yield from _columns(("bank gains", "probability"), rows)


def rounds_lines(result: HouseResult) -> Iterator[str]:
    """Write what the stakes bring over many rounds, in minor units; the shape is the normal one."""
    seats = "1 seat" if result.seats == 1 else f"{result.seats} seats"
    yield f"over {result.rounds} rounds of {seats} the bank expects {result.mean_minor:.2f},"
    yield f"  deviation {result.deviation_minor:.2f}, behind with probability {result.behind:.4f}"
    rows = [(f"{n:+d}", f"{amount:.2f}", f"{below:.4f}") for n, amount, below in result.curve]
    yield from _columns(("deviations", "bank gains", "probability of less"), rows)


def best_lines(best: BestDraws, *, title: str) -> Iterator[str]:
    """Write a best policy and what the seat then expects."""
    yield f"{title}: the seat expects {decimal_text(best.seat_expects, places=9)}"
    yield from (f"  {side}: {draws}" for side, draws in best.policy.describe().items())


def solution_lines(solution: DrawSolution, *, title: str) -> Iterator[str]:
    """Write draws that neither side can better; hands that mix with their probability."""
    yield f"{title}: the seat expects {decimal_text(solution.seat_expects, places=9)}"
    for side, hands in (
        ("seat", solution.seat),
        ("bank after a draw", solution.bank_after_draw),
        ("bank after a stand", solution.bank_after_stand),
    ):
        yield f"  {side}: {_mixed_draws(hands)}"


def _mixed_draws(hands: Mapping[Hand, Fraction]) -> str:
    sure = name_draws(hand for hand, share in hands.items() if share == 1)
    mixed = [f"{name_hand(hand)} at {share}" for hand, share in hands.items() if share != 1]
    return "; ".join([sure, *mixed])


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Line up columns, the last one as long as it is."""
    lines = [head, *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
