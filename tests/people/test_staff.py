"""Staff and roles: kept by the administrator, written with entries, never deleted."""

import json

import pytest
from django.db import transaction

from casino.kernel.errors import DomainError
from casino.people import selectors, services
from casino.people.models import Role, RoleGrant, SignOn, Staff
from tests.factories.people import BROWSER, NOW, People, last_entry, last_entry_id


def sign_on(people: People, name: str, role: str) -> None:
    member = getattr(people, name)
    recognised = services.recognise(
        badge=member.badge, secret=member.password, origin=BROWSER, now=NOW
    )
    services.sign_on(recognised, role=role, session_key=f"session-{name}", origin=BROWSER, now=NOW)


def test_the_house_is_founded_once(people: People) -> None:
    line = selectors.staff_line("1000")
    assert line.roles == (Role.ADMINISTRATOR,)
    with pytest.raises(DomainError) as caught:
        services.found_house(number="1", badge="B-1", name="Second", now=NOW)
    assert caught.value.code == "staff.founded"
    assert Staff.objects.count() == 1


def test_a_member_of_staff_begins_with_nothing(people: People) -> None:
    ref = services.create_staff(
        number="3001", badge="B-3001", name="  Ana   dela Cruz ", by=people.admin, origin=BROWSER
    )
    line = selectors.staff_line("3001")
    assert (line.name, line.roles, line.has_pin, line.has_password, line.active) == (
        "Ana dela Cruz",
        (),
        False,
        False,
        True,
    )
    assert Staff.objects.get(pk=ref.id).stream == "people"
    entry = last_entry()
    assert (entry.action, entry.actor, entry.subject) == ("staff.created", "1000", "staff/3001")
    [head] = json.loads(bytes(entry.body))["heads"]
    assert (head["kind"], head["key"], head["set"]["badge"]) == ("staff", "3001", "B-3001")
    assert "pin_hash" not in head["set"]


@pytest.mark.parametrize(
    ("number", "badge", "code"),
    [
        ("2003", "B-77", "staff.taken"),  # the supervisor's number
        ("3001", "B-2003", "staff.taken"),  # the supervisor's badge
        ("B-2003", "B-77", "staff.taken"),  # a badge as a number
        ("3001", "2003", "staff.taken"),  # a number as a badge
        ("", "B-77", "identifier.format"),
        ("3001", "B 77", "identifier.format"),
        ("3001", "B\r\n77", "identifier.format"),
        ("30/01", "B-77", "identifier.format"),
        ("３００１", "B-77", "identifier.format"),
        ("1" * 17, "B-77", "identifier.format"),
    ],
)
def test_numbers_and_badges_are_codes_given_once(
    people: People, number: str, badge: str, code: str
) -> None:
    people.create("supervisor")
    before = (last_entry_id(), Staff.objects.count())
    with pytest.raises(DomainError) as caught, transaction.atomic():
        services.create_staff(
            number=number, badge=badge, name="Somebody", by=people.admin, origin=BROWSER
        )
    assert caught.value.code == code
    assert (last_entry_id(), Staff.objects.count()) == before


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name.empty"),
        (" \t\n", "name.empty"),
        ("A\x00B", "text.nul"),
        ("x" * 121, "text.too_long"),
    ],
)
def test_a_name_is_text(people: People, name: str, code: str) -> None:
    with pytest.raises(DomainError) as caught:
        services.create_staff(
            number="3001", badge="B-3001", name=name, by=people.admin, origin=BROWSER
        )
    assert caught.value.code == code


def test_a_name_cannot_break_a_line(people: People) -> None:
    services.create_staff(
        number="3001",
        badge="B-3001",
        name="Ana\r\nFAKE entry\u2028second\x1b[31m",
        by=people.admin,
        origin=BROWSER,
    )
    name = selectors.staff_line("3001").name
    assert "\n" not in name
    assert "\u2028" not in name
    assert b"\n" not in bytes(last_entry().body)


def test_roles_are_granted_and_withdrawn_in_revisions(people: People) -> None:
    people.create("outsider")
    for _ in range(2):
        services.grant_role("2011", role=Role.CASHIER, by=people.admin, origin=BROWSER)
        assert selectors.staff_line("2011").roles == (Role.CASHIER,)
        services.withdraw_role("2011", role=Role.CASHIER, by=people.admin, origin=BROWSER)
        assert selectors.staff_line("2011").roles == ()
    grants = RoleGrant.objects.filter(staff__number="2011").order_by("revision")
    assert [(grant.revision, grant.granted) for grant in grants] == [
        (1, True),
        (2, False),
        (3, True),
        (4, False),
    ]
    entry = last_entry()
    assert (entry.action, entry.subject) == ("role.withdrawn", "staff/2011")
    [fact] = json.loads(bytes(entry.body))["facts"]
    assert fact == {
        "kind": "role_grant",
        "row": {"staff": "2011", "role": "cashier", "revision": 4, "granted": False},
    }


@pytest.mark.parametrize(
    ("number", "role", "granted", "code"),
    [
        ("1000", Role.MANAGER, True, "role.own"),
        ("1000", Role.ADMINISTRATOR, False, "role.own"),
        ("2003", "owner", True, "role.unknown"),
        ("2003", Role.SUPERVISOR, True, "role.unchanged"),
        ("2003", Role.CASHIER, False, "role.unchanged"),
        ("2003", Role.ADMINISTRATOR, True, "role.exclusive"),
        ("9999", Role.CASHIER, True, "staff.unknown"),
        ("99\x0099", Role.CASHIER, True, "staff.unknown"),
    ],
)
def test_a_role_that_may_not_change_stays(
    people: People, number: str, role: str, granted: bool, code: str
) -> None:
    people.create("supervisor")
    before = (last_entry_id(), RoleGrant.objects.count())
    change = services.grant_role if granted else services.withdraw_role
    with pytest.raises(DomainError) as caught:
        change(number, role=role, by=people.admin, origin=BROWSER)
    assert caught.value.code == code
    assert (last_entry_id(), RoleGrant.objects.count()) == before


def test_an_administrator_gets_no_other_role(people: People) -> None:
    people.create("outsider")
    services.grant_role("2011", role=Role.ADMINISTRATOR, by=people.admin, origin=BROWSER)
    with pytest.raises(DomainError) as caught:
        services.grant_role("2011", role=Role.CASHIER, by=people.admin, origin=BROWSER)
    assert caught.value.code == "role.exclusive"


def test_a_withdrawn_role_ends_its_session_and_no_other(people: People) -> None:
    sign_on(people, "both", Role.MANAGER)
    services.withdraw_role("2010", role=Role.SUPERVISOR, by=people.admin, origin=BROWSER)
    assert SignOn.objects.count() == 1
    services.withdraw_role("2010", role=Role.MANAGER, by=people.admin, origin=BROWSER)
    assert SignOn.objects.count() == 0


def test_who_leaves_is_out_at_once_and_stays_on_record(people: People) -> None:
    sign_on(people, "manager", Role.MANAGER)
    services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
    assert not SignOn.objects.exists()
    line = selectors.staff_line("2004")
    assert (line.active, line.roles) == (False, (Role.MANAGER,))
    assert last_entry().action == "staff.deactivated"
    with pytest.raises(DomainError) as caught:
        services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
    assert caught.value.code == "staff.inactive"
    with pytest.raises(DomainError) as caught:
        services.grant_role("2004", role=Role.CASHIER, by=people.admin, origin=BROWSER)
    assert caught.value.code == "staff.inactive"


def test_who_comes_back_sets_the_secrets_anew(people: People) -> None:
    people.create("manager")
    services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
    services.reactivate_staff("2004", by=people.admin, origin=BROWSER)
    line = selectors.staff_line("2004")
    assert (line.active, line.has_pin, line.has_password) == (True, False, False)
    assert last_entry().action == "staff.reactivated"


def test_nobody_shuts_himself_out_or_in(people: People) -> None:
    for act in (services.deactivate_staff, services.reactivate_staff):
        with pytest.raises(DomainError) as caught:
            act("1000", by=people.admin, origin=BROWSER)
        assert caught.value.code == "staff.own"


def test_a_badge_is_replaced_and_the_number_stays(people: People) -> None:
    people.create("manager")
    services.replace_badge("2004", badge="B-2004-2", by=people.admin, origin=BROWSER)
    assert last_entry().action == "staff.badge_replaced"
    assert selectors.staff_by_badge("B-2004") is None
    staff = selectors.staff_by_badge("B-2004-2")
    assert staff is not None
    assert staff.number == "2004"
    with pytest.raises(DomainError) as caught:
        services.replace_badge("2004", badge="B-1000", by=people.admin, origin=BROWSER)
    assert caught.value.code == "staff.taken"


@pytest.mark.parametrize("name", ["manager", "supervisor", "auditor", "dealer", "outsider"])
def test_nobody_else_keeps_staff(people: People, name: str) -> None:
    by = getattr(people, name).person("dealer" if name == "outsider" else None)
    before = last_entry_id()
    acts = (
        lambda: services.create_staff(
            number="3001", badge="B-3001", name="New", by=by, origin=BROWSER
        ),
        lambda: services.grant_role("2003", role=Role.MANAGER, by=by, origin=BROWSER),
        lambda: services.withdraw_role("2003", role=Role.SUPERVISOR, by=by, origin=BROWSER),
        lambda: services.deactivate_staff("2003", by=by, origin=BROWSER),
        lambda: services.reactivate_staff("2003", by=by, origin=BROWSER),
        lambda: services.replace_badge("2003", badge="B-1", by=by, origin=BROWSER),
    )
    for act in acts:
        with pytest.raises(DomainError) as caught:
            act()
        assert caught.value.code == "role.not_allowed"
    assert last_entry_id() == before


@pytest.mark.parametrize("members", [1, 3])
def test_the_list_takes_two_queries_however_long(
    people: People, members: int, django_assert_num_queries: object
) -> None:
    for n in range(members):
        number = f"31{n:02}"
        services.create_staff(
            number=number, badge=f"B-{number}", name="New", by=people.admin, origin=BROWSER
        )
        services.grant_role(number, role=Role.CASHIER, by=people.admin, origin=BROWSER)
    with django_assert_num_queries(2):  # type: ignore[operator]  # pytest-django's fixture
        lines = selectors.staff_lines()
    assert len(lines) == members + 1
    assert [line.number for line in selectors.staff_lines(after="1000", limit=1)] == ["3100"]
