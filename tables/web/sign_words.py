"""The sign of a table in words for players: what is dealt, what is taken, what is paid."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.web.templatetags.money import money_text
from casino.web.templatetags.odds import odds as odds_text
from tables.games.odds_document import percent_text
from tables.games.odds_elective_draw import DRAW_TO
from tables.games.odds_paid import ELECTIVE, FIXED, POKER
from tables.selectors.table_sign import TableSign
from tables.web.odds_page import signed, wager_name
from tables.web.rule_lines import game_name, rule_lines, value_text
from tables.web.rule_words import BANK_COVER

Context = dict[str, Any]  # a template's values

# What players are told of each game beside prices and limits, in the words of the options: each
# that moves their money. Prices, rounding and the third card of Lucky 9 have words of their own.
_POSTED: Mapping[str, tuple[str, ...]] = {
    POKER: (
        "mixed_compare",
        "kicker_by",
        "tie_break",
        "tie_value",
        "side_on_tie",
        "side_requires_main",
        "pair_bet_on_void",
    ),
    FIXED: ("tie", "commission"),
    ELECTIVE: ("natural_totals", "draw", "no_decision", "tie"),
}
_OF_NATURALS = ("natural_priority", "banker_natural_stops_draws")
_OF_COLONS = ("colon.on_loss", "banker_colon_collects")


def sign_context(sign: TableSign) -> Context:
    """Return a table's sign as the template reads it."""
    options = sign.ruleset.options
    return {
        "table": {
            "code": sign.code,
            "name": sign.name,
            "url": reverse("settlements:table_page", args=[sign.code]),
        },
        "game": game_name(sign.ruleset.game),
        "title": sign.rules.name,
        "hash": sign.rules.hash,
        "limits_hash": sign.limits_hash,
        "effective_day": sign.rules.stands_from,
        "since": sign.since,
        "shoe": sign.shoe,
        "rows": [_row(sign, wager) for wager in sign.limits.min],
        "posted": [(label, text) for label, text in _posted(sign, options)],
        "rounding": _rounding(sign, options),
        "edge_holds": _edge_holds(sign),
        "decks": options["decks"],
        "rules_url": reverse("tables:rules", args=[sign.rules.hash]),
    }


def _row(sign: TableSign, wager: str) -> Context:
    edge = sign.odds.wagers[wager].house_edge
    most = sign.limits.max[wager]
    step = sign.limits.step[wager]
    aggregate = sign.limits.aggregate.get(wager)
    return {
        "wager": wager,
        "name": _wager_title(wager),
        "closed": edge is None,
        "prices": _prices(sign, wager),
        "min": money_text(sign.limits.min[wager]),
        "max": _("no maximum") if most is None else money_text(most),
        "step": "" if step == 1 else money_text(step),
        "edge": "" if edge is None else signed(percent_text(edge, places=2)),
        "aggregate": "" if aggregate is None else money_text(aggregate),
        "cap": _cap(sign.ruleset.options, wager),
    }


def _wager_title(wager: str) -> str:
    if wager == "jacks":
        return _("Pair of Jacks or Higher")
    return wager_name(wager)


def _prices(sign: TableSign, wager: str) -> list[tuple[str, str]]:
    """Return what a wager pays, with what it pays for; empty for a closed one."""
    options = sign.ruleset.options
    if sign.ruleset.game == POKER:
        return _poker_prices(options, wager)
    if sign.ruleset.game == ELECTIVE:
        return [(_("a win"), odds_text(_pair(options["odds"])))]
    colon = options["colon"]
    assert isinstance(colon, dict)
    prices = [(_("a win"), _("1 to 1"))]
    if colon["enabled"]:
        prices += [
            (_("a win with a pair in the first two cards (Colon)"), odds_text(colon["odds"])),
            (_("a win with a pair of nines (Colon Nine)"), odds_text(colon["nine_odds"])),
        ]
    return prices


def _poker_prices(options: Mapping[str, Any], wager: str) -> list[tuple[str, str]]:
    if wager == "main":
        main = options["main_odds"]
        return [
            (_("three of a kind"), odds_text(main["trio"])),
            (_("a pair"), odds_text(main["pair"])),
            (_("Lucky 9 count"), odds_text(main["lucky9"])),
        ]
    if wager == "jacks":
        scope = value_text("ruleset", POKER, "jacks_scope", options["jacks_scope"])
        words = _("the House holds %(hands)s") % {"hands": scope}
        return [(words, odds_text(options["jacks_odds"]))]
    if wager == "pair":
        return [(_("the first two cards of the seat are a pair"), odds_text(options["pair_odds"]))]
    if options["tie_odds"] is None:
        return []
    return [(_("seat and House tie"), odds_text(options["tie_odds"]))]


def _posted(sign: TableSign, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    game = sign.ruleset.game
    paths = _POSTED[game]
    found = []
    if game == FIXED:
        forced = options["forced_draw"]
        found.append((_("Third card"), _third_card(forced)))
        paths = (
            *(_OF_NATURALS if forced != "all" else ()),
            *(_OF_COLONS if options["colon"]["enabled"] else ()),
            *paths,
        )
    lines = {line.path: line for line in rule_lines("ruleset", game, options)}
    found += [(lines[path].label, lines[path].value) for path in paths]
    return [*found, *_bank(sign)]


def _third_card(forced: str) -> str:
    """Say in one sentence who draws: the rule (B1) and what the house forces beside it (B16)."""
    words = {
        "off": _("0 to 5 must draw, 6 and 7 stand"),
        "to_7": _("0 to 7 must draw"),
        "all": _("every hand must draw, none is a natural"),
    }
    return words[forced]


def _bank(sign: TableSign) -> list[tuple[str, str]]:
    """Return who banks where it may be a player, and by which rule the House draws (C5); what the
    bank covers is a limit (C12).
    """
    game, procedures, cover = sign.ruleset.game, sign.procedures, sign.limits.bank_cover_minor
    found = []
    if cover is not None or procedures.players_bank:
        covers = _("not stated") if cover is None else money_text(cover)
        found.append((str(BANK_COVER.label), covers))
    if game == POKER:
        return found
    lines = {line.path: line for line in rule_lines("procedures", game, procedures.values)}
    found.append((lines["bank"].label, lines["bank"].value))
    if procedures.players_bank:
        found.append((lines["banker_rotation"].label, lines["banker_rotation"].value))
    elif game == ELECTIVE:
        found.append((_("The House draws on"), lines["house_draw_policy"].value))
    return found


def _edge_holds(sign: TableSign) -> str:
    """Say for which draws the edge holds; empty where nobody chooses."""
    if sign.ruleset.game != ELECTIVE:
        return ""
    draws = {"first": DRAW_TO[0], "last": DRAW_TO[-1]}
    if sign.procedures.players_bank:
        return _("The edge holds where bank and seats draw on %(first)d to %(last)d.") % draws
    return _("The edge holds where seats draw on %(first)d to %(last)d.") % draws


def _rounding(sign: TableSign, options: Mapping[str, Any]) -> str:
    rounding = options["rounding"]
    words = value_text("ruleset", sign.ruleset.game, "rounding.mode", rounding["mode"])
    unit = money_text(rounding["unit_minor"])
    return _("Winnings of each wager are rounded %(mode)s to %(unit)s.") % {
        "mode": words,
        "unit": unit,
    }


def _cap(options: Mapping[str, Any], wager: str) -> str:
    cap = options.get("max_payout_minor", {}).get(wager)
    return "" if cap is None else money_text(cap)


def _pair(value: object) -> list[int]:
    assert isinstance(value, list)
    return value
