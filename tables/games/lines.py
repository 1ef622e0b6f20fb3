"""The three kinds of line that every game makes: a stake that goes back, is lost, or wins."""

from fractions import Fraction

from tables.games.rounding import ZERO, Pay
from tables.games.values import Line, Odds, Outcome, Part, SeatPlay, Why


def line_back(
    seat: SeatPlay, *, kind: str, outcome: Outcome, clause: str, why: Why, part: Part = "final"
) -> Line:
    """Return the line of a stake that goes back without winnings: push, void or rejected."""
    stake = seat.bets[kind]
    return Line(
        seat.seat, kind, stake, outcome, None, 0, stake, 0, ZERO, 0, ZERO, part, clause, why
    )


def void_line(seat: SeatPlay, *, kind: str) -> Line:
    """Return the line of a wager that was open when its round was voided (event 26)."""
    why = Why("round_void", {})
    return line_back(seat, kind=kind, outcome="void", clause="event 26", why=why)


def line_lost(
    seat: SeatPlay,
    *,
    kind: str,
    clause: str,
    why: Why,
    part: Part = "final",
    extra_minor: int = 0,
    breakage: Fraction = ZERO,
) -> Line:
    """Return the line of a lost stake; `extra_minor` is owed beyond it (B13), rounded."""
    stake, owed = seat.bets[kind], extra_minor
    return Line(
        seat.seat, kind, stake, "lose", None, 0, 0, owed, breakage, 0, ZERO, part, clause, why
    )


def line_won(
    seat: SeatPlay,
    *,
    kind: str,
    odds: Odds,
    paid: Pay,
    clause: str,
    why: Why,
    part: Part = "final",
) -> Line:
    """Return the line of a won stake, which goes back with its winnings."""
    stake, profit = seat.bets[kind], paid.profit_minor
    return Line(
        seat.seat,
        kind,
        stake,
        "win",
        odds,
        profit,
        stake + profit,
        0,
        paid.breakage,
        paid.cap_cut_minor,
        paid.commission,
        part,
        clause,
        why,
    )
