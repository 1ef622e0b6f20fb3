"""The options of Poker Lucky 9 (rules 1D, 1E): forms, defaults, and their typed reading."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tables.games.options import (
    ROUNDING,
    Amounts,
    Choice,
    Flag,
    Group,
    Price,
    Whole,
    read_map,
    read_odds,
)
from tables.games.poker_hands import OrderRules
from tables.games.rounding import Rounding, read_rounding
from tables.games.values import Odds, Ruleset

KINDS: Final = ("main", "tie", "pair", "jacks")

SCHEMA: Final = Group(
    {
        "decks": Whole(8, low=1, high=8),
        "mixed_compare": Choice(("poker_over_lucky9", "by_count")),
        "kicker_by": Choice(("rank", "points")),
        "tie_break": Choice(("cascade", "high_card_only")),
        "tie_value": Choice(("rank", "points")),
        "jacks_scope": Choice(("hand_order", "same_rank_trio", "pair_only")),
        "main_odds": Group(
            {"trio": Price((3, 2)), "pair": Price((1, 1)), "lucky9": Price((95, 100))}
        ),
        "pair_odds": Price((10, 1)),
        "jacks_odds": Price((11, 1)),
        "tie_odds": Price(None, nullable=True),
        "side_on_tie": Choice(("settle", "push_unsettled")),
        "side_requires_main": Flag(True),
        "pair_bet_on_void": Choice(("stands", "reversed")),
        "rounding": ROUNDING,
        "max_payout_minor": Amounts(KINDS),
    },
    unknown="unknown_option",
)


@dataclass(frozen=True, slots=True)
class PokerRules:
    """The options of a Poker Lucky 9 ruleset, typed."""

    decks: int
    order: OrderRules
    jacks_scope: str
    main_odds: Mapping[str, Odds]
    pair_odds: Odds
    jacks_odds: Odds
    tie_odds: Odds | None
    jacks_push_on_tie: bool
    main_required: bool
    pair_stands_on_void: bool
    rounding: Rounding
    caps_minor: Mapping[str, int]


def poker_rules(ruleset: Ruleset) -> PokerRules:
    """Return the typed options of a ruleset of this game."""
    assert isinstance(ruleset.rules, PokerRules)
    return ruleset.rules


def read_options(options: Mapping[str, object]) -> PokerRules:
    """Return the typed form of validated options."""
    decks, tie_odds = options["decks"], options["tie_odds"]
    caps = read_map(options["max_payout_minor"])
    main_odds = read_map(options["main_odds"])
    assert isinstance(decks, int)
    return PokerRules(
        decks=decks,
        order=OrderRules(
            by_count=options["mixed_compare"] == "by_count",
            kicker_by_points=options["kicker_by"] == "points",
            high_card_only=options["tie_break"] == "high_card_only",
            tie_by_points=options["tie_value"] == "points",
        ),
        jacks_scope=str(options["jacks_scope"]),
        main_odds={kind: read_odds(odds) for kind, odds in main_odds.items()},
        pair_odds=read_odds(options["pair_odds"]),
        jacks_odds=read_odds(options["jacks_odds"]),
        tie_odds=None if tie_odds is None else read_odds(tie_odds),
        jacks_push_on_tie=options["side_on_tie"] == "push_unsettled",
        main_required=options["side_requires_main"] is True,
        pair_stands_on_void=options["pair_bet_on_void"] == "stands",
        rounding=read_rounding(read_map(options["rounding"])),
        caps_minor={kind: cap for kind, cap in caps.items() if isinstance(cap, int)},
    )
