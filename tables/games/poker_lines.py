"""What each wager of Poker Lucky 9 is owed, given how the hands compare (rules A2, A13 to A25)."""

from collections.abc import Mapping

from tables.games.cards import RANK_LABELS
from tables.games.poker_hands import Comparison, PokerHand, jacks_bet_wins, read_hand
from tables.games.poker_options import PokerRules
from tables.games.rounding import ZERO, pay
from tables.games.values import Line, Odds, Outcome, Part, SeatPlay, Why


def read_three(faces: tuple[str, ...]) -> PokerHand | None:
    """Return a complete hand read, or None where none was dealt."""
    if len(faces) != 3:
        return None
    return read_hand(faces[0][0] + faces[1][0] + faces[2][0])


def stake_back(
    seat: SeatPlay, kind: str, outcome: Outcome, clause: str, code: str, *, part: Part = "final"
) -> Line:
    """Return the line of a stake that goes back without winnings."""
    stake = seat.bets[kind]
    why = Why(code, {})
    return Line(
        seat.seat, kind, stake, outcome, None, 0, stake, 0, ZERO, 0, ZERO, part, clause, why
    )


def _lost(seat: SeatPlay, kind: str, clause: str, why: Why, *, part: Part = "final") -> Line:
    stake = seat.bets[kind]
    return Line(seat.seat, kind, stake, "lose", None, 0, 0, 0, ZERO, 0, ZERO, part, clause, why)


def _won(
    rules: PokerRules,
    seat: SeatPlay,
    kind: str,
    odds: Odds,
    clause: str,
    why: Why,
    *,
    part: Part = "final",
) -> Line:
    stake = seat.bets[kind]
    cap = rules.caps_minor.get(kind)
    profit, breakage, cut, commission = pay(
        stake, odds=odds, rounding=rules.rounding, cap_minor=cap
    )
    return Line(
        seat.seat,
        kind,
        stake,
        "win",
        odds,
        profit,
        stake + profit,
        0,
        breakage,
        cut,
        commission,
        part,
        clause,
        why,
    )


def main_line(
    rules: PokerRules, seat: SeatPlay, own: PokerHand, house: PokerHand, met: Comparison
) -> Line:
    """Settle the main wager: the winning hand's class sets the price (A2), a tie pushes (A14)."""
    params = _labels(own, house, met)
    if met.result > 0:
        why = Why(f"{met.code}_wins", params)
        return _won(rules, seat, "main", rules.main_odds[own.kind], met.clause, why)
    if met.result < 0:
        return _lost(seat, "main", met.clause, Why(f"{met.code}_loses", params))
    stake = seat.bets["main"]
    why = Why(f"{met.code}_ties", params)
    return Line(
        seat.seat, "main", stake, "push", None, 0, stake, 0, ZERO, 0, ZERO, "final", "A14", why
    )


def tie_line(
    rules: PokerRules, seat: SeatPlay, own: PokerHand, house: PokerHand, met: Comparison
) -> Line:
    """Settle the tie wager: it wins when the hands tie and only then (A13)."""
    params = {"own": own.label, "bank": house.label}
    if met.result:
        return _lost(seat, "tie", "A13", Why("tie_loses", params))
    assert rules.tie_odds is not None
    return _won(rules, seat, "tie", rules.tie_odds, met.clause, Why("tie_wins", params))


def pair_line(rules: PokerRules, seat: SeatPlay, *, clause: str) -> Line:
    """Settle the pair wager by the first two cards alone, in the sweep (A18, A19)."""
    first, second = seat.faces[0][0], seat.faces[1][0]
    params = {"own": f"{RANK_LABELS[first]}-{RANK_LABELS[second]}"}
    if first != second:
        return _lost(seat, "pair", clause, Why("pair_loses", params), part="sweep")
    why = Why("pair_wins", params)
    return _won(rules, seat, "pair", rules.pair_odds, clause, why, part="sweep")


def jacks_line(
    rules: PokerRules,
    seat: SeatPlay,
    own: PokerHand | None,
    house: PokerHand,
    met: Comparison | None,
) -> Line:
    """Settle the jacks wager by the House's three cards alone (A16, A17); A15 may push it."""
    if rules.jacks_push_on_tie and own is not None and met is not None and not met.result:
        why = Why("jacks_pushes", {"own": own.label})
        stake = seat.bets["jacks"]
        return Line(
            seat.seat, "jacks", stake, "push", None, 0, stake, 0, ZERO, 0, ZERO, "final", "A15", why
        )
    params = {"bank": house.label}
    if jacks_bet_wins(house, scope=rules.jacks_scope):
        why = Why("jacks_wins", params)
        return _won(rules, seat, "jacks", rules.jacks_odds, "A16", why)
    return _lost(seat, "jacks", "A16", Why("jacks_loses", params))


def _labels(own: PokerHand, house: PokerHand, met: Comparison) -> Mapping[str, str]:
    """Name both hands as the comparison saw them: by their sum, or by their cards."""
    if met.code == "count":
        return {"own": own.sum_label, "bank": house.sum_label}
    if met.code == "poker_over_count":
        return {
            "own": own.label if own.kind != "lucky9" else own.sum_label,
            "bank": house.label if house.kind != "lucky9" else house.sum_label,
        }
    return {"own": own.label, "bank": house.label}
