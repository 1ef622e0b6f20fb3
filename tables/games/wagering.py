"""What is wrong with the wagers of a whole table, against ruleset and limits (A13, A21, A24, B20).

Wagers are checked at entry against the worst case, so that no accepted one breaks an aggregate or
the cover of the bank.
"""

from collections.abc import Mapping

from tables.games.limits import Limits
from tables.games.options import is_whole, show
from tables.games.registry import game_of
from tables.games.values import STAKE_MAX, TABLE_MONEY_MAX, Fault, Ruleset

_EXPECTED = {
    "no_price": "no wager on it: the table has set no price for it (A13)",
    "no_main": "a main wager on the same seat (A21)",
}
_CODES = {"no_price": "wager.closed", "no_main": "wager.needs_main"}


def wager_faults(
    ruleset: Ruleset,
    limits: Limits,
    wagers: Mapping[int, Mapping[str, int]],
    *,
    bank_seat: int | None = None,
) -> list[Fault]:
    """Return everything that is wrong with a table's wagers, seats in the order of placing.

    `bank_seat` is the seat that holds the bank, where players bank: it cannot bet against itself.
    Codes: seat.unknown, seat.banks, wager.unknown_kind, wager.stake, wager.closed,
    wager.needs_main, wager.below_min, wager.above_max, wager.off_step, wager.over_aggregate,
    wager.over_cover, wager.over_table.
    """
    game = game_of(ruleset)
    last = game.last_seat(bank_seat=bank_seat)
    faults: list[Fault] = []
    sound: dict[int, dict[str, int]] = {}
    for seat, bets in wagers.items():
        if not is_whole(seat, low=1, high=last):
            detail = f"expected a seat from 1 to {last}, not {show(seat)}"
            faults.append(Fault("seat.unknown", f"seats.{show(seat)}", detail))
            continue
        if seat == bank_seat and bets:
            detail = f"expected no wager on seat {seat}, which holds the bank"
            faults.append(Fault("seat.banks", f"seats.{seat}", detail, {"seat": seat}))
            continue
        sound[seat] = {}
        for kind, stake in bets.items():
            found = _rule_faults(ruleset, bets, seat=seat, kind=kind)
            if not found:
                sound[seat][kind] = stake
                found = _limit_faults(limits, seat=seat, kind=kind, stake=stake)
            faults += found
    faults += _aggregate_faults(ruleset, limits, sound)
    faults += _cover_faults(ruleset, limits, sound)
    faults += _table_faults(ruleset, sound)
    return faults


def _rule_faults(ruleset: Ruleset, bets: Mapping[str, int], *, seat: int, kind: str) -> list[Fault]:
    """Check one wager by itself against the rules, whatever the limits of the table."""
    game = game_of(ruleset)
    where, stake = f"seats.{seat}.{show_name(kind)}", bets[kind]
    data: dict[str, object] = {"seat": seat, "wager": show_name(kind)}
    if kind not in game.kinds:
        detail = f"expected one of the wagers {', '.join(game.kinds)}"
        return [Fault("wager.unknown_kind", where, detail, data)]
    if not is_whole(stake, low=1, high=STAKE_MAX):
        detail = f"expected whole minor units from 1 to {STAKE_MAX}, not {show(stake)}"
        return [Fault("wager.stake", where, detail, data)]
    refusal = game.refusal(ruleset, bets, kind=kind)
    if refusal is None:
        return []
    detail = f"expected {_EXPECTED[refusal.code]}"
    return [Fault(_CODES[refusal.code], where, detail, data | {"clause": refusal.clause})]


def _limit_faults(limits: Limits, *, seat: int, kind: str, stake: int) -> list[Fault]:
    """Check one wager against the limits of its kind."""
    faults: list[Fault] = []
    where = f"seats.{seat}.{kind}"
    least, most, step = limits.min.get(kind, 1), limits.max.get(kind), limits.step.get(kind, 1)
    bounds = {"min": least, "max": most, "step": step}
    data = {"seat": seat, "wager": kind, "stake_minor": stake} | bounds
    if most is not None and stake > most:
        detail = f"expected at most {most}, not {stake}"
        faults.append(Fault("wager.above_max", where, detail, data))
    if stake < least:
        detail = f"expected at least {least}, not {stake}"
        faults.append(Fault("wager.below_min", where, detail, data))
    if stake % step:
        detail = f"expected a multiple of {step}, not {stake}"
        faults.append(Fault("wager.off_step", where, detail, data))
    return faults


def _aggregate_faults(
    ruleset: Ruleset, limits: Limits, wagers: Mapping[int, Mapping[str, int]]
) -> list[Fault]:
    """Check that all wagers of a kind together cannot win more than its aggregate (A24)."""
    game = game_of(ruleset)
    faults: list[Fault] = []
    for kind, most in limits.aggregate.items():
        if most is None:
            continue
        total = sum(
            game.worst_case(ruleset, kind=kind, stake_minor=bets[kind]).bank_minor
            for bets in wagers.values()
            if kind in bets
        )
        if total > most:
            detail = f"expected that all wagers together can win at most {most}, not {total}"
            data = {"wager": kind, "worst_case_minor": total, "aggregate_minor": most}
            faults.append(Fault("wager.over_aggregate", f"table.{kind}", detail, data))
    return faults


def _cover_faults(
    ruleset: Ruleset, limits: Limits, wagers: Mapping[int, Mapping[str, int]]
) -> list[Fault]:
    """Refuse wagers beyond the bank's cover, last placed first, until the rest fits (B20, C12)."""
    cover = limits.bank_cover_minor
    if cover is None:
        return []
    game = game_of(ruleset)
    placed = [
        (seat, kind, game.worst_case(ruleset, kind=kind, stake_minor=stake).bank_minor)
        for seat, bets in wagers.items()
        for kind, stake in bets.items()
    ]
    total = sum(worst for _, _, worst in placed)
    faults: list[Fault] = []
    while total > cover and placed:
        seat, kind, worst = placed.pop()
        detail = f"expected that the bank covers all wagers: it has {cover}, they can win {total}"
        data = {"seat": seat, "wager": kind, "worst_case_minor": total, "cover_minor": cover}
        faults.append(Fault("wager.over_cover", f"seats.{seat}.{kind}", detail, data))
        total -= worst
    return faults[::-1]


def owes_beyond_stake(ruleset: Ruleset) -> bool:
    """Tell whether a lost wager may cost whoever placed it more than was placed (B13)."""
    game = game_of(ruleset)
    return any(
        game.worst_case(ruleset, kind=kind, stake_minor=STAKE_MAX).owner_extra_minor
        for kind in game.kinds
    )


def show_name(kind: object) -> str:
    """Return a wager's name from outside as it may stand in a message."""
    return kind if isinstance(kind, str) and kind.isascii() and kind.isalnum() else show(kind)


def _table_faults(ruleset: Ruleset, wagers: Mapping[int, Mapping[str, int]]) -> list[Fault]:
    """Refuse what no sum of the house could hold: limits may leave a wager without a highest."""
    game = game_of(ruleset)
    total = sum(
        stake + game.worst_case(ruleset, kind=kind, stake_minor=stake).bank_minor
        for bets in wagers.values()
        for kind, stake in bets.items()
    )
    if total <= TABLE_MONEY_MAX:
        return []
    detail = f"expected that all bets with what they can win come to at most {TABLE_MONEY_MAX}"
    data = {"worst_case_minor": total, "most_minor": TABLE_MONEY_MAX}
    return [Fault("wager.over_table", "table", detail, data)]
