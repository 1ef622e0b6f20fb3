"""Own secrets: a code for one person, one purpose, once; who administers never sees the secret."""

import json
from datetime import timedelta

import pytest
from django.core.serializers.json import DjangoJSONEncoder

from audit.log.models import Entry
from casino.kernel.errors import DomainError
from casino.people import hashing, services
from casino.people.models import OneTimeCode, Role, SecretKind, SignOn, Staff
from tests.factories.people import BROWSER, NOW, People, last_entry, last_entry_id

GOOD = "a new sentence of mine"


def issue(people: People, number: str = "2004", purpose: SecretKind = SecretKind.PASSWORD) -> str:
    return services.issue_code(number, purpose=purpose, by=people.admin, origin=BROWSER, now=NOW)


def set_own(
    code: str, secret: str = GOOD, *, badge: str = "B-2004", minutes: int = 0
) -> SecretKind:
    return services.set_own_secret(
        badge=badge,
        code=code,
        secret=secret,
        origin=BROWSER,
        now=NOW + timedelta(minutes=minutes),
    )


def refused(code: str, secret: str = GOOD, *, badge: str = "B-2004", minutes: int = 0) -> str:
    with pytest.raises(DomainError) as caught:
        set_own(code, secret, badge=badge, minutes=minutes)
    return caught.value.code


def test_a_code_sets_the_secret_it_was_issued_for(people: People) -> None:
    old = people.manager.password
    code = issue(people)
    assert (last_entry().action, last_entry().actor) == ("code.issued", "1000")
    assert set_own(code.lower().replace("-", " ")) == SecretKind.PASSWORD
    entry = last_entry()
    assert (entry.action, entry.actor, entry.subject) == ("secret.set", "2004", "staff/2004")
    staff = Staff.objects.get(number="2004")
    assert hashing.check_secret(GOOD, staff.password_hash)
    assert not hashing.check_secret(old, staff.password_hash)
    assert hashing.check_secret(people.manager.pin, staff.pin_hash)
    assert not OneTimeCode.objects.exists()


def test_a_pin_code_sets_the_pin(people: People) -> None:
    assert people.manager.pin != "583017"
    code = issue(people, purpose=SecretKind.PIN)
    assert set_own(code, "583017") == SecretKind.PIN
    assert hashing.check_secret("583017", Staff.objects.get(number="2004").pin_hash)


def test_no_secret_and_no_code_stands_in_the_log(people: People) -> None:
    people.create("manager")  # sets both secrets
    code = issue(people)
    set_own(code)
    staff = Staff.objects.get(number="2004")
    bodies = b"".join(bytes(body) for body in Entry.objects.values_list("body", flat=True))
    for secret in (GOOD, people.manager.pin, code, code.replace("-", "")):
        assert secret.encode() not in bodies
    for encoded in (staff.pin_hash, staff.password_hash, "argon2"):
        assert encoded.encode() not in bodies
    rows = json.dumps(list(OneTimeCode.objects.values()), cls=DjangoJSONEncoder, default=str)
    assert code not in rows


def test_a_code_counts_once(people: People) -> None:
    people.create("manager")
    code = issue(people)
    set_own(code)
    before = Staff.objects.get(number="2004").password_hash
    assert refused(code, "another sentence of mine") == "code.refused"
    assert last_entry().action == "code.refused"
    assert Staff.objects.get(number="2004").password_hash == before


def test_a_code_counts_for_half_an_hour(people: People) -> None:
    people.create("manager")
    code = issue(people)
    assert refused(code, minutes=30) == "code.refused"
    assert set_own(code, minutes=29) == SecretKind.PASSWORD


def test_a_later_code_voids_the_earlier(people: People) -> None:
    people.create("manager")
    first, second = issue(people), issue(people)
    assert refused(first) == "code.refused"
    set_own(second)


def test_a_code_is_good_for_its_own_badge_only(people: People) -> None:
    people.create("manager", "supervisor")
    code = issue(people)
    assert refused(code, badge="B-2003") == "code.refused"
    assert refused(code, badge="B-9999") == "code.refused"
    set_own(code)


@pytest.mark.parametrize(
    ("purpose", "secret", "code"),
    [
        (SecretKind.PIN, "a new sentence of mine", "secret.pin_format"),
        (SecretKind.PIN, "123456", "secret.pin_trivial"),
        (SecretKind.PASSWORD, "482915", "secret.password_short"),
        (SecretKind.PASSWORD, "passwordpassword", "secret.password_common"),
        (SecretKind.PASSWORD, "manager-2004", "secret.password_common"),
        (SecretKind.PASSWORD, "a new sen\x00tence", "text.nul"),
    ],
)
def test_a_weak_secret_leaves_the_code_good(
    people: People, purpose: SecretKind, secret: str, code: str
) -> None:
    people.create("manager")
    one_time = issue(people, purpose=purpose)
    before = last_entry_id()
    assert refused(one_time, secret) == code
    assert last_entry_id() == before
    assert OneTimeCode.objects.count() == 1


def test_a_new_secret_ends_the_session(people: People) -> None:
    recognised = services.recognise(
        badge="B-2004", secret=people.manager.password, origin=BROWSER, now=NOW
    )
    services.sign_on(
        recognised, role=Role.MANAGER, session_key="session-one", origin=BROWSER, now=NOW
    )
    set_own(issue(people))
    assert not SignOn.objects.exists()


def test_only_the_administrator_issues_codes(people: People) -> None:
    for member in (people.manager, people.supervisor, people.auditor, people.dealer):
        before = last_entry_id()
        with pytest.raises(DomainError) as caught:
            services.issue_code(
                "2004", purpose=SecretKind.PIN, by=member.person(), origin=BROWSER, now=NOW
            )
        assert caught.value.code == "role.not_allowed"
        assert (last_entry_id(), OneTimeCode.objects.count()) == (before, 0)


def test_who_left_gets_no_code_and_keeps_none(people: People) -> None:
    people.create("manager")
    code = issue(people)
    services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
    assert refused(code) == "code.refused"
    with pytest.raises(DomainError) as caught:
        issue(people)
    assert caught.value.code == "staff.inactive"
    with pytest.raises(DomainError) as caught:
        issue(people, number="9999")
    assert caught.value.code == "staff.unknown"


def test_guessing_codes_slows_down(people: People) -> None:
    people.create("manager")
    code = issue(people)
    assert {refused(f"AAAA-BBBB-{n:04}") for n in range(10)} == {"code.refused"}
    assert refused(code) == "sign_on.slow_down"
