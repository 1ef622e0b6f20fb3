"""Who stands behind a request: one query, and dead on the next request when access is gone."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, RequestFactory
from pytest_django import Settings

from audit.log.models import Entry
from casino.people import services
from casino.people.middleware import client_address
from casino.people.models import Role, SignOn
from tests.factories.people import BROWSER, People, last_entry
from tests.support.database import CloneDatabase

Count = Callable[[int], AbstractContextManager[object]]


def status(client: Client) -> int:
    return client.get("/api/v1/me").status_code


def code(client: Client) -> str:
    answer = client.get("/api/v1/me")
    return "" if answer.status_code == 200 else str(answer.json()["code"])


def age(number: str, *, idle: int = 0, lasted: int = 0) -> None:
    """Make a sign-on look older, in minutes."""
    row = SignOn.objects.get(staff__number=number)
    row.seen_at -= timedelta(minutes=idle)
    row.started_at -= timedelta(minutes=lasted)
    row.save()


def test_a_signed_on_request_costs_one_query(
    people: People, django_assert_num_queries: Count
) -> None:
    supervisor = people.client("supervisor")
    dealer = people.client("dealer")
    for client in (supervisor, dealer):
        with django_assert_num_queries(1):
            assert status(client) == 200


def test_a_request_of_nobody_costs_none(db: None, django_assert_num_queries: Count) -> None:
    client = Client()
    with django_assert_num_queries(0):
        assert code(client) == "session.missing"
    client.cookies["session"] = "'; drop table"
    client.cookies["device"] = "x" * 4000
    with django_assert_num_queries(0):
        assert code(client) == "session.missing"


def test_the_person_is_who_signed_on(people: People) -> None:
    dealer = people.client("dealer").get("/api/v1/me").json()
    del dealer["csrf_token"]
    assert dealer == {
        "number": "2001",
        "name": "dealer",
        "role": "dealer",
        "device": "D1",
        "table": "T1",
    }


@pytest.mark.parametrize(
    "change",
    ["signed off", "ended", "deactivated", "role withdrawn", "signed on elsewhere", "new secret"],
)
def test_a_session_is_dead_on_the_next_request(people: People, change: str) -> None:
    client = people.client("manager")
    key = client.cookies["session"].value
    assert status(client) == 200
    if change == "signed off":
        assert (
            client.post("/api/v1/sign-off", b"", content_type="application/json").status_code == 204
        )
        client.cookies["session"] = key
    elif change == "ended":
        services.end_sign_on("2004", by=people.admin, origin=BROWSER)
    elif change == "deactivated":
        services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
    elif change == "role withdrawn":
        services.withdraw_role("2004", role=Role.MANAGER, by=people.admin, origin=BROWSER)
    elif change == "signed on elsewhere":
        assert status(people.client("manager")) == 200
    else:
        SignOn.objects.filter(staff__number="2004").delete()
    assert code(client) == "session.ended"
    assert not Session.objects.filter(session_key=key).exists() or change == "new secret"


@pytest.mark.parametrize("change", ["bound elsewhere", "revoked"])
def test_a_session_at_a_tablet_ends_with_the_tablet(people: People, change: str) -> None:
    client = people.client("dealer")
    if change == "revoked":
        services.revoke_device("D1", by=people.admin, origin=BROWSER)
    else:
        services.bind_device("D1", table_code="T2", by=people.admin, origin=BROWSER)
    assert code(client) == "session.ended"


def test_a_tablets_session_is_worth_nothing_without_the_tablet(people: People) -> None:
    client = people.client("dealer")
    thief = Client()
    thief.cookies["session"] = client.cookies["session"].value
    assert code(thief) == "session.ended"
    assert (last_entry().action, last_entry().subject) == ("staff.left_device", "staff/2001")
    assert code(client) == "session.ended"


def test_another_tablet_does_not_do(people: People) -> None:
    client = people.client("dealer")
    other = people.token("T2", number="D2")
    thief = Client(headers={"X-Device-Token": other})
    thief.cookies["session"] = client.cookies["session"].value
    assert code(thief) == "session.ended"


@pytest.mark.parametrize(
    ("name", "minutes"), [("dealer", 30), ("manager", 15), ("cashier", 5), ("administrator", 10)]
)
def test_an_idle_session_ends(people: People, name: str, minutes: int) -> None:
    client = people.client(name)
    number = getattr(people, name).number
    age(number, idle=minutes - 1)
    assert status(client) == 200
    age(number, idle=minutes + 1)
    assert code(client) == "session.ended"
    entry = last_entry()
    assert (entry.action, entry.actor, entry.subject) == (
        "staff.timed_out",
        "system:sign-on",
        f"staff/{number}",
    )
    before = Entry.objects.count()
    assert code(client) == "session.ended"
    assert Entry.objects.count() == before


def test_a_session_that_ran_out_lets_nobody_in_while_it_cannot_be_ended(
    clone_db: CloneDatabase,
) -> None:
    supervisor = People().client("supervisor")
    age("2003", idle=600)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '100ms'")
    with psycopg.connect(clone_db.admin_url) as other:
        other.execute("SELECT 1 FROM log_stream WHERE name = 'people' FOR UPDATE")
        assert code(supervisor) == "session.ended"
        assert SignOn.objects.filter(staff__number="2003").exists()
    assert code(supervisor) == "session.ended"
    assert not SignOn.objects.filter(staff__number="2003").exists()


def test_a_session_ends_after_its_longest_time_however_busy(people: People) -> None:
    client = people.client("manager")
    age("2004", lasted=12 * 60 - 1)
    assert status(client) == 200
    age("2004", lasted=2)
    assert code(client) == "session.ended"


def test_the_house_may_set_its_own_limits(people: People, settings: Settings) -> None:
    client = people.client("manager")
    settings.SIGN_ON_IDLE_MINUTES = {"manager": 2}
    age("2004", idle=3)
    assert code(client) == "session.ended"
    settings.SIGN_ON_LONGEST_MINUTES = {"dealer": 60}
    client = people.client("dealer")
    age(people.dealer.number, lasted=61)
    assert code(client) == "session.ended"


def test_being_seen_is_noted_twice_a_minute_at_most(
    people: People, django_assert_num_queries: Count
) -> None:
    client = people.client("manager")
    age("2004", idle=1)
    before = SignOn.objects.get().seen_at
    with django_assert_num_queries(2):
        client.get("/api/v1/me")
    assert SignOn.objects.get().seen_at > before
    with django_assert_num_queries(1):
        client.get("/api/v1/me")


def test_a_board_that_refreshes_itself_keeps_nobody_signed_on(people: People) -> None:
    client = people.client("manager")
    age("2004", idle=14)
    before = SignOn.objects.get().seen_at
    assert client.get("/api/v1/me", headers={"X-Background": "1"}).status_code == 200
    assert SignOn.objects.get().seen_at == before


@pytest.mark.parametrize(
    ("header", "told", "found"),
    [
        ("", "198.51.100.7", "127.0.0.1"),
        ("X-Forwarded-For", "198.51.100.7", "198.51.100.7"),
        ("X-Forwarded-For", "made.up, 203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("X-Forwarded-For", "2001:DB8::1", "2001:db8::1"),
        ("X-Forwarded-For", "198.51.100.7, nonsense\r\nX", "127.0.0.1"),
        ("X-Forwarded-For", "", "127.0.0.1"),
    ],
)
def test_the_address_is_what_our_own_proxy_says(
    settings: Settings, header: str, told: str, found: str
) -> None:
    settings.CLIENT_ADDRESS_HEADER = header
    request = RequestFactory().get("/", headers={"X-Forwarded-For": told})
    assert client_address(request) == found


def test_every_answer_has_an_id_and_is_kept_by_nobody(people: People) -> None:
    client = people.client("manager")
    one, two = client.get("/api/v1/me"), client.get("/api/v1/nothing-here")
    for answer in (one, two):
        assert answer["Cache-Control"] == "no-store"
        assert re.fullmatch(r"[0-9a-f]{32}", answer["X-Request-Id"])
    assert one["X-Request-Id"] != two["X-Request-Id"]


def test_the_id_of_the_request_stands_in_the_entry(people: People) -> None:
    client = people.client("manager")
    answer = client.post("/api/v1/sign-off", b"", content_type="application/json")
    assert last_entry().request_id == answer["X-Request-Id"]
