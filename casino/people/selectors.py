"""Reads about people: who holds which role, whose badge this is, who is signed on."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from audit.log.prepared import prepared_cursor
from audit.log.rows import Ref
from casino.kernel.errors import Invalid
from casino.kernel.text import check_characters
from casino.people.errors import DeviceUnknownError, StaffUnknownError
from casino.people.models import Device, ManagerInCharge, RoleGrant, Signature, Staff


@dataclass(frozen=True, slots=True)
class StaffLine:
    """One line of the access list (control 6.8)."""

    number: str
    badge: str
    name: str
    active: bool
    roles: tuple[str, ...]
    has_pin: bool
    has_password: bool
    signed_on_as: str | None


@dataclass(frozen=True, slots=True)
class Signed:
    """One signature as pages and the API tell it; `content_hash` is in hexadecimal digits."""

    number: str
    name: str
    role: str
    camera_reference: str | None
    content_hash: str


@dataclass(frozen=True, slots=True)
class InCharge:
    """The manager in charge: who, by which assignment, since when."""

    staff: Ref
    name: str
    revision: int
    from_at: datetime


@dataclass(frozen=True, slots=True)
class ChargeAssigned:
    """One assignment of a manager in charge: who, from when on, by which entry, signed by whom."""

    entry_id: int
    staff: Ref
    revision: int
    from_at: datetime
    signers: frozenset[int | str]


@dataclass(frozen=True, slots=True)
class Presence:
    """What stands behind the cookies of a request, as found in one query."""

    device_id: int | None
    device_number: str | None
    device_kind: str | None
    device_table: str | None
    sign_on_id: int | None
    sign_on_device_id: int | None
    role: str | None
    started_at: datetime | None
    seen_at: datetime | None
    staff_id: int | None
    staff_number: str | None
    staff_name: str | None
    staff_active: bool | None


_PRESENCE = """
select device.id, device.number, device.kind, device.table_code,
       sign_on.id, sign_on.device_id, sign_on.role, sign_on.started_at, sign_on.seen_at,
       staff.id, staff.number, staff.name, staff.active
  from (values (1)) as request
  left join people_device as device
    on device.token_hash = %(token_hash)s and device.active
  left join people_signon as sign_on on sign_on.session_key = %(session_key)s
  left join people_staff as staff on staff.id = sign_on.staff_id
"""


def presence(*, session_key: str | None, token_hash: bytes | None) -> Presence:
    """Return the device and the person behind two cookies, in one query."""
    with prepared_cursor() as cursor:
        cursor.execute(_PRESENCE, {"session_key": session_key, "token_hash": token_hash})
        row = cursor.fetchone()
    return Presence(*row)


def current_roles(staff_id: int) -> tuple[str, ...]:
    """Return the roles that a person holds now, in the order of their names."""
    latest = (
        RoleGrant.objects.filter(staff_id=staff_id)
        .order_by("role", "-revision")
        .distinct("role")
        .values_list("role", "granted")
    )
    return tuple(role for role, granted in latest if granted)


def staff_by_badge(badge: str) -> Staff | None:
    """Return whose badge this is, or else whose staff number."""
    if not _is_storable(badge):
        return None
    found = list(Staff.objects.filter(Q(badge=badge) | Q(number=badge))[:2])
    found.sort(key=lambda staff: staff.badge != badge)
    return found[0] if found else None


def names_by_number(numbers: Iterable[str]) -> dict[str, str]:
    """Return the names of people by their staff numbers; a number that nobody has is left out."""
    return dict(Staff.objects.filter(number__in=list(numbers)).values_list("number", "name"))


def staff_by_number(number: str) -> Staff:
    """Return a member of staff. Raises StaffUnknownError."""
    staff = Staff.objects.filter(number=number).first() if _is_storable(number) else None
    if staff is None:
        raise StaffUnknownError(number=number)
    return staff


def device_by_number(number: str) -> Device:
    """Return a device. Raises DeviceUnknownError."""
    device = Device.objects.filter(number=number).first() if _is_storable(number) else None
    if device is None:
        raise DeviceUnknownError(number=number)
    return device


def staff_ref(staff: Staff) -> Ref:
    """Name a member of staff for a log row."""
    return Ref(id=staff.pk, key=staff.number)


def device_ref(device: Device) -> Ref:
    """Name a device for a log row."""
    return Ref(id=device.pk, key=device.number)


def staff_lines(*, after: str = "", limit: int = 200) -> list[StaffLine]:
    """Return the access list by staff number: at most `limit` lines after a number."""
    people = list(
        Staff.objects.filter(number__gt=after).select_related("sign_on").order_by("number")[:limit]
    )
    roles = _roles_of(staff.pk for staff in people)
    return [_line(staff, roles=roles.get(staff.pk, ())) for staff in people]


def staff_line(number: str) -> StaffLine:
    """Return one line of the access list. Raises StaffUnknownError."""
    staff = staff_by_number(number)
    return _line(staff, roles=current_roles(staff.pk))


def devices(*, after: str = "", limit: int = 200) -> list[Device]:
    """Return devices by number: at most `limit` after a number."""
    return list(Device.objects.filter(number__gt=after).order_by("number")[:limit])


def manager_in_charge(at: datetime) -> InCharge | None:
    """Return who was the manager in charge at a moment; None before the first assignment.

    Whether the person still holds the role is asked where he signs (rules 2.1, H).
    """
    found = (
        ManagerInCharge.objects.filter(from_at__lte=at)
        .select_related("staff")
        .order_by("-revision")
        .first()
    )
    if found is None:
        return None
    return InCharge(staff_ref(found.staff), found.staff.name, found.revision, found.from_at)


def signatures_under(
    entries: Iterable[int], *, purpose: str | None = None
) -> dict[int, tuple[Signed, ...]]:
    """Return who signed entries of the log, by entry, in the order they signed, in one query.

    What nobody signed is left out; with a purpose, signatures for another one are too.
    """
    rows = Signature.objects.filter(entry_id__in=list(entries))
    if purpose is not None:
        rows = rows.filter(purpose=purpose)
    found: dict[int, tuple[Signed, ...]] = {}
    for row in rows.select_related("staff").order_by("id"):
        signed = Signed(
            number=row.staff.number,
            name=row.staff.name,
            role=row.role,
            camera_reference=row.camera_reference,
            content_hash=bytes(row.content_hash).hex(),
        )
        found[row.entry_id] = (*found.get(row.entry_id, ()), signed)
    return found


def signed_entry(
    *, purpose: str, subject: str, content_hash: bytes, staff: Collection[int | str]
) -> int | None:
    """Return the id of the entry that these very people signed over this content, if there is one.

    So a signed act that is sent again is known (trust R3); the latest where there are several.
    """
    signed: dict[int, set[int | str]] = {}
    rows = Signature.objects.filter(purpose=purpose, subject=subject, content_hash=content_hash)
    for entry, person in rows.order_by("entry_id").values_list("entry_id", "staff_id"):
        signed.setdefault(entry, set()).add(person)
    return next((entry for entry in reversed(signed) if signed[entry] == set(staff)), None)


def last_assignment_of_charge() -> ChargeAssigned | None:
    """Return the latest assignment of a manager in charge, also where its time is to come."""
    last = ManagerInCharge.objects.select_related("staff").order_by("-revision").first()
    if last is None:
        return None
    signed = Signature.objects.filter(entry_id=last.entry_id).values_list("staff_id", flat=True)
    return ChargeAssigned(
        entry_id=last.entry_id,
        staff=staff_ref(last.staff),
        revision=last.revision,
        from_at=last.from_at,
        signers=frozenset(signed),
    )


def is_founded() -> bool:
    """Whether anybody works here already."""
    return Staff.objects.exists()


def _is_storable(text: str) -> bool:
    """Whether a name that came with an address can be a name at all: none holds a NUL."""
    try:
        check_characters(text)
    except Invalid:
        return False
    return True


def _line(staff: Staff, *, roles: tuple[str, ...]) -> StaffLine:
    sign_on = getattr(staff, "sign_on", None)
    return StaffLine(
        number=staff.number,
        badge=staff.badge,
        name=staff.name,
        active=staff.active,
        roles=roles,
        has_pin=staff.pin_hash != "",
        has_password=staff.password_hash != "",
        signed_on_as=None if sign_on is None else sign_on.role,
    )


def _roles_of(staff_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
    latest = (
        RoleGrant.objects.filter(staff_id__in=list(staff_ids))
        .order_by("staff_id", "role", "-revision")
        .distinct("staff_id", "role")
        .values_list("staff_id", "role", "granted")
    )
    found: dict[int, tuple[str, ...]] = {}
    for staff_id, role, granted in latest:
        if granted:
            found[staff_id] = (*found.get(staff_id, ()), role)
    return found
