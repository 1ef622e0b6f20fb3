"""Sentences for the guest: one template for each reason, filled with the cards that decided.

The templates are message ids: an edge that speaks another language looks them up by gettext and
fills in the same parameters. Parameters are cards and sums, which need no translation.
"""

from collections.abc import Mapping
from typing import Final

from tables.games.values import Why


def gettext_noop(message: str) -> str:
    """Mark a message for extraction; the edge translates it."""
    return message


_: Final = gettext_noop

SENTENCES: Final[Mapping[str, str]] = {
    # Poker Lucky 9, main
    "count_wins": _("{own} beats {bank}"),
    "count_loses": _("{own} loses to {bank}"),
    "poker_over_count_wins": _("{own} is a Poker hand and beats {bank}"),
    "poker_over_count_loses": _("{own} loses to {bank}, a Poker hand"),
    "hand_order_wins": _("{own} stands above {bank} in the order of hands"),
    "hand_order_loses": _("{own} stands below {bank} in the order of hands"),
    "kicker_wins": _("same pair: kicker of {own} is higher than that of {bank}"),
    "kicker_loses": _("same pair: kicker of {own} is lower than that of {bank}"),
    "kicker_points_wins": _("same pair: kicker of {own} counts more points than that of {bank}"),
    "kicker_points_loses": _("same pair: kicker of {own} counts fewer points than that of {bank}"),
    "first_card_wins": _("equal counts: highest card of {own} is above that of {bank}"),
    "first_card_loses": _("equal counts: highest card of {own} is below that of {bank}"),
    "second_card_wins": _("equal counts and highest cards: second card decides, {own} over {bank}"),
    "second_card_loses": _(
        "equal counts and highest cards: second card decides, {bank} over {own}"
    ),
    "third_card_wins": _("equal but for the lowest card: {own} over {bank}"),
    "third_card_loses": _("equal but for the lowest card: {bank} over {own}"),
    "same_ranks_ties": _("{own} against {bank}: the same three ranks, stake returned"),
    "same_points_ties": _("{own} against {bank}: three cards of the same points, stake returned"),
    "same_high_card_ties": _(
        "{own} against {bank}: equal counts and highest cards, stake returned"
    ),
    # Poker Lucky 9, side bets
    "tie_wins": _("{own} against {bank} is a tie"),
    "tie_loses": _("{own} against {bank} is no tie"),
    "pair_wins": _("first two cards {own} are a pair"),
    "pair_loses": _("first two cards {own} are no pair"),
    "jacks_wins": _("House holds {bank}: a pair of Jacks or higher"),
    "jacks_loses": _("House holds {bank}: no pair of Jacks or higher"),
    "jacks_pushes": _("{own} ties with the House: stake returned"),
    # wagers that were never in play
    "no_main": _("no main bet on the seat: the stake goes back and buys no cards"),
    "no_price": _("the table has set no price for this bet: the stake goes back"),
    # rounds that do not count
    "round_void": _("the round is void: stake returned"),
    "pair_reversed": _("the round is void and so is the pair bet settled in it: stake returned"),
    "pair_of_dead_hand": _("the hand is void and so is its settled pair bet: stake returned"),
    "natural_reversed": _("the fault touched the first two cards: stake returned"),
    "loser_refunded": _("the shoe is void and its losers are refunded: stake returned"),
    "round_reversed": _("the shoe is void and the round is reversed: stake returned"),
    # Lucky 9, both games
    "total_wins": _("{own} beats {bank}"),
    "total_loses": _("{own} loses to {bank}"),
    "total_ties": _("{own} against {bank}: equal totals, stake returned"),
    "natural_wins": _("{own} is a natural and beats {bank}"),
    "natural_loses": _("{own} loses to {bank}, a natural"),
    "natural_ties": _("{own} against {bank}: two equal naturals, stake returned"),
    "colon_wins": _("Colon {pair}: {own} beats {bank}"),
    "colon_nine_wins": _("Colon Nine: {own} beats {bank}"),
    "colon_lost_bonus": _("Colon {pair} pays its extra although {own} loses to {bank}"),
    "bank_colon_collects": _(
        "{own} loses to {bank} with the bank's Colon {pair}: the extra is owed"
    ),
    "no_decision_void": _("no decision was given: stake returned"),
}


def explain(why: Why) -> str:
    """Return the sentence in English, e.g. "2+7+0 = 9 beats 5+3+0 = 8"."""
    return SENTENCES[why.code].format_map(why.params)
