"""Odds that take seconds are asked for once and worked out by a job (design 8).

Working rows only: nothing here is logged, because everything follows from a ruleset's hash.
"""

from collections.abc import Mapping

from casino.outbox.bell import ring
from casino.outbox.services import ask_once
from tables.models import SlowOdds
from tables.selectors.odds import SLOW_ODDS_VERSION, slow_odds_of
from tables.selectors.rule_life import PublishedRules

SLOW_ODDS = "ruleset.slow_odds"


def ask_slow_odds(rules: PublishedRules) -> bool:
    """Ask for the slow odds of a published ruleset; return whether anything is still missing."""
    missing = slow_odds_of(rules.content.ruleset).missing
    if missing:
        ask_once(SLOW_ODDS, key=rules.hash)
        ring()
    return bool(missing)


def keep_slow_odds(hash_: str, *, part: str, document: Mapping[str, object]) -> None:
    """Keep one part; what is there already stays, because it is the same."""
    row = SlowOdds(hash=hash_, part=part, version=SLOW_ODDS_VERSION, document=dict(document))
    SlowOdds.objects.bulk_create([row], ignore_conflicts=True)
