"""The check of rules before anybody approves them: all faults at once, warnings with figures, and
what would differ from the rules in force.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from tables.games import (
    Limits,
    LimitsError,
    Procedures,
    ProceduresError,
    Ruleset,
    load_limits,
    load_ruleset,
)
from tables.games.odds_paid import ELECTIVE
from tables.games.rule_warnings import (
    DRAW_RULE,
    RuleWarning,
    cover_warnings,
    limits_warnings,
    odds_warnings,
    procedures_warnings,
)
from tables.models import RuleKind
from tables.selectors.odds import odds_at_table, odds_of
from tables.selectors.rule_content import (
    DiffLine,
    FaultDocument,
    RuleContent,
    load_content,
    read_content,
    rule_diff,
)
from tables.selectors.rule_life import PublishedRules, in_force, read_rules


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning, and the other rules that it holds under: their hash and the tables, or none."""

    warning: RuleWarning
    under: str = ""
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """What a check of rules found; `content` is None while there are faults."""

    content: RuleContent | None
    faults: Sequence[FaultDocument]
    warnings: Sequence[Warned]


def check_rules(kind: str, game: str, options: Mapping[str, object], *, day: date) -> RuleCheck:
    """Check rules of a game with everything that tables deal under on this day.

    Wager steps are looked at under the limits (and prices) of the tables that deal this game; where
    none does, under limits that do not limit (and default prices). Raises RuleKindError.
    """
    content, faults = read_content(kind, game, options)
    warnings = [] if content is None else list(_warnings(content, day=day))
    return RuleCheck(content=content, faults=faults, warnings=warnings)


def _warnings(content: RuleContent, *, day: date) -> Iterator[Warned]:
    if isinstance(content.loaded, Ruleset):
        yield from map(Warned, odds_warnings(content.loaded, odds_of(content.loaded)))
        yield from _under_limits(content.loaded, day=day)
    elif isinstance(content.loaded, Procedures):
        yield from map(Warned, procedures_warnings(content.game, content.loaded))
        yield from _of_draws(content.game, content.loaded, day=day)
    else:
        yield from _under_prices(content.game, content.loaded, day=day)


def _under_limits(ruleset: Ruleset, *, day: date) -> Iterator[Warned]:
    found = in_force(RuleKind.LIMITS, ruleset.game, day=day)
    for each in found:
        limits = load_limits(ruleset.game, each.options)
        for warning in limits_warnings(ruleset, limits):
            yield Warned(warning, under=each.hash, tables=each.tables)
    if not found:
        yield from map(Warned, limits_warnings(ruleset, load_limits(ruleset.game, {})))


def _under_prices(game: str, limits: Limits, *, day: date) -> Iterator[Warned]:
    found = in_force(RuleKind.RULESET, game, day=day)
    for each in found:
        for warning in limits_warnings(each.content.ruleset, limits):
            yield Warned(warning, under=each.hash, tables=each.tables)
    if not found:
        yield from map(Warned, limits_warnings(load_ruleset(game, {}), limits))


def _of_draws(game: str, procedures: Procedures, *, day: date) -> Iterator[Warned]:
    """Warn of a draw of the bank that costs the house, at the prices that tables deal (C5)."""
    if game != ELECTIVE:
        return
    found = in_force(RuleKind.RULESET, game, day=day)
    dealt = [(each.content.ruleset, each.hash, each.tables) for each in found]
    for ruleset, hash_, tables in dealt or [(load_ruleset(game, {}), "", ())]:
        for warning in odds_warnings(ruleset, odds_at_table(ruleset, procedures)):
            if warning.where == DRAW_RULE:
                yield Warned(warning, under=hash_, tables=tables)


def terms_warnings(
    *, ruleset: Ruleset, procedures: Procedures, limits: Limits
) -> Iterator[RuleWarning]:
    """Warn of what these rules together mean at a table."""
    yield from odds_warnings(ruleset, odds_at_table(ruleset, procedures))
    yield from limits_warnings(ruleset, limits)
    yield from procedures_warnings(ruleset.game, procedures)
    yield from cover_warnings(procedures, limits)


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """A wager's house edge before and after; None where the wager is closed or not known."""

    wager: str
    before: Fraction | None
    after: Fraction | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between rules and those they are laid beside."""

    against: PublishedRules
    lines: Sequence[DiffLine]
    edges: Sequence[EdgeChange]


def basis_of(kind: str, game: str, *, against: str, day: date) -> PublishedRules | None:
    """Return what rules of a game are laid beside: those of a hash, else what most tables deal.

    None where no table deals this game, or the hash names rules of another. Raises
    RulesMissingError.
    """
    if against:
        rules = read_rules(against, day=day, kind=kind)
        return rules if rules.game == game else None
    found = in_force(kind, game, day=day)
    return found[0] if found else None


def compare_rules(
    kind: str, game: str, options: Mapping[str, object], *, against: PublishedRules
) -> Comparison:
    """Lay rules beside published ones: every value that differs, and for rulesets the edges."""
    edges: list[EdgeChange] = []
    before = against.content
    if kind == RuleKind.RULESET:
        content, _faults = read_content(kind, game, options)
        if content is not None and isinstance(before.loaded, Ruleset):
            edges = _edges(before.loaded, content.ruleset)
    return Comparison(against=against, lines=rule_diff(before.options, options), edges=edges)


def _edges(before: Ruleset, after: Ruleset) -> list[EdgeChange]:
    was = {name: each.house_edge for name, each in odds_of(before).wagers.items()}
    will = {name: each.house_edge for name, each in odds_of(after).wagers.items()}
    return [
        EdgeChange(wager, was.get(wager), will.get(wager)) for wager in dict.fromkeys([*will, *was])
    ]


def fits(kind: str, game: str, rules: PublishedRules) -> bool:
    """Tell whether procedures or limits mean the same for a game: read by it they have their hash.

    What they say is hashed without a game, so that one set may serve two games.
    """
    if kind == RuleKind.RULESET:
        return rules.game == game
    try:
        return load_content(kind, game, rules.options).hash == rules.hash
    except (ProceduresError, LimitsError):
        return False
