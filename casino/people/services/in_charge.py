"""The manager in charge of the shift: a dated, signed assignment (H of rules 2.1).

An authority, not a role: whoever takes charge holds the role of manager, and signs as one. It must
not decide what the manager in charge may do; the services that ask for that signature do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from audit.chain import canonical
from audit.log.receipts import receipt_of
from audit.log.rows import Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.clock import format_instant
from casino.people.errors import InChargeSameError, InChargeSignersError, InChargeTimeError
from casino.people.models import STREAM, ManagerInCharge, Role
from casino.people.permissions import require_role
from casino.people.person import Origin, Person
from casino.people.selectors import (
    ChargeAssigned,
    last_assignment_of_charge,
    manager_in_charge,
    staff_by_number,
    staff_ref,
)
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)

AHEAD_MAX = timedelta(days=7)
PURPOSE = "manager_in_charge.assigned"
SUBJECT = "manager-in-charge"
_SIGNERS = 2
_PRESSED_TWICE = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class ChargeStep:
    """What an assignment did: the receipt, and whether it had been made before."""

    receipt: Receipt
    done_before: bool = False


def assign_manager_in_charge(
    number: str,
    *,
    from_at: datetime | None,
    signers: Sequence[SignerInput],
    by: Person,
    origin: Origin,
    now: datetime,
) -> ChargeStep:
    """Put a manager in charge of the shift, from `now` or from a time within a week.

    Two managers sign: who takes charge, and another one, as a rule who hands over. A later
    assignment replaces a planned one; the latest one signed again by the same two changes nothing.
    Raises RoleNotAllowedError, StaffUnknownError, InChargeSignersError, InChargeTimeError,
    InChargeSameError, and what `verify_signers` raises.
    """
    require_role(by, Role.MANAGER)
    verified = verify_signers(signers, origin=origin, now=now)
    managers = {signer.staff.key for signer in verified if signer.role == Role.MANAGER}
    if len(verified) != _SIGNERS or len(managers) != _SIGNERS or number not in managers:
        raise InChargeSignersError
    return _assign(number, from_at=from_at, signers=verified, by=by, origin=origin, now=now)


@service
def _assign(
    number: str,
    *,
    from_at: datetime | None,
    signers: Sequence[Signer],
    by: Person,
    origin: Origin,
    now: datetime,
) -> ChargeStep:
    lock_stream(STREAM)
    staff = staff_ref(staff_by_number(number))
    last = last_assignment_of_charge()
    if last and _is_sent_again(last, staff=staff, from_at=from_at, signers=signers, now=now):
        return ChargeStep(receipt_of(last.entry_id), done_before=True)
    _require_time(from_at, now=now)
    before = manager_in_charge(now)
    if from_at is None and before is not None and before.staff.id == staff.id:
        raise InChargeSameError(name=before.name)
    revision = last.revision + 1 if last else 1
    start = from_at or now
    content: dict[str, object] = {
        "act": PURPOSE,
        "staff": number,
        "revision": revision,
        "from_at": format_instant(start),
        "before": None if before is None else before.staff.key,
    }
    values = {"staff": staff, "revision": revision, "from_at": start}
    receipt = append(
        stream=STREAM,
        action=PURPOSE,
        subject=SUBJECT,
        actor=by.actor(origin.request_id),
        facts=[
            Row(ManagerInCharge, values),
            *signature_rows(
                signers,
                content_hash=sha256(canonical(content)).digest(),
                purpose=PURPOSE,
                subject=SUBJECT,
                device=by.device,
            ),
        ],
        data=content,
    )
    return ChargeStep(receipt)


def _is_sent_again(
    last: ChargeAssigned,
    *,
    staff: Ref,
    from_at: datetime | None,
    signers: Sequence[Signer],
    now: datetime,
) -> bool:
    """Tell whether the latest assignment is this one: so a call sent again is known (trust R3).

    Without a time it is the one by which the same manager is in charge by now; of two presses the
    later one may have come first.
    """
    same_time = last.from_at == from_at
    if from_at is None:
        same_time = last.from_at <= now + _PRESSED_TWICE
    same_people = last.signers == {signer.staff.id for signer in signers}
    return last.staff.id == staff.id and same_time and same_people


def _require_time(from_at: datetime | None, *, now: datetime) -> None:
    """Refuse a time that is over, or more than a week ahead. Raises InChargeTimeError."""
    latest = now + AHEAD_MAX
    if from_at is not None and not now <= from_at <= latest:
        raise InChargeTimeError(earliest=format_instant(now), latest=format_instant(latest))
