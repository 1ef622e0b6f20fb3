"""The life of rules as it is sent over the API."""

from typing import Any

from tables.models import RuleKind
from tests.factories.house import PINS, STAFF
from tests.support.api import ApiPerson
from tests.tables.rules.managers import MORE, options_of

Json = dict[str, Any]  # Any: documents
DRAFTS = "rulesets/drafts"
TIE: Json = {"tie_odds": [300, 1]}


def signed(*names: str, secret: str | None = None) -> list[Json]:
    """What managers enter to sign."""
    found = []
    for name in names:
        number, pin = MORE[name][:2] if name in MORE else (STAFF[name][0], PINS[name])
        role = "supervisor" if name == "supervisor" else "manager"
        found.append({"badge": f"B{number}", "secret": secret or pin, "role": role})
    return found


def draft(kind: str = RuleKind.RULESET, **changed: Any) -> Json:
    """A draft as it is sent, options at their defaults but for those named (Any: options)."""
    return {
        "kind": str(kind),
        "game": "poker-lucky-9",
        "name": "New rules",
        "options": options_of(kind=kind, **changed),
    }


def begun(manager: ApiPerson, kind: str = RuleKind.RULESET, **changed: Any) -> str:
    """Begin a draft; answer with its number."""
    return str(manager.post(DRAFTS, draft(kind, **changed))["draft"]["number"])


def put_up(manager: ApiPerson, kind: str = RuleKind.RULESET, **changed: Any) -> str:
    """Begin a draft and put it up for approval; answer with its number."""
    number = begun(manager, kind, **changed)
    manager.post(f"{DRAFTS}/{number}/submit", {"version": 1})
    return number
