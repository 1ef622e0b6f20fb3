"""Sessions: two people count, blind to each other, before a table opens and before it closes."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest

from tables.acting import Acting
from tables.models import Count, TableSession
from tables.selectors.board import table_lines
from tables.services.sessions import (
    SessionStep,
    close_table,
    key_count,
    open_table,
    start_closing,
    start_session,
)
from tests.factories.house import (
    OPENER,
    House,
    open_round,
    open_the_table,
    play_round,
)
from tests.support.api import ApiPerson
from tests.support.records import body_of, last_entry, refused

T = "T2"
OPENER_MINOR = 1_000_000 * 10 + 100_000 * 50 + 10_000 * 100
# The same value in other chips.
CHANGED = {"1000000": 11, "100000": 40, "10000": 100}


def starting(house: House, *, now: datetime | None = None) -> SessionStep:
    by = house.acting("supervisor")
    return start_session(table=T, by=Acting(by.person, by.origin, now or by.now))


def count(
    house: House,
    name: str,
    pieces: Mapping[str, int] = OPENER,
    *,
    revision: int = 1,
    kind: str = "opener",
    role: str | None = None,
) -> SessionStep:
    at = T if (role or name) == "dealer" else None
    by = house.acting(name, table=at, role=role)
    return key_count(table=T, session=1, kind=kind, revision=revision, pieces=pieces, by=by)


def opening(house: House) -> SessionStep:
    return open_table(table=T, session=1, by=house.acting("supervisor"))


def session() -> TableSession:
    return TableSession.objects.get(key=f"{T}/S1")


def test_a_table_opens_on_two_counts_that_agree(floor: House) -> None:
    starting(floor)
    count(floor, "dealer")
    count(floor, "supervisor")
    done = opening(floor)
    assert (session().state, session().opener_minor) == ("open", OPENER_MINOR)
    assert session().opened_at == floor.now
    entry = last_entry(f"table/{T}")
    assert (entry.action, entry.subject, entry.actor) == ("session.opened", f"{T}/S1", "1003")
    assert done.receipt.hash == bytes(entry.hash).hex()
    assert body_of(entry)["heads"][0]["set"]["opener_minor"] == OPENER_MINOR
    kept = Count.objects.filter(session=session()).order_by("side")
    assert [(row.side, row.total_minor) for row in kept] == [
        ("dealer", OPENER_MINOR),
        ("supervisor", OPENER_MINOR),
    ]
    assert kept[0].pieces["500"] == 0, "every denomination is stated, also where there is none"


@pytest.mark.parametrize("other", [CHANGED, {**OPENER, "500": 1}, {"1000000": 10}])
def test_counts_that_differ_in_any_chip_do_not_open(floor: House, other: Mapping[str, int]) -> None:
    """Equal totals are not enough (control 1.4); after counting again they agree."""
    starting(floor)
    count(floor, "dealer")
    count(floor, "supervisor", other)
    with refused("count.disagree"):
        opening(floor)
    count(floor, "supervisor", revision=2)
    opening(floor)
    assert session().opener_minor == OPENER_MINOR


def test_a_table_opens_only_when_both_have_counted(floor: House) -> None:
    starting(floor)
    for side in ("dealer", "supervisor"):
        with refused("count.missing") as caught:
            opening(floor)
        assert side in caught.value.detail
        count(floor, side)
    opening(floor)


def test_one_person_does_not_count_for_both_sides(floor: House) -> None:
    starting(floor)
    count(floor, "dealer")
    with refused("count.same_person"):
        count(floor, "dealer", role="supervisor")
    count(floor, "supervisor")
    with refused("count.same_person"):
        count(floor, "supervisor", role="dealer")


def test_who_counts_for_no_side_is_refused(floor: House) -> None:
    starting(floor)
    for name in ("cashier", "auditor", "surveillance"):
        with refused("count.side"):
            count(floor, name)


def test_nobody_is_shown_the_other_count(floor: House) -> None:
    """No answer holds an amount or a piece that the reader did not count (control 1.5)."""
    ApiPerson(floor, "supervisor").post(f"tables/{T}/sessions")
    # So long that no hash and no token of an answer holds it by chance.
    odd = {"1000000": 7, "500": 73_913}
    secrets = ("73913", "73,913", str(7 * 1_000_000 + 73_913 * 500))
    path = f"tables/{T}/sessions/1/counts"
    body = {"kind": "opener", "revision": 1, "pieces": odd}
    dealer, supervisor = ApiPerson(floor, "dealer", table=T), ApiPerson(floor, "supervisor")
    dealer.post(path, body)
    answers = [
        supervisor.get(f"tables/{T}/round"),
        supervisor.get("tables"),
        supervisor.refused("POST", f"tables/{T}/sessions/1/open"),
        supervisor.post(path, {**body, "pieces": {"500": 1}}),
        supervisor.refused("POST", f"tables/{T}/sessions/1/open"),
        supervisor.refused("POST", path, {**body, "pieces": {"500": 2}}),
        dealer.get(f"tables/{T}/round"),
    ]
    text = json.dumps(answers)
    assert not [secret for secret in secrets if secret in text]
    page = supervisor.client.get(f"/tables/{T}/counts/opener/", headers=supervisor.headers)
    assert page.status_code == 200
    assert not [secret for secret in secrets if secret in page.content.decode()]


def test_a_count_sent_again_gets_the_same_receipt(floor: House) -> None:
    starting(floor)
    first = count(floor, "dealer")
    again = count(floor, "dealer")
    assert again.receipt.hash == first.receipt.hash
    assert Count.objects.filter(session=session()).count() == 1


def test_a_counts_revisions_are_linear(floor: House) -> None:
    starting(floor)
    count(floor, "dealer")
    with refused("count.conflict"):
        count(floor, "dealer", CHANGED)
    with refused("revision.beyond"):
        count(floor, "dealer", revision=3)
    count(floor, "dealer", CHANGED, revision=2)
    with refused("revision.superseded") as caught:
        count(floor, "dealer")
    assert caught.value.data["latest"] == 2


@pytest.mark.parametrize("pieces", [{"700": 1}, {"500": -1}, {"500": 100_001}, {"": 1}])
def test_a_count_is_of_the_houses_chips(floor: House, pieces: Mapping[str, int]) -> None:
    starting(floor)
    with refused("count.refused") as caught:
        count(floor, "dealer", pieces)
    assert "1000000" in caught.value.detail


def test_a_closer_is_not_counted_before_closing(floor: House) -> None:
    starting(floor)
    with refused("session.state"):
        count(floor, "dealer", kind="closer")


def test_one_session_at_a_time(floor: House) -> None:
    starting(floor)
    with refused("session.already_open") as caught:
        starting(floor)
    assert caught.value.data["session"] == f"{T}/S1"


@pytest.mark.parametrize(
    ("now", "day"),
    [
        # Manila is eight hours ahead; the day turns at six in the morning there.
        (datetime(2026, 3, 1, 21, 59, tzinfo=UTC), date(2026, 3, 1)),
        (datetime(2026, 3, 1, 22, 0, tzinfo=UTC), date(2026, 3, 2)),
        (datetime(2026, 3, 1, 16, 0, tzinfo=UTC), date(2026, 3, 1)),
    ],
)
def test_a_session_belongs_to_the_gaming_day_in_which_it_began(
    floor: House, now: datetime, day: date
) -> None:
    starting(floor, now=now)
    assert session().gaming_day == day


def test_a_table_closes_on_a_count_of_two_and_opens_again(floor: House) -> None:
    open_the_table(floor, T)
    supervisor = floor.acting("supervisor")
    start_closing(table=T, session=1, by=supervisor)
    for name in ("dealer", "supervisor"):
        count(floor, name, CHANGED, kind="closer")
    close_table(table=T, session=1, by=floor.acting("manager"))
    assert (session().state, session().closer_minor) == ("closed", OPENER_MINOR)
    assert last_entry(f"table/{T}").action == "session.closed"
    with refused("count.settled"):
        close_table(table=T, session=1, by=supervisor)
    with refused("count.settled"):
        count(floor, "dealer", CHANGED, revision=2, kind="closer")
    assert open_the_table(floor, T) == 2


def test_a_closer_that_differs_does_not_close(floor: House) -> None:
    open_the_table(floor, T)
    supervisor = floor.acting("supervisor")
    start_closing(table=T, session=1, by=supervisor)
    count(floor, "dealer", kind="closer")
    with refused("count.missing"):
        close_table(table=T, session=1, by=supervisor)
    count(floor, "supervisor", CHANGED, kind="closer")
    with refused("count.disagree"):
        close_table(table=T, session=1, by=supervisor)


def test_a_table_closes_only_when_it_is_quiet(floor: House) -> None:
    """No round in play and no shoe in use (control 1.11)."""
    name = open_round(floor)
    supervisor = floor.acting("supervisor")
    with refused("session.not_quiet") as caught:
        start_closing(table="T1", session=1, by=supervisor)
    assert name.key in caught.value.detail


def test_a_table_with_a_shoe_in_use_is_not_quiet(floor: House) -> None:
    with refused("session.not_quiet") as caught:
        start_closing(table="T1", session=1, by=floor.acting("supervisor"))
    assert "shoe T1/1" in caught.value.detail


@pytest.mark.parametrize("name", ["dealer", "cashier", "auditor"])
def test_who_may_not_open_or_close(floor: House, name: str) -> None:
    by = floor.acting(name)
    with refused("role.not_allowed"):
        start_session(table=T, by=by)
    for act in (open_table, start_closing, close_table):
        with refused("role.not_allowed"):
            act(table=T, session=1, by=by)


def test_the_tray_follows_from_the_opener_and_what_was_handed_over(floor: House) -> None:
    play_round(floor, {1: {"main": 10000}}, {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]})
    line = next(line for line in table_lines() if line.code == "T1")
    assert line.tray_handed_minor == OPENER_MINOR - 9500
    assert line.tray_owed_minor == line.tray_handed_minor
