"""Odds of rulesets, kept by their hash, and what stakes bring a house over many rounds.

What takes a fraction of a second is kept by the process; what takes seconds (two seats, best
draws) is worked out by a job and kept in working rows (`SlowOdds`). Both follow from the ruleset
alone, but for the draws of the bank where hands choose. Nothing here writes: who wants slow odds
asks `tables.services.slow_odds`.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from threading import Lock

from tables.games import Procedures, Ruleset
from tables.games.odds import round_odds
from tables.games.odds_elective_draw import DrawPolicy, draw_policy
from tables.games.odds_paid import ELECTIVE
from tables.games.odds_results import RoundOdds
from tables.games.odds_rounds import HouseResult, result_over_rounds
from tables.games.odds_stakes import SeatCovariance
from tables.models import SlowOdds

SLOW_ODDS_VERSION = 1
"""Raised when the computation changes, so that nothing kept by an older one is read."""

_KEPT_MAX = 128
_kept: OrderedDict[tuple[str, DrawPolicy | None], RoundOdds] = OrderedDict()
_keeping = Lock()

Part = SlowOdds.Part
Covariance = SeatCovariance


def odds_of(ruleset: Ruleset, *, policy: DrawPolicy | None = None) -> RoundOdds:
    """Return the odds of the full shoe; where hands choose, both sides draw on 0 to 5 (C5) unless
    a policy is given. Raises OddsError for a policy where nobody chooses.
    """
    key = ruleset.hash, policy
    with _keeping:
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
            return found
    odds = round_odds(ruleset, policy=policy)
    with _keeping:
        _kept[key] = odds
        while len(_kept) > _KEPT_MAX:
            _kept.popitem(last=False)
    return odds


def draws_at_table(ruleset: Ruleset, procedures: Procedures) -> DrawPolicy | None:
    """Return the draws of a bank that the house holds, by its written rule (C5), seats on 0 to 5.

    None where the rules decide who draws, and where the bank is a player's, who may choose.
    """
    if ruleset.game != ELECTIVE or procedures.players_bank:
        return None
    return draw_policy(bank=range(procedures.house_draws_to + 1))


def odds_at_table(ruleset: Ruleset, procedures: Procedures) -> RoundOdds:
    """Return the odds of the full shoe as a table deals it."""
    return odds_of(ruleset, policy=draws_at_table(ruleset, procedures))


def slow_parts(ruleset: Ruleset) -> tuple[str, ...]:
    """Return which odds of this ruleset take seconds."""
    if ruleset.game == ELECTIVE:
        return (Part.BETWEEN_SEATS.value, Part.BEST_DRAWS.value, Part.SOLVED_DRAWS.value)
    return (Part.BETWEEN_SEATS.value,)


@dataclass(frozen=True, slots=True)
class SlowOddsRead:
    """The slow odds that are there, by part, and those that are not yet."""

    documents: Mapping[str, Mapping[str, object]]
    missing: tuple[str, ...]

    @property
    def between_seats(self) -> Covariance | None:
        """The covariance of a wager of one seat with one of another; None while it is missing."""
        document = self.documents.get(Part.BETWEEN_SEATS)
        if document is None:
            return None
        pairs = document["covariance"]
        assert isinstance(pairs, list)
        return {
            (pair["wagers"][0], pair["wagers"][1]): Fraction(pair["covariance"]["fraction"])
            for pair in pairs
        }


def slow_odds_of(ruleset: Ruleset) -> SlowOddsRead:
    """Return what is kept of the slow odds of a ruleset, in one query."""
    rows = SlowOdds.objects.filter(hash=ruleset.hash, version=SLOW_ODDS_VERSION)
    documents = dict(rows.values_list("part", "document"))
    missing = tuple(part for part in slow_parts(ruleset) if part not in documents)
    return SlowOddsRead(documents=documents, missing=missing)


def house_result(
    ruleset: Ruleset,
    *,
    stakes: Mapping[str, int],
    seats: int,
    rounds: int,
    between: Covariance | None,
) -> HouseResult:
    """State what these stakes on each of so many seats bring in so many rounds.

    Without the covariance of two seats it is stated for one seat. Raises OddsError for stakes that
    the ruleset does not take.
    """
    return result_over_rounds(
        ruleset, odds_of(ruleset), stakes=stakes, seats=seats, rounds=rounds, between=between
    )


def open_wagers(odds: RoundOdds) -> Sequence[str]:
    """Return the wagers that have a price."""
    return [wager for wager, each in odds.wagers.items() if each.house_edge is not None]
