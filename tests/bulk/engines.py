"""Both engines on the same rounds of game A: what one says against what the other says.

Only tests may know both. Returns differences as sentences; an empty list means that they agree.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from settlements.bulk import Columns, Compiled, KindResult, compile_ruleset, settle_columns
from settlements.bulk.codes import FACES, OUTCOMES, STAGES, Verdict
from tables.games import (
    Line,
    RoundState,
    Ruleset,
    Settlement,
    UnsettledError,
    deal_plan,
    live_seats,
    load_ruleset,
    settle,
    void,
)
from tests.bulk.rulesets import POKER

NAMES = {code: rank for rank, code in FACES.items()}
KINDS = ("main", "tie", "pair", "jacks")
SUITS = "SHDC"
STAGE_NAMES = {int(stage): name for name, stage in STAGES.items()}


class Figures(NamedTuple):
    """One kind's columns of the second engine as lists, by round and seat."""

    verdict: list[list[int]]
    profit: list[list[int]]
    returned: list[list[int]]
    cap_cut: list[list[int]]
    breakage: list[list[int]]
    denominator: int
    odds: tuple[tuple[int, int], ...]


def figures(lines: KindResult) -> Figures:
    """Read every column of a kind."""
    return Figures(
        lines.verdict.tolist(),
        lines.profit_minor().tolist(),
        lines.returned_minor().tolist(),
        lines.cap_cut_minor().tolist(),
        lines.breakage_parts().tolist(),
        lines.prices.denominator,
        lines.prices.odds,
    )


def live_state(ruleset: Ruleset, columns: Columns, row: int) -> RoundState:
    """Lay one round of the columns before the engine that pays, draw by draw."""
    wagers: dict[int, dict[str, int]] = {}
    for kind in KINDS:
        for seat, stake in enumerate(columns.stakes[kind][row].tolist(), start=1):
            if stake:
                wagers.setdefault(seat, {})[kind] = stake
    live = live_seats(ruleset, wagers)
    hands = [columns.bank[row].tolist(), *columns.cards[row].tolist()]
    cards = {}
    for place in deal_plan(ruleset, live):
        face = hands[place.hand][place.nth - 1]
        if face:
            cards[place.draw] = NAMES[face] + (SUITS[row % 4] if face != FACES["?"] else "")
    return RoundState(wagers=wagers, live=live, cards=cards)


def differences(
    options: Mapping[str, object], columns: Columns, *, compiled: Compiled | None = None
) -> list[str]:
    """Settle every round of the columns with both engines and compare all that they say."""
    ruleset = load_ruleset(POKER, options)
    result = settle_columns(compiled or compile_ruleset(POKER, ruleset.options), columns)
    by_kind = {kind: figures(lines) for kind, lines in result.kinds.items()}
    bank, fault = result.bank_minor.tolist(), result.fault.tolist()
    found: list[str] = []
    for row in range(columns.rounds):
        parts = live_settlements(ruleset, columns, row)
        if parts is None or fault[row]:
            if parts is not None or not fault[row]:
                found.append(f"round {row}: live {parts}, bulk fault {fault[row]}")
            continue
        lines = [line for part in parts for line in part.lines]
        found += row_differences(row, lines, by_kind)
        if bank[row] != sum(part.bank_minor for part in parts):
            found.append(f"round {row}: bank {[part.bank_minor for part in parts]}, {bank[row]}")
    return found


def live_settlements(ruleset: Ruleset, columns: Columns, row: int) -> list[Settlement] | None:
    """Settle one round with the engine that pays: both parts, or its void; None if it refuses."""
    state = live_state(ruleset, columns, row)
    try:
        if columns.stage is not None and columns.stage[row]:
            assert columns.touched is not None
            touched = [seat + 1 for seat in np.flatnonzero(columns.touched[row]).tolist()]
            return [void(ruleset, state, STAGE_NAMES[int(columns.stage[row])], touched)]
        return [settle(ruleset, state, "sweep"), settle(ruleset, state, "final")]
    except UnsettledError:
        return None


def row_differences(
    row: int, lines: Sequence[Line], by_kind: Mapping[str, Figures]
) -> Iterator[str]:
    """Compare the lines of one round, field by field."""
    seen = set()
    for line in lines:
        kind, place = by_kind[line.wager], line.seat - 1
        seen.add((line.wager, place))
        verdict = kind.verdict[row][place]
        parts = kind.breakage[row][place]
        same = (
            line.outcome == OUTCOMES[min(verdict, Verdict.WIN)]
            and line.profit_minor == kind.profit[row][place]
            and line.returned_minor == kind.returned[row][place]
            and line.cap_cut_minor == kind.cap_cut[row][place]
            and line.breakage.numerator * kind.denominator == parts * line.breakage.denominator
            and line.odds == (kind.odds[verdict - Verdict.WIN] if verdict >= Verdict.WIN else None)
        )
        if not same:
            yield f"round {row}: live {line}, bulk {verdict} {kind.profit[row][place]}"
    for kind_name, kind in by_kind.items():
        for place, verdict in enumerate(kind.verdict[row]):
            if verdict and (kind_name, place) not in seen:
                yield f"round {row}: bulk alone has {kind_name} at seat {place + 1}"


def random_columns(
    generator: np.random.Generator, *, rounds: int, options: Mapping[str, object]
) -> Columns:
    """Deal random tables: one to five seats, any wagers, stakes of all sizes, often equal ranks."""
    shape = (rounds, 5)
    seated = generator.random(shape) < generator.choice([0.3, 0.8, 1.0], size=(rounds, 1))
    seated[np.arange(rounds), generator.integers(0, 5, rounds)] = True
    chance = {"main": 0.9, "tie": 0.5, "pair": 0.6, "jacks": 0.6}
    stakes = {
        kind: np.where(seated & (generator.random(shape) < chance[kind]), stake, 0)
        for kind in KINDS
        for stake in [random_stakes(generator, shape)]
    }
    hand = stakes["main"] > 0
    if not options["side_requires_main"]:
        hand |= stakes["pair"] > 0
        hand |= (stakes["tie"] > 0) & (options["tie_odds"] is not None)
    spread = generator.choice([2, 4, 13, 13], size=(rounds, 1, 1))
    shift = generator.integers(0, 13, size=(rounds, 1, 1))
    faces = (generator.integers(0, 13, size=(rounds, 6, 3)) % spread + shift) % 13 + 1
    return Columns(
        cards=(faces[:, 1:] * hand[:, :, None]).astype(np.int8),
        bank=faces[:, 0].astype(np.int8),
        stakes=stakes,
    )


def random_stakes(generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Draw stakes: chips, odd amounts, and some at the edge of what a document may state."""
    chips = 500 * generator.integers(1, 200, shape)
    odd = generator.integers(1, 1_000_000, shape)
    huge = 2**53 - generator.integers(1, 100, shape)
    size = generator.random(shape)
    return np.where(size < 0.6, chips, np.where(size < 0.97, odd, huge))
