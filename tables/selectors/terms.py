"""A table's terms in words and figures: ruleset, limits by wager, procedures."""

from typing import Any

from tables.models import Limits, Procedures
from tables.selectors.floor import Floor


def terms_document(floor: Floor) -> dict[str, Any] | None:  # Any: a template's context
    """Return what the table deals under from the next shoe and round; None before it has terms."""
    terms = floor.terms
    if terms is None:
        return None
    limits = Limits.objects.get(pk=terms.limits.id).options
    procedures = Procedures.objects.get(pk=terms.procedures.id).options
    return {
        "ruleset": {"name": terms.ruleset_name, "hash": terms.ruleset.key},
        "limits": [
            {
                "kind": kind,
                "min_minor": least,
                "max_minor": limits["max"].get(kind),
                "step_minor": limits["step"].get(kind),
            }
            for kind, least in limits["min"].items()
        ],
        "procedures": sorted(
            (name.replace("_", " "), str(value).replace("_", " "))
            for name, value in procedures.items()
            if not isinstance(value, dict)
        ),
    }
