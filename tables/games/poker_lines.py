"""What each wager of Poker Lucky 9 is owed, given how the hands compare (rules A2, A13 to A25)."""

from collections.abc import Mapping
from typing import NamedTuple

from tables.games.cards import RANK_LABELS
from tables.games.lines import line_back, line_lost, line_won
from tables.games.poker_hands import (
    Comparison,
    PokerHand,
    compare_hands,
    jacks_bet_wins,
    read_hand,
)
from tables.games.poker_options import PokerRules
from tables.games.rounding import pay
from tables.games.values import Line, Odds, Part, SeatPlay, Why


class Meeting(NamedTuple):
    """A seat's hand against the House's, and how they compare."""

    own: PokerHand
    house: PokerHand
    result: Comparison

    def params(self) -> Mapping[str, str]:
        """Name both hands by their cards."""
        return {"own": self.own.label, "bank": self.house.label}


def read_three(faces: tuple[str, ...]) -> PokerHand | None:
    """Return a complete hand read, or None where none was dealt."""
    if len(faces) != 3:
        return None
    return read_hand(faces[0][0] + faces[1][0] + faces[2][0])


def meeting_of(rules: PokerRules, seat: SeatPlay, *, house: PokerHand | None) -> Meeting | None:
    """Return how a seat's hand meets the House's, None where one of them was not dealt."""
    own = read_three(seat.faces)
    if own is None or house is None:
        return None
    return Meeting(own, house, compare_hands(own, house, rules=rules.order))


def main_line(rules: PokerRules, seat: SeatPlay, *, met: Meeting) -> Line:
    """Settle the main wager: the winning hand's class sets the price (A2), a tie pushes (A14)."""
    result, clause, code = met.result
    params = _params(met)
    if result > 0:
        odds, why = rules.main_odds[met.own.kind], Why(f"{code}_wins", params)
        return _won(rules, seat, kind="main", odds=odds, clause=clause, why=why)
    if result < 0:
        return line_lost(seat, kind="main", clause=clause, why=Why(f"{code}_loses", params))
    why = Why(f"{code}_ties", params)
    return line_back(seat, kind="main", outcome="push", clause="A14", why=why)


def tie_line(rules: PokerRules, seat: SeatPlay, *, met: Meeting) -> Line:
    """Settle the tie wager: it wins when the hands tie and only then (A13)."""
    if met.result.result:
        return line_lost(seat, kind="tie", clause="A13", why=Why("tie_loses", met.params()))
    assert rules.tie_odds is not None
    why = Why("tie_wins", met.params())
    return _won(rules, seat, kind="tie", odds=rules.tie_odds, clause=met.result.clause, why=why)


def pair_line(rules: PokerRules, seat: SeatPlay, *, clause: str) -> Line:
    """Settle the pair wager by the first two cards alone, in the sweep (A18, A19)."""
    first, second = seat.faces[0][0], seat.faces[1][0]
    params = {"own": f"{RANK_LABELS[first]}-{RANK_LABELS[second]}"}
    if first != second:
        why = Why("pair_loses", params)
        return line_lost(seat, kind="pair", clause=clause, why=why, part="sweep")
    why = Why("pair_wins", params)
    return _won(
        rules, seat, kind="pair", odds=rules.pair_odds, clause=clause, why=why, part="sweep"
    )


def jacks_line(rules: PokerRules, seat: SeatPlay, *, house: PokerHand, met: Meeting | None) -> Line:
    """Settle the jacks wager by the House's three cards alone (A16, A17); A15 may push it."""
    if rules.jacks_push_on_tie and met is not None and not met.result.result:
        why = Why("jacks_pushes", {"own": met.own.label})
        return line_back(seat, kind="jacks", outcome="push", clause="A15", why=why)
    params = {"bank": house.label}
    if not jacks_bet_wins(house, scope=rules.jacks_scope):
        return line_lost(seat, kind="jacks", clause="A16", why=Why("jacks_loses", params))
    why = Why("jacks_wins", params)
    return _won(rules, seat, kind="jacks", odds=rules.jacks_odds, clause="A16", why=why)


def _won(
    rules: PokerRules,
    seat: SeatPlay,
    *,
    kind: str,
    odds: Odds,
    clause: str,
    why: Why,
    part: Part = "final",
) -> Line:
    """Return the line of a won wager, rounded and capped (A24, A25)."""
    cap = rules.caps_minor.get(kind)
    paid = pay(seat.bets[kind], odds=odds, rounding=rules.rounding, cap_minor=cap)
    return line_won(seat, kind=kind, odds=odds, paid=paid, clause=clause, why=why, part=part)


def _params(met: Meeting) -> Mapping[str, str]:
    """Name both hands as the comparison saw them: by their sum, or by their cards."""
    own, house, result = met
    if result.code == "count":
        return {"own": own.sum_label, "bank": house.sum_label}
    if result.code == "poker_over_count":
        return {
            "own": own.label if own.kind != "lucky9" else own.sum_label,
            "bank": house.label if house.kind != "lucky9" else house.sum_label,
        }
    return met.params()
