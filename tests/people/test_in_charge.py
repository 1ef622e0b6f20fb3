"""The manager in charge: a dated assignment that two managers sign."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audit.log.replay import replay_log
from audit.log.rows import Row
from audit.log.services import append
from audit.log.verify import verify_log
from casino.people.errors import (
    InChargeSameError,
    InChargeSignersError,
    InChargeTimeError,
    RoleNotAllowedError,
    SignatureSamePersonError,
    SignatureSecretError,
    StaffUnknownError,
)
from casino.people.models import ManagerInCharge, Role, Signature
from casino.people.selectors import manager_in_charge
from casino.people.services import SignerInput, assign_manager_in_charge, grant_role
from casino.people.services.in_charge import ChargeStep
from tests.factories.people import BROWSER, NOW, Member, People, last_entry, last_entry_id


def sign(member: Member, *, role: str = Role.MANAGER, secret: str | None = None) -> SignerInput:
    return SignerInput(
        badge=member.badge, secret=member.pin if secret is None else secret, role=role
    )


def assign(people: People, number: str = "2004", **changed: object) -> ChargeStep:
    values: dict[str, Any] = {
        "from_at": None,
        "signers": [sign(people.manager), sign(people.both)],
        "by": people.manager.person(),
        "origin": BROWSER,
        "now": NOW,
    }
    return assign_manager_in_charge(number, **values | changed)


def test_two_managers_put_one_in_charge(people: People) -> None:
    assert manager_in_charge(NOW) is None
    assign(people)
    found = manager_in_charge(NOW)
    assert found is not None
    assert (found.staff.key, found.revision, found.from_at) == ("2004", 1, NOW)
    entry = last_entry()
    assert (entry.stream, entry.action) == ("people", "manager_in_charge.assigned")
    signed = Signature.objects.filter(entry=entry)
    assert {signature.staff.number for signature in signed} == {"2004", "2010"}
    assert len({bytes(signature.content_hash) for signature in signed}) == 1


def test_the_latest_assignment_whose_time_has_come_counts(people: People) -> None:
    assign(people)
    assign(people, "2010", from_at=NOW + timedelta(hours=8))
    before, after = NOW + timedelta(hours=7), NOW + timedelta(hours=9)
    assert manager_in_charge(before).staff.key == "2004"  # type: ignore[union-attr]  # assigned
    assert manager_in_charge(after).staff.key == "2010"  # type: ignore[union-attr]  # assigned
    assign(people, "2004", from_at=NOW + timedelta(hours=6))
    assert manager_in_charge(after).staff.key == "2004"  # type: ignore[union-attr]  # replaced


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"signers": []}, InChargeSignersError),
        ({"signers": "one"}, InChargeSignersError),
        ({"signers": "supervisor"}, InChargeSignersError),
        ({"signers": "twice"}, SignatureSamePersonError),
        ({"signers": "wrong"}, SignatureSecretError),
        ({"number": "2003"}, InChargeSignersError),
        ({"from_at": NOW - timedelta(seconds=1)}, InChargeTimeError),
        ({"from_at": NOW + timedelta(days=8)}, InChargeTimeError),
    ],
)
def test_what_is_no_assignment(
    people: People, changed: dict[str, object], error: type[Exception]
) -> None:
    lists = {
        "one": [sign(people.manager)],
        "supervisor": [sign(people.manager), sign(people.both, role=Role.SUPERVISOR)],
        "twice": [sign(people.manager), sign(people.manager)],
        "wrong": [sign(people.manager), sign(people.both, secret="")],
    }
    named = changed.get("signers")
    if isinstance(named, str):
        changed = {**changed, "signers": lists[named]}
    with pytest.raises(error):
        assign(people, **changed)  # type: ignore[arg-type]  # mixed by name
    assert not ManagerInCharge.objects.exists()


def test_who_may_not_and_who_need_not(people: People) -> None:
    with pytest.raises(RoleNotAllowedError):
        assign(people, by=people.supervisor.person())
    assign(people)
    third = people.outsider
    grant_role(third.number, role=Role.MANAGER, by=people.admin, origin=BROWSER)
    before = last_entry_id()
    with pytest.raises(InChargeSameError):
        assign(people, signers=[sign(people.manager), sign(third)])
    assert last_entry_id() == before


@pytest.mark.parametrize("hours", [None, 8])
def test_an_assignment_sent_again_is_known(people: People, hours: int | None) -> None:
    """A double press, or a retry after the time that it names."""
    from_at = None if hours is None else NOW + timedelta(hours=hours)
    first = assign(people, from_at=from_at)
    before = last_entry_id()
    for later in (timedelta(0), timedelta(hours=9)):
        again = assign(people, from_at=from_at, now=NOW + later)
        assert (first.done_before, again.done_before) == (False, True)
        assert again.receipt.hash == first.receipt.hash
    assert last_entry_id() == before
    assert ManagerInCharge.objects.count() == 1


def test_of_two_presses_the_later_one_may_come_first(people: People) -> None:
    """Both secrets are verified at once, and whose are done first takes the lock."""
    first = assign(people, now=NOW + timedelta(seconds=2))
    again = assign(people)
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)


def test_another_assignment_is_no_repeat(people: People) -> None:
    """Of another manager, of another time, after another one: each is written."""
    eight = NOW + timedelta(hours=8)
    for number, from_at in (
        ("2004", eight),
        ("2004", None),
        ("2010", None),
        ("2004", None),
        ("2004", eight),
    ):
        assert not assign(people, number, from_at=from_at).done_before
    assert ManagerInCharge.objects.count() == 5


def test_an_unknown_number_is_refused_before_it_is_written(people: People) -> None:
    with pytest.raises((InChargeSignersError, StaffUnknownError)):
        assign(people, "9999")


@pytest.mark.parametrize(
    ("revision", "constraint"),
    [(3, "follows_previous"), (0, "positive"), (1, "revision_key")],
)
def test_the_chain_of_assignments_is_linear(people: People, revision: int, constraint: str) -> None:
    assign(people)
    values = {"staff": people.manager.ref, "revision": revision, "from_at": NOW}
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        append(
            stream="people",
            action="test.written",
            subject="test",
            actor=people.admin.actor(),
            facts=[Row(ManagerInCharge, values)],
        )


def test_the_log_rebuilds_assignments(people: People) -> None:
    assign(people)
    assign(people, "2010", from_at=NOW + timedelta(hours=8))
    assert replay_log().problems == []
    assert verify_log(place=None).problems == []


def test_the_api_assigns_and_tells(people: People) -> None:
    client = people.client("manager")
    path = "/api/v1/manager-in-charge"
    assert client.get(path).json() == {
        "number": None,
        "name": None,
        "revision": None,
        "from_at": None,
    }
    sent = {
        "number": "2010",
        "signers": [
            {"badge": member.badge, "secret": member.pin}
            for member in (people.manager, people.both)
        ],
    }
    answer = client.post(path, sent, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert answer.json()["number"] == "2010"
    assert client.get(path).json()["revision"] == 1
    again = client.post(path, sent, content_type="application/json")
    assert (again.status_code, again.json()) == (200, answer.json())
    for name, status in (("supervisor", 200), ("cashier", 403), ("dealer", 403)):
        assert people.client(name).get(path).status_code == status
    refused = people.client("supervisor").post(path, sent, content_type="application/json")
    assert refused.json()["code"] == "role.not_allowed"
    sent["signers"][1]["secret"] = ""  # type: ignore[index]  # a list of signers
    refused = client.post(path, sent, content_type="application/json")
    assert refused.status_code == 422
