"""A table's terms as its pages read them: ruleset, limits by wager, values of procedures."""

from typing import Any

from tables.models import Limits, Procedures, Ruleset
from tables.selectors.floor import Floor
from tables.selectors.round_read import WAGER_KINDS


def terms_document(floor: Floor) -> dict[str, Any] | None:  # Any: a template's context
    """Return what the table deals under from the next shoe and round; None before it has terms."""
    terms = floor.terms
    if terms is None:
        return None
    limits = Limits.objects.get(pk=terms.limits.id).options
    ruleset = Ruleset.objects.get(pk=terms.ruleset.id).options
    # A closed tie wager has no limits to speak of (A13).
    closed = {"tie"} if ruleset.get("tie_odds") is None else set()
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
            for kind in WAGER_KINDS
            if kind in limits["min"] and kind not in closed
        ],
        "procedures": Procedures.objects.get(pk=terms.procedures.id).options,
    }
