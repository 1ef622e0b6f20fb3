"""What rules say, read by the engine: their hash, all their values, everything wrong at once.

It must not ask whether anything is published: that is the life of rules, this is their content.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tables.faults import fault_documents
from tables.games import (
    GAMES,
    Fault,
    Limits,
    LimitsError,
    Procedures,
    ProceduresError,
    Ruleset,
    RulesetError,
    contradictions,
    load_limits,
    load_procedures,
    load_ruleset,
    procedures_contradictions,
)
from tables.games.options import show
from tables.models import RuleKind
from tables.rule_errors import RuleKindError

Loaded = Ruleset | Procedures | Limits
FaultDocument = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RuleContent:
    """Rules without a fault: their hash, every value with the defaults filled in, the engine's."""

    kind: str
    game: str
    hash: str
    options: Mapping[str, object]
    loaded: Loaded

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset; precondition: it is one."""
        assert isinstance(self.loaded, Ruleset)
        return self.loaded

    @property
    def procedures(self) -> Procedures:
        """The procedures; precondition: they are."""
        assert isinstance(self.loaded, Procedures)
        return self.loaded

    @property
    def limits(self) -> Limits:
        """The limits; precondition: they are."""
        assert isinstance(self.loaded, Limits)
        return self.loaded


def default_options(kind: str, game: str) -> dict[str, object]:
    """Return every option of this kind at its default. Raises RuleKindError."""
    if kind not in RuleKind.values or game not in GAMES:
        raise RuleKindError(kinds=", ".join(RuleKind.values), games=", ".join(GAMES))
    return dict(load_content(kind, game, {}).options)


def load_content(kind: str, game: str, options: Mapping[str, object]) -> RuleContent:
    """Return rules as the engine takes them; what is left out takes its default.

    Raises RulesetError, ProceduresError or LimitsError with every fault.
    """
    if kind == RuleKind.RULESET:
        ruleset = load_ruleset(game, options)
        return RuleContent(kind, game, ruleset.hash, ruleset.options, ruleset)
    if kind == RuleKind.PROCEDURES:
        procedures = load_procedures(game, options)
        return RuleContent(kind, game, procedures.hash, procedures.values, procedures)
    limits = load_limits(game, options)
    return RuleContent(kind, game, limits.hash, limits.values, limits)


def read_content(
    kind: str, game: str, options: Mapping[str, object]
) -> tuple[RuleContent | None, list[FaultDocument]]:
    """Return rules, or everything that is wrong with them; then the rules are None.

    Beside what the engine refuses, an option that is not said is a fault (`missing`): what two
    people approve must stand there. So is one that another option makes void of effect.
    """
    reference = default_options(kind, game)
    where = "options" if kind == RuleKind.RULESET else kind
    faults: list[FaultDocument] = [*fault_documents(_missing(reference, options, where=where))]
    try:
        content = load_content(kind, game, options)
    except (RulesetError, ProceduresError, LimitsError) as error:
        return None, [*faults, *error.faults]
    faults += fault_documents(content_contradictions(content))
    return (None if faults else content), faults


def content_contradictions(content: RuleContent) -> list[Fault]:
    """Return what rules say that has no effect beside the rest of them, or in their game."""
    if isinstance(content.loaded, Ruleset):
        return contradictions(content.loaded)
    if isinstance(content.loaded, Procedures):
        return procedures_contradictions(content.game, content.loaded)
    return []


def _missing(
    reference: Mapping[str, object], given: Mapping[str, object], *, where: str
) -> Iterator[Fault]:
    for name, default in reference.items():
        place = f"{where}.{name}"
        if name not in given:
            detail = "expected to be said"
            if not isinstance(default, Mapping):
                detail += f"; the rules of play default to {_shown(default)}"
            yield Fault("missing", place, detail)
        elif isinstance(default, Mapping):
            inner = given[name]
            if isinstance(inner, Mapping):
                yield from _missing(default, inner, where=place)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return str(value)
    return show(value)


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One value that differs: its path, before and after; None also where it is not there."""

    path: str
    before: object
    after: object


def rule_diff(before: Mapping[str, object], after: Mapping[str, object]) -> list[DiffLine]:
    """Return what differs between two sets of values, object by object, in the order of `after`."""
    flat_before, flat_after = flatten(before), flatten(after)
    paths = dict.fromkeys([*flat_after, *flat_before])
    return [
        DiffLine(path, flat_before.get(path), flat_after.get(path))
        for path in paths
        if flat_before.get(path) != flat_after.get(path)
    ]


def flatten(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Return values by dotted path; an object without members says nothing."""
    found: dict[str, object] = {}
    for name, value in values.items():
        path = f"{prefix}{name}"
        if isinstance(value, Mapping):
            found |= flatten(value, f"{path}.")
        else:
            found[path] = value
    return found
