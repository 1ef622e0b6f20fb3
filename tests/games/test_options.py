"""Every value of every option: one round that it changes, one that it leaves alone."""

from collections.abc import Mapping

import pytest

from tables.games import GAMES, settle_document
from tests.games.option_values import values_of
from tests.games.rounds import FIXED, POKER, SOCIAL, document

HIGH = "5S 3D QC"
NINE = "1 main=101: 2H 7C KD"


def poker(seat: str, bank: str, **options: object) -> dict[str, object]:
    return document(seat, bank=bank, options=options)


def fixed(seat: str, bank: str, **options: object) -> dict[str, object]:
    return document(seat, bank=bank, game=FIXED, options=options)


def social(seat: str, bank: str, draw: str, **options: object) -> dict[str, object]:
    return document(seat, bank=bank, bank_draw=draw, game=SOCIAL, options=options)


PAIR = "1 main=101 pair=10: 8C 8D KH"
TIED = "1 main=101 jacks=10: JH JC 4D"
PLAIN = fixed("1 main=101: 4H 3C", "KD 6S")
COLON = fixed("1 main=101: 3H 3C", "KD 2S 3S")
HOME = social("1 main=101: 8H 7S 4D / hit", "AC 6D", "stand")

# Game, option, value; a round that the value changes and one that it does not.
CASES: list[tuple[str, str, object, dict[str, object], dict[str, object]]] = [
    (POKER, "decks", 1, poker("1 main=101: 2H 7C KD", "2H 3D QC"), poker(NINE, HIGH)),
    (POKER, "mixed_compare", "by_count", poker(NINE, "2S 2C AD"), poker(NINE, HIGH)),
    (POKER, "kicker_by", "points", poker(PAIR, "8S 8H 9C"), poker(PAIR, "8S 8H JC")),
    (
        POKER,
        "tie_break",
        "high_card_only",
        poker("1 main=101: AS QD 8C", "AH JH 8H"),
        poker("1 main=101: AS QD 8C", "KH 9H QH"),
    ),
    (
        POKER,
        "tie_value",
        "points",
        poker("1 main=101: KS QD 5C", "JH TH 5H"),
        poker("1 main=101: KS QD 5C", "JH 2H 3H"),
    ),
    (
        POKER,
        "jacks_scope",
        "same_rank_trio",
        poker("1 main=101 jacks=10: 2H 7C KD", "2S 2D 2C"),
        poker("1 main=101 jacks=10: 2H 7C KD", "JS JD JC"),
    ),
    (
        POKER,
        "jacks_scope",
        "pair_only",
        poker("1 main=101 jacks=10: 2H 7C KD", "JS JD JC"),
        poker("1 main=101 jacks=10: 2H 7C KD", "JS JD 2C"),
    ),
    (POKER, "main_odds.trio", [2, 1], poker("1 main=101: 2H 2C 2D", HIGH), poker(NINE, HIGH)),
    (POKER, "main_odds.pair", [2, 1], poker("1 main=101: 2H 2C 3D", HIGH), poker(NINE, HIGH)),
    (POKER, "main_odds.lucky9", [1, 1], poker(NINE, HIGH), poker("1 main=9: 2H 2C 3D", HIGH)),
    (POKER, "pair_odds", [11, 1], poker(PAIR, HIGH), poker("1 main=9 pair=9: 8C 7D KH", HIGH)),
    (
        POKER,
        "jacks_odds",
        [10, 1],
        poker("1 main=101 jacks=10: 2H 7C KD", "JS JD 2C"),
        poker("1 main=101 jacks=10: 2H 7C KD", "TS TD 2C"),
    ),
    (POKER, "tie_odds", [8, 1], poker("1 main=9 tie=9: 2H 7C KD", HIGH), poker(NINE, HIGH)),
    (POKER, "side_on_tie", "push_unsettled", poker(TIED, "JS JD 4C"), poker(TIED, "QS QD 4C")),
    (
        POKER,
        "side_requires_main",
        False,
        document("1 pair=9:", "2 main=9: 2H 7C KD", bank=HIGH),
        poker(NINE, HIGH),
    ),
    (
        POKER,
        "pair_bet_on_void",
        "reversed",
        {
            **poker(PAIR, HIGH),
            "void": {"stage": "opened", "affects_first_two_cards": False},
        },
        poker(PAIR, HIGH),
    ),
    (POKER, "rounding.unit_minor", 25, poker(NINE, HIGH), poker("1 main=100: 2H 2C 3D", HIGH)),
    (POKER, "rounding.mode", "half_up", poker(NINE, HIGH), poker("1 main=20: 2H 7C KD", HIGH)),
    (POKER, "rounding.mode", "up", poker(NINE, HIGH), poker("1 main=20: 2H 7C KD", HIGH)),
    (POKER, "max_payout_minor", {"pair": 50}, poker(PAIR, HIGH), poker(NINE, HIGH)),
    (FIXED, "decks", 2, fixed("1 main=9: 9H 9C", "9H 9S"), PLAIN),
    (
        FIXED,
        "forced_draw",
        "to_7",
        fixed("1 main=9: 4H 3C", "KD 6S"),
        fixed("1 main=9: 8H KC", "KD 9S"),
    ),
    (
        FIXED,
        "forced_draw",
        "all",
        fixed("1 main=9: 8H KC", "KD 9S"),
        fixed("1 main=9: 2H 3C 4D", "KD 2S 6S"),
    ),
    (
        FIXED,
        "natural_priority",
        "nine_only",
        document("1 main=9: 8H KC", "2 main=9: 4H 2C", bank="2D 3S 4C", game=FIXED),
        PLAIN,
    ),
    (
        FIXED,
        "natural_priority",
        "total_only",
        document("1 main=9: 9H KC", "2 main=9: 4H 2C", bank="2D 3S 4C", game=FIXED),
        PLAIN,
    ),
    (
        FIXED,
        "banker_natural_stops_draws",
        False,
        fixed("1 main=9: 2H 3C", "KD 8S"),
        fixed("1 main=9: 4H 3C", "KD 8S"),
    ),
    (FIXED, "colon.enabled", False, COLON, PLAIN),
    (FIXED, "colon.odds", [3, 2], COLON, PLAIN),
    (FIXED, "colon.nine_odds", [5, 1], fixed("1 main=9: 9H 9C", "KD 7S"), COLON),
    (FIXED, "colon.on_loss", "bonus_part", fixed("1 main=9: 3H 3C", "5S 2D"), PLAIN),
    (FIXED, "banker_colon_collects", "multiple", fixed("1 main=9: 4H 2C", "4D 4S"), PLAIN),
    (FIXED, "commission", [5, 100], PLAIN, fixed("1 main=9: 4H 2C", "KD 7S")),
    (
        FIXED,
        "rounding.unit_minor",
        25,
        PLAIN,
        fixed("1 main=100: 4H 3C", "KD 6S"),
    ),
    (
        FIXED,
        "rounding.mode",
        "half_up",
        fixed("1 main=11: 4H 4C", "KD 7S", colon={"odds": [3, 2]}),
        PLAIN,
    ),
    (
        FIXED,
        "rounding.mode",
        "up",
        fixed("1 main=11: 4H 4C", "KD 7S", colon={"odds": [3, 2]}),
        PLAIN,
    ),
    (
        SOCIAL,
        "decks",
        2,
        social("1 main=9: 9H 9C / stand", "9H 9S", "stand"),
        HOME,
    ),
    (
        SOCIAL,
        "no_decision",
        "void_bet",
        document(
            "1 main=9: 8H 7S / no_decision",
            "2 main=9: 8D KS / stand",
            bank="AC 6D",
            bank_draw="stand",
            game=SOCIAL,
        ),
        HOME,
    ),
    (SOCIAL, "odds", [95, 100], HOME, social("1 main=9: 8H 7S / stand", "AC 6D", "stand")),
    (SOCIAL, "rounding.unit_minor", 25, HOME, social("1 main=9: 4H 3C / stand", "AC 6D", "stand")),
    (
        SOCIAL,
        "rounding.mode",
        "half_up",
        social("1 main=11: 4H 4C / stand", "AC 6D", "stand", odds=[1, 2]),
        HOME,
    ),
    (
        SOCIAL,
        "rounding.mode",
        "up",
        social("1 main=11: 4H 4C / stand", "AC 6D", "stand", odds=[1, 2]),
        HOME,
    ),
]


def with_option(doc: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    """Return a document with one option set; a dot leads into an option that is an object."""
    outer, _, inner = path.partition(".")
    options = doc["options"]
    assert isinstance(options, dict)
    changed = {**options, outer: {**options.get(outer, {}), inner: value} if inner else value}
    return {**doc, "options": changed}


def judged(doc: Mapping[str, object]) -> tuple[object, ...]:
    """Return lines and faults, which is all that a round comes to."""
    answer = settle_document(dict(doc))
    return answer["lines"], answer["faults"]


def name_of(case: object) -> str:
    return case if isinstance(case, str) else ""


@pytest.mark.parametrize(("game", "option", "value", "changed", "same"), CASES, ids=name_of)
def test_option_changes_what_it_should(
    game: str,
    option: str,
    value: object,
    changed: dict[str, object],
    same: dict[str, object],
) -> None:
    assert changed["game"] == same["game"] == game

    assert judged(with_option(changed, option, value)) != judged(changed)
    assert judged(with_option(same, option, value)) == judged(same)


def test_no_option_is_left_out() -> None:
    wanted = {(g, *pair) for g, game in GAMES.items() for pair in values_of(game.schema, "")}
    free = {(g, path) for g, path, value in wanted if value is ...}

    tested = {
        (game, option, ... if (game, option) in free else value)
        for game, option, value, _, _ in CASES
    }

    assert tested == wanted
