"""The nightly check of the log: verify and replay, recorded, and a finding for what is wrong.

Follow-up work of the calendar: asked for once a day, done by the outbox, so that a killed worker or
a night without one only delays it. It reads under one snapshot and holds no lock while it does.
"""

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import FindingKind, Severity, register_kind
from audit.findings.services import raise_finding
from audit.log.place import configured_place
from audit.log.replay import replay_log
from audit.log.report import Report
from audit.log.rows import Actor
from audit.log.selectors import entries_of
from audit.log.services import append, lock_stream, service
from audit.log.verify import verify_log
from casino.outbox.handlers import handles
from casino.outbox.holding import held
from casino.outbox.leases import Lease, finish
from casino.outbox.services import ask_once

TOPIC = "log.check"
STREAM = "jobs"
HOUR_UTC = 20  # 04:00 in Manila, the quietest hour of the demo's house
CHECKER = Actor(key="system:log-check", name="Log check", role="system")

_PROBLEMS_MAX = 20

LOG_BROKEN = FindingKind(
    code="log.broken",
    name=_("Log does not verify"),
    sentence=_("The log does not verify at {subject_key}: {detail} ({problem})"),
    severity=Severity.ALARM,
    answer_within=timedelta(days=1),
)
LOG_DIFFERS = FindingKind(
    code="log.differs",
    name=_("Log and tables differ"),
    sentence=_("The log does not say what the tables say at {subject_key}: {detail} ({problem})"),
    severity=Severity.ALARM,
    answer_within=timedelta(days=1),
)


def register_findings() -> None:
    """Make the kinds of finding known that this check raises."""
    for kind in (LOG_BROKEN, LOG_DIFFERS):
        register_kind(kind)


def check_day(now: datetime) -> date:
    """The day whose check is due: it begins at HOUR_UTC."""
    return (now.astimezone(UTC) - timedelta(hours=HOUR_UTC)).date()


def ask_log_check(now: datetime) -> None:
    """Ask for the day's check unless it was done or asked for already."""
    day = check_day(now)
    if not entries_of(_subject(day), limit=1):
        ask_once(TOPIC, key=day.isoformat())


@handles(TOPIC, takes_long=True)
def check_log(lease: Lease) -> None:
    """Verify and replay the whole log, and record the result once. Raises LeaseLostError."""
    with held(lease):
        verified = verify_log(place=configured_place(), limit=_PROBLEMS_MAX)
        replayed = replay_log(limit=_PROBLEMS_MAX)
    _record(lease, verified=verified, replayed=replayed, now=timezone.now())


@service
def _record(lease: Lease, *, verified: Report, replayed: Report, now: datetime) -> None:
    lock_stream(STREAM)
    append(
        stream=STREAM,
        action="log.checked",
        subject=_subject(date.fromisoformat(lease.key)),
        actor=CHECKER,
        data={
            "entries": verified.entries,
            "streams": verified.streams,
            "checkpoints": verified.checkpoints,
            "facts": replayed.facts,
            "heads": replayed.heads,
            "unchecked": list(verified.unchecked),
            "problems": len(verified.problems) + len(replayed.problems),
            "complete": verified.complete and replayed.complete,
        },
    )
    for kind, report in ((LOG_BROKEN, verified), (LOG_DIFFERS, replayed)):
        for problem in report.problems:
            raise_finding(
                kind=kind.code,
                subject_kind="log",
                subject_key=problem.where[:80],
                table_code="",
                detail={"problem": problem.code, "detail": problem.detail},
                raised_by=CHECKER,
                now=now,
            )
    finish(lease)


def _subject(day: date) -> str:
    return f"log-check/{day.isoformat()}"
