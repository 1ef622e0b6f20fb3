"""The turn of the day: over a round, over an open transaction, over clocks that change (trust R16).

Whatever the clocks do, each entry lies in exactly one day and a day that is over gains none.
"""

import threading
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction

from audit.log.days import day_ranges, entry_of_day, is_day_over, turn_days
from audit.log.models import DayMark, Entry, Stream
from audit.log.services import lock_stream
from settlements.day.runs import turn_and_start
from settlements.models import DayRun
from tables.models import Round
from tables.selectors.house import gaming_day_at
from tables.services.house import set_house
from tests.factories.house import (
    DENOMINATIONS,
    NOW,
    SET_UP,
    bet,
    build_house,
    key,
    open_floor,
    open_round,
    settle_part,
)
from tests.settlements.day.test_runs import place
from tests.support.database import CloneDatabase

__all__ = ["place"]
HOUR = timedelta(hours=1)


def days_of_all_entries() -> Counter[date]:
    """Every entry by the day whose range it lies in; each lies in exactly one."""
    found: Counter[date] = Counter()
    for entry in Entry.objects.all():
        day = entry_of_day(entry)
        assert day is not None
        inside = [
            part
            for part in day_ranges(day)
            if part.stream == entry.stream
            and part.first <= entry.seq
            and (part.last is None or entry.seq <= part.last)
        ]
        assert len(inside) == 1, entry
        found[day] += 1
    return found


def test_a_round_dealt_over_the_turn_lies_in_both_logs_and_in_one_day(
    clone_db: CloneDatabase,
) -> None:
    house = build_house()
    today = gaming_day_at(house.now)
    turn_days(today)
    open_floor(house)
    name = open_round(house)
    bet(house, name, {1: {"main": 10000}})
    key(house, name, {1: "2H", 2: "5S"})
    turn_days(today + timedelta(days=1))
    key(house, name, {3: "7C", 4: "3D", 5: "KD", 6: "QC"})
    settle_part(house, name, "final")
    assert Round.objects.get(key=name.key).gaming_day == today
    entries = Entry.objects.filter(subject=name.key).order_by("seq")
    days = [entry_of_day(entry) for entry in entries]
    assert days[0] == today
    assert days[-1] == today + timedelta(days=1)
    assert days == sorted(days, key=str)
    assert sum(days_of_all_entries().values()) == Entry.objects.count()


def test_a_transaction_held_open_over_the_turn_ends_in_the_old_day(
    clone_db: CloneDatabase,
) -> None:
    house = build_house()
    today = gaming_day_at(house.now)
    turn_days(today)
    open_floor(house)
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                lock_stream("table/T1")
                held.set()
                release.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
    tomorrow = today + timedelta(days=1)
    turned = turn_days(tomorrow)
    assert turned.busy == ("table/T1",)
    assert not is_day_over(today)
    release.set()
    thread.join()
    name = open_round(house)
    assert turn_days(tomorrow).marks == 1
    assert is_day_over(today)
    assert entry_of_day(Entry.objects.get(subject=name.key)) == today
    before = days_of_all_entries()[today]
    open_lines = Stream.objects.count()
    assert DayMark.objects.filter(day=tomorrow).count() == open_lines
    bet(house, name, {1: {"main": 10000}})
    assert days_of_all_entries()[today] == before


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 0, 30, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 10, 24, 0, 30, tzinfo=UTC)),
        ("Asia/Manila", datetime(2028, 2, 28, 0, 30, tzinfo=UTC)),
    ],
)
def test_clocks_that_change_miss_no_day_and_double_none(
    clone_db: CloneDatabase, place: object, zone: str, first: datetime
) -> None:
    build_house(now=first)
    set_house(
        name="Test House",
        currency_code="PHP",
        currency_exponent=2,
        zone=zone,
        cut_over_hour=2,
        denominations=DENOMINATIONS,
        effective_at=first - HOUR,
        by=SET_UP,
    )
    # Every hour of three days, and now and then the application's clock steps back by one.
    for n in range(72):
        turn_and_start(now=first + n * HOUR - (HOUR if n % 7 == 3 else timedelta()))
    streams = Stream.objects.count()
    marks = Counter(DayMark.objects.values_list("day", flat=True))
    days = sorted(marks)
    assert set(marks.values()) == {streams}
    assert days == [days[0] + timedelta(days=n) for n in range(len(days))]
    assert len(days) in (3, 4)
    assert sum(days_of_all_entries().values()) == Entry.objects.count()


def test_two_workers_that_turn_the_same_day_start_one_run(
    clone_db: CloneDatabase, place: object
) -> None:
    house = build_house()
    turn_days(gaming_day_at(house.now))
    open_floor(house)
    later = NOW + timedelta(days=1)

    def turn() -> None:
        try:
            turn_and_start(now=later)
        finally:
            connection.close()

    threads = [threading.Thread(target=turn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert DayRun.objects.count() == 1
    assert Counter(DayMark.objects.values_list("marked", "day")).most_common(1)[0][1] == 1
