"""What is posted at a table: the terms from the next shoe on, since when, and what stands apart."""

from dataclasses import dataclass
from datetime import date, datetime

from tables.games import Limits, Procedures, Ruleset, load_limits, load_procedures
from tables.games.odds_results import RoundOdds
from tables.models import TableTerms
from tables.selectors.floor import Terms, UsedShoe, read_table
from tables.selectors.odds import odds_at_table
from tables.selectors.rule_life import PublishedRules, rules_by_hash


@dataclass(frozen=True, slots=True)
class TableSign:
    """The terms of a table as its sign states them.

    `since` is when they were set. `shoe` is the shoe in use where it is dealt to its end under
    another ruleset or other procedures: the sign holds from the next one.
    """

    code: str
    name: str
    rules: PublishedRules
    ruleset: Ruleset
    procedures: Procedures
    limits: Limits
    limits_hash: str
    odds: RoundOdds
    since: datetime
    revision: int
    shoe: UsedShoe | None


def table_sign(code: str, *, day: date) -> TableSign:
    """Return the sign of a table. Raises TableMissingError, TermsMissingError."""
    floor = read_table(code)
    terms = floor.require_terms()
    stored = TableTerms.objects.select_related("entry").get(
        table_id=floor.table.id, revision=terms.revision
    )
    hashes = [terms.ruleset.key, terms.procedures.key, terms.limits.key]
    known = rules_by_hash(hashes, day=day)
    rules = known[terms.ruleset.key]
    ruleset = rules.content.ruleset
    procedures = load_procedures(terms.game, known[terms.procedures.key].options)
    shoe = floor.shoe
    return TableSign(
        code=code,
        name=floor.name,
        rules=rules,
        ruleset=ruleset,
        procedures=procedures,
        limits=load_limits(terms.game, known[terms.limits.key].options),
        limits_hash=terms.limits.key,
        odds=odds_at_table(ruleset, procedures),
        since=stored.entry.at,
        revision=terms.revision,
        shoe=shoe if shoe is not None and _differs(shoe, terms) else None,
    )


def _differs(shoe: UsedShoe, terms: Terms) -> bool:
    """Tell whether a shoe is dealt under a ruleset or procedures that are not the table's now."""
    pinned = shoe.ruleset.key, shoe.procedures_ref.key
    return pinned != (terms.ruleset.key, terms.procedures.key)
