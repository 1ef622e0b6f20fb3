"""Tablets and integrations: enrolled with a one-time code, bound to a table, revoked.

The token is made when the device fetches it and shown to that device alone; here only its hash is
kept. This app does not know tables: a binding is a table's code.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from audit.log.rows import Actor, Change, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people import hashing
from casino.people.errors import (
    CodeRefusedError,
    DeviceKindError,
    DeviceRevokedError,
    DeviceTakenError,
)
from casino.people.models import STREAM, Device, DeviceCode
from casino.people.permissions import MANAGES_DEVICES, require_role
from casino.people.person import Origin, Person
from casino.people.selectors import device_by_number, device_ref
from casino.people.services.attempts import begin_attempt, forgive
from casino.people.services.attested import door, whereabouts
from casino.people.services.sign_ons import end_sign_ons_on_device
from casino.people.services.staff import clean_identifier, clean_name

CODE_LIFE = timedelta(minutes=30)
NUMBER_CHARACTERS_MAX = 16


@dataclass(frozen=True, slots=True)
class Claimed:
    """A device that has just fetched its token."""

    number: str
    kind: str
    table_code: str | None
    token: str = field(repr=False)


@service
def enrol_device(
    *,
    number: str,
    name: str,
    kind: str,
    table_code: str | None = None,
    by: Person,
    origin: Origin,
    now: datetime,
) -> str:
    """Enter a device and return the one-time code with which it fetches its token.

    Raises RoleNotAllowedError, DeviceTakenError, DeviceKindError, IdentifierError, NameEmptyError.
    """
    require_role(by, *MANAGES_DEVICES)
    lock_stream(STREAM)
    number = clean_identifier(number, field="number", limit=NUMBER_CHARACTERS_MAX)
    kind = Device.Kind(kind).value
    if Device.objects.filter(number=number).exists():
        raise DeviceTakenError(number=number)
    actor = by.actor(origin.request_id)
    receipt = append(
        stream=STREAM,
        action="device.enrolled",
        subject=f"device/{number}",
        actor=actor,
        new_heads=[
            Row(
                Device,
                {
                    "number": number,
                    "name": clean_name(name),
                    "kind": kind,
                    "table_code": _table_code(table_code, kind=kind),
                    "token_hash": None,
                    "active": True,
                },
            )
        ],
    )
    return _new_code(Ref(id=receipt.ids[0], key=number), actor=actor, now=now)


@service
def issue_device_code(number: str, *, by: Person, origin: Origin, now: datetime) -> str:
    """Return a new code for a device that lost its token; the old token dies when it is used.

    Raises RoleNotAllowedError, DeviceUnknownError, DeviceRevokedError.
    """
    require_role(by, *MANAGES_DEVICES)
    lock_stream(STREAM)
    device = _active(number)
    return _new_code(device_ref(device), actor=by.actor(origin.request_id), now=now)


def claim_device(code: str, *, origin: Origin, now: datetime) -> Claimed:
    """Hand a device its token in exchange for its code, which is used up.

    A wrong code is logged and counts as a wrong try. Raises SlowDownError, CodeRefusedError.
    """
    attempt = begin_attempt(account=f"device-code/{origin.address}", origin=origin, now=now)
    claimed = _claim(hashing.hash_code(code), origin=origin, now=now)
    if claimed is None:
        raise CodeRefusedError
    forgive(attempt, now=now)
    return claimed


@service
def bind_device(number: str, *, table_code: str | None, by: Person, origin: Origin) -> None:
    """Bind a tablet to a table, or to none; who is signed on at it signs on anew.

    Raises RoleNotAllowedError, DeviceUnknownError, DeviceRevokedError, DeviceKindError,
    IdentifierError.
    """
    require_role(by, *MANAGES_DEVICES)
    lock_stream(STREAM)
    device = _active(number)
    table_code = _table_code(table_code, kind=device.kind)
    if device.table_code == table_code:
        return
    end_sign_ons_on_device(device_id=device.pk)
    append(
        stream=STREAM,
        action="device.bound",
        subject=f"device/{number}",
        actor=by.actor(origin.request_id),
        changes=[Change(Device, device_ref(device), {"table_code": table_code})],
    )


@service
def revoke_device(number: str, *, by: Person, origin: Origin) -> None:
    """Shut a device out for good; who is signed on at it is signed off.

    Raises RoleNotAllowedError, DeviceUnknownError, DeviceRevokedError.
    """
    require_role(by, *MANAGES_DEVICES)
    lock_stream(STREAM)
    device = _active(number)
    end_sign_ons_on_device(device_id=device.pk)
    DeviceCode.objects.filter(device=device).delete()
    append(
        stream=STREAM,
        action="device.revoked",
        subject=f"device/{number}",
        actor=by.actor(origin.request_id),
        changes=[Change(Device, device_ref(device), {"active": False, "token_hash": None})],
    )


@service
def _claim(code_hash: bytes, *, origin: Origin, now: datetime) -> Claimed | None:
    lock_stream(STREAM)
    code = (
        DeviceCode.objects.select_related("device")
        .filter(code_hash=code_hash, expires_at__gt=now, device__active=True)
        .first()
    )
    if code is None:
        append(
            stream=STREAM,
            action="code.refused",
            subject="device/unknown",
            actor=door(origin, name="enrolment"),
            data=whereabouts(origin),
        )
        return None
    device = code.device
    code.delete()
    token = hashing.new_token()
    append(
        stream=STREAM,
        action="device.claimed",
        subject=f"device/{device.number}",
        actor=door(origin, name="enrolment"),
        changes=[Change(Device, device_ref(device), {"token_hash": hashing.hash_token(token)})],
        data=whereabouts(origin),
    )
    return Claimed(
        number=device.number, kind=device.kind, table_code=device.table_code, token=token
    )


def _new_code(device: Ref, *, actor: Actor, now: datetime) -> str:
    code = hashing.new_code()
    DeviceCode.objects.update_or_create(
        device_id=device.id,
        defaults={"code_hash": hashing.hash_code(code), "expires_at": now + CODE_LIFE},
    )
    append(
        stream=STREAM,
        action="device.code_issued",
        subject=f"device/{device.key}",
        actor=actor,
    )
    return code


def _active(number: str) -> Device:
    device = device_by_number(number)
    if not device.active:
        raise DeviceRevokedError(number=number)
    return device


def _table_code(table_code: str | None, *, kind: str) -> str | None:
    if table_code is None:
        return None
    if kind != Device.Kind.TABLET:
        raise DeviceKindError
    return clean_identifier(table_code, field="table", limit=NUMBER_CHARACTERS_MAX)
