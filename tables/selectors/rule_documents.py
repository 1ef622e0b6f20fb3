"""Rules, drafts, terms and their checks as JSON values; figures as fraction and decimal text."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction

from django.conf import settings

from casino.kernel.clock import format_instant
from casino.kernel.money import format_minor
from tables.faults import fault_documents
from tables.games import PRESETS, Ruleset
from tables.games.odds_document import figure, odds_document
from tables.games.rule_warnings import RuleWarning, explain_warning
from tables.models import RuleKind
from tables.selectors.odds import odds_of
from tables.selectors.rule_check import (
    Comparison,
    RuleCheck,
    Warned,
    basis_of,
    check_rules,
    compare_rules,
)
from tables.selectors.rule_content import load_content
from tables.selectors.rule_life import DraftRead, PublishedRules
from tables.selectors.table_sign import TableSign
from tables.selectors.terms_check import TermsCheck

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


def comparison_document(comparison: Comparison) -> Document:
    """Write what differs: every value before and after, and for rulesets the edges."""
    return {
        "against": comparison.against.hash,
        "changes": [
            {"path": each.path, "before": each.before, "after": each.after}
            for each in comparison.lines
        ],
        "edges": [
            {"wager": each.wager, "before": _edge(each.before), "after": _edge(each.after)}
            for each in comparison.edges
        ],
    }


def _edge(edge: Fraction | None) -> Document | None:
    return None if edge is None else {**figure(edge)}


def preset_documents() -> list[Document]:
    """Write the presets with all their options and procedures, defaults filled in."""
    return [
        {
            "code": preset.code,
            "name": preset.name,
            "game": preset.game,
            "options": load_content(RuleKind.RULESET, preset.game, preset.options).options,
            "procedures": load_content(RuleKind.PROCEDURES, preset.game, preset.procedures).options,
        }
        for preset in PRESETS.values()
    ]


def draft_line(draft: DraftRead) -> Document:
    """Write a draft as a line of a list: who wrote it, who approved this version of it."""
    return {
        "number": draft.number,
        "kind": draft.kind,
        "game": draft.game,
        "name": draft.name,
        "state": draft.state,
        "version": draft.version,
        "effective_day": _day(draft.effective_day),
        "content_hash": draft.content_hash or None,
        "drafters": list(draft.drafters),
        "approvals": [
            {"number": each.number, "name": each.name, "at": format_instant(each.at)}
            for each in draft.approvals
        ],
        "approvals_missing": draft.approvals_missing,
        "changed_at": format_instant(draft.changed_at),
    }


def draft_document(draft: DraftRead, *, against: str, day: date) -> Document:
    """Write a draft with its check, its odds, and what differs from what it is laid beside."""
    check = check_rules(draft.kind, draft.game, draft.options, day=day)
    base = basis_of(draft.kind, draft.game, against=against, day=day)
    compared = (
        None if base is None else compare_rules(draft.kind, draft.game, draft.options, against=base)
    )
    return {
        **draft_line(draft),
        "options": draft.options,
        **check_document(check),
        "comparison": None if compared is None else comparison_document(compared),
    }


def check_document(check: RuleCheck) -> Document:
    """Write faults, warnings, and for a ruleset without faults its odds."""
    content = check.content
    ruleset = content.loaded if content is not None else None
    return {
        "faults": fault_lines(check.faults),
        "warnings": [warning_document(each) for each in check.warnings],
        "odds": odds_document(odds_of(ruleset)) if isinstance(ruleset, Ruleset) else None,
    }


def terms_check_document(check: TermsCheck) -> Document:
    """Write what new terms of a table would mean."""
    return {
        "same": check.same,
        "faults": fault_lines(fault_documents(check.faults)),
        "changes": [
            {
                "kind": each.rules.kind,
                "hash": each.rules.hash,
                "comparison": None
                if each.comparison is None
                else comparison_document(each.comparison),
            }
            for each in check.changes
        ],
        "warnings": [warning_document(Warned(each)) for each in check.warnings],
    }


def sign_document(sign: TableSign) -> Document:
    """Write what a table deals under from its next shoe and round on, as its sign states it.

    `shoe` is the shoe in use where it is dealt to its end under another ruleset or other
    procedures.
    """
    return {
        "table": sign.code,
        "name": sign.name,
        "game": sign.ruleset.game,
        "revision": sign.revision,
        "since": format_instant(sign.since),
        "ruleset": {
            "hash": sign.ruleset.hash,
            "name": sign.rules.name,
            "options": sign.ruleset.options,
        },
        "procedures": {"hash": sign.procedures.hash, "options": sign.procedures.values},
        "limits": {"hash": sign.limits_hash, "options": sign.limits.values},
        "odds": odds_document(sign.odds),
        "shoe": None
        if sign.shoe is None
        else {"key": sign.shoe.ref.key, "ruleset": sign.shoe.ruleset.key},
    }


def fault_lines(faults: Sequence[Mapping[str, object]]) -> list[Document]:
    """Write faults as code, place and sentence."""
    return [{name: fault[name] for name in ("code", "where", "detail")} for fault in faults]
