"""Rules as they stand: drafts with their approvals, and what is published, where it is in force.

The day is always an argument: what is published for a later day is not in force yet.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet, Subquery

from audit.log.rows import Ref
from tables.models import RuleApproval, RuleDraft, RuleKind
from tables.rule_errors import RuleDraftMissingError, RulesMissingError
from tables.selectors.rule_content import RuleContent, load_content
from tables.selectors.rule_standing import Revision, Standing, standing_on
from tables.selectors.rules import json_value

APPROVALS_NEEDED = 2
OPEN = "open"
_WAITING = (RuleDraft.State.DRAFT, RuleDraft.State.IN_APPROVAL)


@dataclass(frozen=True, slots=True)
class ApprovalRead:
    """An approval of the version that stands: who gave it, when."""

    staff_id: int
    number: str
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DraftRead:
    """A draft as it stands, with the approvals of its version."""

    ref: Ref
    kind: str
    game: str
    name: str
    options: Mapping[str, object]
    effective_day: date | None
    state: str
    version: int
    drafters: tuple[str, ...]
    content_hash: str
    changed_at: datetime
    approvals: tuple[ApprovalRead, ...]

    @property
    def number(self) -> str:
        """The number by which people name it."""
        return self.ref.key

    @property
    def approvals_missing(self) -> int:
        """How many managers have still to approve."""
        return max(APPROVALS_NEEDED - len(self.approvals), 0)


def read_draft(number: str) -> DraftRead:
    """Return a draft, in two queries. Raises RuleDraftMissingError."""
    draft = RuleDraft.objects.filter(number=number[:16]).first()
    if draft is None:
        raise RuleDraftMissingError(number=number[:16])
    given = (
        RuleApproval.objects.filter(draft=draft, version=draft.version)
        .select_related("staff", "entry")
        .order_by("id")
    )
    approvals = [
        ApprovalRead(each.staff_id, each.staff.number, each.staff.name, each.entry.at)
        for each in given
    ]
    return _draft(draft, approvals)


def approval_entry(draft: DraftRead, *, version: int, staff: Collection[int | str]) -> int | None:
    """Return the id of the entry by which exactly these people approved a version, if they did."""
    given: dict[int, set[int | str]] = {}
    rows = RuleApproval.objects.filter(draft__number=draft.number, version=version)
    for entry, person in rows.values_list("entry_id", "staff_id"):
        given.setdefault(entry, set()).add(person)
    return next((entry for entry, people in given.items() if people == set(staff)), None)


def open_drafts() -> list[DraftRead]:
    """Return drafts that wait for somebody, oldest change first, in two queries."""
    return _drafts(RuleDraft.objects.filter(state__in=_WAITING).order_by("changed_at", "id"))


def drafts_page(*, state: str, after: str, limit: int) -> list[DraftRead]:
    """Return drafts, the newest number first, in two queries; `state` is one of a draft, or open.

    `after` is the number of the last draft that was seen; behind one that is none there is nothing.
    """
    drafts = RuleDraft.objects.order_by("-serial")
    if state:
        drafts = drafts.filter(state__in=_WAITING if state == OPEN else [state])
    seen = RuleDraft.objects.filter(number=after).values("serial") if after else None
    if seen is not None:
        drafts = drafts.filter(serial__lt=Subquery(seen))
    return _drafts(drafts[:limit])


def _drafts(found: QuerySet[RuleDraft]) -> list[DraftRead]:
    drafts = list(found)
    given: dict[tuple[int, int], list[ApprovalRead]] = {}
    rows = RuleApproval.objects.filter(draft__in=drafts).select_related("staff", "entry")
    for each in rows.order_by("id"):
        approval = ApprovalRead(each.staff_id, each.staff.number, each.staff.name, each.entry.at)
        given.setdefault((each.draft_id, each.version), []).append(approval)
    return [_draft(draft, given.get((draft.pk, draft.version), [])) for draft in drafts]


def _draft(draft: RuleDraft, approvals: Sequence[ApprovalRead]) -> DraftRead:
    return DraftRead(
        ref=Ref(draft.pk, draft.number),
        kind=draft.kind,
        game=draft.game,
        name=draft.name,
        options=draft.options,
        effective_day=draft.effective_day,
        state=draft.state,
        version=draft.version,
        drafters=tuple(draft.drafters),
        content_hash=draft.content_hash,
        changed_at=draft.changed_at,
        approvals=tuple(approvals),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRules(Standing):
    """Published rules as they stand on a day.

    `tables` deal under them from the next shoe (limits: round). `draft` is empty for rules of the
    set-up.
    """

    ref: Ref
    kind: str
    game: str
    name: str
    options: Mapping[str, object]
    published_at: datetime
    draft: str
    tables: tuple[str, ...]

    @property
    def hash(self) -> str:
        """The hash that names them."""
        return self.ref.key

    @property
    def content(self) -> RuleContent:
        """The rules as the engine takes them."""
        return load_content(self.kind, self.game, self.options)


_RULES = """
WITH current AS (
  SELECT DISTINCT ON (table_id) table_id, ruleset_id, procedures_id, limits_id
    FROM tables_tableterms ORDER BY table_id, revision DESC
), dealing AS (
  SELECT t.code, c.ruleset_id, c.procedures_id, c.limits_id
    FROM current c JOIN tables_table t ON t.id = c.table_id
), rules AS (
  SELECT 'ruleset' AS kind, r.id, r.hash, r.game, r.name, r.options, r.entry_id,
         (SELECT array_agg(code ORDER BY code) FROM dealing WHERE ruleset_id = r.id) AS tables
    FROM tables_ruleset r WHERE %(kind)s IN ('', 'ruleset')
  UNION ALL
  SELECT 'procedures', p.id, p.hash, p.game, '', p.options, p.entry_id,
         (SELECT array_agg(code ORDER BY code) FROM dealing WHERE procedures_id = p.id)
    FROM tables_procedures p WHERE %(kind)s IN ('', 'procedures')
  UNION ALL
  SELECT 'limits', l.id, l.hash, l.game, '', l.options, l.entry_id,
         (SELECT array_agg(code ORDER BY code) FROM dealing WHERE limits_id = l.id)
    FROM tables_limits l WHERE %(kind)s IN ('', 'limits')
)
SELECT rules.id, rules.hash, rules.kind, rules.game, rules.name, drafted.name, rules.options,
       e.at, stands.revisions, drafted.number, rules.tables
  FROM rules
  JOIN log_entry e ON e.id = rules.entry_id
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_array(s.revision, s.state, s.effective_day, s.reason)
                     ORDER BY s.revision) AS revisions
      FROM tables_rulestanding s WHERE s.hash = rules.hash) stands ON true
  LEFT JOIN LATERAL (
    SELECT d.number, d.name FROM tables_rulestanding s
      JOIN tables_ruledraft d ON d.id = s.draft_id
     WHERE s.hash = rules.hash ORDER BY s.revision DESC LIMIT 1) drafted ON true
 WHERE (%(hashes)s::text[] IS NULL OR rules.hash = ANY (%(hashes)s::text[]))
   AND (NOT %(at_tables)s OR rules.tables IS NOT NULL)
   AND (%(after)s = '' OR rules.entry_id < (SELECT max(entry_id) FROM rules
                                             WHERE hash = %(after)s))
 ORDER BY rules.entry_id DESC
 LIMIT %(limit)s
"""
RULES_MAX = 500


def published_rules(
    *, day: date, kind: str = "", after: str = "", limit: int = RULES_MAX
) -> list[PublishedRules]:
    """Return published rules, the newest first; those of one kind, those that come after a hash."""
    return _rules(day=day, kind=kind, after=after, limit=min(limit, RULES_MAX))


def read_rules(hash_: str, *, day: date, kind: str = "") -> PublishedRules:
    """Return the published rules that a hash names. Raises RulesMissingError."""
    found = _rules(day=day, kind=kind, hashes=[hash_[:64]])
    if not found:
        raise RulesMissingError(hash=hash_[:64])
    return found[0]


def rules_by_hash(hashes: Sequence[str], *, day: date) -> dict[str, PublishedRules]:
    """Return published rules by their hash; a hash that names none is left out."""
    return {each.hash: each for each in _rules(day=day, hashes=list(hashes))}


def rules_at_tables(*, day: date) -> list[PublishedRules]:
    """Return the rules of every kind that tables deal under: at most three for each table."""
    return _rules(day=day, at_tables=True, limit=None)


def rules_for_tables(*, day: date) -> list[PublishedRules]:
    """Return what a table may be given, by kind, the newest first; those at tables are never cut.

    Retired and scheduled rules are among them: whoever chooses looks at `state`.
    """
    newest = [each for kind in RuleKind.values for each in published_rules(day=day, kind=kind)]
    found = {each.hash: each for each in [*newest, *rules_at_tables(day=day)]}
    return list(found.values())


def _rules(
    *,
    day: date,
    kind: str = "",
    after: str = "",
    hashes: list[str] | None = None,
    at_tables: bool = False,
    limit: int | None = RULES_MAX,
) -> list[PublishedRules]:
    parameters: dict[str, Any] = {
        "kind": kind,
        "after": after,
        "hashes": hashes,
        "at_tables": at_tables,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_RULES, parameters)
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()  # Any: columns of a raw statement
    return [_published(row, day=day) for row in rows]


def _published(row: Sequence[Any], *, day: date) -> PublishedRules:  # Any: as above
    (pk, hash_, kind, game, own_name, drafted_name, options, at, revisions, draft, tables) = row
    standing = standing_on(_revisions(revisions), day=day)
    return PublishedRules(
        **{each.name: getattr(standing, each.name) for each in fields(standing)},
        ref=Ref(pk, hash_),
        kind=kind,
        game=game,
        name=own_name or drafted_name or "",
        options=json_value(options),
        published_at=at,
        draft=draft or "",
        tables=tuple(tables or ()),
    )


def _revisions(text: str | None) -> list[Revision]:
    """Return the revisions of a standing as the statement collects them, without a day as null."""
    return [
        Revision(number, state, None if day is None else date.fromisoformat(day), reason)
        for number, state, day, reason in json.loads(text or "[]")
    ]


_RETIRED = """
SELECT s.kind FROM tables_rulestanding s
 WHERE s.hash = ANY (%s) AND s.state = 'retired'
   AND s.revision = (SELECT max(n.revision) FROM tables_rulestanding n WHERE n.hash = s.hash
                        AND (n.effective_day IS NULL OR n.effective_day <= %s))
"""


def retired_kinds(hashes: Sequence[str], *, day: date) -> list[str]:
    """Return of which kind the rules among `hashes` are that are retired on a day."""
    with connection.cursor() as cursor:
        cursor.execute(_RETIRED, [list(hashes), day])
        return [str(kind) for (kind,) in cursor.fetchall()]


# The shoe in use is among the newest of its table, so that nothing here grows with the history.
_SHOES_UNDER = """
SELECT s.key
  FROM tables_table t
  CROSS JOIN LATERAL (SELECT key, state, ruleset_id, procedures_id FROM tables_shoe
                       WHERE table_id = t.id ORDER BY number DESC LIMIT 3) s
 WHERE s.state NOT IN ('ended', 'voided')
   AND CASE %(kind)s WHEN 'ruleset' THEN s.ruleset_id ELSE s.procedures_id END = %(id)s
 ORDER BY t.code
"""


def shoes_under(rules: PublishedRules) -> list[str]:
    """Return the shoes in use that are pinned to these rules, whatever their table's terms say."""
    if rules.kind == RuleKind.LIMITS:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_SHOES_UNDER, {"id": rules.ref.id, "kind": rules.kind})
        return [str(key) for (key,) in cursor.fetchall()]


def in_force(kind: str, game: str, *, day: date) -> list[PublishedRules]:
    """Return the rules of a kind under which tables deal this game, those of most tables first."""
    rules = rules_at_tables(day=day)
    dealing = {table for each in rules if _deals(each, game) for table in each.tables}
    found = [each for each in rules if each.kind == kind and dealing.intersection(each.tables)]
    return sorted(found, key=lambda each: (-len(dealing.intersection(each.tables)), each.hash))


def _deals(rules: PublishedRules, game: str) -> bool:
    return rules.kind == RuleKind.RULESET and rules.game == game
