"""The command that founds a house, and the clearing away of what no longer counts."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from casino.people import selectors, services
from casino.people.models import DeviceCode, OneTimeCode, Role, SecretKind, Staff
from casino.people.tasks import tidy
from tests.factories.people import BROWSER, NOW, People, last_entry_id


def found(number: str = "1000") -> str:
    told = StringIO()
    call_command("found_house", number=number, badge=f"B-{number}", name="Ana", stdout=told)
    return told.getvalue()


def test_a_house_is_founded_once(db: None) -> None:
    text = found()
    assert selectors.staff_line("1000").roles == (Role.ADMINISTRATOR,)
    code = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}", text)
    assert code is not None
    services.set_own_secret(
        badge="B-1000",
        code=code.group(),
        secret="administrators keep codes",
        origin=BROWSER,
        now=timezone.now(),
    )
    with pytest.raises(CommandError, match=r"staff\.founded"):
        found("1001")
    assert Staff.objects.count() == 1


def test_what_a_house_cannot_be_founded_with_is_said(db: None) -> None:
    with pytest.raises(CommandError, match=r"identifier\.format"):
        found("10 00")
    assert not Staff.objects.exists()


def test_what_no_longer_counts_is_cleared_away(people: People) -> None:
    people.create("manager")
    client = people.client("manager")
    services.issue_code("2004", purpose=SecretKind.PIN, by=people.admin, origin=BROWSER, now=NOW)
    services.enrol_device(
        number="D1", name="One", kind="tablet", by=people.admin, origin=BROWSER, now=NOW
    )
    before = last_entry_id()
    services.tidy_people(now=NOW + timedelta(minutes=29))
    assert (OneTimeCode.objects.count(), DeviceCode.objects.count()) == (1, 1)
    services.tidy_people(now=NOW + timedelta(minutes=30))
    assert (OneTimeCode.objects.count(), DeviceCode.objects.count()) == (0, 0)
    assert client.get("/api/v1/me").status_code == 200
    Session.objects.update(expire_date=NOW)
    tidy()
    assert not Session.objects.exists()
    assert last_entry_id() == before
