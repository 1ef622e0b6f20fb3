"""The check of a round by the second engine: follow-up work of every settlement (design 8).

A handler of the outbox. It reads the facts, recomputes without holding a lock, and stores what it
found under its natural key in the one transaction in which the work is marked done. It must not
trust what it is handed: the payload names a settlement, everything else is read anew.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import FindingKind, Severity, register_kind
from audit.findings.services import raise_finding
from audit.log.rows import Actor, Row
from audit.log.services import append, lock_stream, service
from casino.outbox.handlers import handles
from casino.outbox.killpoints import reach
from casino.outbox.leases import Lease, finish
from settlements.bulk.version import ENGINE_VERSION
from settlements.comparison import Difference, PartRead, PayoutRead, differences, mispaid
from settlements.errors import CheckSubjectError
from settlements.models import CheckResult
from settlements.selectors.checks import ROUND_CHECK, SECOND_ENGINE, Subject, read_subject

STREAM = "jobs"
CHECKER = Actor(key="system:round-check", name="Round check", role="system")

ENGINES_DISAGREE = FindingKind(
    code="round.engines_disagree",
    name=_("Engines disagree"),
    sentence=_(
        "The second engine does not agree with the {part} of round {subject_key}, "
        "revision {revision}, in {count} places."
    ),
    severity=Severity.ALARM,
    answer_within=timedelta(days=1),
)
MISPAID = FindingKind(
    code="payout.mispaid",
    name=_("Handed is not owed"),
    sentence=_(
        "Round {subject_key}, seat {seat}, {wager}: {owed_minor} was owed and "
        "{handed_minor} handed over."
    ),
    severity=Severity.WARNING,
    answer_within=timedelta(days=2),
)


def register_findings() -> None:
    """Make the kinds of finding known that this check raises."""
    for kind in (ENGINES_DISAGREE, MISPAID):
        register_kind(kind)


@handles(ROUND_CHECK)
def check_part(lease: Lease) -> None:
    """Recompute one settlement and record what was found, once.

    Raises CheckSubjectError when the payload names no settlement, LeaseLostError when another
    worker has taken over: then nothing of it is stored.
    """
    subject = _subject(lease.payload)
    reach("after_read")
    found = differences(subject.read)
    _record(lease, subject, found=found, wrong=_unexplained(subject.read))


def _unexplained(read: PartRead) -> list[PayoutRead]:
    """Return what was mispaid and nobody has said why yet.

    What a signed decision on a void shoe gives back may be handed over later (event 27): eighty
    rounds of it are one matter, which stands with the decision and in the day's reconciliation.
    """
    return [paid for paid in mispaid(read) if not (read.given_back and paid.outcome == "void")]


def _subject(payload: Mapping[str, object]) -> Subject:
    """Read what the payload names. Raises CheckSubjectError."""
    round_key, part, revision = (payload.get(name) for name in ("round", "part", "revision"))
    if not (isinstance(round_key, str) and isinstance(part, str) and type(revision) is int):
        raise CheckSubjectError(round=round_key, part=part, revision=revision)
    subject = read_subject(round_key, part=part, revision=revision)
    if subject is None:
        raise CheckSubjectError(round=round_key, part=part, revision=revision)
    return subject


@service
def _record(
    lease: Lease, subject: Subject, *, found: Sequence[Difference], wrong: Sequence[PayoutRead]
) -> None:
    """Store the result and raise its findings, unless they are stored; mark the work done."""
    lock_stream(STREAM)
    if not _is_recorded(subject):
        read = subject.read
        reach("before_result")
        append(
            stream=STREAM,
            action="round.checked",
            subject=read.round_key,
            actor=CHECKER,
            facts=[_result(subject, found)],
        )
        if found:
            _raise_disagreement(subject, found)
        for paid in wrong:
            _raise_mispaid(subject, paid)
    finish(lease)


def _is_recorded(subject: Subject) -> bool:
    return CheckResult.objects.filter(
        round_id=subject.round.id,
        part=subject.read.part,
        revision=subject.read.revision,
        check_name=SECOND_ENGINE,
        engine_version=ENGINE_VERSION,
    ).exists()


def _result(subject: Subject, found: Sequence[Difference]) -> Row:
    return Row(
        CheckResult,
        {
            "round": subject.round,
            "part": subject.read.part,
            "revision": subject.read.revision,
            "check_name": SECOND_ENGINE,
            "engine_version": ENGINE_VERSION,
            "agrees": not found,
            "lines": len(subject.read.payouts),
            "differences": list(found),
        },
    )


def _raise_disagreement(subject: Subject, found: Sequence[Difference]) -> None:
    read = subject.read
    raise_finding(
        kind=ENGINES_DISAGREE.code,
        subject_kind="round",
        subject_key=read.round_key,
        table_code=read.table_code,
        detail={
            "part": read.part,
            "revision": read.revision,
            "engine_version": ENGINE_VERSION,
            "count": len(found),
            "differences": list(found),
        },
        raised_by=CHECKER,
        now=timezone.now(),
    )


def _raise_mispaid(subject: Subject, paid: PayoutRead) -> None:
    """Raise a finding of one wager; the same mispay in a later revision is the same finding."""
    read = subject.read
    raise_finding(
        kind=MISPAID.code,
        subject_kind="round",
        subject_key=read.round_key,
        table_code=read.table_code,
        detail={
            "part": read.part,
            "seat": paid.seat,
            "wager": paid.wager,
            "owed_minor": paid.owed_minor,
            "handed_minor": paid.handed_minor,
        },
        raised_by=CHECKER,
        now=timezone.now(),
    )
