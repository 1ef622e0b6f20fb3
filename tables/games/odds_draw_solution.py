"""Draws of game C that neither side can better: the seat's, the bank's, and what the seat expects.

A seat against the bank is a game for two with opposite interests, so it has a value: what the seat
can make sure of whatever the bank does, and the bank whatever the seat does. A bank that heeds the
seat's choice is held to the value only by mixing: some hands draw with a probability. The solution
is exact. It starts from one policy of each side, solves the small game between the policies found
so far (by the simplex method in fractions), and adds each side's best answer to the other's mixture
until no answer gains anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tables.games.odds_counting import Hand
from tables.games.odds_draw_values import CHOICES, DRAW, STAND, DrawValues, bank_gains, seat_gains
from tables.games.odds_elective_draw import DrawPolicy, draw_policy

Mixture = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class DrawSolution:
    """By first hand, the probability of drawing; `seat_expects` is the value for a stake of 1.

    Hands that the composition cannot deal stand.
    """

    seat: Mapping[Hand, Fraction]
    bank_after_draw: Mapping[Hand, Fraction]
    bank_after_stand: Mapping[Hand, Fraction]
    seat_expects: Fraction


def solve_draws(values: DrawValues, *, heeds_seat: bool) -> DrawSolution:
    """Find the value and draws that secure it; `heeds_seat` lets the bank know who drew."""
    seats, banks = [draw_policy().seat], [draw_policy()]
    while True:
        matrix = [[_gain(values, seat=seat, bank=bank) for bank in banks] for seat in seats]
        rows, columns, value = solve_matrix(matrix)
        seat, most = _best_seat(values, banks=banks, mixture=columns)
        bank, least = _best_bank(values, seats=seats, mixture=rows, heeds_seat=heeds_seat)
        if most == value == least:
            break
        seats += [seat] if most > value else []
        banks += [bank] if least < value else []
    return DrawSolution(
        seat=_mixed(seats, rows),
        bank_after_draw=_mixed([bank.bank_after_draw for bank in banks], columns),
        bank_after_stand=_mixed([bank.bank_after_stand for bank in banks], columns),
        seat_expects=(value + values.natural_gain) / (values.deals * values.unit),
    )


def _gain(values: DrawValues, *, seat: frozenset[Hand], bank: DrawPolicy) -> int:
    gains = seat_gains(values, policy=bank)
    return sum(row[hand in seat] for hand, row in gains.items())


def _best_seat(
    values: DrawValues, *, banks: Sequence[DrawPolicy], mixture: Mixture
) -> tuple[frozenset[Hand], Fraction]:
    """Find the seat's best answer to a mixture of bank policies, and its gain."""
    drawn: set[Hand] = set()
    total = Fraction(0)
    answers = [seat_gains(values, policy=bank) for bank in banks]
    for hand in answers[0]:
        worth = [
            _weighed(mixture, [gains[hand][choice] for gains in answers]) for choice in CHOICES
        ]
        total += max(worth)
        if worth[DRAW] > worth[STAND]:
            drawn.add(hand)
    return frozenset(drawn), total


def _best_bank(
    values: DrawValues, *, seats: Sequence[frozenset[Hand]], mixture: Mixture, heeds_seat: bool
) -> tuple[DrawPolicy, Fraction]:
    """Find the bank's best answer to a mixture of seat policies, and what the seat then gains."""
    drawn: dict[int, set[Hand]] = {choice: set() for choice in CHOICES}
    total = Fraction(0)
    base = draw_policy()
    answers = [
        bank_gains(values, policy=DrawPolicy(seat, base.bank_after_draw, base.bank_after_stand))
        for seat in seats
    ]
    for hand in {hand for hand, _ in answers[0]}:
        worth = {
            (after, choice): _weighed(mixture, [gains[hand, after][choice] for gains in answers])
            for after in CHOICES
            for choice in CHOICES
        }
        for heeded in [(STAND,), (DRAW,)] if heeds_seat else [CHOICES]:
            stand = sum((worth[after, STAND] for after in heeded), Fraction(0))
            draw = sum((worth[after, DRAW] for after in heeded), Fraction(0))
            total += min(stand, draw)
            for after in heeded if draw < stand else ():
                drawn[after].add(hand)
    policy = DrawPolicy(base.seat, frozenset(drawn[DRAW]), frozenset(drawn[STAND]))
    return policy, total


def _weighed(mixture: Mixture, amounts: Sequence[int]) -> Fraction:
    return sum((share * amount for share, amount in zip(mixture, amounts)), Fraction(0))


def _mixed(policies: Sequence[frozenset[Hand]], mixture: Mixture) -> dict[Hand, Fraction]:
    """Add up the shares of the policies that draw to each hand."""
    shares: dict[Hand, Fraction] = {}
    for policy, share in zip(policies, mixture):
        for hand in policy if share else ():
            shares[hand] = shares.get(hand, Fraction(0)) + share
    return dict(sorted(shares.items()))


def solve_matrix(matrix: Sequence[Sequence[int]]) -> tuple[Mixture, Mixture, Fraction]:
    """Solve a game of two with opposite interests: rows gain the entries, columns pay them.

    Returns the mixtures of rows and columns and the value. Simplex with the smallest index first,
    so that it ends also where several choices are as good.
    """
    lowest = min(min(row) for row in matrix)
    height, width = len(matrix), len(matrix[0])
    tableau = [
        [Fraction(entry - lowest + 1) for entry in row]
        + [Fraction(int(line == other)) for other in range(height)]
        + [Fraction(1)]
        for line, row in enumerate(matrix)
    ]
    costs = [Fraction(-1)] * width + [Fraction(0)] * (height + 1)
    basis = [width + line for line in range(height)]
    while (entering := _first_negative(costs)) is not None:
        leaving = min(
            (line for line in range(height) if tableau[line][entering] > 0),
            key=lambda line: (tableau[line][-1] / tableau[line][entering], basis[line]),
        )
        _pivot(tableau, costs, line=leaving, column=entering)
        basis[leaving] = entering
    scale = 1 / costs[-1]
    columns = [Fraction(0)] * width
    for line, column in enumerate(basis):
        if column < width:
            columns[column] = tableau[line][-1] * scale
    rows = [cost * scale for cost in costs[width:-1]]
    return rows, columns, scale + lowest - 1


def _first_negative(costs: Sequence[Fraction]) -> int | None:
    return next((place for place, cost in enumerate(costs[:-1]) if cost < 0), None)


def _pivot(tableau: list[list[Fraction]], costs: list[Fraction], *, line: int, column: int) -> None:
    """Make the column a unit column with its 1 in this line, in place."""
    divisor = tableau[line][column]
    tableau[line] = [entry / divisor for entry in tableau[line]]
    for row in [*(row for place, row in enumerate(tableau) if place != line), costs]:
        factor = row[column]
        if factor:
            row[:] = [entry - factor * pivot for entry, pivot in zip(row, tableau[line])]
