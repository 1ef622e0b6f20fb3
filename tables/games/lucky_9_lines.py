"""How hands of Lucky 9 meet and what each wager is owed (rules B2, B3, B6, B9 to B14, B23)."""

from fractions import Fraction
from typing import Final, NamedTuple

from tables.games.lines import line_back, line_lost, line_won
from tables.games.lucky_9_options import LuckyRules
from tables.games.lucky_hands import LuckyHand
from tables.games.rounding import pay, round_exact
from tables.games.values import Line, Odds, SeatPlay, Why

EVEN: Final[Odds] = (1, 1)
BONUS: Final = "colon_bonus"


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


def seat_lines(rules: LuckyRules, seat: SeatPlay, *, own: LuckyHand, bank: LuckyHand) -> list[Line]:
    """Settle one seat: its main wager and, where the rules pay it on a loss, its Colon's extra."""
    met = meet(rules, own, bank)
    if met.result == 0:
        clause = "B11" if rules.rate(own) else met.clause
        why = Why(f"{met.code}_ties", _params(own, bank))
        return [line_back(seat, kind="main", outcome="push", clause=clause, why=why)]
    if met.result > 0:
        return [_win(rules, seat, met=met, own=own, bank=bank)]
    lines = [_loss(rules, seat, met=met, own=own, bank=bank)]
    rate = rules.rate(own)
    # The loser's Colon is void of effect where the winner has one too (B12).
    if rules.bonus_on_loss and rate is not None and rules.rate(bank) is None:
        over = (rate[0] - rate[1], rate[1])
        if over[0] > 0:
            lines.append(_bonus(rules, seat, odds=over, own=own, bank=bank))
    return lines


def _params(own: LuckyHand, bank: LuckyHand) -> dict[str, str]:
    return {"own": own.label, "bank": bank.label}


def _win(rules: LuckyRules, seat: SeatPlay, *, met: Met, own: LuckyHand, bank: LuckyHand) -> Line:
    """Settle a won main wager: a Colon's price replaces even money (B9), commission off (B23)."""
    rate, params = rules.rate(own), _params(own, bank)
    odds, clause, code = rate or EVEN, met.clause, f"{met.code}_wins"
    if rate is not None:
        params["pair"] = own.pair_label
        clause, code = ("B14", "colon_nine_wins") if own.pair == "9" else ("B9", "colon_wins")
    stake = seat.bets["main"]
    paid = pay(stake, odds=odds, rounding=rules.rounding, commission=rules.commission)
    why = Why(code, params)
    return line_won(seat, kind="main", odds=odds, paid=paid, clause=clause, why=why)


def _loss(rules: LuckyRules, seat: SeatPlay, *, met: Met, own: LuckyHand, bank: LuckyHand) -> Line:
    """Settle a lost main wager; the bank's Colon may be owed its multiple (B13)."""
    rate, params = rules.rate(bank), _params(own, bank)
    if rate is None or not rules.bank_colon_multiple:
        why = Why(f"{met.code}_loses", params)
        return line_lost(seat, kind="main", clause=met.clause, why=why)
    why = Why("bank_colon_collects", params | {"pair": bank.pair_label})
    stake = seat.bets["main"]
    extra = extra_minor(rules, stake, rate)
    gained = extra - stake * Fraction(_over(rate), rate[1])
    return line_lost(seat, kind="main", clause="B13", why=why, extra_minor=extra, breakage=gained)


def _bonus(
    rules: LuckyRules, seat: SeatPlay, *, odds: Odds, own: LuckyHand, bank: LuckyHand
) -> Line:
    """Return the line that the rules create for a lost Colon: rate less one, stake nil (B10)."""
    paid = pay(seat.bets["main"], odds=odds, rounding=rules.rounding)
    why = Why("colon_lost_bonus", _params(own, bank) | {"pair": own.pair_label})
    unstaked = seat._replace(bets={BONUS: 0})
    return line_won(unstaked, kind=BONUS, odds=odds, paid=paid, clause="B10", why=why)


def extra_minor(rules: LuckyRules, stake_minor: int, rate: Odds) -> int:
    """Return (rate - 1) x stake, rounded as winnings are; nothing for a rate below even money."""
    return round_exact(stake_minor * _over(rate), rate[1], rounding=rules.rounding)


def _over(rate: Odds) -> int:
    """Return by how much a rate is above even money, in parts of its denominator."""
    return max(rate[0] - rate[1], 0)
