"""Which days are reconciled by themselves: every one that is over, and again after an overrun."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from audit.chain.manifest import parse_manifest
from audit.log.days import turn_days
from casino.people.person import Origin, Person
from casino.people.services import grant_role
from settlements.day.runs import turn_and_start
from settlements.models import DayRun
from tables.models import Round, Shoe, TableSession
from tables.selectors.house import gaming_day_at
from tables.services.house import set_house
from tables.services.sessions import close_table, key_count, start_closing
from tables.services.shoe_end import end_shoe
from tests.factories.house import (
    DENOMINATIONS,
    SET_UP,
    STAFF,
    House,
    build_house,
    open_the_table,
    play_round,
)
from tests.log.databases import unguarded
from tests.settlements.day.test_runs import DAY, house, place, problems, reconcile, work
from tests.support.api import ApiPerson
from tests.support.database import CloneDatabase

__all__ = ["house", "place"]


def test_a_closed_holiday_is_reconciled_and_its_log_is_signed(
    clone_db: CloneDatabase, place: Path
) -> None:
    house = build_house()
    holiday = gaming_day_at(house.now)
    turn_days(holiday)
    admin = Person(staff=house.staff["administrator"], name="administrator", role="administrator")
    number, _badge, _role = STAFF["cashier"]
    grant_role(number, role="supervisor", by=admin, origin=Origin(address="127.0.0.1"))
    assert not TableSession.objects.exists()
    assert turn_and_start(now=house.now) == [], "it is not over"
    later = house.now + DAY
    assert turn_and_start(now=later) == [f"{holiday.isoformat()}/1"]
    assert turn_and_start(now=later) == []
    work()
    assert turn_and_start(now=later + timedelta(minutes=1)) == []
    run = DayRun.objects.get()
    assert (run.state, problems(run)) == (DayRun.State.DONE, [])
    folder = place / "days" / holiday.isoformat() / "run-1"
    text = (folder / "manifest.note").read_text().rpartition("\n\n")[0] + "\n"
    held = {part.stream: part.last - part.first + 1 for part in parse_manifest(text).streams}
    assert held["people"] > 1
    assert b"role.granted" in (folder / "log.jsonl").read_bytes()
    page = ApiPerson(house, "auditor").client.get(f"/audit/days/{holiday.isoformat()}/")
    assert page.status_code == 200


@pytest.mark.parametrize(
    ("table", "column"), [("tables_tablesession", "gaming_day"), ("log_daymark", "day")]
)
def test_a_day_that_is_none_makes_no_other_wait(
    house: House, clone_db: CloneDatabase, table: str, column: str
) -> None:
    with unguarded(clone_db.admin_url, table) as admin:
        admin.execute(
            f"UPDATE {table} SET {column} = 'infinity' WHERE id = (SELECT max(id) FROM {table})"
        )
    later = house.now + DAY
    turn_days(gaming_day_at(later))
    assert turn_and_start(now=later) == [f"{gaming_day_at(house.now).isoformat()}/1"]


@pytest.mark.parametrize("late", [1, 3])
def test_a_day_is_reconciled_again_when_its_last_overrun_session_has_closed(
    house: House, late: int
) -> None:
    first = reconcile(house)
    assert ("day.session_overrun", "T1/S1") in problems(first)
    turned = replace(house, now=house.now + late * DAY)
    name = play_round(turned, {1: {"main": 10000}}, {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]})
    assert Round.objects.get(key=name.key).gaming_day == first.day
    work()
    # Other days may have become due meanwhile; this one is not while its session is open.
    turn_and_start(now=turned.now)
    work()
    assert DayRun.objects.filter(day=first.day).count() == 1
    close(turned)
    again = f"{first.day.isoformat()}/2"
    assert turn_and_start(now=turned.now) == [again]
    assert turn_and_start(now=turned.now) == [], "it is running"
    work()
    second = DayRun.objects.get(key=again)
    assert problems(second) == []
    page = ApiPerson(house, "auditor").get(f"days/{first.day.isoformat()}")
    assert page["totals"]["rounds"] == 3
    assert turn_and_start(now=turned.now) == [], "nothing was open any more"


def test_a_session_that_was_closed_while_a_run_looked_is_no_reason_for_another(
    house: House,
) -> None:
    turn_and_start(now=house.now + DAY)
    close(house)
    work()
    assert problems(DayRun.objects.get()) == []
    assert turn_and_start(now=house.now + DAY) == []


@pytest.mark.parametrize("why", ["clock put back", "later cut-over"])
def test_a_session_that_opened_after_its_day_was_looked_at_is_reconciled_too(
    house: House, why: str
) -> None:
    close(house)
    first = reconcile(house)
    assert problems(first) == []
    back, later = house.at(minutes=60), house.now + DAY
    if why == "later cut-over":
        # 22:05 of the next day in Manila; its day began at 6 and begins at 23 from now on.
        set_cut_over(23, at=later)
        back, later = replace(house, now=later), house.now + 2 * DAY
    open_the_table(back)
    assert turn_and_start(now=back.now) == [], "it is open"
    close(back, session=2)
    again = f"{first.day.isoformat()}/2"
    assert again in turn_and_start(now=later)
    work()
    second = DayRun.objects.get(key=again)
    assert ["session", "T1/S2"] in second.plan
    assert problems(second) == []
    assert turn_and_start(now=later) == []


def set_cut_over(hour: int, *, at: datetime) -> None:
    """State the house anew, with another hour at which days begin."""
    set_house(
        name="Test House",
        currency_code="PHP",
        currency_exponent=2,
        zone="Asia/Manila",
        cut_over_hour=hour,
        denominations=DENOMINATIONS,
        effective_at=at,
        by=SET_UP,
    )


def test_a_day_waits_for_the_last_of_its_sessions(clone_db: CloneDatabase, place: Path) -> None:
    house = build_house(tables=("T1", "T2"))
    turn_days(gaming_day_at(house.now))
    for table in house.tables:
        open_the_table(house, table)
    first = reconcile(house)
    close(house, "T1")
    assert turn_and_start(now=house.now + DAY) == []
    close(house, "T2")
    assert turn_and_start(now=house.now + DAY) == [f"{first.day.isoformat()}/2"]


def close(house: House, table: str = "T1", session: int = 1) -> None:
    """End the shoe in use and close the table on a count that agrees."""
    supervisor, dealer = house.acting("supervisor"), house.acting("dealer", table=table)
    if Shoe.objects.filter(table__code=table, session__number=session).exists():
        dealt = 9 * 2 + 6 * (Round.objects.filter(table__code=table).count() - 2)
        end_shoe(table=table, shoe=1, stub_cards=416 - 1 - dealt, by=supervisor)
    start_closing(table=table, session=session, by=supervisor)
    opened = TableSession.objects.get(table__code=table, number=session)
    assert opened.opener_minor is not None
    left = opened.opener_minor + opened.bank_handed_minor
    pieces = {}
    for denomination in DENOMINATIONS:
        pieces[str(denomination)], left = divmod(left, denomination)
    for by in (dealer, supervisor):
        key_count(table=table, session=session, kind="closer", revision=1, pieces=pieces, by=by)
    close_table(table=table, session=session, by=supervisor)
