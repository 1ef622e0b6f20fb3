"""The engine's lines as the columns of payouts, and what lines add up to. Pure.

One formula says what the bank gained, for everything that settles, voids or corrects. It must not
decide what is owed; that is the engine's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tables.games import Line, Why

WagerName = tuple[int, str]  # seat and kind
HOUSE = "house"
VOID_SHOE_CLAUSE = "event 27"
_COUNTS = ("win", "lose", "push")


class GivenBack(StrEnum):
    """Which wagers of a round a ruling on its void shoe gives back (event 27)."""

    NONE = ""
    LOSERS = "losers"
    ALL = "all"


# By ruling: the outcomes that become void, and the reason that the guest is told. What is void or
# rejected already went back as such.
_GIVES_BACK: Mapping[GivenBack, tuple[tuple[str, ...], str]] = {
    GivenBack.NONE: ((), ""),
    GivenBack.LOSERS: (("lose",), "loser_refunded"),
    GivenBack.ALL: (_COUNTS, "round_reversed"),
}


@dataclass(frozen=True, slots=True)
class Sums:
    """What a part adds up to for the house, in minor units."""

    handle_minor: int
    bank_owed_minor: int
    bank_handed_minor: int

    def __sub__(self, other: "Sums") -> "Sums":
        return Sums(
            self.handle_minor - other.handle_minor,
            self.bank_owed_minor - other.bank_owed_minor,
            self.bank_handed_minor - other.bank_handed_minor,
        )

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.handle_minor + other.handle_minor,
            self.bank_owed_minor + other.bank_owed_minor,
            self.bank_handed_minor + other.bank_handed_minor,
        )


@dataclass(frozen=True, slots=True)
class VoidNote:
    """Of a void: where the round stood, and whose first two cards are touched (A20)."""

    stage: str
    seats: tuple[int, ...]


def sums_of(
    lines: Sequence[Line], *, handed: Mapping[WagerName, int], bank_seat: int | None = None
) -> Sums:
    """Add up lines: the house gains the stakes less what goes back, as owed and as handed.

    What was returned as void or rejected counts for no handle (event 26). Where a seat holds the
    bank the stakes are not the house's: it gains the commission alone, both ways (design 6).
    """
    handle = sum(line.stake_minor for line in lines if line.outcome in _COUNTS)
    if bank_seat is not None:
        commission = sum(line.commission_minor for line in lines)
        return Sums(handle, commission, commission)
    taken = sum(line.stake_minor + line.extra_owed_minor for line in lines)
    owed = sum(line.returned_minor for line in lines)
    given = sum(handed.get((line.seat, line.wager), line.returned_minor) for line in lines)
    return Sums(handle, taken - owed, taken - given)


def given_back(lines: Sequence[Line], which: GivenBack) -> tuple[Line, ...]:
    """Return the engine's lines as a ruling on their void shoe leaves them (event 27).

    Of a wager that is given back the stake is returned and nothing else is owed, either way.
    """
    outcomes, why = _GIVES_BACK[which]
    return tuple(
        line._replace(
            outcome="void",
            odds=None,
            profit_minor=0,
            returned_minor=line.stake_minor,
            extra_owed_minor=0,
            breakage=Fraction(0),
            cap_cut_minor=0,
            commission=Fraction(0),
            clause=VOID_SHOE_CLAUSE,
            why=Why(why, {}),
        )
        if line.outcome in outcomes
        else line
        for line in lines
    )


def payout_values(
    line: Line, *, handed_minor: int, bank_seat: int | None = None
) -> dict[str, object]:
    """Return a line as a payout's columns, but for round, part and revision.

    Bank, player and commission sum to zero; the bank is the house or the seat that holds it
    (design 6).
    """
    numerator, denominator = line.odds if line.odds else (None, None)
    return {
        "seat": line.seat,
        "wager": line.wager,
        "stake_minor": line.stake_minor,
        "outcome": str(line.outcome),
        "odds_numerator": numerator,
        "odds_denominator": denominator,
        "profit_minor": line.profit_minor,
        "owed_minor": line.returned_minor,
        "handed_minor": handed_minor,
        "breakage_numerator": line.breakage.numerator,
        "breakage_denominator": line.breakage.denominator,
        "cap_cut_minor": line.cap_cut_minor,
        "commission_minor": line.commission_minor,
        "extra_owed_minor": line.extra_owed_minor,
        "bank_minor": line.stake_minor
        - line.returned_minor
        - line.commission_minor
        + line.extra_owed_minor,
        "bank": HOUSE if bank_seat is None else str(bank_seat),
        "clause": line.clause,
        "why": {"code": line.why.code, "params": dict(line.why.params)},
    }
