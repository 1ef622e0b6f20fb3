"""The only writer of the log: an entry and everything it explains, in one statement.

It must not decide anything about tables and rounds, nor read a clock: the entry's time is the
database's. A service that changes state is decorated with `service`, takes the lock of its stream
first, reads, decides, and appends.
"""

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, OperationalError, connection, transaction

from audit.chain import canonical
from audit.log.build import build
from audit.log.errors import AppendError, BusyError, StreamMissingError
from audit.log.prepared import prepared_cursor
from audit.log.restored import refuse_if_behind
from audit.log.rows import Actor, Change, Receipt, Row
from audit.log.statement import append_sql

P = ParamSpec("P")
T = TypeVar("T")

RETRIES_MAX = 5
SERIALIZATION_FAILURE, DEADLOCK, LOCK_TIMEOUT = "40001", "40P01", "55P03"
NO_STREAM = "LG001"

_ACTION = re.compile(r"[a-z_]+\.[a-z_]+", re.ASCII)
_inside: ContextVar[bool] = ContextVar("inside_service", default=False)


def service(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function one transaction: the outermost service opens it, those it calls join it.

    A serialisation failure or a deadlock runs the whole function again, at most five times, so it
    must have no effect outside the database. A lock that is not free in time, or a transaction that
    lost every time, is a BusyError that the client may answer with a retry.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        if _inside.get():
            return function(*args, **kwargs)
        token = _inside.set(True)
        try:
            return _run_whole(lambda: function(*args, **kwargs))
        finally:
            _inside.reset(token)

    return run


def _run_whole(work: Callable[[], T]) -> T:
    # Inside somebody's transaction nothing can be run again whole: PostgreSQL has aborted it.
    retries = 0 if connection.in_atomic_block else RETRIES_MAX
    for attempt in range(retries + 1):
        try:
            with transaction.atomic():
                return work()
        except OperationalError as error:
            state = getattr(error.__cause__, "sqlstate", None)
            if state == LOCK_TIMEOUT:
                raise BusyError from error
            if state not in (SERIALIZATION_FAILURE, DEADLOCK):
                raise
            if attempt == retries:
                raise BusyError from error
        # Two that lost to each other must not meet again: each waits a little longer, by chance.
        time.sleep(random.uniform(0.5, 1.5) * 0.004 * 2**attempt)
    raise AssertionError("unreachable")


def lock_stream(stream: str) -> None:
    """Take the one lock of a stream until the transaction ends.

    Whoever holds a table's may read and change its session, shoe and round; read them in a
    statement after this one. House-wide streams come last, in the order people, rulesets, house,
    cage, jobs, audit. Raises StreamMissingError.
    """
    try:
        with prepared_cursor() as cursor:
            cursor.execute("SELECT public.lock_stream(%s)", [stream])
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", None) == NO_STREAM:
            raise StreamMissingError(stream=stream) from error
        raise


def create_stream(stream: str) -> None:
    """Make an empty stream; one that is there already stays as it is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT public.create_stream(%s)", [stream])


def append(
    *,
    stream: str,
    action: str,
    subject: str,
    actor: Actor,
    facts: Sequence[Row] = (),
    new_heads: Sequence[Row] = (),
    changes: Sequence[Change] = (),
    work: Sequence[Row] = (),
    data: Mapping[str, object] | None = None,
) -> Receipt:
    """Write one entry and, tied to it, facts, new heads, changed heads and working rows.

    Needs a transaction (`service`). Working rows are not logged. `data` says what no row says. All
    of it is one statement: either everything is there or nothing. Raises BodyError for what has no
    canonical form, AppendError when a row breaks its declaration or a head is not in this stream.
    """
    if not connection.in_atomic_block:
        raise AppendError("an append needs the transaction of a service")
    if not _ACTION.fullmatch(action):
        raise AppendError(f"an action is a dotted noun and past participle, not {action!r}")
    refuse_if_behind()
    built = build(facts=facts, new_heads=new_heads, changes=changes, work=work)
    body = canonical(
        {
            "v": 1,
            "action": action,
            "actor": {"key": actor.key, "name": actor.name},
            "role": str(actor.role),
            "device": actor.device,
            "subject": subject,
            "request": actor.request_id,
            "facts": built.facts,
            "heads": built.heads,
            "data": {} if data is None else data,
        }
    )
    who = (actor.key, str(actor.role), actor.device, actor.request_id)
    parameters = [stream, body, action, subject, *who, *built.parameters]
    with prepared_cursor() as cursor:
        cursor.execute(append_sql(built.parts), parameters)  # type: ignore[arg-type]  # converted by column
        answer = cursor.fetchone()
    if answer is None:
        raise AppendError("the entry was not written")
    entry_id, seq, entry_hash, at, *results = answer
    return Receipt(
        entry_id=entry_id,
        stream=stream,
        seq=seq,
        hash=bytes(entry_hash).hex(),
        at=at,
        ids=built.ids(results),
    )
