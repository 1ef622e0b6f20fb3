"""What options, procedures and limits are called on screens, with the clause that each comes from.

Words only. A path that is not in the list is shown as it is spelled: nothing is hidden for lack of
a word.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Words(NamedTuple):
    """A label, the clause of the rules of play, and what each value means."""

    label: Promise | str
    clause: str
    values: Mapping[str, Promise] = {}


GAME_NAMES: Final[Mapping[str, Promise]] = {
    "poker-lucky-9": _("Poker Lucky 9"),
    "lucky-9": _("Lucky 9"),
    "lucky-9-social": _("Lucky 9, elective draw"),
}
KIND_NAMES: Final[Mapping[str, Promise]] = {
    "ruleset": _("Ruleset"),
    "procedures": _("Procedures"),
    "limits": _("Limits"),
}
KIND_PLURALS: Final[Mapping[str, Promise]] = {
    "ruleset": _("Rulesets"),
    "procedures": _("Procedures"),
    "limits": _("Limits"),
}
_YES_NO: Final[Mapping[str, Promise]] = {"true": _("yes"), "false": _("no")}

_ROUNDING: Final[Mapping[str, Words]] = {
    "rounding.unit_minor": Words(_("Winnings rounded to"), "A25"),
    "rounding.mode": Words(
        _("Rounded"),
        "A25",
        {"down": _("down"), "half_up": _("to the nearest, a half up"), "up": _("up")},
    ),
}
_POKER: Final[Mapping[str, Words]] = {
    "decks": Words(_("Decks"), "A32"),
    "mixed_compare": Words(
        _("Poker hand against a count"),
        "A1",
        {
            "poker_over_lucky9": _("the Poker hand wins"),
            "by_count": _("both are compared by count"),
        },
    ),
    "kicker_by": Words(
        _("Equal pairs: the kicker goes by"),
        "A6",
        {"rank": _("rank, Ace high"), "points": _("points, then rank")},
    ),
    "tie_break": Words(
        _("Equal counts are decided by"),
        "A9",
        {
            "cascade": _("the highest card, then the second, then the third"),
            "high_card_only": _("the highest card alone; if equal, a tie"),
        },
    ),
    "tie_value": Words(
        _("A tie needs three cards of the same"),
        "A8",
        {"rank": _("rank"), "points": _("points")},
    ),
    "jacks_scope": Words(
        _("Pair of Jacks or Higher wins with"),
        "A16",
        {
            "hand_order": _("a pair of J, Q, K or A, or any three of a kind"),
            "same_rank_trio": _("a pair or three of a kind of J, Q, K or A"),
            "pair_only": _("exactly a pair of J, Q, K or A"),
        },
    ),
    "main_odds.trio": Words(_("Main, won with three of a kind"), "A2"),
    "main_odds.pair": Words(_("Main, won with a pair"), "A2"),
    "main_odds.lucky9": Words(_("Main, won by count"), "A2"),
    "pair_odds": Words(_("Pair wager"), "A18"),
    "jacks_odds": Words(_("Jacks wager"), "A16"),
    "tie_odds": Words(_("Tie wager"), "A13"),
    "side_on_tie": Words(
        _("When main ties, the jacks wager"),
        "A15",
        {"settle": _("is settled on its own"), "push_unsettled": _("is pushed")},
    ),
    "side_requires_main": Words(_("Side wagers need a main wager"), "A21", _YES_NO),
    "pair_bet_on_void": Words(
        _("Round void after the sweep: settled pair wagers"),
        "A20",
        {"stands": _("stand"), "reversed": _("are reversed")},
    ),
    "max_payout_minor.main": Words(_("Winnings cap, main"), "A24"),
    "max_payout_minor.tie": Words(_("Winnings cap, tie"), "A24"),
    "max_payout_minor.pair": Words(_("Winnings cap, pair"), "A24"),
    "max_payout_minor.jacks": Words(_("Winnings cap, jacks"), "A24"),
    **_ROUNDING,
}
_LUCKY: Final[Mapping[str, Words]] = {
    "decks": Words(_("Decks"), "B22"),
    "draw_rule": Words(_("Draw"), "B1", {"fixed_0_5": _("0 to 5 must draw")}),
    "forced_draw": Words(
        _("Forced third card"),
        "B16",
        {
            "off": _("none: 6 and 7 stand"),
            "to_7": _("6 and 7 draw too, naturals stand"),
            "all": _("every hand draws"),
        },
    ),
    "natural_priority": Words(
        _("A natural against a drawn hand"),
        "B3",
        {
            "outranks_drawn": _("a natural beats every drawn hand"),
            "nine_only": _("only a natural nine is above drawn hands"),
            "total_only": _("totals alone decide"),
        },
    ),
    "banker_natural_stops_draws": Words(_("A natural of the bank ends the draw"), "B4", _YES_NO),
    "colon.enabled": Words(_("Colon bonus"), "B15", {"true": _("on"), "false": _("off")}),
    "colon.odds": Words(_("Won with a Colon"), "B9"),
    "colon.nine_odds": Words(_("Won with a Colon Nine"), "B14"),
    "colon.on_loss": Words(
        _("A Colon that loses"),
        "B10",
        {"none": _("is paid nothing"), "bonus_part": _("is paid its extra part")},
    ),
    "banker_colon_collects": Words(
        _("A Colon of the bank takes"),
        "B13",
        {"stake": _("the stake"), "multiple": _("the stake times its rate")},
    ),
    "commission": Words(_("Commission of winnings"), "B23"),
    "tie": Words(_("Equal totals"), "B6", {"push": _("push: the stake goes back")}),
    **_ROUNDING,
}
_SOCIAL: Final[Mapping[str, Words]] = {
    "decks": Words(_("Decks"), "C14"),
    "natural_totals": Words(_("Natural"), "C1"),
    "draw": Words(_("Third card"), "C4", {"elective": _("each hand draws or stands")}),
    "no_decision": Words(
        _("A hand that does not decide"),
        "C6",
        {"stand": _("stands"), "void_bet": _("is void, the wager goes back")},
    ),
    "odds": Words(_("Main wager"), "C9"),
    "tie": Words(_("Equal totals"), "C8", {"push": _("push: the stake goes back")}),
    **_ROUNDING,
}
_PROCEDURES: Final[Mapping[str, Words]] = {
    "card_detail": Words(
        _("Cards are keyed by"), "1E", {"rank_suit": _("rank and suit"), "rank": _("rank alone")}
    ),
    "burn": Words(
        _("Burn before the first round"),
        "A32",
        {
            "one": _("one card"),
            "first_card_value": _("the first card and as many as it counts"),
            "none": _("none"),
        },
    ),
    "cut_card_depth": Words(_("Cards behind the cut card"), "A32"),
    "after_cut": Words(
        _("When the cut card shows"),
        "event 17",
        {
            "finish_round": _("the round is finished, then no more"),
            "one_more": _("the round is finished, then one more"),
        },
    ),
    "excess_unseen": Words(
        _("Excess card, not seen"),
        "event 1",
        {"next_card": _("is the next card"), "burn": _("is burned")},
    ),
    "shoe_exhausted": Words(
        _("Shoe out in a round"),
        "event 18",
        {
            "void": _("the round is void"),
            "reshuffle_discards": _("the discards are shuffled to complete it"),
        },
    ),
    "over_max": Words(
        _("Wager above the maximum, found late"),
        "event 24",
        {
            "cap": _("counts up to the maximum, the rest goes back"),
            "honour": _("counts as it lay"),
        },
    ),
    "wrong_order_policy": Words(
        _("Card to the wrong seat"),
        "event 6",
        {
            "rebuild": _("move it, or rebuild the order"),
            "move_only": _("move it if found at once"),
            "void": _("void the round"),
        },
    ),
    "missed_seat_policy": Words(
        _("Seat missed in the first lap"),
        "event 8",
        {"deal_next": _("is dealt next"), "void_seat": _("its wagers go back")},
    ),
    "deal_direction": Words(
        _("Direction of dealing"),
        "A27, B18, C10",
        {
            "clockwise": _("clockwise from the dealer's left"),
            "anticlockwise": _("anticlockwise from the bank's right"),
        },
    ),
    "bank": Words(
        _("Who banks"), "B20", {"house": _("the house"), "players": _("a seat: the players")}
    ),
    "banker_rotation": Words(
        _("The bank moves"),
        "B20",
        {
            "fixed": _("not at all"),
            # C10: where the deal runs anticlockwise, so does the bank.
            "clockwise": _("after each round, to the next seat in the direction of dealing"),
            "winner_keeps": _("when it loses"),
        },
    ),
    "house_draw_policy": Words(_("The staffed bank draws on"), "C5"),
    "correction_window": Words(
        _("A supervisor corrects until"),
        "event 21",
        {
            "next_first_card": _("the first card of the next round"),
            "minutes": _("so many minutes later"),
            "shift": _("the end of the shift"),
        },
    ),
    "correction_minutes": Words(_("Minutes, where that counts"), "event 21"),
    "correction_limit_minor": Words(_("A manager signs corrections above"), "2.1"),
    "count_policy": Words(
        _("Cards are counted"),
        "event 28",
        {
            "every_shoe": _("after every shoe"),
            "every_n": _("after every so many shoes"),
            "on_incident": _("after an incident"),
        },
    ),
    "count_every": Words(_("Shoes, where that counts"), "event 28"),
    "deal_from": Words(
        _("Dealt from"),
        "B22",
        {"shoe": _("a shoe"), "pack_each_round": _("a pack shuffled for each round")},
    ),
}
_LIMIT_PARTS: Final[Mapping[str, tuple[Promise, str]]] = {
    "min": (_("%(wager)s, minimum"), "A24"),
    "max": (_("%(wager)s, maximum"), "A24"),
    "step": (_("%(wager)s, in steps of"), "A25"),
    "aggregate": (_("%(wager)s, all seats together win at most"), "A24"),
}
BANK_COVER: Final = Words(_("The bank covers"), "B20")

OPTIONS: Final[Mapping[str, Mapping[str, Words]]] = {
    "poker-lucky-9": _POKER,
    "lucky-9": _LUCKY,
    "lucky-9-social": _SOCIAL,
}

ENDINGS: Final[Mapping[str, Promise]] = {
    "trio": _("with three of a kind"),
    "pair": _("with a pair"),
    "lucky9": _("by count"),
    "even": _("without a bonus"),
    "colon": _("with a Colon"),
    "colon_nine": _("with a Colon Nine"),
    "bonus_colon": _("with a Colon: its extra is paid"),
    "bonus_colon_nine": _("with a Colon Nine: its extra is paid"),
    "banker_colon": _("to a Colon of the bank, which takes more"),
    "banker_colon_nine": _("to a Colon Nine of the bank, which takes more"),
}


def words_for(kind: str, game: str, path: str, *, wager_names: Mapping[str, object]) -> Words:
    """Return label, clause and value words of one value; an unknown path keeps its spelling."""
    if kind == "limits":
        return _limit_words(path, wager_names=wager_names)
    known = _PROCEDURES if kind == "procedures" else OPTIONS.get(game, {})
    return known.get(path) or Words(path.replace("_", " ").replace(".", ", "), "1E")


def _limit_words(path: str, *, wager_names: Mapping[str, object]) -> Words:
    if path == "bank_cover_minor":
        return BANK_COVER
    part, _dot, wager = path.partition(".")
    if part not in _LIMIT_PARTS:
        return Words(path.replace("_", " "), "1E")
    template, clause = _LIMIT_PARTS[part]
    return Words(str(template) % {"wager": wager_names.get(wager, wager)}, clause)


def place_of(kind: str, game: str, path: str, *, wagers: Sequence[str]) -> tuple[int, int]:
    """Return where a value stands on a page: limits by wager, all others in the order above."""
    if kind == "limits":
        part, _dot, wager = path.partition(".")
        if wager not in wagers or part not in _LIMIT_PARTS:
            return len(wagers), 0
        return wagers.index(wager), list(_LIMIT_PARTS).index(part)
    known = list(_PROCEDURES if kind == "procedures" else OPTIONS.get(game, {}))
    return (known.index(path) if path in known else len(known)), 0
