"""Tablets and integrations: enrolled with a code, bound to a table, revoked for good."""

from datetime import timedelta

import pytest

from audit.log.models import Entry
from casino.kernel.errors import DomainError
from casino.people import hashing, selectors, services
from casino.people.models import Device, DeviceCode, Role, SignOn
from tests.factories.people import BROWSER, NOW, People, last_entry, last_entry_id


def enrol(
    people: People, number: str = "D1", *, table: str | None = "T1", kind: str = "tablet"
) -> str:
    return services.enrol_device(
        number=number,
        name=f"Device {number}",
        kind=kind,
        table_code=table,
        by=people.admin,
        origin=BROWSER,
        now=NOW,
    )


def claim(code: str, *, minutes: int = 0) -> services.Claimed:
    return services.claim_device(code, origin=BROWSER, now=NOW + timedelta(minutes=minutes))


def test_a_device_fetches_its_token_with_its_code(people: People) -> None:
    code = enrol(people)
    assert selectors.device_by_number("D1").token_hash is None
    claimed = claim(code)
    assert (claimed.number, claimed.kind, claimed.table_code) == ("D1", "tablet", "T1")
    device = Device.objects.get()
    assert bytes(device.token_hash or b"") == hashing.hash_token(claimed.token)
    assert last_entry().action == "device.claimed"
    assert not DeviceCode.objects.exists()
    actions = list(Entry.objects.order_by("-id").values_list("action", flat=True)[:3])
    assert actions == ["device.claimed", "device.code_issued", "device.enrolled"]


def test_neither_code_nor_token_stands_in_the_log_or_a_repr(people: People) -> None:
    code = enrol(people)
    claimed = claim(code)
    bodies = b"".join(bytes(body) for body in Entry.objects.values_list("body", flat=True))
    for secret in (code, claimed.token, hashing.hash_token(claimed.token).hex()):
        assert secret.encode() not in bodies
    assert claimed.token not in repr(claimed)


def test_a_code_counts_once_and_for_half_an_hour(people: People) -> None:
    code = enrol(people)
    for minutes in (30, 31):
        with pytest.raises(DomainError) as caught:
            claim(code, minutes=minutes)
        assert caught.value.code == "code.refused"
        assert last_entry().action == "code.refused"
    claim(code)
    with pytest.raises(DomainError) as caught:
        claim(code)
    assert caught.value.code == "code.refused"


def test_a_new_code_replaces_the_token_when_it_is_used(people: People) -> None:
    first = claim(enrol(people))
    code = services.issue_device_code("D1", by=people.admin, origin=BROWSER, now=NOW)
    found = selectors.presence(session_key=None, token_hash=hashing.hash_token(first.token))
    assert found.device_number == "D1"
    second = claim(code)
    old = selectors.presence(session_key=None, token_hash=hashing.hash_token(first.token))
    new = selectors.presence(session_key=None, token_hash=hashing.hash_token(second.token))
    assert (old.device_number, new.device_number) == (None, "D1")


def test_guessing_device_codes_slows_down(people: People) -> None:
    for n in range(10):
        with pytest.raises(DomainError) as caught:
            claim(f"AAAA-BBBB-{n:04}")
        assert caught.value.code == "code.refused"
    code = enrol(people)
    with pytest.raises(DomainError) as caught:
        claim(code)
    assert caught.value.code == "sign_on.slow_down"


def test_binding_moves_a_tablet_and_signs_off_who_was_there(people: People) -> None:
    dealer, tablet = people.dealer, people.tablet("T1")
    recognised = services.recognise(badge=dealer.badge, secret=dealer.pin, origin=tablet, now=NOW)
    services.sign_on(recognised, role=Role.DEALER, session_key="one", origin=tablet, now=NOW)
    services.bind_device("D1", table_code="T2", by=people.admin, origin=BROWSER)
    assert Device.objects.get().table_code == "T2"
    assert (last_entry().action, last_entry().subject) == ("device.bound", "device/D1")
    assert not SignOn.objects.exists()
    before = last_entry_id()
    services.bind_device("D1", table_code="T2", by=people.admin, origin=BROWSER)
    assert last_entry_id() == before
    services.bind_device("D1", table_code=None, by=people.admin, origin=BROWSER)
    assert Device.objects.get().table_code is None


def test_a_revoked_device_is_out_for_good(people: People) -> None:
    token = people.token()
    dealer, tablet = people.dealer, people.tablet("T1")
    recognised = services.recognise(badge=dealer.badge, secret=dealer.pin, origin=tablet, now=NOW)
    services.sign_on(recognised, role=Role.DEALER, session_key="one", origin=tablet, now=NOW)
    services.revoke_device("D1", by=people.admin, origin=BROWSER)
    assert last_entry().action == "device.revoked"
    found = selectors.presence(session_key="one", token_hash=hashing.hash_token(token))
    assert (found.device_id, found.sign_on_id) == (None, None)
    for act in (
        lambda: services.revoke_device("D1", by=people.admin, origin=BROWSER),
        lambda: services.bind_device("D1", table_code="T2", by=people.admin, origin=BROWSER),
        lambda: services.issue_device_code("D1", by=people.admin, origin=BROWSER, now=NOW),
    ):
        with pytest.raises(DomainError) as caught:
            act()
        assert caught.value.code == "device.revoked"


def test_a_code_of_a_revoked_device_is_dead(people: People) -> None:
    code = enrol(people)
    services.revoke_device("D1", by=people.admin, origin=BROWSER)
    with pytest.raises(DomainError) as caught:
        claim(code)
    assert caught.value.code == "code.refused"


@pytest.mark.parametrize(
    ("number", "table", "kind", "code"),
    [
        ("D1", "T1", "tablet", "device.taken"),
        ("D/2", "T1", "tablet", "identifier.format"),
        ("D2", "T 1", "tablet", "identifier.format"),
        ("D2", "T1", "integration", "device.not_a_tablet"),
    ],
)
def test_a_device_that_breaks_a_rule_is_not_entered(
    people: People, number: str, table: str, kind: str, code: str
) -> None:
    enrol(people)
    before = (last_entry_id(), Device.objects.count())
    with pytest.raises(DomainError) as caught:
        enrol(people, number, table=table, kind=kind)
    assert caught.value.code == code
    assert (last_entry_id(), Device.objects.count()) == before


@pytest.mark.parametrize("name", ["manager", "supervisor", "auditor", "dealer", "cashier"])
def test_nobody_else_keeps_devices(people: People, name: str) -> None:
    enrol(people)
    by = getattr(people, name).person()
    before = last_entry_id()
    acts = (
        lambda: services.enrol_device(
            number="D2", name="x", kind="tablet", by=by, origin=BROWSER, now=NOW
        ),
        lambda: services.issue_device_code("D1", by=by, origin=BROWSER, now=NOW),
        lambda: services.bind_device("D1", table_code="T2", by=by, origin=BROWSER),
        lambda: services.revoke_device("D1", by=by, origin=BROWSER),
    )
    for act in acts:
        with pytest.raises(DomainError) as caught:
            act()
        assert caught.value.code == "role.not_allowed"
    assert last_entry_id() == before
