"""What a round from paper settles: the sweep and the rest in order, or what a void gives back.

Pure but for the engine's questions. Nothing is written here; the order is that in which the round
would have been settled had the tablet been there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from settlements.lines import Sums, VoidNote, WagerName, sums_of
from settlements.models import Part, Settlement
from tables.games import Line, settle, void
from tables.games.game import SETTLED_EARLY_STAGES
from tables.sheets import Laid


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One settlement to be written: its part and revision, the lines, what was handed over."""

    part: Part
    revision: int
    kind: Settlement.Kind
    lines: tuple[Line, ...]
    handed: Mapping[WagerName, int] = field(default_factory=dict)
    void: VoidNote | None = None


def parts_of(laid: Laid) -> tuple[SheetPart, ...]:
    """Return the settlements of a sheet in the order they were made; none for one called off.

    A void after the sweep lets what was settled stand, or takes it back in the next revision (A20).
    """
    sheet, state, ruleset = laid.sheet, laid.state, laid.round.ruleset
    if sheet.end == "called_off":
        return ()
    handed = {
        (seat.seat, kind): amount for seat in sheet.seats for kind, amount in seat.handed.items()
    }
    early = sheet.void is None or sheet.void.stage in SETTLED_EARLY_STAGES
    swept = settle(ruleset, state, "sweep").lines if early else ()
    parts = [_settled(Part.SWEEP, swept, handed)] if swept else []
    if sheet.void is None:
        parts.append(_settled(Part.FINAL, settle(ruleset, state, "final").lines, handed))
        return tuple(parts)
    lines = void(ruleset, state, sheet.void.stage, sheet.void.first_two).lines
    touched = sheet.void.first_two
    seats = laid.round.live if touched is True else tuple(touched or ())
    note = VoidNote(stage=sheet.void.stage, seats=seats)
    open_lines = tuple(line for line in lines if line.part == "final")
    voided = Settlement.Kind.VOIDED
    parts.append(SheetPart(Part.FINAL, 1, voided, open_lines, void=note))
    early_lines = tuple(line for line in lines if line.part == "sweep")
    if any(line.outcome == "void" for line in early_lines):
        parts.append(SheetPart(Part.SWEEP, 2, voided, early_lines, void=note))
    return tuple(parts)


def _settled(part: Part, lines: tuple[Line, ...], handed: Mapping[WagerName, int]) -> SheetPart:
    mine = {(line.seat, line.wager) for line in lines}
    stated = {key: amount for key, amount in handed.items() if key in mine}
    return SheetPart(part, 1, Settlement.Kind.SETTLED, lines, stated)


def standing(parts: tuple[SheetPart, ...]) -> dict[Part, SheetPart]:
    """Return each part in the revision that stands."""
    return {part.part: part for part in sorted(parts, key=lambda part: part.revision)}


def sums_standing(parts: tuple[SheetPart, ...], *, bank_seat: int | None) -> Sums:
    """Add up what stands, for the session."""
    total = Sums(0, 0, 0)
    for part in standing(parts).values():
        total += sums_of(part.lines, handed=part.handed, bank_seat=bank_seat)
    return total
