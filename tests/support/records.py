"""What is recorded: the last entry of a stream, and everything at once to see what changed."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from audit.log.models import Entry
from audit.log.registry import Kind, all_declared
from casino.kernel.errors import DomainError


def last_entry(stream: str) -> Entry:
    """The newest entry of a stream."""
    return Entry.objects.filter(stream=stream).latest("seq")


def body_of(entry: Entry) -> dict[str, Any]:
    """The body of an entry; Any: a document."""
    body: dict[str, Any] = json.loads(bytes(entry.body))
    return body


def recorded() -> list[tuple[object, ...]]:
    """Every fact, head and stream of the house, summed up; sign-ons and tries may be logged."""
    tables = [
        f"SELECT '{each.table}', count(*), md5(string_agg(t::text, ',' ORDER BY t::text))"
        f" FROM {each.table} t"
        for each in all_declared(Kind.FACT, Kind.HEAD)
        if not each.table.startswith("people_")
    ]
    streams = "SELECT 'stream ' || name, seq, '' FROM log_stream WHERE name <> 'people'"
    work = "SELECT 'outbox', count(*), '' FROM outbox_outboxitem"
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([*tables, streams, work]) + " ORDER BY 1")
        return list(cursor.fetchall())


@contextmanager
def nothing_recorded() -> Iterator[None]:
    """Expect that the block changes no fact, no head and no stream."""
    before = recorded()
    yield
    after = recorded()
    assert [row for row in after if row not in before] == []
    assert len(after) == len(before)


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[DomainError]]:
    """Expect a refusal with this code, and that it wrote nothing."""
    with nothing_recorded(), pytest.raises(DomainError) as caught:
        yield caught
    assert caught.value.code == code, caught.value
    assert caught.value.detail
