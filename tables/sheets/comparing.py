"""Two keyings of one sheet, cell by cell: what one person read and the other did not.

Compared is what a round is made of. The words of a note are not: no two people type the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.kernel.clock import format_instant

_PLACES = {
    "end": "how it ended",
    "bank_seat": "the seat that holds the bank",
    "void.stage": "where it was void",
    "void.event": "why it was void",
    "void.affects_first_two_cards": "whose first two cards the void touches",
    "void.signed_by": "who signed the void",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One cell in which copies of a sheet differ: its place, and what each copy has there.

    A place is spelled by seat (0 the bank), such as `seats.3.cards.2`; None is an empty cell.
    """

    where: str
    values: tuple[str | int | None, ...]


def cells_of(
    document: Mapping[str, object], *, dealt_at: datetime | None = None
) -> dict[str, str | int]:
    """Return a sheet in its stored form as cells by place; empty cells are left out.

    The time of a device's copy is a claim of another clock and is not compared: leave it out.
    """
    cells: dict[str, str | int] = {}
    for name in ("end", "dealer", "bank_seat"):
        _put(cells, name, document.get(name))
    if dealt_at is not None:
        cells["dealt_at"] = format_instant(dealt_at)
    for seat in _objects(document.get("seats")):
        where = f"seats.{seat.get('seat')}"
        _put_hand(cells, where, seat)
        for part in ("bets", "handed"):
            amounts = seat.get(part)
            for kind, amount in amounts.items() if isinstance(amounts, Mapping) else ():
                _put(cells, f"{where}.{part}.{kind}", amount)
    for bank in ("house", "banker"):
        hand = document.get(bank)
        if isinstance(hand, Mapping):
            _put_hand(cells, "seats.0", hand)
    void = document.get("void")
    if isinstance(void, Mapping):
        _put(cells, "void.stage", void.get("stage"))
        _put(cells, "void.event", void.get("event"))
        _put(cells, "void.affects_first_two_cards", _words(void.get("affects_first_two_cards")))
        _put(cells, "void.signed_by", _words(void.get("signed_by")))
    return cells


def place_words(where: str) -> str:
    """Return a cell's place in words, as what is kept of a difference says it."""
    parts = where.split(".")
    if parts[0] != "seats" or len(parts) < 3:
        return _PLACES.get(where, where)
    hand = f"seat {parts[1]}" if parts[1] != "0" else "the bank's hand"
    cell = {"cards": "card", "bets": "stake on", "handed": "handed for", "draw": "decision"}
    return " ".join((f"{hand},", cell.get(parts[2], parts[2]), *parts[3:]))


def differences_between(copies: Sequence[Mapping[str, str | int]]) -> tuple[Difference, ...]:
    """Return the cells in which copies differ, in the order of the sheet."""
    places: dict[str, None] = {}
    for cells in copies:
        places |= dict.fromkeys(cells)
    found = []
    for where in sorted(places, key=_order):
        values = tuple(cells.get(where) for cells in copies)
        if len(set(values)) > 1:
            found.append(Difference(where, values))
    return tuple(found)


def _order(where: str) -> tuple[int, int, str]:
    """Order places as they stand on the sheet: head, seats, the bank's hand, the end."""
    first, _, rest = where.partition(".")
    if first == "seats":
        seat, _, cell = rest.partition(".")
        return (1, int(seat) or 99, cell)
    return (2 if first == "void" else 0, 0, where)


def _put_hand(cells: dict[str, str | int], where: str, hand: Mapping[str, object]) -> None:
    cards = hand.get("cards")
    for n, face in enumerate(cards if isinstance(cards, list | tuple) else (), start=1):
        _put(cells, f"{where}.cards.{n}", face)
    _put(cells, f"{where}.draw", hand.get("draw"))


def _put(cells: dict[str, str | int], where: str, value: object) -> None:
    if isinstance(value, str | int) and value != "":
        cells[where] = value


def _objects(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _words(value: object) -> str:
    """Return a list or a truth value as one cell."""
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return {True: "all", False: "none"}.get(bool(value), "")
