"""Two managers approve a draft, and with the second one it is published.

None of them wrote any of it. Signatures are verified before the transaction, because a slow hash
must never run inside a lock.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from audit.chain import canonical
from audit.log.receipts import receipt_of
from audit.log.rows import Change, Row
from audit.log.services import append, lock_stream, service
from casino.outbox.bell import ring
from casino.outbox.services import ask_once
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)
from tables.acting import Acting
from tables.models import RuleApproval, RuleDraft, RuleKind
from tables.models.rule_life import STREAM
from tables.rule_errors import (
    ApprovalSignersError,
    ApprovedAlreadyError,
    ApproverDraftedError,
    DraftChangedError,
)
from tables.selectors.house import gaming_day_at
from tables.selectors.rule_content import RuleContent
from tables.selectors.rule_life import DraftRead, approval_entry, read_draft
from tables.services.publishing import publication_rows
from tables.services.rule_life import (
    WRITES_RULES,
    DraftStep,
    faultless,
    require_as_read,
    require_unpublished,
)
from tables.services.slow_odds import SLOW_ODDS

PURPOSE = "rules.approved"


def approve_rules(
    *, number: str, version: int, signers: Sequence[SignerInput], by: Acting
) -> DraftStep:
    """Approve a version of a draft; the second manager's approval publishes the rules.

    Managers sign, one or two at a time, over what is published: kind, game, name, content hash and
    effective day. None of them wrote any of it, and none approves twice; the same approval sent
    again by the same people changes nothing. Raises ApprovalSignersError, ApproverDraftedError,
    ApprovedAlreadyError, DraftStateError, DraftChangedError, RulesFaultyError, and what
    `verify_signers` raises.
    """
    require_role(by.person, *WRITES_RULES)
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    return _approve(number=number, version=version, signers=verified, by=by)


def approval_document(draft: DraftRead) -> dict[str, object]:
    """Return what a manager signs who approves a draft."""
    day = draft.effective_day
    return {
        "act": PURPOSE,
        "draft": draft.number,
        "version": draft.version,
        "kind": draft.kind,
        "game": draft.game,
        "name": draft.name,
        "content": draft.content_hash,
        "effective_day": None if day is None else day.isoformat(),
    }


@service
def _approve(*, number: str, version: int, signers: Sequence[Signer], by: Acting) -> DraftStep:
    lock_stream(STREAM)
    draft = read_draft(number)
    if done := _approved_before(draft, version=version, signers=signers):
        return done
    require_as_read(draft, version=version, states=(RuleDraft.State.IN_APPROVAL,))
    _require_approvers(draft, signers)
    content = faultless(draft)
    if content.hash != draft.content_hash:
        raise DraftChangedError(number=number, version=draft.version)
    document = approval_document(draft)
    signed = sha256(canonical(document)).digest()
    facts = [
        Row(
            RuleApproval,
            {
                "draft": draft.ref,
                "version": draft.version,
                "staff": signer.staff,
                "signed_hash": signed.hex(),
            },
        )
        for signer in signers
    ]
    facts += signature_rows(
        signers, content_hash=signed, purpose=PURPOSE, subject=number, device=by.person.device
    )
    if len(signers) < draft.approvals_missing:
        receipt = append(
            stream=STREAM,
            action=PURPOSE,
            subject=number,
            actor=by.actor,
            facts=facts,
            data=document,
        )
        return DraftStep(receipt, read_draft(number))
    return _publish(draft, content, facts=facts, document=document, by=by)


def _approved_before(
    draft: DraftRead, *, version: int, signers: Sequence[Signer]
) -> DraftStep | None:
    """Return the first answer to an approval that is sent again (trust R3); the draft is as it
    stands now.
    """
    managers = {signer.staff.id for signer in signers if signer.role == Role.MANAGER}
    entry = approval_entry(draft, version=version, staff=managers)
    if entry is None or len(managers) != len(signers):
        return None
    return DraftStep(receipt_of(entry), draft, done_before=True)


def _publish(
    draft: DraftRead,
    content: RuleContent,
    *,
    facts: Sequence[Row],
    document: Mapping[str, object],
    by: Acting,
) -> DraftStep:
    """Write what two managers approved as facts; the odds that take seconds are asked for."""
    require_unpublished(content, by=by)
    today = gaming_day_at(by.now)
    published = publication_rows(
        content,
        name=draft.name,
        draft=draft.ref,
        effective_day=max(draft.effective_day or today, today),
    )
    receipt = append(
        stream=STREAM,
        action=f"{draft.kind}.published",
        subject=content.hash,
        actor=by.actor,
        facts=[*published, *facts],
        changes=[
            Change(
                RuleDraft,
                draft.ref,
                {"state": RuleDraft.State.PUBLISHED.value, "changed_at": by.now},
            )
        ],
        data=document,
    )
    if draft.kind == RuleKind.RULESET:
        ask_once(SLOW_ODDS, key=content.hash)
        ring()
    return DraftStep(receipt, read_draft(draft.number))


def _require_approvers(draft: DraftRead, signers: Sequence[Signer]) -> None:
    """Refuse who is no manager, who drafted, who approved before, and more than are needed."""
    if not signers or any(signer.role != Role.MANAGER for signer in signers):
        raise ApprovalSignersError(needed=draft.approvals_missing)
    for signer in signers:
        if signer.staff.key in draft.drafters:
            raise ApproverDraftedError(name=signer.name, number=draft.number)
        if signer.staff.id in {given.staff_id for given in draft.approvals}:
            raise ApprovedAlreadyError(name=signer.name, number=draft.number)
    if len(signers) > draft.approvals_missing:
        raise ApprovalSignersError(needed=draft.approvals_missing)
