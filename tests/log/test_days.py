"""Marks of days: once in every stream, missed days in order, ranges that never grow."""

from datetime import date, timedelta

import pytest

from audit.log.days import DayRange, day_ranges, is_day_over, turn_days
from audit.log.models import DayMark, Stream
from audit.log.rows import Actor
from audit.log.services import append, create_stream, service

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 1)
ACTOR = Actor(key="system:test", name="Test", role="system")


@service
def write(stream: str) -> int:
    return append(stream=stream, action="test.done", subject="x", actor=ACTOR).seq


def test_every_stream_is_marked_once() -> None:
    create_stream("table/T9")
    streams = Stream.objects.count()
    assert turn_days(DAY).marks == streams
    assert turn_days(DAY).marks == 0
    assert DayMark.objects.filter(day=DAY).count() == streams


def test_missed_days_are_marked_in_order() -> None:
    create_stream("table/T9")
    turn_days(DAY)
    turn_days(DAY + timedelta(days=3))
    days = DayMark.objects.filter(marked="table/T9").order_by("entry__seq")
    assert [mark.day for mark in days] == [DAY + timedelta(days=n) for n in range(4)]


def test_a_day_is_the_range_between_two_marks() -> None:
    create_stream("table/T9")
    first = write("table/T9")
    turn_days(DAY)
    second = write("table/T9")
    assert not is_day_over(DAY)
    assert DayRange("table/T9", 1, None) in day_ranges(DAY)
    turn_days(DAY + timedelta(days=1))
    third = write("table/T9")
    assert is_day_over(DAY)
    assert first == 1
    assert day_ranges(DAY - timedelta(days=1)) == []
    assert DayRange("table/T9", 1, second) in day_ranges(DAY)
    assert DayRange("table/T9", third - 1, None) in day_ranges(DAY + timedelta(days=1))
