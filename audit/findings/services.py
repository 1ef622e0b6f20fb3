"""The only writers of findings: raise one, and move it through its life.

Open -> answered by the auditee -> accepted by an auditor -> closed by an auditor; an answer that
does not satisfy is returned and the finding is open again. Nothing is ignored and no step skipped
(control 8.5). The stream is `audit`, last but none in the order of locks: a caller that already
holds a table's or the jobs' stream may raise a finding in the same transaction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db.models import Max

from audit.chain import canonical
from audit.findings.errors import (
    FindingNoteDiffersError,
    FindingNoteNumberError,
    FindingOwnAnswerError,
    FindingStateError,
    FindingTextMissingError,
    FindingUnknownError,
)
from audit.findings.kinds import kind_of
from audit.findings.models import Finding, FindingNote, serial_of
from audit.findings.permissions import ANSWERS_FINDINGS, DECIDES_FINDINGS
from audit.log.receipts import receipt_of
from audit.log.rows import Actor, Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.text import clean_text
from casino.people.permissions import require_role
from casino.people.person import Person

STREAM = "audit"
TEXT_MAX = 2000
State = Finding.State


@dataclass(frozen=True, slots=True)
class _Step:
    """One kind of step: what it is called in the log, from where it leads, and where to."""

    action: str
    from_states: tuple[str, ...]
    to_state: str
    decides: bool


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step did: the finding as it stands now, and the receipt of the note."""

    finding: Finding
    receipt: Receipt


# An answer may be added to while nobody has decided on it.
_ANSWER = _Step("finding.answered", (State.OPEN, State.ANSWERED), State.ANSWERED, decides=False)
_RETURN = _Step("finding.returned", (State.ANSWERED,), State.OPEN, decides=True)
_ACCEPT = _Step("finding.accepted", (State.ANSWERED,), State.ACCEPTED, decides=True)
_CLOSE = _Step("finding.closed", (State.ACCEPTED,), State.CLOSED, decides=True)


@service
def raise_finding(
    *,
    kind: str,
    subject_kind: str,
    subject_key: str,
    table_code: str,
    detail: Mapping[str, object],
    raised_by: Actor,
    now: datetime,
) -> str:
    """Raise a finding about a subject named by its natural key; return its number, such as F-12.

    The same kind, subject and detail again is the same finding: its number comes back and nothing
    is written, whatever its state. `detail` is JSON without floats. Locks the stream `audit`.
    Raises InvariantError for an unknown kind and BodyError for a detail without a canonical form.
    """
    known = kind_of(kind)
    fingerprint = fingerprint_of(
        kind=kind, subject_kind=subject_kind, subject_key=subject_key, detail=detail
    )
    number = _number_of(fingerprint)
    if number is not None:
        return number
    lock_stream(STREAM)
    number = _number_of(fingerprint)
    if number is not None:
        return number
    serial = (Finding.objects.aggregate(last=Max("serial"))["last"] or 0) + 1
    number = f"F-{serial}"
    values: dict[str, object] = {
        "serial": serial,
        "number": number,
        "kind": kind,
        "severity": str(known.severity),
        "subject_kind": subject_kind,
        "subject_key": subject_key,
        "table_code": table_code,
        "detail": dict(detail),
        "fingerprint": fingerprint,
        "state": str(State.OPEN),
        "raised_by": raised_by.key,
        "raised_at": now,
        "due_at": None if known.answer_within is None else now + known.answer_within,
    }
    append(
        stream=STREAM,
        action="finding.raised",
        subject=number,
        actor=raised_by,
        new_heads=[Row(Finding, values)],
    )
    return number


def fingerprint_of(
    *, kind: str, subject_kind: str, subject_key: str, detail: Mapping[str, object]
) -> str:
    """Name a discrepancy by its content: SHA-256 of the canonical form, in hex."""
    content = {"kind": kind, "subject": [subject_kind, subject_key], "detail": dict(detail)}
    return sha256(canonical(content)).hexdigest()


def answer_finding(
    number: str, *, n: int, text: str, person: Person, request_id: str = ""
) -> Stepped:
    """Answer a finding, as one who is audited: a supervisor or manager.

    `n` is the number of the note that this becomes; the same note again changes nothing. The first
    to answer becomes the finding's owner. Raises RoleNotAllowedError, FindingUnknownError,
    FindingTextMissingError, FindingStateError, FindingNoteNumberError, FindingNoteDiffersError.
    """
    return _take_step(_ANSWER, number, n=n, text=text, person=person, request_id=request_id)


def return_finding(
    number: str, *, n: int, text: str, person: Person, request_id: str = ""
) -> Stepped:
    """Send an answer back that does not satisfy: the finding is open again. Auditors only.

    Raises what `accept_finding` raises.
    """
    return _take_step(_RETURN, number, n=n, text=text, person=person, request_id=request_id)


def accept_finding(
    number: str, *, n: int, text: str, person: Person, request_id: str = ""
) -> Stepped:
    """Accept the answer to a finding. Auditors only, and never who answered it (control 8.5).

    Raises RoleNotAllowedError, FindingOwnAnswerError, and what `answer_finding` raises.
    """
    return _take_step(_ACCEPT, number, n=n, text=text, person=person, request_id=request_id)


def close_finding(
    number: str, *, n: int, text: str, person: Person, request_id: str = ""
) -> Stepped:
    """Close an accepted finding. Auditors only, and never who answered it (control 8.5).

    Raises what `accept_finding` raises.
    """
    return _take_step(_CLOSE, number, n=n, text=text, person=person, request_id=request_id)


@service
def _take_step(
    step: _Step, number: str, *, n: int, text: str, person: Person, request_id: str
) -> Stepped:
    """Write the n-th note of a finding and its new state, in one entry."""
    require_role(person, *(DECIDES_FINDINGS if step.decides else ANSWERS_FINDINGS))
    text = clean_text(text, max_length=TEXT_MAX).strip()
    if not text:
        raise FindingTextMissingError
    lock_stream(STREAM)
    finding = Finding.objects.filter(serial=serial_of(number) or 0).first()
    if finding is None:
        raise FindingUnknownError(number=number[:16])
    note = {
        "author_number": person.staff.key,
        "author_name": person.name,
        "author_role": str(person.role),
        "text": text,
        "state_after": str(step.to_state),
    }
    if n <= finding.notes_count:
        return Stepped(finding, receipt_of(_same_note(finding, n=n, note=note)))
    _require_step(step, finding, n=n, person=person)
    changed: dict[str, object] = {"state": str(step.to_state), "notes_count": n}
    if not step.decides and not finding.owner:
        changed["owner"] = person.staff.key
    ref = Ref(finding.pk, finding.number)
    receipt = append(
        stream=STREAM,
        action=step.action,
        subject=finding.number,
        actor=person.actor(request_id),
        facts=[Row(FindingNote, {"finding": ref, "n": n, **note})],
        changes=[Change(Finding, ref, changed)],
    )
    for name, value in changed.items():
        setattr(finding, name, value)
    return Stepped(finding, receipt)


def _same_note(finding: Finding, *, n: int, note: Mapping[str, str]) -> int:
    """Return the entry of a note that is sent again; the stored one must say the same."""
    stored = FindingNote.objects.filter(finding=finding, n=n, **note).values_list("entry_id")
    found = stored.first()
    if found is None:
        raise FindingNoteDiffersError(number=finding.number, n=n)
    return int(found[0])


def _require_step(step: _Step, finding: Finding, *, n: int, person: Person) -> None:
    if n != finding.notes_count + 1:
        raise FindingNoteNumberError(number=finding.number, n=n, expected=finding.notes_count + 1)
    if finding.state not in step.from_states:
        raise FindingStateError(
            number=finding.number,
            state=finding.state,
            expected=" or ".join(str(state) for state in step.from_states),
        )
    # Whoever answered in another role is still the same person.
    if (
        step.decides
        and FindingNote.objects.filter(
            finding=finding, author_number=person.staff.key, state_after=State.ANSWERED
        ).exists()
    ):
        raise FindingOwnAnswerError(number=finding.number)


def _number_of(fingerprint: str) -> str | None:
    found = Finding.objects.filter(fingerprint=fingerprint).values_list("number", flat=True)
    return found.first()
