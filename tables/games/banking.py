"""Who holds the bank next, where players bank (rules B20, C10, C11)."""

from collections.abc import Collection, Sequence

from tables.games.procedures import Procedures


def next_bank_seat(
    procedures: Procedures,
    *,
    seats: Sequence[int],
    bank_seat: int,
    bank_minor: int,
    winners: Collection[int],
) -> int:
    """Return the seat that banks the next round.

    `fixed` keeps it. `clockwise` passes it one seat on; where the deal runs the other way, so does
    the bank (C10). `winner_keeps` leaves it with whoever won last: the bank unless it lost money
    (`bank_minor` below 0), else the first of the `winners` after it in dealing order. `seats` are
    those that take part, the bank's included.
    """
    after = _from(bank_seat, seats, backwards=procedures.deal_direction == "anticlockwise")
    if procedures.banker_rotation == "fixed" or not after:
        return bank_seat
    if procedures.banker_rotation == "clockwise":
        return after[0]
    if bank_minor >= 0:
        return bank_seat
    return next((seat for seat in after if seat in winners), bank_seat)


def _from(bank_seat: int, seats: Sequence[int], *, backwards: bool) -> list[int]:
    """Return the other seats in dealing order, beginning after the bank."""
    ring = sorted({*seats, bank_seat}, reverse=backwards)
    start = ring.index(bank_seat)
    return ring[start + 1 :] + ring[:start]
