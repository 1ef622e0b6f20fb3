"""The life of rules: drafted by a manager, checked, put up for approval, in the end retired.

Every act is one entry of the stream `rulesets`. A draft is a head; approvals (`rule_approval`) and
standings are facts, and so is what was published: no act here, and no other route, changes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from audit.chain import canonical
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.text import clean_text
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.models import RuleDraft, RuleKind, RuleStanding
from tables.models.rule_life import STREAM
from tables.rule_errors import (
    DraftChangedError,
    DraftStateError,
    EffectiveDayRefusedError,
    RuleNameRefusedError,
    RuleReasonMissingError,
    RulesFaultyError,
    RulesInForceError,
    RulesNotPublishedError,
    RulesPublishedError,
)
from tables.selectors.house import gaming_day_at
from tables.selectors.rule_content import RuleContent, default_options, read_content
from tables.selectors.rule_life import DraftRead, read_draft, read_rules, rules_by_hash
from tables.selectors.rule_standing import RETIRED

WRITES_RULES = (Role.MANAGER,)
NAME_CHARACTERS_MAX = 80
REASON_CHARACTERS_MAX = 500
_State = RuleDraft.State


@dataclass(frozen=True, slots=True)
class DraftStep:
    """What a service did with a draft: the receipt, and the draft as it stands now."""

    receipt: Receipt
    draft: DraftRead
    done_before: bool = False


@service
def draft_rules(
    *,
    kind: str,
    game: str,
    name: str,
    options: Mapping[str, object],
    by: Acting,
    effective_day: date | None = None,
) -> DraftStep:
    """Begin a draft of a ruleset, procedures or limits; it may still be full of faults.

    `effective_day` is the gaming day from which the rules are to stand, None for the day of their
    publication. Raises RuleKindError, RuleNameRefusedError, EffectiveDayRefusedError, and BodyError
    for options that have no canonical form (numbers with a point, say).
    """
    require_role(by.person, *WRITES_RULES)
    default_options(kind, game)
    values = _written(name, options, effective_day=effective_day, by=by)
    lock_stream(STREAM)
    last = RuleDraft.objects.order_by("-serial").values_list("serial", flat=True).first()
    serial = (last or 0) + 1
    number = f"R-{serial}"
    head = {
        "serial": serial,
        "number": number,
        "kind": str(kind),
        "game": game,
        "state": _State.DRAFT.value,
        "version": 1,
        "drafters": [by.person.staff.key],
        **values,
    }
    receipt = append(
        stream=STREAM,
        action="rules.drafted",
        subject=number,
        actor=by.actor,
        new_heads=[Row(RuleDraft, head)],
    )
    return DraftStep(receipt, read_draft(number))


@service
def redraft_rules(
    *,
    number: str,
    version: int,
    name: str,
    options: Mapping[str, object],
    by: Acting,
    effective_day: date | None = None,
) -> DraftStep:
    """Write a draft anew: its next version. Whoever writes cannot approve it any more.

    Raises DraftStateError, DraftChangedError, and what `draft_rules` raises.
    """
    require_role(by.person, *WRITES_RULES)
    values = _written(name, options, effective_day=effective_day, by=by)
    draft = locked_draft(number, version=version, states=(_State.DRAFT,))
    drafters = list(dict.fromkeys([*draft.drafters, by.person.staff.key]))
    values |= {"version": draft.version + 1, "drafters": drafters}
    return _move(draft, action="rules.redrafted", values=values, by=by)


@service
def submit_rules(*, number: str, version: int, by: Acting) -> DraftStep:
    """Put a draft up for approval. Raises RulesFaultyError with every fault, RulesPublishedError
    where exactly these rules stand already, DraftStateError, DraftChangedError,
    EffectiveDayRefusedError.
    """
    require_role(by.person, *WRITES_RULES)
    draft = locked_draft(number, version=version, states=(_State.DRAFT,))
    content = faultless(draft)
    require_unpublished(content, by=by)
    _require_day(draft.effective_day, by=by)
    values: dict[str, object] = {
        "state": _State.IN_APPROVAL.value,
        "content_hash": content.hash,
        "changed_at": by.now,
    }
    return _move(draft, action="rules.submitted", values=values, by=by)


@service
def return_rules(*, number: str, version: int, reason: str, by: Acting) -> DraftStep:
    """Take a draft back from approval; approvals given so far count no more.

    Any manager may: who approves and finds something, or who drafted. Raises
    RuleReasonMissingError, DraftStateError, DraftChangedError.
    """
    require_role(by.person, *WRITES_RULES)
    why = _reason(reason)
    draft = locked_draft(number, version=version, states=(_State.IN_APPROVAL,))
    values: dict[str, object] = {
        "state": _State.DRAFT.value,
        "content_hash": "",
        "version": draft.version + 1,
        "changed_at": by.now,
    }
    return _move(draft, action="rules.returned", values=values, by=by, data={"reason": why})


@service
def discard_draft(*, number: str, version: int, reason: str, by: Acting) -> DraftStep:
    """Give a draft up; it keeps its number. Raises RuleReasonMissingError, DraftStateError,
    DraftChangedError.
    """
    require_role(by.person, *WRITES_RULES)
    why = _reason(reason)
    draft = locked_draft(number, version=version, states=(_State.DRAFT, _State.IN_APPROVAL))
    values: dict[str, object] = {
        "state": _State.DISCARDED.value,
        "content_hash": "",
        "changed_at": by.now,
    }
    return _move(draft, action="rules.discarded", values=values, by=by, data={"reason": why})


@service
def retire_rules(
    *, hash_: str, reason: str, by: Acting, effective_day: date | None = None
) -> Receipt:
    """Retire published rules from a gaming day on (None: today): no shoe starts under them then.

    Shoes in use are dealt to their end. Limits apply from round to round, so that tables must have
    other limits first, also where the day is to come: until then no table gets them any more.
    Raises RulesMissingError, RulesNotPublishedError, RulesInForceError, RuleReasonMissingError,
    EffectiveDayRefusedError.
    """
    require_role(by.person, *WRITES_RULES)
    why = _reason(reason)
    today = gaming_day_at(by.now)
    _require_day(effective_day, by=by)
    lock_stream(STREAM)
    rules = read_rules(hash_, day=today)
    if not rules.lasts:
        raise RulesNotPublishedError(hash=hash_[:12], state=RETIRED)
    if rules.kind == RuleKind.LIMITS and rules.tables:
        raise RulesInForceError(tables=", ".join(rules.tables))
    values = {
        "hash": rules.hash,
        "kind": rules.kind,
        "revision": rules.revision + 1,
        "state": RuleStanding.State.RETIRED.value,
        "effective_day": effective_day or today,
        "reason": why,
    }
    return append(
        stream=STREAM,
        action="rules.retired",
        subject=rules.hash,
        actor=by.actor,
        facts=[Row(RuleStanding, values)],
    )


def _written(
    name: str, options: Mapping[str, object], *, effective_day: date | None, by: Acting
) -> dict[str, object]:
    """Return the columns of what somebody wrote, checked as far as a draft must be."""
    clean = clean_text(name, max_length=200).strip()
    if not 1 <= len(clean) <= NAME_CHARACTERS_MAX:
        raise RuleNameRefusedError(characters_max=NAME_CHARACTERS_MAX)
    canonical(options)
    _require_day(effective_day, by=by)
    return {
        "name": clean,
        "options": options,
        "effective_day": effective_day,
        "changed_at": by.now,
    }


def _require_day(day: date | None, *, by: Acting) -> None:
    today = gaming_day_at(by.now)
    if day is not None and day < today:
        raise EffectiveDayRefusedError(today=today.isoformat())


def _reason(text: str) -> str:
    why = clean_text(text, max_length=2 * REASON_CHARACTERS_MAX).strip()
    if not 1 <= len(why) <= REASON_CHARACTERS_MAX:
        raise RuleReasonMissingError(characters_max=REASON_CHARACTERS_MAX)
    return why


def locked_draft(number: str, *, version: int, states: Sequence[RuleDraft.State]) -> DraftRead:
    """Return a draft under the lock of the stream. Raises DraftStateError, DraftChangedError."""
    lock_stream(STREAM)
    draft = read_draft(number)
    require_as_read(draft, version=version, states=states)
    return draft


def require_as_read(draft: DraftRead, *, version: int, states: Sequence[RuleDraft.State]) -> None:
    """Refuse a draft that moved on since. Raises DraftStateError, DraftChangedError."""
    if draft.state not in states:
        expected = ", ".join(states)
        raise DraftStateError(number=draft.number, state=draft.state, expected=expected)
    if draft.version != version:
        raise DraftChangedError(number=draft.number, version=draft.version)


def faultless(draft: DraftRead) -> RuleContent:
    """Return what a draft says. Raises RulesFaultyError with every fault."""
    content, faults = read_content(draft.kind, draft.game, draft.options)
    if content is None:
        raise RulesFaultyError(count=len(faults), faults=faults)
    return content


def require_unpublished(content: RuleContent, *, by: Acting) -> None:
    """Refuse rules that stand already. Raises RulesPublishedError."""
    known = rules_by_hash([content.hash], day=gaming_day_at(by.now)).get(content.hash)
    if known is not None and known.lasts:
        raise RulesPublishedError(kind=content.kind, hash=content.hash[:12])


def _move(
    draft: DraftRead,
    *,
    action: str,
    values: Mapping[str, object],
    by: Acting,
    data: Mapping[str, object] | None = None,
) -> DraftStep:
    receipt = append(
        stream=STREAM,
        action=action,
        subject=draft.number,
        actor=by.actor,
        changes=[Change(RuleDraft, draft.ref, values)],
        data=data,
    )
    return DraftStep(receipt, read_draft(draft.number))
