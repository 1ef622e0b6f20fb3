"""Own secrets: the administrator issues a code, the person sets PIN or password with it.

Who administers never sees or sets a secret, and so cannot sign as another. A code counts once, for
half an hour, and for one person and one purpose.
"""

from datetime import datetime, timedelta

from audit.log.rows import Actor, Change, Ref
from audit.log.services import append, lock_stream, service
from casino.people import hashing
from casino.people.errors import CodeRefusedError, StaffInactiveError
from casino.people.models import STREAM, OneTimeCode, SecretKind, Staff
from casino.people.permissions import MANAGES_STAFF, require_role
from casino.people.person import Origin, Person
from casino.people.selectors import staff_by_badge, staff_by_number, staff_ref
from casino.people.services.attempts import account_key, begin_attempt, forgive
from casino.people.services.attested import door, whereabouts
from casino.people.services.sign_ons import end_sign_ons_of_staff

CODE_LIFE = timedelta(minutes=30)


@service
def issue_code(
    number: str, *, purpose: SecretKind, by: Person, origin: Origin, now: datetime
) -> str:
    """Return a one-time code for a person's own PIN or password; an older one for it is void.

    Raises RoleNotAllowedError, StaffUnknownError, StaffInactiveError.
    """
    require_role(by, *MANAGES_STAFF)
    lock_stream(STREAM)
    staff = staff_by_number(number)
    if not staff.active:
        raise StaffInactiveError(number=number)
    return new_one_time_code(
        staff_ref(staff), purpose=purpose, actor=by.actor(origin.request_id), now=now
    )


def set_own_secret(
    *, badge: str, code: str, secret: str, origin: Origin, now: datetime
) -> SecretKind:
    """Set the PIN or password for which the code was issued; the code is used up.

    A wrong code is logged and counts as a wrong try; a secret that breaks a rule leaves the code
    good. Raises SlowDownError, CodeRefusedError, and the Invalid errors `secret.*`. Call it outside
    of any transaction: the hash is slow.
    """
    staff = staff_by_badge(badge)
    number = None if staff is None else staff.number
    attempt = begin_attempt(account=account_key(badge, number), origin=origin, now=now)
    code_hash = hashing.hash_code(code)
    purpose = None if staff is None else _purpose(staff, code_hash=code_hash, now=now)
    if staff is None or purpose is None:
        _log_refusal(number=number, origin=origin)
        raise CodeRefusedError
    forgive(attempt, now=now)
    secret = hashing.clean_secret(secret)
    if purpose == SecretKind.PIN:
        hashing.check_new_pin(secret)
    else:
        words = (staff.number, staff.badge, *staff.name.split())
        hashing.check_new_password(secret, own_words=words)
    _set(
        staff_ref(staff),
        purpose=purpose,
        code_hash=code_hash,
        encoded=hashing.hash_secret(secret),
        actor=Actor(
            key=staff.number,
            name=staff.name,
            role="self",
            device=None if origin.device is None else origin.device.ref.key,
            request_id=origin.request_id,
        ),
    )
    return purpose


def new_one_time_code(staff: Ref, *, purpose: SecretKind, actor: Actor, now: datetime) -> str:
    """Make a code within the caller's transaction, which holds the lock of the stream `people`."""
    code = hashing.new_code()
    OneTimeCode.objects.update_or_create(
        staff_id=staff.id,
        purpose=purpose,
        defaults={"code_hash": hashing.hash_code(code), "expires_at": now + CODE_LIFE},
    )
    append(
        stream=STREAM,
        action="code.issued",
        subject=f"staff/{staff.key}",
        actor=actor,
        data={"purpose": str(purpose)},
    )
    return code


@service
def _set(staff: Ref, *, purpose: SecretKind, code_hash: bytes, encoded: str, actor: Actor) -> None:
    lock_stream(STREAM)
    # The count says that nobody else used the code since it was looked at.
    used, _ = OneTimeCode.objects.filter(
        staff_id=staff.id, purpose=purpose, code_hash=code_hash, staff__active=True
    ).delete()
    if used != 1:
        raise CodeRefusedError
    # A secret is often set anew because the old one leaked.
    end_sign_ons_of_staff(staff_id=staff.id)
    column = "pin_hash" if purpose == SecretKind.PIN else "password_hash"
    append(
        stream=STREAM,
        action="secret.set",
        subject=f"staff/{staff.key}",
        actor=actor,
        changes=[Change(Staff, staff, {column: encoded})],
        data={"purpose": str(purpose)},
    )


@service
def _log_refusal(*, number: str | None, origin: Origin) -> None:
    append(
        stream=STREAM,
        action="code.refused",
        subject="staff/unknown" if number is None else f"staff/{number}",
        actor=door(origin, name="own-secret"),
        data=whereabouts(origin),
    )


def _purpose(staff: Staff, *, code_hash: bytes, now: datetime) -> SecretKind | None:
    if not staff.active:
        return None
    for code in OneTimeCode.objects.filter(staff=staff, expires_at__gt=now):
        if hashing.same_bytes(code.code_hash, code_hash):
            return SecretKind(code.purpose)
    return None
