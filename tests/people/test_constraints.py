"""What the database refuses by itself: rows of people that no service would write."""

from collections.abc import Mapping

import psycopg
import pytest
from django.db import IntegrityError, transaction

from audit.log.rows import Change, Row
from audit.log.services import append, service
from casino.people import selectors, services
from casino.people.models import Device, Role, RoleGrant, Signature, SignOn, Staff
from tests.factories.people import BROWSER, NOW, People
from tests.support.database import CloneDatabase


@service
def write(
    people: People,
    *,
    fact: Row | None = None,
    head: Row | None = None,
    change: Change | None = None,
) -> None:
    append(
        stream="people",
        action="test.written",
        subject="test",
        actor=people.admin.actor(),
        facts=[fact] if fact else [],
        new_heads=[head] if head else [],
        changes=[change] if change else [],
    )


def constraint_of(error: IntegrityError) -> str:
    """The name of the constraint that a row broke."""
    cause = error.__cause__
    return str(cause.diag.constraint_name)  # type: ignore[union-attr]  # psycopg's error


def grant(people: People, **values: object) -> Mapping[str, object]:
    return {
        "staff": people.outsider.ref,
        "role": Role.CASHIER,
        "revision": 1,
        "granted": True,
        **values,
    }


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"revision": 2}, "role_grant_follows_previous"),
        ({"revision": 0}, "role_grant_revision_positive"),
        ({"role": "owner"}, "role_grant_role_known"),
    ],
)
def test_a_role_grant_follows_the_one_before(
    people: People, values: dict[str, object], constraint: str
) -> None:
    with pytest.raises(IntegrityError) as caught:
        write(people, fact=Row(RoleGrant, grant(people, **values)))
    assert constraint_of(caught.value) == constraint


def test_a_revision_of_a_role_is_written_once(people: People) -> None:
    write(people, fact=Row(RoleGrant, grant(people)))
    with pytest.raises(IntegrityError) as caught:
        write(people, fact=Row(RoleGrant, grant(people, granted=False)))
    assert constraint_of(caught.value) == "role_grant_one_per_revision"


def head(**values: object) -> Mapping[str, object]:
    return {
        "number": "3001",
        "badge": "B-3001",
        "name": "New",
        "active": True,
        "pin_hash": "",
        "password_hash": "",
        **values,
    }


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"number": "2003"}, "people_staff_number_key"),
        ({"badge": "B-2003"}, "people_staff_badge_key"),
        ({"name": ""}, "staff_named"),
    ],
)
def test_staff_is_one_number_one_badge_one_name(
    people: People, values: dict[str, object], constraint: str
) -> None:
    people.create("supervisor")
    with pytest.raises(IntegrityError) as caught:
        write(people, head=Row(Staff, head(**values)))
    assert constraint_of(caught.value).startswith(constraint.removesuffix("_key"))


def test_an_integration_is_bound_to_no_table(people: People) -> None:
    people.token(None, number="I1", kind="integration")
    device = Device.objects.get(number="I1")
    with pytest.raises(IntegrityError) as caught:
        write(people, change=Change(Device, selectors.device_ref(device), {"table_code": "T1"}))
    assert constraint_of(caught.value) == "device_integration_unbound"


def signature(people: People, **values: object) -> Mapping[str, object]:
    return {
        "staff": people.supervisor.ref,
        "role": Role.SUPERVISOR,
        "content_hash": b"\x01" * 32,
        "purpose": "table opened",
        "subject": "T1/S1",
        "device": None,
        "camera_reference": None,
        **values,
    }


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"content_hash": b"\x01" * 31}, "signature_content_hash_is_sha256"),
        ({"role": "owner"}, "signature_role_known"),
    ],
)
def test_a_signature_is_of_a_role_over_a_hash(
    people: People, values: dict[str, object], constraint: str
) -> None:
    with pytest.raises(IntegrityError) as caught:
        write(people, fact=Row(Signature, signature(people, **values)))
    assert constraint_of(caught.value) == constraint


def test_one_person_signs_one_act_once_in_whatever_role(people: People) -> None:
    @service
    def sign_twice() -> None:
        append(
            stream="people",
            action="test.signed",
            subject="T1/S1",
            actor=people.admin.actor(),
            facts=[
                Row(Signature, signature(people)),
                Row(Signature, signature(people, role=Role.MANAGER)),
            ],
        )

    with pytest.raises(IntegrityError) as caught:
        sign_twice()
    assert constraint_of(caught.value) == "signature_one_per_person"


def test_a_person_has_one_session(people: People) -> None:
    staff = Staff.objects.get(pk=people.manager.ref.id)
    SignOn.objects.create(
        staff=staff, session_key="one", role=Role.MANAGER, started_at=NOW, seen_at=NOW
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        SignOn.objects.create(
            staff=staff, session_key="two", role=Role.MANAGER, started_at=NOW, seen_at=NOW
        )


AROUND = (
    "update people_staff set name = 'X' where number = '2003'",
    "update people_staff set pin_hash = 'X' where number = '2003'",
    "delete from people_staff where number = '2003'",
    "truncate people_staff cascade",
    (
        "insert into people_staff (stream, number, badge, name, active, pin_hash, password_hash)"
        " values ('people', '9', 'B-9', 'X', true, '', '')"
    ),
    "update people_device set table_code = 'T9'",
    "delete from people_device",
    "truncate people_device cascade",
    "update people_rolegrant set granted = false",
    "delete from people_rolegrant",
    "truncate people_rolegrant",
    (
        "insert into people_rolegrant (staff_id, role, revision, granted, entry_id)"
        " select id, 'manager', 1, true, (select max(id) from log_entry)"
        " from people_staff where number = '2003'"
    ),
    (
        "insert into people_signature"
        " (staff_id, role, content_hash, purpose, subject, entry_id)"
        " select id, 'manager', decode(repeat('00', 32), 'hex'), 'p', 's',"
        " (select max(id) from log_entry) from people_staff where number = '2003'"
    ),
    "truncate people_signature",
)


@pytest.mark.parametrize("role", ["application", "owner"])
def test_nothing_changes_around_the_services(clone_db: CloneDatabase, role: str) -> None:
    people = People()
    people.create("supervisor")
    people.token()
    address = clone_db.app_url if role == "application" else clone_db.owner_url
    with psycopg.connect(address, autocommit=True) as intruder:
        for statement in AROUND:
            with pytest.raises(psycopg.Error):
                intruder.execute(statement)
    assert services.recognise(
        badge="B-2003", secret=people.supervisor.password, origin=BROWSER, now=NOW
    ).roles == (Role.SUPERVISOR,)
