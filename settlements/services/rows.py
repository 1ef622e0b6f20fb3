"""Settlements as rows: the engine's lines become facts, and their sums move the heads.

Used by every service that settles, voids or corrects, so that one formula says what the bank
gained. Nothing here writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.rows import Change, Ref, Row
from settlements.models import Part, Payout, Settlement
from tables.games import Line
from tables.models import TableSession
from tables.selectors.round_read import RoundRead

WagerName = tuple[int, str]  # seat and kind
_COUNTS = ("win", "lose", "push")


@dataclass(frozen=True, slots=True)
class VoidNote:
    """Of a void: where the round stood, whose first two cards are touched, what was signed."""

    stage: str
    seats: tuple[int, ...]
    signed_hash: str


@dataclass(frozen=True, slots=True)
class Sums:
    """What a part adds up to, in minor units."""

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


def sums_of(lines: Sequence[Line], *, handed: Mapping[WagerName, int]) -> Sums:
    """Add up lines: the bank gains the stakes less what goes back, as owed and as handed.

    What was returned as void or rejected counts for no handle (event 26).
    """
    handle = sum(line.stake_minor for line in lines if line.outcome in _COUNTS)
    taken = sum(line.stake_minor + line.extra_owed_minor for line in lines)
    owed = sum(line.returned_minor for line in lines)
    given = sum(handed.get((line.seat, line.wager), line.returned_minor) for line in lines)
    return Sums(handle, taken - owed, taken - given)


def settlement_rows(
    read: RoundRead,
    lines: Sequence[Line],
    *,
    part: Part,
    revision: int,
    kind: Settlement.Kind,
    handed: Mapping[WagerName, int],
    void: VoidNote | None = None,
) -> list[Row]:
    """Return the settlement and one payout a line; handed is owed unless stated otherwise."""
    sums = sums_of(lines, handed=handed)
    head = Row(
        Settlement,
        {
            "round": read.ref,
            "part": part.value,
            "revision": revision,
            "kind": kind.value,
            "ruleset": read.ruleset_ref,
            "handle_minor": sums.handle_minor,
            "bank_owed_minor": sums.bank_owed_minor,
            "bank_handed_minor": sums.bank_handed_minor,
            "void_stage": void.stage if void else "",
            "void_seats": list(void.seats) if void else [],
            "signed_hash": void.signed_hash if void else "",
        },
    )
    return [
        head,
        *(
            payout_row(
                read.ref,
                line,
                part=part,
                revision=revision,
                handed_minor=handed.get((line.seat, line.wager), line.returned_minor),
            )
            for line in lines
        ),
    ]


def payout_row(round_: Ref, line: Line, *, part: Part, revision: int, handed_minor: int) -> Row:
    """Return one wager's payout; bank, player and commission sum to zero (design 6)."""
    numerator, denominator = line.odds if line.odds else (None, None)
    return Row(
        Payout,
        {
            "round": round_,
            "part": part.value,
            "revision": revision,
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
            "bank": "house",
            "clause": line.clause,
            "why": {"code": line.why.code, "params": dict(line.why.params)},
        },
    )


def session_change(read: RoundRead, sums: Sums, *, rounds: int) -> Change:
    """Return the session's sums once `sums` are added; `rounds` counts rounds settled whole."""
    before = read.session_sums
    return Change(
        TableSession,
        read.session,
        {
            "rounds_settled": before.rounds_settled + rounds,
            "handle_minor": before.handle_minor + sums.handle_minor,
            "bank_owed_minor": before.bank_owed_minor + sums.bank_owed_minor,
            "bank_handed_minor": before.bank_handed_minor + sums.bank_handed_minor,
        },
    )
