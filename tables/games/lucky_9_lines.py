"""How hands of Lucky 9 meet and what each wager is owed (rules B2, B3, B6, B9 to B14, B23)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tables.games.lucky_9_options import LuckyRules
from tables.games.lucky_hands import LuckyHand
from tables.games.rounding import ZERO, pay, round_exact
from tables.games.values import Line, Odds, Outcome, Part, SeatPlay, Why

EVEN: Final[Odds] = (1, 1)


class Met(NamedTuple):
    """How a seat fares against the bank: above 0 it wins, 0 is a tie; the clause says why."""

    result: int
    clause: str
    code: str


def meet(rules: LuckyRules, own: LuckyHand, bank: LuckyHand) -> Met:
    """Compare a seat's hand with the bank's (B2, B3, B6, B25)."""
    own_nine = _is_above(rules, own)
    bank_nine = _is_above(rules, bank)
    if own_nine != bank_nine:
        by_total = own.total - bank.total
        result = 1 if own_nine else -1
        clause = "B2" if by_total * result > 0 else "B3"
        return Met(result, clause, "natural")
    if own.total == bank.total:
        return Met(0, "B6", "natural" if own_nine else "total")
    return Met(own.total - bank.total, "B2" if own_nine else "B25", "total")


def _is_above(rules: LuckyRules, hand: LuckyHand) -> bool:
    """Tell whether a hand is a natural of the kind that stands above all drawn hands."""
    return rules.is_decided_early(hand.first_two)


def stake_back(
    seat: SeatPlay, outcome: Outcome, clause: str, why: Why, *, part: Part = "final"
) -> Line:
    """Return the main line of a stake that goes back without winnings."""
    stake = seat.bets["main"]
    return Line(
        seat.seat, "main", stake, outcome, None, 0, stake, 0, ZERO, 0, ZERO, part, clause, why
    )


def seat_lines(rules: LuckyRules, seat: SeatPlay, own: LuckyHand, bank: LuckyHand) -> list[Line]:
    """Settle one seat: its main wager and, where the rules pay it on a loss, its Colon's extra."""
    met = meet(rules, own, bank)
    params = {"own": own.label, "bank": bank.label}
    if met.result == 0:
        clause = "B11" if rules.rate(own) else met.clause
        return [stake_back(seat, "push", clause, Why(f"{met.code}_ties", params))]
    if met.result > 0:
        return [_win(rules, seat, own, met, params)]
    lines = [_loss(rules, seat, bank, met, params)]
    rate = rules.rate(own)
    # The loser's Colon is void of effect where the winner has one too (B12).
    if rules.bonus_on_loss and rate is not None and rules.rate(bank) is None:
        extra = extra_minor(rules, seat.bets["main"], rate)
        if rate[0] > rate[1]:
            lines.append(_bonus(rules, seat, own, extra, rate, params))
    return lines


def _win(
    rules: LuckyRules, seat: SeatPlay, own: LuckyHand, met: Met, params: Mapping[str, str]
) -> Line:
    """Settle a won main wager: a Colon's price replaces even money (B9), commission off (B23)."""
    stake, rate = seat.bets["main"], rules.rate(own)
    odds, clause, code = rate or EVEN, met.clause, f"{met.code}_wins"
    if rate is not None:
        params = {**params, "pair": own.pair_label}
        clause, code = ("B14", "colon_nine_wins") if own.pair == "9" else ("B9", "colon_wins")
    paid = pay(stake, odds=odds, rounding=rules.rounding, commission=rules.commission)
    return Line(
        seat=seat.seat,
        wager="main",
        stake_minor=stake,
        outcome="win",
        odds=odds,
        profit_minor=paid.profit_minor,
        returned_minor=stake + paid.profit_minor,
        extra_owed_minor=0,
        breakage=paid.breakage,
        cap_cut_minor=0,
        commission=paid.commission,
        part="final",
        clause=clause,
        why=Why(code, params),
    )


def _loss(
    rules: LuckyRules, seat: SeatPlay, bank: LuckyHand, met: Met, params: Mapping[str, str]
) -> Line:
    """Settle a lost main wager; the bank's Colon may be owed its multiple (B13)."""
    stake, rate = seat.bets["main"], rules.rate(bank)
    clause, why, extra = met.clause, Why(f"{met.code}_loses", params), 0
    if rules.bank_colon_multiple and rate is not None:
        extra = extra_minor(rules, stake, rate)
        clause, why = "B13", Why("bank_colon_collects", {**params, "pair": bank.pair_label})
    return Line(
        seat.seat, "main", stake, "lose", None, 0, 0, extra, ZERO, 0, ZERO, "final", clause, why
    )


def _bonus(
    rules: LuckyRules,
    seat: SeatPlay,
    own: LuckyHand,
    extra: int,
    rate: Odds,
    params: Mapping[str, str],
) -> Line:
    """Return the line that the rules create for a lost Colon: rate less one, stake nil (B10)."""
    odds = (rate[0] - rate[1], rate[1])
    paid = pay(seat.bets["main"], odds=odds, rounding=rules.rounding)
    return Line(
        seat=seat.seat,
        wager="colon_bonus",
        stake_minor=0,
        outcome="win",
        odds=odds,
        profit_minor=paid.profit_minor,
        returned_minor=paid.profit_minor,
        extra_owed_minor=0,
        breakage=paid.breakage,
        cap_cut_minor=0,
        commission=ZERO,
        part="final",
        clause="B10",
        why=Why("colon_lost_bonus", {**params, "pair": own.pair_label}),
    )


def extra_minor(rules: LuckyRules, stake_minor: int, rate: Odds) -> int:
    """Return (rate - 1) x stake, rounded as winnings are; nothing for a rate below even money."""
    over = max(rate[0] - rate[1], 0)
    return round_exact(stake_minor * over, rate[1], rounding=rules.rounding)
