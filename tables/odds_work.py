"""The job that works out odds which take seconds, asked for when a ruleset is published.

A handler of the outbox. It keeps every part as soon as it is there, so that a page can show how far
it has come and a killed worker loses one part at most. It must not log: what it keeps follows from
the ruleset alone.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

from audit.log.services import service
from casino.outbox.handlers import handles
from casino.outbox.leases import Lease, finish, renew
from tables.games import Ruleset
from tables.games.odds import (
    best_bank_policy,
    best_policies,
    best_seat_policy,
    seat_covariance,
)
from tables.games.odds_document import (
    best_draws_document,
    covariance_document,
    solution_document,
)
from tables.models import Ruleset as StoredRuleset
from tables.models import SlowOdds
from tables.rule_errors import RulesMissingError
from tables.selectors.odds import slow_odds_of
from tables.selectors.rules import ruleset_of
from tables.services.slow_odds import SLOW_ODDS, keep_slow_odds

_PART_MAX: Final = timedelta(minutes=2)
"""Longer than any part takes; a worker that dies is followed by another after it."""


@handles(SLOW_ODDS, takes_long=True)
def work_out(lease: Lease) -> None:
    """Work out what is missing of a ruleset's slow odds; the row's key is its hash.

    Raises RulesMissingError for a hash that was never published.
    """
    stored = StoredRuleset.objects.filter(hash=lease.key).first()
    if stored is None:
        raise RulesMissingError(hash=lease.key)
    ruleset = ruleset_of(stored.hash, game=stored.game, options=stored.options)
    for part in slow_odds_of(ruleset).missing:
        renew(lease, duration=_PART_MAX)
        keep_slow_odds(ruleset.hash, part=part, document=_PARTS[part](ruleset))
    _finish(lease)


@service
def _finish(lease: Lease) -> None:
    finish(lease)


def _between_seats(ruleset: Ruleset) -> Mapping[str, object]:
    return {"covariance": covariance_document(seat_covariance(ruleset))}


def _best_draws(ruleset: Ruleset) -> Mapping[str, object]:
    return {
        "seat": best_draws_document(best_seat_policy(ruleset)),
        "bank": best_draws_document(best_bank_policy(ruleset)),
        "bank_against_one_seat": best_draws_document(best_bank_policy(ruleset, heeds_seat=True)),
    }


def _solved_draws(ruleset: Ruleset) -> Mapping[str, object]:
    return {
        "any_number_of_seats": solution_document(best_policies(ruleset)),
        "one_seat": solution_document(best_policies(ruleset, heeds_seat=True)),
    }


_PARTS: Final[Mapping[str, Callable[[Ruleset], Mapping[str, object]]]] = {
    SlowOdds.Part.BETWEEN_SEATS.value: _between_seats,
    SlowOdds.Part.BEST_DRAWS.value: _best_draws,
    SlowOdds.Part.SOLVED_DRAWS.value: _solved_draws,
}
