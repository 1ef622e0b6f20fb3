"""Two at once: with the lock of the stream `people`, and without it."""

from collections.abc import Callable
from threading import Barrier

import pytest
from django.db import IntegrityError

from audit.log.models import Entry
from audit.log.services import append
from casino.people import services
from casino.people.models import AttemptCount, Role, RoleGrant, SecretKind, SignOn
from casino.people.services import sign_ons as sign_on_module
from casino.people.services import staff as staff_module
from tests.concurrency.racing import PATIENCE_S, all_read_first, at_once, code_of
from tests.factories.people import BROWSER, NOW, People
from tests.support.database import CloneDatabase


def test_two_grants_at_once_are_one_role_and_one_conflict(clone_db: CloneDatabase) -> None:
    people = People()
    people.create("outsider")
    results = at_once([_grant(people)] * 2)
    assert sorted(code_of(result) for result in results) == ["", "role.unchanged"]
    assert RoleGrant.objects.filter(staff__number="2011").count() == 1


def test_without_the_lock_the_second_grant_meets_a_raw_error(clone_db: CloneDatabase) -> None:
    people = People()
    people.create("outsider")
    with all_read_first(staff_module, parties=2):
        results = at_once([_grant(people)] * 2)
    assert sorted(isinstance(result, IntegrityError) for result in results) == [False, True]


def test_two_sign_ons_at_once_leave_one_session(clone_db: CloneDatabase) -> None:
    people = People()
    recognised = _recognise(people)
    results = at_once([_sign_on(recognised, f"session-{n}") for n in range(4)])
    assert [code_of(result) for result in results] == [""] * 4
    row = SignOn.objects.get()
    assert row.session_key.startswith("session-")
    assert Entry.objects.filter(action="staff.signed_on").count() == 4


def test_without_the_lock_the_second_sign_on_meets_a_raw_error(clone_db: CloneDatabase) -> None:
    people = People()
    recognised = _recognise(people)
    with all_read_first(sign_on_module, parties=2):
        results = at_once([_sign_on(recognised, f"session-{n}") for n in range(2)])
    assert sorted(isinstance(result, IntegrityError) for result in results) == [False, True]


def test_who_is_shut_out_while_signing_on_is_out(clone_db: CloneDatabase) -> None:
    people = People()
    recognised = _recognise(people)

    def shut_out() -> None:
        services.deactivate_staff("2004", by=people.admin, origin=BROWSER)

    for result in at_once([_sign_on(recognised, "session-one"), shut_out]):
        assert code_of(result) in ("", "sign_on.refused")
    assert not SignOn.objects.exists()


def test_without_the_lock_who_is_shut_out_may_stay_in(
    clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People()
    recognised = _recognise(people)
    has_read, shut_out_is_done = (Barrier(2, timeout=PATIENCE_S) for _ in range(2))

    def append_late(**what: object) -> object:
        has_read.wait()
        shut_out_is_done.wait()
        return append(**what)  # type: ignore[arg-type]  # handed on as it came

    def shut_out() -> None:
        has_read.wait()
        services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
        shut_out_is_done.wait()

    with monkeypatch.context() as patch:
        patch.setattr(sign_on_module, "lock_stream", lambda stream: None)
        patch.setattr(sign_on_module, "append", append_late)
        results = at_once([_sign_on(recognised, "session-one"), shut_out])
    assert [code_of(result) for result in results] == ["", ""]
    assert SignOn.objects.filter(staff__active=False).count() == 1


def test_a_code_used_twice_at_once_counts_once(clone_db: CloneDatabase) -> None:
    people = People()
    people.create("manager")
    code = services.issue_code(
        "2004", purpose=SecretKind.PIN, by=people.admin, origin=BROWSER, now=NOW
    )

    def use() -> None:
        services.set_own_secret(badge="B-2004", code=code, secret="583017", origin=BROWSER, now=NOW)

    results = at_once([use] * 3)
    assert sorted(code_of(result) for result in results) == ["", "code.refused", "code.refused"]
    assert Entry.objects.filter(action="secret.set", subject="staff/2004").count() == 3


def test_many_tries_at_once_gain_nothing(clone_db: CloneDatabase) -> None:
    people = People()
    badge = people.manager.badge

    def guess() -> None:
        services.recognise(badge=badge, secret="wrong", origin=BROWSER, now=NOW)

    codes = [code_of(result) for result in at_once([guess] * 16)]
    assert codes.count("sign_on.refused") == 10
    assert codes.count("sign_on.slow_down") == 6
    assert AttemptCount.objects.get(key="account/browser/2004").failures == 10


def _grant(people: People) -> Callable[[], None]:
    return lambda: services.grant_role("2011", role=Role.CASHIER, by=people.admin, origin=BROWSER)


def _recognise(people: People) -> services.Recognised:
    manager = people.manager
    return services.recognise(badge=manager.badge, secret=manager.password, origin=BROWSER, now=NOW)


def _sign_on(recognised: services.Recognised, key: str) -> Callable[[], object]:
    return lambda: services.sign_on(
        recognised, role=Role.MANAGER, session_key=key, origin=BROWSER, now=NOW
    )
