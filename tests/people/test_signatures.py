"""Signatures: different people, re-entered secrets, held roles, over a content hash."""

import hashlib
import json

import pytest

from audit.log.models import Entry
from audit.log.rows import Receipt
from audit.log.services import append, service
from casino.kernel.errors import DomainError
from casino.people import services
from casino.people.models import AttemptCount, Role, Signature
from casino.people.services import Signer, SignerInput
from tests.factories.people import BROWSER, NOW, Member, People, last_entry, last_entry_id

CONTENT = hashlib.sha256(b"what is signed").digest()


def signer(
    member: Member, *, role: str | None = None, secret: str | None = None, camera: str | None = None
) -> SignerInput:
    return SignerInput(
        badge=member.badge,
        secret=secret or member.pin,
        role=role or member.roles[0],
        camera_reference=camera,
    )


def verify(*signers: SignerInput) -> tuple[Signer, ...]:
    return services.verify_signers(signers, origin=BROWSER, now=NOW)


@service
def sign(people: People, signers: tuple[Signer, ...]) -> Receipt:
    return append(
        stream="people",
        action="test.signed",
        subject="T1/S3",
        actor=people.supervisor.person().actor(),
        facts=services.signature_rows(
            signers, content_hash=CONTENT, purpose="table opened", subject="T1/S3", device=None
        ),
    )


def test_two_people_sign_one_content(people: People) -> None:
    signers = verify(
        signer(people.dealer), signer(people.supervisor, secret=people.supervisor.password)
    )
    assert [(one.staff.key, one.role) for one in signers] == [
        ("2001", "dealer"),
        ("2003", "supervisor"),
    ]
    receipt = sign(people, signers)
    rows = list(Signature.objects.order_by("id"))
    assert [row.pk for row in rows] == list(receipt.ids)
    assert {bytes(row.content_hash) for row in rows} == {CONTENT}
    assert {row.entry_id for row in rows} == {receipt.entry_id}
    facts = json.loads(bytes(last_entry().body))["facts"]
    assert facts[0] == {
        "kind": "signature",
        "row": {
            "staff": "2001",
            "role": "dealer",
            "content_hash": CONTENT.hex(),
            "purpose": "table opened",
            "subject": "T1/S3",
            "device": None,
            "camera_reference": None,
        },
    }


def test_a_device_and_a_camera_are_named(people: People) -> None:
    tablet = people.tablet("T1")
    assert tablet.device is not None
    [row] = services.signature_rows(
        verify(signer(people.dealer, camera="CAM-12 14:05:10")),
        content_hash=CONTENT,
        purpose="shoe shuffled",
        subject="T1/7",
        device=tablet.device.ref,
    )
    assert row.values["camera_reference"] == "CAM-12 14:05:10"
    assert row.values["device"] == tablet.device.ref


def test_a_wrong_secret_is_refused_logged_and_counted(people: People) -> None:
    dealer, supervisor = people.dealer, people.supervisor
    before = last_entry_id()
    with pytest.raises(DomainError) as caught:
        verify(signer(dealer), signer(supervisor, secret="000111"))
    assert (caught.value.code, caught.value.status) == ("signature.secret_wrong", 403)
    assert caught.value.data == {"signer": 2}
    [entry] = Entry.objects.filter(id__gt=before)
    assert (entry.action, entry.subject) == ("signature.refused", "staff/2003")
    assert b"000111" not in bytes(entry.body)
    assert AttemptCount.objects.get(key="account/browser/2003").failures == 1
    assert not Signature.objects.exists()


def test_unknown_and_inactive_people_are_refused_alike(people: People) -> None:
    manager = people.manager
    services.deactivate_staff("2004", by=people.admin, origin=BROWSER)
    unknown = SignerInput(badge="B-9999", secret="482915", role=Role.MANAGER)
    for entered in (signer(manager), unknown):
        with pytest.raises(DomainError) as caught:
            verify(entered)
        assert caught.value.code == "signature.secret_wrong"


def test_a_role_that_is_not_held_signs_nothing(people: People) -> None:
    for role in (Role.MANAGER, "owner"):
        with pytest.raises(DomainError) as caught:
            verify(signer(people.supervisor, role=role))
        assert caught.value.code == "signature.role_not_held"
    services.withdraw_role("2003", role=Role.SUPERVISOR, by=people.admin, origin=BROWSER)
    with pytest.raises(DomainError) as caught:
        verify(signer(people.supervisor))
    assert caught.value.code == "signature.role_not_held"


def test_one_person_with_two_roles_cannot_sign_twice(people: People) -> None:
    with pytest.raises(DomainError) as caught:
        verify(
            signer(people.both, role=Role.SUPERVISOR),
            signer(people.both, role=Role.MANAGER, secret=people.both.password),
        )
    assert caught.value.code == "signature.same_person"
    by_badge, by_number = signer(people.both), signer(people.both, role=Role.MANAGER)
    by_number = SignerInput(badge="2010", secret=by_number.secret, role=by_number.role)
    with pytest.raises(DomainError) as caught:
        verify(by_badge, by_number)
    assert caught.value.code == "signature.same_person"


def test_signers_put_together_by_hand_are_checked_again(people: People) -> None:
    one, two = (
        verify(signer(people.both, role=role))[0] for role in (Role.SUPERVISOR, Role.MANAGER)
    )
    with pytest.raises(DomainError) as caught:
        sign(people, (one, two))
    assert caught.value.code == "signature.same_person"
    assert not Signature.objects.exists()


def test_trying_secrets_of_a_signer_slows_down(people: People) -> None:
    supervisor = people.supervisor
    for _ in range(10):
        with pytest.raises(DomainError) as caught:
            verify(signer(supervisor, secret="000111"))
    with pytest.raises(DomainError) as caught:
        verify(signer(supervisor))
    assert caught.value.code == "sign_on.slow_down"


def test_a_secret_does_not_show_in_a_repr(people: People) -> None:
    assert people.dealer.pin not in repr(signer(people.dealer))


def test_a_content_hash_has_32_bytes(people: People) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        services.signature_rows((), content_hash=b"short", purpose="p", subject="s", device=None)
