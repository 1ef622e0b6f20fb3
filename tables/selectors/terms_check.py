"""The check of a table's new terms: everything wrong at once, what they change, what to know."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tables.games import Fault, Ruleset, owes_beyond_stake, procedures_contradictions
from tables.games.registry import game_of
from tables.games.rule_warnings import RuleWarning
from tables.models import RuleKind
from tables.selectors.floor import CARDS_IN_A_DECK, Floor, Terms
from tables.selectors.rule_check import Comparison, compare_rules, fits, terms_warnings
from tables.selectors.rule_life import PublishedRules, rules_by_hash
from tables.selectors.rule_standing import PUBLISHED, SCHEDULED


@dataclass(frozen=True, slots=True)
class NewTerms:
    """The hashes of ruleset, procedures and limits."""

    ruleset: str
    procedures: str
    limits: str

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield each kind with its hash."""
        yield RuleKind.RULESET.value, self.ruleset
        yield RuleKind.PROCEDURES.value, self.procedures
        yield RuleKind.LIMITS.value, self.limits


@dataclass(frozen=True, slots=True)
class TermsChange:
    """Rules that a table would get, laid beside what it has; None where it has none of the game."""

    rules: PublishedRules
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class TermsCheck:
    """What new terms would mean; warnings are given where there is no fault."""

    same: bool
    faults: Sequence[Fault]
    changes: Sequence[TermsChange]
    warnings: Sequence[RuleWarning]


def terms_now(terms: Terms | None) -> NewTerms | None:
    """Return what a table deals under from its next shoe and round on, by hash."""
    if terms is None:
        return None
    return NewTerms(
        ruleset=terms.ruleset.key, procedures=terms.procedures.key, limits=terms.limits.key
    )


def check_terms(floor: Floor, wanted: NewTerms, *, day: date) -> TermsCheck:
    """Check terms for a table, in one query."""
    now = terms_now(floor.terms)
    before = {} if now is None else dict(now.items())
    hashes = [hash_ for _kind, hash_ in wanted.items()]
    known = rules_by_hash([*hashes, *before.values()], day=day)
    faults = list(term_faults(floor, wanted, known, day=day))
    changes = [
        TermsChange(known[hash_], _beside(known[hash_], known.get(before.get(kind, ""))))
        for kind, hash_ in wanted.items()
        if hash_ in known and before.get(kind) != hash_
    ]
    warnings = [] if faults else list(_warnings(wanted, known))
    return TermsCheck(same=wanted == now, faults=faults, changes=changes, warnings=warnings)


def _beside(rules: PublishedRules, before: PublishedRules | None) -> Comparison | None:
    if before is None or before.game != rules.game:
        return None
    return compare_rules(rules.kind, rules.game, rules.options, against=before)


def _warnings(wanted: NewTerms, known: Mapping[str, PublishedRules]) -> Iterator[RuleWarning]:
    return terms_warnings(
        ruleset=known[wanted.ruleset].content.ruleset,
        procedures=known[wanted.procedures].content.procedures,
        limits=known[wanted.limits].content.limits,
    )


def term_faults(
    floor: Floor, terms: NewTerms, known: "dict[str, PublishedRules]", *, day: date
) -> Iterator[Fault]:
    """Yield everything for which a table cannot deal under these terms on a day."""
    ruleset = known.get(terms.ruleset)
    game = ruleset.game if ruleset is not None and ruleset.kind == RuleKind.RULESET else ""
    for kind, hash_ in terms.items():
        rules = known.get(hash_)
        if rules is None or rules.kind != kind:
            yield Fault("terms.unknown", kind, f"expected published {kind}, not {hash_[:12]!r}")
        elif rules.state == SCHEDULED:
            detail = f"expected {kind} in force on {day}; these stand from {rules.effective_day}"
            yield Fault("terms.not_yet", kind, detail)
        elif rules.state != PUBLISHED:
            yield Fault("terms.retired", kind, f"expected {kind} that are not retired")
        elif kind == RuleKind.LIMITS and rules.retires_day is not None:
            # A shoe asks once more before it starts; for limits nothing stands in between.
            detail = f"expected limits that stay; these are retired from {rules.retires_day}"
            yield Fault("terms.retired", kind, detail)
        elif game and not fits(kind, game, rules):
            yield Fault("terms.other_game", kind, f"expected {kind} for {game}")
    if ruleset is not None and game:
        yield from _play_faults(ruleset.content.ruleset, known.get(terms.procedures))
    limits = known.get(terms.limits)
    if (
        floor.shoe is not None
        and limits is not None
        and limits.kind == RuleKind.LIMITS
        and not fits(RuleKind.LIMITS, floor.shoe.game, limits)
    ):
        detail = f"expected limits for {floor.shoe.game}: end shoe {floor.shoe.ref.key} first"
        yield Fault("terms.shoe_of_other_game", "limits", detail)


def _play_faults(ruleset: Ruleset, procedures: PublishedRules | None) -> Iterator[Fault]:
    """Yield what keeps a table from dealing under a ruleset, or from a shoe of its decks."""
    if owes_beyond_stake(ruleset):
        detail = (
            'expected banker_colon_collects "stake": nothing blocks what is owed beyond it (B13)'
        )
        yield Fault("terms.extra_not_blocked", "ruleset", detail)
    if procedures is None or procedures.kind != RuleKind.PROCEDURES:
        return
    followed = procedures.content.procedures
    for fault in procedures_contradictions(ruleset.game, followed):
        detail = f"{fault.detail}, in {fault.where}"
        yield Fault("terms.contradiction", "procedures", detail)
    depth = followed.values["cut_card_depth"]
    cards = CARDS_IN_A_DECK * game_of(ruleset).decks(ruleset)
    assert isinstance(depth, int)
    if not followed.pack_each_round and depth >= cards:
        detail = (
            f"expected a cut_card_depth below {cards}, the cards of the shoe, not {depth} (A32)"
        )
        yield Fault("terms.cut_card", "procedures", detail)
