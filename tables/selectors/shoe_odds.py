"""The odds of what is left in a shoe: for the next round, from the cards that nobody has seen.

While a shoe is in play this is for surveillance and the auditor alone (control 4.22); whoever calls
asks `is_in_play` first. A card that left the shoe unseen is as likely to be any of the unseen ones
as a card that is still in it, so that both are counted together.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tables.games import Ruleset
from tables.games.cards import RANKS
from tables.games.odds import round_odds
from tables.games.odds_results import RoundOdds
from tables.models import Ruleset as StoredRuleset
from tables.models import Shoe
from tables.selectors.floor import CARDS_IN_A_DECK, UsedShoe, read_table
from tables.selectors.odds import draws_at_table, odds_of
from tables.selectors.rules import ruleset_of
from tables.selectors.shoes import Composition, shoe_composition

_SUITS = 4
_OVER = (Shoe.State.ENDED, Shoe.State.VOIDED)


@dataclass(frozen=True, slots=True)
class ShoeOdds:
    """Odds of one shoe's remaining composition beside those of the full shoe.

    `unseen` counts by rank the cards that nobody has seen; `unknown` of them have left the shoe.
    `over` are faces seen more often than the decks hold: then a key was wrong, and the count of
    that rank is nothing.
    """

    key: str
    state: str
    in_play: bool
    ruleset: Ruleset
    ruleset_name: str
    unseen: Mapping[str, int]
    seen: int
    unknown: int
    over: Mapping[str, int]
    odds: RoundOdds
    full: RoundOdds


def is_in_play(shoe: UsedShoe) -> bool:
    """Tell whether cards may still be dealt from a shoe; a stopped one may go on."""
    return shoe.state not in _OVER


def read_shoe(table: str, *, shoe: int) -> UsedShoe:
    """Return a shoe by its number. Raises TableMissingError, ShoeMissingError."""
    return read_table(table, shoe=shoe).require_shoe(shoe)


def shoe_odds(shoe: UsedShoe) -> ShoeOdds:
    """Return the odds of what is left in a shoe. Raises OddsError for fewer than six cards."""
    stored = StoredRuleset.objects.get(pk=shoe.ruleset.id)
    ruleset = ruleset_of(stored.hash, game=stored.game, options=stored.options)
    policy = draws_at_table(ruleset, shoe.procedures)
    composition = shoe_composition(shoe)
    unseen = _unseen(composition, decks=shoe.cards_loaded // CARDS_IN_A_DECK)
    return ShoeOdds(
        key=shoe.ref.key,
        state=shoe.state,
        in_play=is_in_play(shoe),
        ruleset=ruleset,
        ruleset_name=stored.name,
        unseen=unseen,
        seen=composition.dealt + composition.burned - composition.unknown,
        unknown=composition.unknown,
        over=composition.over,
        odds=round_odds(ruleset, unseen, policy=policy),
        full=odds_of(ruleset, policy=policy),
    )


def _unseen(composition: Composition, *, decks: int) -> dict[str, int]:
    """Count by rank what nobody has seen; discards that went in again were not seen since."""
    left = dict.fromkeys(RANKS, _SUITS * decks)
    for face, count in composition.faces.items():
        left[face[0]] -= count
    for face, count in composition.again.items():
        if face != "?":
            left[face[0]] += count
    return {rank: min(max(count, 0), _SUITS * decks) for rank, count in left.items()}
