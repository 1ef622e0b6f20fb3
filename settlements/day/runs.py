"""Runs of a day's reconciliation: started once, worked off in chunks, closed with signed files.

Each chunk is a row of the outbox; its result is written under (run, chunk) in the transaction that
finishes the row, so that a killed worker loses and doubles nothing. The last one queues the close.
"""

import json
import time
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from hashlib import sha256

from django.utils import timezone

from audit.findings.services import raise_finding
from audit.log.day_log import write_day_log
from audit.log.days import is_day_over, turn_days
from audit.log.errors import DayNotOverError
from audit.log.place import required_place
from audit.log.rows import Actor, Change, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.outbox.bell import ring
from casino.outbox.handlers import drain, handles
from casino.outbox.holding import held
from casino.outbox.killpoints import reach
from casino.outbox.leases import Lease, finish
from casino.outbox.querysets import OutboxItemQuerySet
from casino.outbox.selectors import parked_items
from casino.outbox.services import outbox_row
from settlements.day.checks import Examined, Found, examine
from settlements.day.due import days_due, days_known
from settlements.day.plan import day_plan
from settlements.day.report import checks_of, day_report
from settlements.errors import (
    DayParkedError,
    DayRunMissingError,
    DayRunningError,
    DayUnknownError,
)
from settlements.models import DayCheck, DayRun
from tables.selectors.house import gaming_day_at, house_currency, latest_settings
from tables.selectors.shoes import UNCOUNTED, UNVERIFIED, unproven_shoes
from tables.services.shoe_end import raise_unproven

STREAM = "jobs"
CHECK, CLOSE = "day.check", "day.close"
_BESIDE_S = 0.2
RECONCILER = Actor(key="system:day", name="Day reconciliation", role="system")


def turn_and_start(*, now: datetime) -> list[str]:
    """Turn the day in every stream, and start a run for each day that is over and due for one."""
    if latest_settings() is None:
        return []  # a house that is not set up yet has no days
    today = gaming_day_at(now)
    turn_days(today)
    over = [day for day in days_due(today) if is_day_over(day)]
    started = [_start_by_itself(day=day, today=today, now=now) for day in over]
    return [key for key in started if key is not None]


@service
def _start_by_itself(*, day: date, today: date, now: datetime) -> str | None:
    """Start the run that a day gets by itself, unless another worker just did."""
    lock_stream(STREAM)
    if day not in days_due(today):
        return None
    return start_day_run(day=day, now=now, by=RECONCILER)


@service
def start_day_run(*, day: date, now: datetime, by: Actor) -> str:
    """Start a run of a day that is over; return its key. A finished run is never overwritten.

    Raises DayNotOverError, DayUnknownError, DayRunningError.
    """
    if not is_day_over(day):
        raise DayNotOverError(day=day.isoformat())
    known = days_known()
    if day not in known:
        raise DayUnknownError(day=day.isoformat(), first=min(known).isoformat())
    lock_stream(STREAM)
    last = DayRun.objects.filter(day=day).order_by("-number").first()
    if last is not None and last.state == DayRun.State.RUNNING:
        raise DayRunningError(run=last.key)
    number = last.number + 1 if last else 1
    key = f"{day.isoformat()}/{number}"
    plan = day_plan(day)
    append(
        stream=STREAM,
        action="day.run_started",
        subject=key,
        actor=by,
        new_heads=[
            Row(
                DayRun,
                {
                    "key": key,
                    "day": day,
                    "number": number,
                    "state": DayRun.State.RUNNING.value,
                    "plan": [list(chunk) for chunk in plan],
                    "started_at": now,
                    "started_by": by.key,
                },
            )
        ],
        work=[
            outbox_row(CHECK, key=f"{key}/{chunk}", payload={"run": key, "chunk": chunk})
            for chunk in range(1, len(plan) + 1)
        ],
    )
    ring()
    return key


def work_off(key: str, *, progress: Callable[[DayRun], None]) -> DayRun:
    """Work a run off, beside any worker, and return it done; `progress` is told how far it is.

    Raises DayParkedError when work of the run was given up and waits for a person.
    """
    while True:
        run = DayRun.objects.get(key=key)
        progress(run)
        if run.state == DayRun.State.DONE:
            return run
        if drain(limit=1):
            continue
        if parked_work([key]).exists():
            raise DayParkedError(run=key)
        time.sleep(_BESIDE_S)  # a worker holds what is left


def parked_work(runs: Collection[str]) -> OutboxItemQuerySet:
    """Return the work of these runs, named by key, that was given up and waits for a person."""
    return parked_items().filter(topic__in=(CHECK, CLOSE), payload__run__in=runs)


@handles(CHECK, takes_long=True)
def check_chunk(lease: Lease) -> None:
    """Examine one chunk of a run and record what was found, once."""
    run, chunk = _run_of(lease.payload)
    check, subject = run.plan[chunk - 1]
    reach("after_read")
    with held(lease):
        examined = examine(check, subject, day=run.day)
    _record(lease, run=Ref(run.pk, run.key), chunk=chunk, done=(check, subject, examined))


@service
def _record(lease: Lease, *, run: Ref, chunk: int, done: tuple[str, str, Examined]) -> None:
    check, subject, examined = done
    lock_stream(STREAM)
    if not DayCheck.objects.filter(run__key=run.key, chunk=chunk).exists():
        head = DayRun.objects.get(key=run.key)
        is_last = head.chunks_done + 1 == len(head.plan)
        reach("before_result")
        append(
            stream=STREAM,
            action="day.checked",
            subject=run.key,
            actor=RECONCILER,
            facts=[
                Row(
                    DayCheck,
                    {
                        "run": run,
                        "chunk": chunk,
                        "check_name": check,
                        "subject": subject,
                        "examined": examined.count,
                        "problems": [_document(found) for found in examined.problems],
                        "figures": dict(examined.figures),
                    },
                )
            ],
            changes=[
                Change(
                    DayRun,
                    run,
                    {
                        "chunks_done": head.chunks_done + 1,
                        "problems": head.problems + len(examined.problems),
                    },
                )
            ],
            work=[outbox_row(CLOSE, key=run.key, payload={"run": run.key, "chunk": 1})]
            if is_last
            else [],
        )
        for found in examined.problems:
            _raise(found)
    finish(lease)
    ring()


def _raise(found: Found) -> None:
    """Raise a problem as a finding; the round check's own kinds keep their own findings.

    What a shoe waits for is the finding that the closing of its table raised, if it did.
    """
    if found.code == "payout.mispaid":
        return
    if found.code in (UNCOUNTED, UNVERIFIED):
        shoes = unproven_shoes(shoe=found.subject_key)
        raise_unproven(shoes, by=RECONCILER, now=timezone.now())
        return
    raise_finding(
        kind=found.code,
        subject_kind=found.subject_kind,
        subject_key=found.subject_key[:80],
        table_code=found.where.split("/")[0] if found.subject_kind != "log" else "",
        detail={"where": found.where, "detail": found.detail},
        raised_by=RECONCILER,
        now=timezone.now(),
    )


@handles(CLOSE, takes_long=True)
def close_run(lease: Lease) -> None:
    """Write the day's log, report and problems with a signed manifest, then close the run.

    The files hold what the chunks recorded and nothing newer, so that writing them again after a
    kill gives the same bytes.
    """
    run, _chunk = _run_of(lease.payload)
    checks = checks_of(run)
    report = day_report(run, checks)
    problems = [problem for check in checks for problem in check.problems]
    with held(lease):
        note = write_day_log(
            run.day,
            run=run.number,
            place=required_place(),
            currency=house_currency(),
            files={"report.json": _json(report), "problems.json": _json(problems)},
        )
    reach("after_read")
    _close(lease, run=Ref(run.pk, run.key), manifest=note)


@service
def _close(lease: Lease, *, run: Ref, manifest: bytes) -> None:
    lock_stream(STREAM)
    head = DayRun.objects.get(key=run.key)
    if head.state != DayRun.State.DONE:
        reach("before_result")
        digest = sha256(manifest).hexdigest()
        append(
            stream=STREAM,
            action="day.closed",
            subject=run.key,
            actor=RECONCILER,
            changes=[
                Change(
                    DayRun,
                    run,
                    {
                        "state": DayRun.State.DONE.value,
                        "finished_at": timezone.now(),
                        "manifest_sha256": digest,
                    },
                )
            ],
        )
    finish(lease)


def _run_of(payload: Mapping[str, object]) -> tuple[DayRun, int]:
    key, chunk = payload.get("run"), payload.get("chunk")
    run = DayRun.objects.filter(key=key).first()
    if run is None or not isinstance(chunk, int) or not 1 <= chunk <= len(run.plan):
        raise DayRunMissingError(run=str(key))
    return run, chunk


def _document(found: Found) -> dict[str, str]:
    return {
        "code": found.code,
        "where": found.where,
        "detail": found.detail,
        "subject_kind": found.subject_kind,
        "subject_key": found.subject_key,
    }


def _json(document: object) -> bytes:
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    return f"{text}\n".encode()
