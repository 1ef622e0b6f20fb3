"""Both engines on the same rounds: what one says against what the other says.

Only tests may know both. Returns differences as sentences; an empty list means that they agree.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from settlements.bulk import (
    Columns,
    Compiled,
    KindResult,
    Result,
    compile_ruleset,
    settle_columns,
)
from settlements.bulk.codes import DECISIONS, FACES, OUTCOMES, STAGES, Verdict
from tables.games import (
    Line,
    RoundState,
    Ruleset,
    Settlement,
    UnsettledError,
    live_seats,
    load_ruleset,
    places,
    settle,
    settle_document,
    void,
)
from tests.bulk.rulesets import POKER, SOCIAL

NAMES = {code: rank for rank, code in FACES.items()}
SUITS = "SHDC"
STAGE_NAMES = {int(stage): name for name, stage in STAGES.items()}
DECISION_NAMES = {int(decision): name for name, decision in DECISIONS.items()}


class Figures(NamedTuple):
    """One kind's columns of the second engine as lists, by round and seat."""

    verdict: list[list[int]]
    profit: list[list[int]]
    returned: list[list[int]]
    cap_cut: list[list[int]]
    breakage: list[list[int]]
    commission: list[list[int]]
    extra: list[list[int]] | None
    extra_breakage: list[list[int]] | None
    extra_denominator: int
    denominator: int
    odds: tuple[tuple[int, int], ...]


def figures(lines: KindResult, extra: KindResult | None) -> Figures:
    """Read every column of a kind."""
    return Figures(
        lines.verdict.tolist(),
        lines.profit_minor().tolist(),
        lines.returned_minor().tolist(),
        lines.cap_cut_minor().tolist(),
        lines.breakage_parts().tolist(),
        lines.commission_parts().tolist(),
        None if extra is None else extra.gain_minor().tolist(),
        None if extra is None else extra.breakage_parts().tolist(),
        1 if extra is None else extra.prices.denominator,
        lines.prices.denominator,
        lines.prices.odds,
    )


def all_figures(result: Result) -> dict[str, Figures]:
    """Read every column of every kind; what is owed beyond the stake belongs to the main wager."""
    return {
        kind: figures(lines, result.extra_owed if kind == "main" else None)
        for kind, lines in result.kinds.items()
    }


def wagers_of(columns: Columns, row: int) -> dict[int, dict[str, int]]:
    """Read the stakes of one round, by seat and kind."""
    wagers: dict[int, dict[str, int]] = {}
    for kind, stakes in columns.stakes.items():
        for seat, stake in enumerate(stakes[row].tolist(), start=1):
            if stake:
                wagers.setdefault(seat, {})[kind] = stake
    return wagers


def hands_of(columns: Columns, row: int) -> list[list[str]]:
    """Read the hands of one round as faces with suits; the bank's is the first."""
    hands = [columns.bank[row].tolist(), *columns.cards[row].tolist()]
    return [
        [
            NAMES[face] + (SUITS[(number + place) % 4] if face != FACES["?"] else "")
            for place, face in enumerate(hand)
            if face
        ]
        for number, hand in enumerate(hands)
    ]


def decisions_of(columns: Columns, row: int) -> dict[int, str]:
    """Read the decisions of one round that say anything, by hand."""
    if columns.decisions is None or columns.bank_decision is None:
        return {}
    numbers = [int(columns.bank_decision[row]), *columns.decisions[row].tolist()]
    return {hand: DECISION_NAMES[number] for hand, number in enumerate(numbers) if number}


def live_state(ruleset: Ruleset, columns: Columns, row: int) -> RoundState:
    """Lay one round of the columns before the engine that pays, draw by draw.

    Third cards go where that engine says they go, once the first two of each hand lie.
    """
    wagers, hands = wagers_of(columns, row), hands_of(columns, row)
    asked = {hand: name for hand, name in decisions_of(columns, row).items() if name != "none"}
    state = RoundState(wagers, live_seats(ruleset, wagers), {}, decisions=asked)
    for _ in range(2):
        cards = {
            place.draw: hands[place.hand][place.nth - 1]
            for place in places(ruleset, state)
            if place.nth <= len(hands[place.hand])
        }
        state = replace(state, cards=cards)
    dealt = sum(len(hands[hand]) for hand in (0, *state.live))
    # Where a face was never known a third card has no place; only a voided round may have that.
    assert len(state.cards) == dealt or (columns.stage is not None and columns.stage[row])
    return state


def differences(
    game: str,
    options: Mapping[str, object],
    columns: Columns,
    *,
    compiled: Compiled | None = None,
) -> list[str]:
    """Settle every round of the columns with both engines and compare all that they say."""
    ruleset = load_ruleset(game, options)
    result = settle_columns(compiled or compile_ruleset(game, ruleset.options), columns)
    by_kind, bank, fault = all_figures(result), result.bank_minor.tolist(), result.fault.tolist()
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
        final = settle(ruleset, state, "final")
        # Asking for a sweep that has nothing to settle would only take time.
        return [settle(ruleset, state, "sweep"), final] if may_sweep(ruleset, state) else [final]
    except UnsettledError:
        return None


def may_sweep(ruleset: Ruleset, state: RoundState) -> bool:
    """Tell whether a round may have something that is settled early: a pair wager, a natural."""
    if ruleset.game != SOCIAL:
        return ruleset.game == POKER
    return len(state.decisions) <= len(state.live)


def row_differences(
    row: int, lines: Sequence[Line], by_kind: Mapping[str, Figures]
) -> Iterator[str]:
    """Compare the lines of one round, field by field."""
    seen = set()
    for line in lines:
        kind, place = by_kind[line.wager], line.seat - 1
        seen.add((line.wager, place))
        verdict = kind.verdict[row][place]
        share, kept = line.breakage, line.commission
        if kind.extra_breakage is not None and (cut := kind.extra_breakage[row][place]):
            share += Fraction(cut, kind.extra_denominator)
        same = (
            line.outcome == OUTCOMES[min(verdict, Verdict.WIN)]
            and line.profit_minor == kind.profit[row][place]
            and line.returned_minor == kind.returned[row][place]
            and line.cap_cut_minor == kind.cap_cut[row][place]
            and line.extra_owed_minor == (kind.extra[row][place] if kind.extra else 0)
            and share.numerator * kind.denominator == kind.breakage[row][place] * share.denominator
            and kept.numerator * kind.denominator == kind.commission[row][place] * kept.denominator
            and line.odds == (kind.odds[verdict - Verdict.WIN] if verdict >= Verdict.WIN else None)
        )
        if not same:
            yield f"round {row}: live {line}, bulk {verdict} {kind.profit[row][place]}"
    for kind_name, kind in by_kind.items():
        for place, verdict in enumerate(kind.verdict[row]):
            if verdict and (kind_name, place) not in seen:
                yield f"round {row}: bulk alone has {kind_name} at seat {place + 1}"


def plant(monkeypatch: pytest.MonkeyPatch, right: Callable[..., object], wrong: object) -> None:
    """Put a faulty function in the place of a right one wherever the engine that pays uses it."""
    name = right.__name__
    modules = [module for path, module in sys.modules.items() if path.startswith("tables.games")]
    users = [module for module in modules if getattr(module, name, None) is right]
    assert users
    for module in users:
        monkeypatch.setattr(module, name, wrong)


def document_differences(
    game: str, options: Mapping[str, object], columns: Columns
) -> tuple[list[str], int]:
    """Hand every round to the engine that pays as a document, lawful or not; compare the money.

    Returns the differences and how many rounds both engines refused.
    """
    result = settle_columns(compile_ruleset(game, options), columns)
    found, refused = [], 0
    for row in range(columns.rounds):
        answer = settle_document(document_of(game, options, columns, row))
        fault = int(result.fault[row])
        if bool(answer["faults"]) != bool(fault):
            found.append(f"round {row}: live {answer['faults']}, bulk fault {fault}")
        elif fault:
            refused += 1
        elif answer["banker_net_minor"] != int(result.bank_minor[row]):
            found.append(f"round {row}: bank {answer}, {result.bank_minor[row]}")
    return found, refused


def document_of(
    game: str, options: Mapping[str, object], columns: Columns, row: int
) -> dict[str, object]:
    """Write one round of game B or C as a round document."""
    hands, decisions = hands_of(columns, row), decisions_of(columns, row)
    seats = [
        {"seat": seat, "bets": bets, "cards": hands[seat]}
        | ({"draw": decisions[seat]} if seat in decisions else {})
        for seat, bets in wagers_of(columns, row).items()
    ]
    banker: dict[str, object] = {"cards": hands[0]}
    if 0 in decisions:
        banker["draw"] = decisions[0]
    return {"id": str(row), "game": game, "options": options, "seats": seats, "banker": banker}
