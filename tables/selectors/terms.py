"""A table's terms as its pages read them: ruleset, limits by wager, values of procedures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.games import GAMES
from tables.models import Limits, Procedures, Ruleset
from tables.selectors.floor import Floor
from tables.selectors.round_read import WAGER_KINDS


def offered_kinds(game: str, *, options: Mapping[str, object]) -> tuple[str, ...]:
    """Return the kinds of wager that a layout takes; a tie without a price is closed (A13)."""
    closed = {"tie"} if options.get("tie_odds") is None else set()
    kinds = set(GAMES[game].kinds) - closed
    return tuple(kind for kind in WAGER_KINDS if kind in kinds)


def terms_document(floor: Floor) -> dict[str, Any] | None:  # Any: a template's context
    """Return what the table deals under from the next shoe and round; None before it has terms."""
    terms = floor.terms
    if terms is None:
        return None
    limits = Limits.objects.get(pk=terms.limits.id).options
    ruleset = Ruleset.objects.get(pk=terms.ruleset.id)
    return {
        "game": terms.game,
        "ruleset": {"name": terms.ruleset_name, "hash": terms.ruleset.key},
        "limits": [
            {
                "kind": kind,
                "min_minor": limits["min"][kind],
                "max_minor": limits["max"].get(kind),
                "step_minor": limits["step"].get(kind),
            }
            for kind in offered_kinds(ruleset.game, options=ruleset.options)
            if kind in limits["min"]
        ],
        "procedures": Procedures.objects.get(pk=terms.procedures.id).options,
    }


@dataclass(frozen=True, slots=True)
class DealtUnder:
    """What a shoe is dealt under: its ruleset by name and hash, its procedures, its cards."""

    game: str
    ruleset_name: str
    ruleset_hash: str
    procedures: Mapping[str, object]
    cards: int


def dealt_under(floor: Floor) -> DealtUnder:
    """Return what the shoe in use is pinned to; before there is one, what the next will be.

    Raises TermsMissingError where there is neither.
    """
    shoe = floor.shoe
    if shoe is not None:
        stored = Ruleset.objects.get(pk=shoe.ruleset.id)
        values = shoe.procedures.values
        return DealtUnder(shoe.game, stored.name, stored.hash, values, shoe.cards_loaded)
    terms = floor.require_terms()
    values = Procedures.objects.get(pk=terms.procedures.id).options
    return DealtUnder(terms.game, terms.ruleset_name, terms.ruleset.key, values, terms.cards)
