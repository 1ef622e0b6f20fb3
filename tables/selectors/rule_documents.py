"""Rules and their warnings as JSON values; figures as fraction and decimal, both text."""

from collections.abc import Mapping

from django.conf import settings

from casino.kernel.clock import format_instant
from casino.kernel.money import format_minor
from tables.games.odds_document import figure
from tables.games.rule_warnings import RuleWarning, explain_warning
from tables.selectors.rule_check import Warned
from tables.selectors.rule_life import PublishedRules

Document = dict[str, object]


def rules_line(rules: PublishedRules) -> Document:
    """Write published rules as a line of a list."""
    return {
        "hash": rules.hash,
        "kind": rules.kind,
        "game": rules.game,
        "name": rules.name,
        "state": rules.state,
        "effective_day": _day(rules.effective_day),
        "changes_to": rules.changes_to or None,
        "changes_day": _day(rules.changes_day),
        "published_at": format_instant(rules.published_at),
        "draft": rules.draft or None,
        "tables": list(rules.tables),
    }


def _day(day: object) -> str | None:
    return None if day is None else str(day)


def warning_document(warned: Warned) -> Document:
    """Write a warning with its sentence and its exact figures."""
    warning = warned.warning
    return {
        "code": warning.code,
        "where": warning.where,
        "clause": warning.clause,
        "sentence": warning_sentence(warning),
        "figures": {name: figure(value) for name, value in warning.figures.items()},
        "under": warned.under or None,
        "tables": list(warned.tables),
    }


def warning_sentence(warning: RuleWarning) -> str:
    """Say a warning in English, amounts in the house's currency."""
    return explain_warning(warning, money=_money)


def _money(amount_minor: int) -> str:
    return format_minor(amount_minor, currency=settings.HOUSE_CURRENCY)


def fault_lines(faults: "list[Mapping[str, object]]") -> list[Document]:
    """Write faults as code, place and sentence."""
    return [{name: fault[name] for name in ("code", "where", "detail")} for fault in faults]
