"""Signing on and off: who gets in where, in which role, and what the log says of it."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from audit.log.models import Entry
from casino.kernel.errors import DomainError
from casino.people import services
from casino.people.models import AttemptCount, Role, SignOn
from casino.people.person import Origin, Person
from tests.factories.people import (
    BROWSER,
    NOW,
    FastArgon2,
    Member,
    People,
    last_entry,
    last_entry_id,
)


class CountingArgon2(FastArgon2):
    """Counts how often a secret was compared."""

    verified = 0

    def verify(self, password: str, encoded: str) -> bool:
        type(self).verified += 1
        return super().verify(password, encoded)


def recognise(
    member: Member, secret: str | None = None, *, origin: Origin = BROWSER
) -> services.Recognised:
    return services.recognise(
        badge=member.badge, secret=secret or member.password, origin=origin, now=NOW
    )


def sign_on(
    member: Member,
    *,
    origin: Origin = BROWSER,
    secret: str | None = None,
    role: str | None = None,
    key: str = "session-one",
) -> Person:
    recognised = recognise(member, secret, origin=origin)
    return services.sign_on(
        recognised, role=recognised.choose(role), session_key=key, origin=origin, now=NOW
    )


def test_a_supervisor_signs_on_in_a_browser_with_a_password(people: People) -> None:
    person = sign_on(people.supervisor)
    assert (person.staff, person.role) == (people.supervisor.ref, Role.SUPERVISOR)
    row = SignOn.objects.get()
    assert (row.session_key, row.role, row.device, row.started_at) == (
        "session-one",
        Role.SUPERVISOR,
        None,
        NOW,
    )
    entry = last_entry()
    assert (entry.stream, entry.action, entry.subject, entry.actor, entry.role) == (
        "people",
        "staff.signed_on",
        "staff/2003",
        "2003",
        "supervisor",
    )
    assert json.loads(bytes(entry.body))["data"] == {
        "address": "192.0.2.1",
        "ended": [],
    }


def test_the_staff_number_does_instead_of_the_badge(people: People) -> None:
    found = services.recognise(
        badge=people.manager.number, secret=people.manager.password, origin=BROWSER, now=NOW
    )
    assert found.staff == people.manager.ref


def test_a_dealer_signs_on_at_a_tablet_with_a_pin(people: People) -> None:
    tablet = people.tablet("T1")
    person = sign_on(people.dealer, origin=tablet, secret=people.dealer.pin)
    assert person.device is not None
    assert (person.device.key, person.device_table) == ("D1", "T1")
    assert last_entry().device == "D1"
    assert SignOn.objects.get().device_id == person.device.id


def test_a_dealer_does_not_sign_on_in_a_browser(people: People) -> None:
    dealer = people.dealer
    before = last_entry_id()
    with pytest.raises(DomainError) as caught:
        recognise(dealer)
    assert caught.value.code == "sign_on.no_role"
    assert last_entry_id() == before


def test_a_pin_opens_nothing_without_a_tablet(people: People) -> None:
    manager = people.manager
    with pytest.raises(DomainError) as caught:
        recognise(manager, manager.pin)
    assert caught.value.code == "sign_on.refused"
    assert recognise(manager, manager.pin, origin=people.tablet("T1")).roles == (Role.MANAGER,)


def test_an_integration_is_no_tablet(people: People) -> None:
    origin = people.tablet(None, number="D1")
    people.token(None, number="I1", kind="integration")
    integration = people.tablet(None, number="I1")
    assert origin.tablet is not None
    with pytest.raises(DomainError) as caught:
        recognise(people.dealer, people.dealer.pin, origin=integration)
    assert caught.value.code == "sign_on.refused"


@pytest.mark.parametrize("how", ["unknown badge", "wrong password", "deactivated", "no secret"])
def test_every_refusal_looks_the_same_and_is_logged(people: People, how: str) -> None:
    manager = people.manager
    badge, secret = manager.badge, manager.password
    if how == "unknown badge":
        badge = "B-9999"
    elif how == "wrong password":
        secret = "not the right sentence"
    elif how == "deactivated":
        services.deactivate_staff(manager.number, by=people.admin, origin=BROWSER)
    else:
        services.create_staff(
            number="2099", badge="B-2099", name="New", by=people.admin, origin=BROWSER
        )
        badge = "B-2099"
    before = last_entry_id()
    with pytest.raises(DomainError) as caught:
        services.recognise(badge=badge, secret=secret, origin=BROWSER, now=NOW)
    assert (caught.value.code, dict(caught.value.data)) == ("sign_on.refused", {})
    [entry] = Entry.objects.filter(id__gt=before)
    assert (entry.action, entry.actor) == ("sign_on.refused", "system:sign-on")
    assert entry.subject in ("staff/unknown", "staff/2004", "staff/2099")
    text = bytes(entry.body).decode()
    assert secret not in text
    assert "B-9999" not in text
    assert not SignOn.objects.exists()


def test_every_refusal_takes_the_same_work(people: People, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.people.test_sign_on.CountingArgon2"]
    manager, outsider = people.manager, people.outsider
    services.deactivate_staff(outsider.number, by=people.admin, origin=BROWSER)
    services.create_staff(
        number="2099", badge="B-2099", name="New", by=people.admin, origin=BROWSER
    )
    work = []
    for n, (badge, secret) in enumerate(
        [
            ("B-9999", "not the right sentence"),  # unknown
            (manager.badge, "not the right sentence"),
            (manager.badge, manager.pin),  # a PIN where none counts
            (outsider.badge, outsider.password),  # shut out
            ("B-2099", "not the right sentence"),  # no secret yet
        ]
    ):
        origin = Origin(address=f"192.0.2.{n}")
        CountingArgon2.verified = 0
        with CaptureQueriesContext(connection) as queries, pytest.raises(DomainError):
            services.recognise(badge=badge, secret=secret, origin=origin, now=NOW)
        work.append((CountingArgon2.verified, len(queries)))
    assert {hashes for hashes, _ in work} == {1}
    assert len(set(work)) == 1


def test_who_holds_two_roles_chooses_one(people: People) -> None:
    recognised = recognise(people.both)
    assert recognised.roles == (Role.MANAGER, Role.SUPERVISOR)
    with pytest.raises(DomainError) as caught:
        recognised.choose(None)
    assert caught.value.code == "sign_on.role_needed"
    assert caught.value.data["roles"] == ["manager", "supervisor"]
    with pytest.raises(DomainError) as caught:
        recognised.choose(Role.AUDITOR)
    assert caught.value.code == "sign_on.role_not_held"
    assert sign_on(people.both, role=Role.MANAGER).role == Role.MANAGER


def test_who_holds_no_role_is_not_let_in(people: People) -> None:
    with pytest.raises(DomainError) as caught:
        recognise(people.outsider)
    assert caught.value.code == "sign_on.no_role"


def test_a_new_sign_on_ends_the_older(people: People) -> None:
    sign_on(people.both, role=Role.MANAGER, key="session-one")
    sign_on(people.both, role=Role.SUPERVISOR, key="session-two")
    row = SignOn.objects.get()
    assert (row.session_key, row.role) == ("session-two", Role.SUPERVISOR)
    assert json.loads(bytes(last_entry().body))["data"]["ended"] == ["2010"]


def test_a_tablet_is_handed_over(people: People) -> None:
    tablet = people.tablet("T1")
    sign_on(people.dealer, origin=tablet, secret=people.dealer.pin, key="session-one")
    sign_on(people.supervisor, key="session-pit")
    sign_on(people.other_dealer, origin=tablet, secret=people.other_dealer.pin, key="session-two")
    assert set(SignOn.objects.values_list("staff__number", "session_key")) == {
        ("2003", "session-pit"),
        ("2002", "session-two"),
    }
    assert json.loads(bytes(last_entry().body))["data"]["ended"] == ["2001"]


@pytest.mark.parametrize("change", ["role withdrawn", "deactivated"])
def test_a_change_between_secret_and_session_counts(people: People, change: str) -> None:
    recognised = recognise(people.manager)
    if change == "deactivated":
        services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
        code = "sign_on.refused"
    else:
        services.withdraw_role("2004", role=Role.MANAGER, by=people.admin, origin=BROWSER)
        code = "sign_on.role_not_held"
    before = last_entry_id()
    with pytest.raises(DomainError) as caught:
        services.sign_on(
            recognised, role=Role.MANAGER, session_key="session-one", origin=BROWSER, now=NOW
        )
    assert caught.value.code == code
    assert (last_entry_id(), SignOn.objects.count()) == (before, 0)


def test_signing_off_ends_the_session_once(people: People) -> None:
    person = sign_on(people.supervisor)
    services.sign_off(person, origin=BROWSER)
    assert not SignOn.objects.exists()
    assert last_entry().action == "staff.signed_off"
    before = last_entry_id()
    services.sign_off(person, origin=BROWSER)
    assert last_entry_id() == before


def test_the_administrator_ends_a_session(people: People) -> None:
    sign_on(people.supervisor)
    with pytest.raises(DomainError) as caught:
        services.end_sign_on("2003", by=people.manager.person(), origin=BROWSER)
    assert caught.value.code == "role.not_allowed"
    assert SignOn.objects.exists()
    services.end_sign_on("2003", by=people.admin, origin=BROWSER)
    assert not SignOn.objects.exists()
    assert (last_entry().action, last_entry().actor) == ("staff.sign_on_ended", "1000")


class TestTries:
    """Ten are free; then the account and the address wait, nobody for long."""

    def wrong(self, people: People, *, badge: str, origin: Origin = BROWSER, at: int = 0) -> str:
        with pytest.raises(DomainError) as caught:
            services.recognise(
                badge=badge, secret="wrong", origin=origin, now=NOW + timedelta(seconds=at)
            )
        return caught.value.code

    def test_the_eleventh_wrong_try_must_wait(self, people: People) -> None:
        badge = people.manager.badge
        assert {self.wrong(people, badge=badge) for _ in range(10)} == {"sign_on.refused"}
        before = last_entry_id()
        with pytest.raises(DomainError) as caught:
            recognise(people.manager)
        assert (caught.value.code, caught.value.status) == ("sign_on.slow_down", 429)
        assert caught.value.data["retry_after"] == 2
        assert last_entry_id() == before

    def test_the_right_secret_counts_after_the_wait(self, people: People) -> None:
        manager = people.manager
        for _ in range(10):
            self.wrong(people, badge=manager.badge)
        later = NOW + timedelta(seconds=2)
        services.recognise(badge=manager.badge, secret=manager.password, origin=BROWSER, now=later)
        assert not AttemptCount.objects.filter(key="account/browser/2004").exists()

    def test_waits_grow_and_are_bounded_for_an_account(self, people: People) -> None:
        waits = []
        at = 0
        for _ in range(20):
            origin = Origin(address=f"192.0.2.{at % 250}")  # another address each time
            self.wrong(people, badge=people.manager.badge, origin=origin, at=at)
            count = AttemptCount.objects.get(key="account/browser/2004")
            wait = int((count.wait_until - NOW).total_seconds()) - at
            waits.append(max(wait, 0))
            at += max(wait, 1) + 1
        assert waits[:9] == [0] * 9
        assert waits[9:] == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]

    def test_an_address_that_tries_many_badges_waits(self, people: People) -> None:
        for n in range(10):
            assert self.wrong(people, badge=f"B-9{n}") == "sign_on.refused"
        assert self.wrong(people, badge="B-999") == "sign_on.slow_down"
        elsewhere = Origin(address="192.0.2.77")
        assert recognise(people.manager, origin=elsewhere).roles == (Role.MANAGER,)

    def test_a_stranger_at_a_browser_does_not_lock_a_dealer_out(self, people: People) -> None:
        dealer = people.dealer
        tablet = people.tablet("T1")
        for n in range(12):
            self.wrong(people, badge=dealer.badge, origin=Origin(address=f"198.51.100.{n}"))
        assert recognise(dealer, dealer.pin, origin=tablet).roles == (Role.DEALER,)

    def test_a_stranger_behind_the_same_address_does_not_slow_a_tablet(
        self, people: People
    ) -> None:
        dealer = people.dealer
        tablet = people.tablet("T1")
        for n in range(12):
            self.wrong(people, badge=f"B-8{n}", origin=Origin(address=tablet.address))
        assert recognise(dealer, dealer.pin, origin=tablet).roles == (Role.DEALER,)

    def test_a_right_secret_does_not_wash_the_address_clean(self, people: People) -> None:
        for n in range(9):
            self.wrong(people, badge=f"B-9{n}")
        recognise(people.manager)
        assert AttemptCount.objects.get(key="address/192.0.2.1").failures == 9

    def test_tries_are_forgotten_after_a_quarter_of_an_hour(self, people: People) -> None:
        for _ in range(9):
            self.wrong(people, badge=people.manager.badge)
        assert self.wrong(people, badge=people.manager.badge, at=16 * 60) == "sign_on.refused"
        assert AttemptCount.objects.get(key="account/browser/2004").failures == 1
        assert services.tidy_people(now=NOW + timedelta(hours=1)) > 0
        assert not AttemptCount.objects.exists()

    def test_a_clock_that_goes_back_keeps_nobody_out(self, people: People) -> None:
        for _ in range(10):
            self.wrong(people, badge=people.manager.badge, at=3600)
        assert recognise(people.manager).roles == (Role.MANAGER,)

    def test_what_was_typed_for_an_unknown_badge_is_not_kept(self, people: People) -> None:
        self.wrong(people, badge="my-password-here")
        assert not AttemptCount.objects.filter(key__contains="my-password").exists()
