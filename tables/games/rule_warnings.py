"""What a house should know before it publishes a ruleset: warnings, each with its figures.

A warning is no fault: such a ruleset can be played and published. What it costs whom is said in
exact figures, from the same odds that are shown everywhere. Sentences are templates, as for payouts
(`whys`): an edge that speaks another language looks them up and fills in the same parameters.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from tables.games.limits import Limits
from tables.games.lucky_9_options import lucky_rules
from tables.games.lucky_9_social import social_rules
from tables.games.odds_counting import HAND_CARDS
from tables.games.odds_document import decimal_text, percent_text, short_text
from tables.games.odds_paid import FIXED, POKER, ruleset_profits
from tables.games.odds_results import RoundOdds, WagerOdds
from tables.games.options import read_map
from tables.games.poker_options import poker_rules
from tables.games.procedures import Procedures
from tables.games.registry import GAMES, game_of
from tables.games.rounding_steps import StepBreakage, step_breakage
from tables.games.values import Ruleset
from tables.games.wagering import owes_beyond_stake

HOUSE_EDGE_MAX: Final = Fraction(1, 5)
"""A fixed mark, no setting: a wager that keeps more than a fifth of its stakes is warned of."""

DRAW_RULE: Final = "procedures.house_draw_policy"
"""Where a warning stands that the written draw of the bank is the reason of (C5)."""

_USUAL_TIE_ODDS: Final = 8  # to 1, the habit that A13 warns of


def gettext_noop(message: str) -> str:
    """Mark a message for extraction; the edge translates it."""
    return message


_: Final = gettext_noop

SENTENCES: Final[Mapping[str, str]] = {
    "tie_closed": _(
        "The tie wager has no price and stays closed. A tie comes with probability {chance}; "
        "the fair price is {fair} to 1, and 8 to 1 would keep {edge_at_8} of every stake."
    ),
    "favours_guest": _(
        "The {wager} wager favours the player by {edge} of every stake ({fraction})."
    ),
    "commission_even": _(
        "A commission of {commission} of the winnings would leave neither side an edge; "
        "without the Colon bonus the edge is {straight}."
    ),
    "edge_over_limit": _(
        "The {wager} wager keeps {edge} of every stake ({fraction}), above the {limit} that a "
        "price may keep without a warning."
    ),
    "breakage_kept": _(
        "The {wager} wager at {price} to 1 in steps of {step_minor} leaves a fraction on {share} "
        "of the stakes. The bank keeps up to {worst} minor units each time. Steps of {clean_minor} "
        "leave none."
    ),
    "breakage_given": _(
        "The {wager} wager at {price} to 1 in steps of {step_minor} leaves a fraction on {share} "
        "of the stakes. The bank adds up to {worst} minor units each time. Steps of {clean_minor} "
        "leave none."
    ),
    "cap_cuts": _(
        "Winnings of the {wager} wager end at {cap_minor}, which stakes above {stake_minor} reach: "
        "the posted price is not paid in full. A cap counts only if it is posted."
    ),
    "never_taken": _(
        "A {wager} wager of the minimum {stake_minor} can win {win_minor}, beyond the {most_minor} "
        "that all of them together may win in a round: none is ever taken."
    ),
    "cut_card_shallow": _(
        "The cut card leaves {depth} cards; a round of all seats takes {cards}. A shoe may run out "
        "in a round, which is then void."
    ),
    "extra_owed": _(
        "A bank that wins with a Colon is owed up to {extra} times the stake beyond the stake. "
        "Nothing blocks that beforehand, so that no table is given these rules."
    ),
    "no_cover": _(
        "Players hold the bank and the limits state no cover: wagers beyond what the bank can pay "
        "are not refused."
    ),
}


@dataclass(frozen=True, slots=True)
class RuleWarning:
    """One thing to know: a stable code, the option it is about, the clause, figures as text.

    `figures` are the exact values behind the text.
    """

    code: str
    where: str
    clause: str
    params: Mapping[str, str]
    figures: Mapping[str, Fraction]


def explain_warning(
    warning: RuleWarning,
    *,
    money: Callable[[int], str] = str,
    wager: Callable[[str], str] = str,
    translate: Callable[[str], str] = str,
) -> str:
    """Say a warning in words; amounts, wagers and language are written by the edge."""
    params = {
        name: money(int(value)) if name.endswith("_minor") else value
        for name, value in warning.params.items()
    }
    if "wager" in params:
        params["wager"] = wager(params["wager"])
    return translate(SENTENCES[warning.code]).format_map(params)


def odds_warnings(ruleset: Ruleset, odds: RoundOdds) -> Iterator[RuleWarning]:
    """Warn of prices: a tie wager without one, edges below zero or above a fifth of the stake."""
    for of_wager in odds.wagers.values():
        if of_wager.house_edge is None:
            yield _tie_closed(of_wager)
        elif of_wager.house_edge < 0:
            favours = _edge("favours_guest", ruleset, of_wager, edge=-of_wager.house_edge)
            drawn = _favours_by_draw(ruleset, odds)
            yield replace(favours, where=DRAW_RULE, clause="C5") if drawn else favours
            if ruleset.game == FIXED:
                yield from _commission_even(ruleset, of_wager)
        elif of_wager.house_edge > HOUSE_EDGE_MAX:
            yield _edge("edge_over_limit", ruleset, of_wager, edge=of_wager.house_edge)
    if owes_beyond_stake(ruleset):
        yield _extra_owed(ruleset)


def _extra_owed(ruleset: Ruleset) -> RuleWarning:
    """Warn of a bank's Colon that collects more than lies there (B13)."""
    rules = lucky_rules(ruleset)
    extra = max(Fraction(*rules.colon_odds), Fraction(*rules.nine_odds)) - 1
    where = "options.banker_colon_collects"
    return RuleWarning("extra_owed", where, "B13", {"extra": short_text(extra)}, {"extra": extra})


def _favours_by_draw(ruleset: Ruleset, odds: RoundOdds) -> bool:
    """Tell whether the bank's draw is the reason: the price is no better than even."""
    if not odds.policy or odds.policy.get("bank") == odds.policy["seat"]:
        return False
    return Fraction(*social_rules(ruleset).odds) <= 1


def _tie_closed(odds: WagerOdds) -> RuleWarning:
    edge_at_8 = 1 - odds.hit_rate * (_USUAL_TIE_ODDS + 1)
    fair = odds.fair_odds or Fraction(0)
    return RuleWarning(
        "tie_closed",
        "options.tie_odds",
        "A13",
        {
            "chance": percent_text(odds.hit_rate),
            "fair": decimal_text(fair, places=1),
            "edge_at_8": percent_text(edge_at_8, places=1),
        },
        {"chance": odds.hit_rate, "fair_odds": fair, "edge_at_8": edge_at_8},
    )


def _edge(code: str, ruleset: Ruleset, odds: WagerOdds, *, edge: Fraction) -> RuleWarning:
    params = {
        "wager": odds.wager,
        "edge": percent_text(edge),
        "fraction": str(edge),
        "limit": percent_text(HOUSE_EDGE_MAX, places=0),
    }
    where, clause = _price_of(ruleset, odds.wager)
    return RuleWarning(code, where, clause, params, {"edge": edge})


def _commission_even(ruleset: Ruleset, odds: WagerOdds) -> Iterator[RuleWarning]:
    """Say what would take the player's edge away: the edge is a straight line in the commission."""
    rules = lucky_rules(ruleset)
    if odds.house_edge is None or not rules.colon:
        return
    kept = 1 - Fraction(*rules.commission)
    won = sum(
        (
            row.probability * (row.profit or 0)
            for row in odds.outcomes
            if row.ending.outcome == "win"
        ),
        Fraction(0),
    )
    if not kept or not won:
        return
    gross = won / kept
    even = Fraction(*rules.commission) - odds.house_edge / gross
    bonus = sum(
        (
            row.probability * ((row.profit or 0) / kept - 1)
            for row in odds.outcomes
            if row.ending.outcome == "win"
        ),
        Fraction(0),
    )
    lost = _lost_beside_stake(odds)
    straight = odds.house_edge + bonus * kept + lost
    params = {"commission": percent_text(even), "straight": percent_text(straight)}
    figures = {"commission": even, "straight": straight}
    yield RuleWarning("commission_even", "options.commission", "B23", params, figures)


def _lost_beside_stake(odds: WagerOdds) -> Fraction:
    """What lost wagers give back or take beside their stake, seen by the seat (B10, B13)."""
    return sum(
        (
            row.probability * ((row.profit or 0) + 1)
            for row in odds.outcomes
            if row.ending.outcome == "lose"
        ),
        Fraction(0),
    )


def _price_of(ruleset: Ruleset, wager: str) -> tuple[str, str]:
    """Name the option that prices a wager, and its clause."""
    if ruleset.game == POKER:
        return {
            "main": ("options.main_odds", "A2"),
            "tie": ("options.tie_odds", "A13"),
            "pair": ("options.pair_odds", "A18"),
            "jacks": ("options.jacks_odds", "A16"),
        }[wager]
    return ("options.colon", "B15") if ruleset.game == FIXED else ("options.odds", "C9")


def limits_warnings(ruleset: Ruleset, limits: Limits) -> Iterator[RuleWarning]:
    """Warn of stakes that limits let through: fractions at the prices, winnings cut by a cap; and
    of wagers that they let nobody place.
    """
    rounding = read_map(ruleset.options["rounding"])
    unit = rounding["unit_minor"]
    assert isinstance(unit, int)
    for wager, profits in ruleset_profits(ruleset).items():
        prices = {p for ending, p in profits.items() if ending.outcome == "win" and p is not None}
        for price in sorted(prices):
            found = step_breakage(
                price, step_minor=limits.step[wager], unit_minor=unit, mode=str(rounding["mode"])
            )
            if found is not None:
                yield _breakage(wager, price, limits.step[wager], found)
    if ruleset.game == POKER:
        yield from _cap_warnings(ruleset, limits)
    yield from _never_taken(ruleset, limits)


def _never_taken(ruleset: Ruleset, limits: Limits) -> Iterator[RuleWarning]:
    """Warn of an aggregate, or a cover, that one wager of the minimum already breaks (A24, B20)."""
    mosts = [(f"aggregate.{wager}", wager, most) for wager, most in limits.aggregate.items()]
    mosts += [("bank_cover_minor", wager, limits.bank_cover_minor) for wager in limits.min]
    for where, wager, most in mosts:
        stake = limits.min[wager]
        worst = game_of(ruleset).worst_case(ruleset, kind=wager, stake_minor=stake).bank_minor
        if most is not None and worst > most:
            found = {"stake_minor": stake, "win_minor": worst, "most_minor": most}
            yield RuleWarning(
                "never_taken",
                f"limits.{where}",
                "B20" if where == "bank_cover_minor" else "A24",
                {"wager": wager, **{name: str(amount) for name, amount in found.items()}},
                {name: Fraction(amount) for name, amount in found.items()},
            )


def _breakage(wager: str, price: Fraction, step: int, found: StepBreakage) -> RuleWarning:
    params = {
        "wager": wager,
        "price": short_text(price),
        "step_minor": str(step),
        "share": percent_text(found.share, places=1),
        "worst": short_text(abs(found.worst)),
        "clean_minor": str(found.clean_step_minor),
    }
    figures = {
        "price": price,
        "share": found.share,
        "worst": found.worst,
        "clean_step_minor": Fraction(found.clean_step_minor),
    }
    code = "breakage_kept" if found.worst > 0 else "breakage_given"
    return RuleWarning(code, f"limits.step.{wager}", "A25", params, figures)


def _cap_warnings(ruleset: Ruleset, limits: Limits) -> Iterator[RuleWarning]:
    """Warn of caps that stakes within the limits reach (A24: valid only if posted)."""
    for wager, cap in poker_rules(ruleset).caps_minor.items():
        known = [p for p in ruleset_profits(ruleset)[wager].values() if p is not None and p > 0]
        most = limits.max[wager]
        if not known or (most is not None and most * max(known) <= cap):
            continue
        reaches = int(cap / max(known))
        params = {"wager": wager, "cap_minor": str(cap), "stake_minor": str(reaches)}
        figures = {"cap_minor": Fraction(cap), "stake_minor": Fraction(reaches)}
        where = f"options.max_payout_minor.{wager}"
        yield RuleWarning("cap_cuts", where, "A24", params, figures)


def procedures_warnings(game: str, procedures: Procedures) -> Iterator[RuleWarning]:
    """Warn of a cut card behind which a round of all seats does not fit (A32, B22)."""
    cards = HAND_CARDS * (GAMES[game].seats_max + 1)
    depth = procedures.values["cut_card_depth"]
    assert isinstance(depth, int)
    if not procedures.pack_each_round and depth < cards:
        params = {"depth": str(depth), "cards": str(cards)}
        figures = {"depth": Fraction(depth), "cards": Fraction(cards)}
        where, clause = "procedures.cut_card_depth", "A32" if game == POKER else "B22"
        yield RuleWarning("cut_card_shallow", where, clause, params, figures)


def cover_warnings(procedures: Procedures, limits: Limits) -> Iterator[RuleWarning]:
    """Warn of a bank at a seat whose cover nobody stated (B20, C12)."""
    if procedures.players_bank and limits.bank_cover_minor is None:
        yield RuleWarning("no_cover", "limits.bank_cover_minor", "B20", {}, {})
