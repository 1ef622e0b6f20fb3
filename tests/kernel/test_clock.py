from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.clock import format_instant, gaming_day, gaming_day_start, parse_instant
from casino.kernel.errors import DomainError

MANILA = "Asia/Manila"
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-03-01T05:59:59+08:00", date(2026, 2, 28)),
        ("2026-03-01T06:00:00+08:00", date(2026, 3, 1)),
        ("2028-02-29T23:00:00+08:00", date(2028, 2, 29)),
        ("2028-03-01T05:00:00+08:00", date(2028, 2, 29)),
        ("2027-01-01T00:30:00+08:00", date(2026, 12, 31)),
    ],
)
def test_the_day_begins_at_the_cut_over_hour(moment: str, day: date) -> None:
    assert gaming_day(datetime.fromisoformat(moment), cut_over_hour=6, zone=MANILA) == day


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 28), 23), (date(2026, 10, 24), 25), (date(2026, 6, 1), 24)]
)
def test_a_day_is_as_long_as_its_zone_makes_it(day: date, hours: int) -> None:
    start = gaming_day_start(day, cut_over_hour=6, zone=BERLIN)
    end = gaming_day_start(day + timedelta(days=1), cut_over_hour=6, zone=BERLIN)
    assert end - start == timedelta(hours=hours)


def test_a_skipped_cut_over_hour_is_the_instant_of_the_skip() -> None:
    start = gaming_day_start(date(2026, 3, 29), cut_over_hour=2, zone=BERLIN)
    assert start == datetime(2026, 3, 29, 1, tzinfo=UTC)


zones = st.sampled_from([MANILA, BERLIN, "America/New_York", "Australia/Lord_Howe", "UTC"])
moments = st.datetimes(
    datetime(1990, 1, 1),
    datetime(2037, 12, 31),
    timezones=st.just(UTC),
)


@given(moments, st.integers(0, 23), zones)
def test_every_instant_lies_in_exactly_one_day(moment: datetime, hour: int, zone: str) -> None:
    day = gaming_day(moment, cut_over_hour=hour, zone=zone)
    assert gaming_day_start(day, cut_over_hour=hour, zone=zone) <= moment
    assert moment < gaming_day_start(day + timedelta(days=1), cut_over_hour=hour, zone=zone)


def test_naive_times_and_impossible_hours_are_mistakes() -> None:
    with pytest.raises(ValueError, match="time zone"):
        gaming_day(datetime(2026, 1, 1), cut_over_hour=6, zone=MANILA)
    with pytest.raises(ValueError, match="between 0 and 23"):
        gaming_day(datetime.now(UTC), cut_over_hour=24, zone=MANILA)


@given(moments)
def test_instants_round_trip(moment: datetime) -> None:
    text = format_instant(moment.astimezone(ZoneInfo(MANILA)))
    assert len(text) == 27
    assert parse_instant(text) == moment


@pytest.mark.parametrize(
    "text",
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000+00:00", "2026-02-30T00:00:00.000000Z", ""],
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(DomainError, match=r"instant\.format"):
        parse_instant(text)
