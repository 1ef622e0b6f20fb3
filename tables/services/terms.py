"""What a table deals under, set by a manager: published rules that fit each other.

Ruleset and procedures count from the next shoe, limits from the next round: a shoe is pinned to
its own, and a round in betting keeps the limits it opened with. The stream is the table's; that of
the rules is locked after it, so that nothing is retired in between.
"""

from collections.abc import Mapping
from datetime import date

from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.text import clean_text
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.faults import fault_documents
from tables.models import Round, TableTerms
from tables.models.rule_life import STREAM
from tables.rule_errors import (
    RuleReasonMissingError,
    RulesRetiredError,
    TermsChangedError,
    TermsRefusedError,
    TermsSameError,
)
from tables.selectors.floor import Floor, read_table
from tables.selectors.house import gaming_day_at
from tables.selectors.rule_life import PublishedRules, retired_kinds, rules_by_hash
from tables.selectors.terms_check import NewTerms, term_faults, terms_now

SETS_TERMS = (Role.MANAGER,)
REASON_CHARACTERS_MAX = 500


@service
def assign_terms(
    *, table: str, terms: NewTerms, reason: str, by: Acting, revision: int | None = None
) -> Receipt:
    """Set what a table deals under: from its next shoe, and for limits from its next round.

    `revision` is that of the terms that were read, 0 where there were none; None asks nothing.
    Raises TermsChangedError, TermsRefusedError with every fault (not published, not yet, retired,
    of another game, or limits that do not fit the shoe in use), TermsSameError,
    RuleReasonMissingError, TableMissingError.
    """
    require_role(by.person, *SETS_TERMS)
    why = clean_text(reason, max_length=2 * REASON_CHARACTERS_MAX).strip()
    if not 1 <= len(why) <= REASON_CHARACTERS_MAX:
        raise RuleReasonMissingError(characters_max=REASON_CHARACTERS_MAX)
    stream = f"table/{table}"
    read_table(table)
    lock_stream(stream)
    lock_stream(STREAM)
    floor, today = read_table(table), gaming_day_at(by.now)
    before = floor.terms
    stands = before.revision if before else 0
    if revision not in (None, stands):
        raise TermsChangedError(table=table, revision=stands)
    known = require_terms(floor, terms, day=today)
    if terms_now(before) == terms:
        raise TermsSameError(table=table)
    values = {
        "table": floor.table,
        "revision": stands + 1,
        **{kind: known[hash_].ref for kind, hash_ in terms.items()},
    }
    return append(
        stream=stream,
        action="table.terms_set",
        subject=table,
        actor=by.actor,
        facts=[Row(TableTerms, values)],
        changes=_keep_limits(floor, terms),
        data={"reason": why},
    )


def require_terms(floor: Floor, terms: NewTerms, *, day: date) -> Mapping[str, PublishedRules]:
    """Return the rules by hash, or raise TermsRefusedError with every fault."""
    known = rules_by_hash([hash_ for _kind, hash_ in terms.items()], day=day)
    faults = list(term_faults(floor, terms, known, day=day))
    if faults:
        raise TermsRefusedError(
            table=floor.table.key, count=len(faults), faults=fault_documents(faults)
        )
    return known


def require_standing(*, table: str, ruleset: Ref, procedures: Ref, by: Acting) -> None:
    """Refuse to start a shoe under retired rules. Raises RulesRetiredError."""
    retired = retired_kinds([ruleset.key, procedures.key], day=gaming_day_at(by.now))
    if retired:
        raise RulesRetiredError(table=table, kind=" and ".join(sorted(retired)))


def _keep_limits(floor: Floor, terms: NewTerms) -> list[Change]:
    """Pin the limits of a round in betting that opened under others: they count from the next."""
    playing, before = floor.round_in_play, floor.terms
    if playing is None or before is None or playing.stage != Round.Stage.BETTING:
        return []
    if before.limits.key == terms.limits:
        return []
    if Round.objects.filter(pk=playing.ref.id, limits__isnull=False).exists():
        return []
    return [Change(Round, playing.ref, {"limits": before.limits})]
