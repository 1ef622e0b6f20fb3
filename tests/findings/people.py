"""People and a kind of finding for the tests here; findings name people by number alone."""

from datetime import UTC, datetime, timedelta

from audit.findings.kinds import FindingKind, Severity, register_kind
from audit.findings.services import raise_finding
from audit.log.rows import Actor, Ref
from casino.people.models import Role
from casino.people.person import Person

NOW = datetime(2026, 3, 1, 14, 5, tzinfo=UTC)
CHECK = Actor(key="system:check", name="Check", role="system")
KIND = FindingKind(
    code="test.counts_differ",
    name="Counts differ",
    sentence="The counts of {subject_key} differ by {by_minor}.",
    severity=Severity.WARNING,
    answer_within=timedelta(days=2),
)
NOTICE = FindingKind(code="test.noted", name="Noted", sentence="Noted.", severity=Severity.NOTICE)
register_kind(KIND)
register_kind(NOTICE)


def person(number: str, *, role: Role) -> Person:
    """Someone signed on in a role; no row stands behind, findings need none."""
    return Person(staff=Ref(int(number[1:]), number), name=f"Person {number}", role=role)


supervisor = person("S1", role=Role.SUPERVISOR)
manager = person("S2", role=Role.MANAGER)
auditor = person("S3", role=Role.AUDITOR)
other_auditor = person("S4", role=Role.AUDITOR)
dealer = person("S5", role=Role.DEALER)
regulator = person("S6", role=Role.REGULATOR)
supervisor_as_auditor = person("S1", role=Role.AUDITOR)


def raise_one(
    key: str = "T1/7/12", *, by_minor: int = 500, kind: str = KIND.code, table: str = "T1"
) -> str:
    """Raise a finding of a round; return its number."""
    return raise_finding(
        kind=kind,
        subject_kind="round",
        subject_key=key,
        table_code=table,
        detail={"by_minor": by_minor},
        raised_by=CHECK,
        now=NOW,
    )
