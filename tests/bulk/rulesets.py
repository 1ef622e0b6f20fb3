"""Complete rulesets of the three games for the second engine's tests, and random ones."""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Final

POKER: Final = "poker-lucky-9"
FIXED: Final = "lucky-9"
SOCIAL: Final = "lucky-9-social"
DOWN: Final = {"unit_minor": 1, "mode": "down"}

POKER_DEFAULTS: Final[Mapping[str, object]] = {
    "decks": 8,
    "mixed_compare": "poker_over_lucky9",
    "kicker_by": "rank",
    "tie_break": "cascade",
    "tie_value": "rank",
    "jacks_scope": "hand_order",
    "main_odds": {"trio": [3, 2], "pair": [1, 1], "lucky9": [95, 100]},
    "pair_odds": [10, 1],
    "jacks_odds": [11, 1],
    "tie_odds": None,
    "side_on_tie": "settle",
    "side_requires_main": True,
    "pair_bet_on_void": "stands",
    "rounding": DOWN,
    "max_payout_minor": {},
}
FIXED_DEFAULTS: Final[Mapping[str, object]] = {
    "decks": 1,
    "draw_rule": "fixed_0_5",
    "forced_draw": "off",
    "natural_priority": "outranks_drawn",
    "banker_natural_stops_draws": True,
    "colon": {"enabled": True, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "none"},
    "banker_colon_collects": "stake",
    "commission": [0, 100],
    "tie": "push",
    "rounding": DOWN,
}
SOCIAL_DEFAULTS: Final[Mapping[str, object]] = {
    "decks": 1,
    "natural_totals": [9],
    "draw": "elective",
    "no_decision": "stand",
    "odds": [1, 1],
    "tie": "push",
    "rounding": DOWN,
}
DEFAULTS: Final = {POKER: POKER_DEFAULTS, FIXED: FIXED_DEFAULTS, SOCIAL: SOCIAL_DEFAULTS}

# The options on which the comparison of two hands of game A depends.
COMPARING: Final[Mapping[str, tuple[str, str]]] = {
    "mixed_compare": ("poker_over_lucky9", "by_count"),
    "kicker_by": ("rank", "points"),
    "tie_break": ("cascade", "high_card_only"),
    "tie_value": ("rank", "points"),
}
COMPARISONS: Final = [dict(zip(COMPARING, chosen)) for chosen in product(*COMPARING.values())]


def options(game: str, **changed: object) -> dict[str, object]:
    """Take the game's defaults with some options changed."""
    return {**DEFAULTS[game], **changed}


def random_rounding(random: Random) -> dict[str, object]:
    """Draw a rounding: usual units, an odd one, any mode."""
    return {
        "unit_minor": random.choice([1, 1, 25, 100, 500, 7]),
        "mode": random.choice(["down", "half_up", "up"]),
    }


def random_odds(random: Random) -> list[int]:
    """Draw odds: whole ones, halves, hundredths."""
    return random.choice(
        [[random.randint(1, 300), 1], [random.randint(1, 9), 2], [random.randint(80, 120), 100]]
    )


def random_poker(random: Random) -> dict[str, object]:
    """Draw a ruleset of game A."""
    caps = {kind: random.randint(0, 5_000_000) for kind in ("main", "tie", "pair", "jacks")}
    return options(
        POKER,
        **{name: random.choice(values) for name, values in COMPARING.items()},
        jacks_scope=random.choice(["hand_order", "same_rank_trio", "pair_only"]),
        main_odds={name: random_odds(random) for name in ("trio", "pair", "lucky9")},
        pair_odds=random_odds(random),
        jacks_odds=random_odds(random),
        tie_odds=random.choice([None, random_odds(random), random_odds(random)]),
        side_on_tie=random.choice(["settle", "push_unsettled"]),
        side_requires_main=random.random() < 0.5,
        pair_bet_on_void=random.choice(["stands", "reversed"]),
        rounding=random_rounding(random),
        max_payout_minor={kind: cap for kind, cap in caps.items() if random.random() < 0.25},
    )


def random_fixed(random: Random) -> dict[str, object]:
    """Draw a ruleset of game B; a Colon never pays less than even money."""
    high = random.choice([[2, 1], [1, 1], [5, 2], [3, 2]])
    nine = random.choice([[3, 1], [7, 2], [1, 1], [4, 3]])
    return options(
        FIXED,
        decks=random.randint(1, 8),
        forced_draw=random.choice(["off", "to_7", "all"]),
        natural_priority=random.choice(["outranks_drawn", "nine_only", "total_only"]),
        banker_natural_stops_draws=random.random() < 0.5,
        colon={
            "enabled": random.random() < 0.75,
            "odds": high,
            "nine_odds": nine,
            "on_loss": random.choice(["none", "bonus_part"]),
        },
        banker_colon_collects=random.choice(["stake", "multiple"]),
        commission=random.choice([[0, 100], [5, 100], [1, 3], [25, 1000]]),
        rounding=random_rounding(random),
    )


def random_social(random: Random) -> dict[str, object]:
    """Draw a ruleset of game C."""
    return options(
        SOCIAL,
        decks=random.randint(1, 8),
        no_decision=random.choice(["stand", "void_bet"]),
        odds=random.choice([[1, 1], [19, 20], [3, 2]]),
        rounding=random_rounding(random),
    )


def random_stake(random: Random) -> int:
    """Draw a stake: a chip's worth, an odd amount, or one at the edge of what a column may hold."""
    shape = random.random()
    if shape < 0.6:
        return 500 * random.randint(1, 200)
    if shape < 0.97:
        return random.randint(1, 1_000_000)
    return random.randint(2**53 - 100, 2**53 - 1)
