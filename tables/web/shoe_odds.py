"""The page of what is left in a shoe: for surveillance and the auditor while it is in play."""

from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from casino.people.permissions import require_role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from casino.web.templatetags.cards import rank_label
from tables.games.odds_document import percent_text
from tables.permissions import READS_ROUNDS, SEES_LIVE_ODDS
from tables.selectors.shoe_odds import ShoeOdds, is_in_play, read_shoe, shoe_odds
from tables.web.odds_page import signed, wager_name

Context = dict[str, Any]  # a template's values


@require_GET
@signed_on(*READS_ROUNDS)
def page(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show the odds of the next round from what is left in a shoe (control 4.22)."""
    shoe = read_shoe(code, shoe=number)
    if is_in_play(shoe):
        require_role(person_of(request), *SEES_LIVE_ODDS)
    found = shoe_odds(shoe)
    context = {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "shoe": {
            "number": number,
            "key": found.key,
            "state": found.state,
            "url": reverse("settlements:shoe_page", args=[code, number]),
        },
        "in_play": found.in_play,
        "rules_url": reverse("tables:rules", args=[found.ruleset.hash]),
        "ruleset_name": found.ruleset_name,
        "seen": found.seen,
        "unseen": sum(found.unseen.values()),
        "unknown": found.unknown,
        "over": sorted(found.over.items()),
        "ranks": _ranks(found),
        "wagers": _wagers(found),
    }
    return render(request, "tables/rulesets/shoe_odds.html", context)


def _ranks(found: ShoeOdds) -> list[Context]:
    """Return each rank, Ace first: how many are unseen, and of how many."""
    whole = max(sum(found.full.composition) // len(found.unseen), 1)
    return [
        {"rank": rank_label(rank), "unseen": count, "whole": whole}
        for rank, count in reversed(list(found.unseen.items()))
    ]


def _wagers(found: ShoeOdds) -> list[Context]:
    rows = []
    for wager, now in found.odds.wagers.items():
        full = found.full.wagers[wager]
        rows.append(
            {
                "name": wager_name(wager),
                "hit": percent_text(now.hit_rate),
                "hit_full": percent_text(full.hit_rate),
                "edge": _edge(now.house_edge),
                "edge_full": _edge(full.house_edge),
                "fraction": "" if now.house_edge is None else str(now.house_edge),
                "favours_guest": now.house_edge is not None and now.house_edge < 0,
            }
        )
    return rows


def _edge(edge: Fraction | None) -> str:
    return "" if edge is None else signed(percent_text(edge))
