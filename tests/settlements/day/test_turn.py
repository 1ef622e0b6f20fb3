"""The turn of the day: over a round, over an open transaction, over clocks that change (trust R16).

Whatever the clocks do, each entry lies in exactly one day and a day that is over gains none.
"""

import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction

from audit.log.days import day_ranges, is_day_over, turn_days
from audit.log.models import DayMark, Entry, Stream
from audit.log.replay import replay_log
from audit.log.services import lock_stream
from audit.log.verify import verify_log
from settlements.day.runs import turn_and_start
from settlements.models import DayRun
from tables.models import Card, Round
from tables.selectors.house import gaming_day_at
from tables.selectors.round_read import RoundName
from tables.services.cards import KeyedCard, deal_cards
from tables.services.house import set_house
from tables.services.rounds import call_off_round
from tests.factories.house import (
    DENOMINATIONS,
    NOW,
    SET_UP,
    House,
    bet,
    build_house,
    key,
    open_floor,
    open_round,
    settle_part,
)
from tests.log.databases import REHASH, unguarded
from tests.settlements.day.test_runs import place
from tests.support.database import CloneDatabase

__all__ = ["place"]
HOUR = timedelta(hours=1)


def entry_of_day(entry: Entry) -> date | None:
    """The day of the last mark at or before an entry; of the first mark for what lies before it."""
    marks = DayMark.objects.filter(marked=entry.stream).order_by("day")
    before = marks.filter(entry__seq__lte=entry.seq).last()
    mark = before or marks.first()
    return mark.day if mark else None


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
    ("zone", "first", "turns"),
    [
        # Four days of 24 hours; 29 March 2026 has 23 hours in Berlin, 25 October 25.
        ("Europe/Berlin", datetime(2026, 3, 27, 0, 30, tzinfo=UTC), 6),
        ("Europe/Berlin", datetime(2026, 10, 23, 0, 30, tzinfo=UTC), 4),
        ("Asia/Manila", datetime(2028, 2, 27, 18, 30, tzinfo=UTC), 5),  # over 29 February
    ],
)
def test_clocks_that_change_miss_no_day_and_double_none(
    clone_db: CloneDatabase, place: object, zone: str, first: datetime, turns: int
) -> None:
    house = in_zone(zone, first)
    turn_and_start(now=first)
    open_floor(house)
    opened = {}
    # Every hour of four days, and now and then the application's clock steps back by one.
    for n in range(1, 97):
        now = first + n * HOUR - (HOUR if n % 7 == 3 else timedelta())
        turn_and_start(now=now)
        if n % 24 == 5:
            opened[open_round(replace(house, now=now)).key] = gaming_day_at(now)
            call_off(replace(house, now=now))
    marks = Counter(DayMark.objects.values_list("day", flat=True))
    days = sorted(marks)
    assert set(marks.values()) == {Stream.objects.count()}
    assert days == [gaming_day_at(first) + n * timedelta(days=1) for n in range(turns)]
    assert sum(days_of_all_entries().values()) == Entry.objects.count()
    for entry in Entry.objects.filter(action="round.opened"):
        assert entry_of_day(entry) == opened.pop(entry.subject)
    assert not opened
    # The days that are over have one run each, dealt or not, whatever the clocks did.
    assert [run.day for run in DayRun.objects.order_by("day")] == days[:-1]


def in_zone(zone: str, first: datetime) -> House:
    """A house in a zone, whose day turns at two in the morning."""
    house = build_house(now=first)
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
    return house


def call_off(house: House) -> None:
    """End the round that is open; no card was dealt."""
    number = Round.objects.latest("number").number
    call_off_round(name=RoundName("T1", 1, number), by=house.acting("dealer", table="T1"))


def test_a_day_goes_on_across_midnight(clone_db: CloneDatabase) -> None:
    """In Manila, where the day turns at six: before and after midnight is one day."""
    house = build_house()
    today = gaming_day_at(house.now)
    turn_days(today)
    open_floor(house)
    late, early = house.now.replace(hour=15, minute=59), house.now.replace(hour=16, minute=1)
    for now in (late, early):
        assert turn_days(gaming_day_at(now)).marks == 0
        open_round(replace(house, now=now))
        call_off(replace(house, now=now))
    assert set(Round.objects.values_list("gaming_day", flat=True)) == {today}
    assert set(days_of_all_entries()) == {today}


def test_a_database_clock_that_was_put_back_leaves_order_and_days_as_they_are(
    clone_db: CloneDatabase,
) -> None:
    """The last entry of each stream lies an hour ahead of the clock, as after such a step."""
    house = build_house()
    today = gaming_day_at(house.now)
    turn_days(today)
    open_floor(house)
    with unguarded(clone_db.admin_url, "log_entry", "log_stream") as admin:
        heads = admin.execute("SELECT name, seq FROM log_stream WHERE seq > 0").fetchall()
        for stream, seq in heads:
            admin.execute(
                "UPDATE log_entry SET at = at + interval '1 hour' WHERE stream = %s AND seq = %s",
                [stream, seq],
            )
            admin.execute(REHASH.format(stream=stream, seq=seq))
        admin.execute(
            "UPDATE log_stream s SET hash = e.hash, last_at = e.at FROM log_entry e"
            " WHERE e.stream = s.name AND e.seq = s.seq"
        )
    ahead = Stream.objects.get(name="table/T1").last_at
    name = open_round(house)
    turn_days(today + timedelta(days=1))
    bet(house, name, {1: {"main": 10000}})
    entries = list(Entry.objects.filter(stream="table/T1").order_by("seq"))
    assert {entry.at for entry in entries[-3:]} == {ahead}, "time stands until the clock is there"
    assert [entry.action for entry in entries[-3:]] == [
        "round.opened",
        "day.turned",
        "wagers.placed",
    ]
    assert [entry_of_day(entry) for entry in entries[-3:]] == [
        today,
        today + timedelta(days=1),
        today + timedelta(days=1),
    ]
    assert sum(days_of_all_entries().values()) == Entry.objects.count()
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_tablet_s_clock_orders_nothing(clone_db: CloneDatabase, minutes: float) -> None:
    """What a tablet ten minutes off says is kept as a claim; place and day are the server's."""
    house = build_house()
    today = gaming_day_at(house.now)
    turn_days(today)
    open_floor(house)
    turn_days(today + timedelta(days=1))
    turned = replace(house, now=house.now + timedelta(days=1))
    name = open_round(turned)
    bet(turned, name, {1: {"main": 10000}})
    by = turned.acting("dealer", table="T1")
    for draw, (face, off) in enumerate({"2H": minutes, "5S": 0, "7C": -minutes}.items(), start=1):
        claimed = turned.at(minutes=off).now - timedelta(days=1)
        deal_cards(name=name, cards=[KeyedCard(draw, 1, face, claimed_at=claimed)], by=by)
    dealt = Entry.objects.filter(action="card.dealt").order_by("seq")
    assert [card.draw for entry in dealt for card in Card.objects.filter(entry=entry)] == [1, 2, 3]
    assert list(dealt) == list(dealt.order_by("at", "seq"))
    assert {entry_of_day(entry) for entry in dealt} == {today + timedelta(days=1)}


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
