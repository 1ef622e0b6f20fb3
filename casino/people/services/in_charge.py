"""The manager in charge of the shift: a dated, signed assignment (H of rules 2.1).

An authority, not a role: whoever takes charge holds the role of manager, and signs as one. It must
not decide what the manager in charge may do; the services that ask for that signature do.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from audit.chain import canonical
from audit.log.rows import Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.kernel.clock import format_instant
from casino.people.errors import InChargeSameError, InChargeSignersError, InChargeTimeError
from casino.people.models import STREAM, ManagerInCharge, Role
from casino.people.permissions import require_role
from casino.people.person import Origin, Person
from casino.people.selectors import (
    assignments_of_charge,
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


def assign_manager_in_charge(
    number: str,
    *,
    from_at: datetime | None,
    signers: Sequence[SignerInput],
    by: Person,
    origin: Origin,
    now: datetime,
) -> Receipt:
    """Put a manager in charge of the shift, from `now` or from a time within a week.

    Two managers sign: who takes charge, and another one, as a rule who hands over. A later
    assignment replaces a planned one. Raises RoleNotAllowedError, StaffUnknownError,
    InChargeSignersError, InChargeTimeError, InChargeSameError, and what `verify_signers` raises.
    """
    require_role(by, Role.MANAGER)
    earliest, latest = now, now + AHEAD_MAX
    if from_at is not None and not earliest <= from_at <= latest:
        raise InChargeTimeError(earliest=format_instant(earliest), latest=format_instant(latest))
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
) -> Receipt:
    lock_stream(STREAM)
    staff = staff_ref(staff_by_number(number))
    before = manager_in_charge(now)
    if from_at is None and before is not None and before.staff.id == staff.id:
        raise InChargeSameError(name=before.name)
    revision = assignments_of_charge() + 1
    start = from_at or now
    content: dict[str, object] = {
        "act": PURPOSE,
        "staff": number,
        "revision": revision,
        "from_at": format_instant(start),
        "before": None if before is None else before.staff.key,
    }
    values = {"staff": staff, "revision": revision, "from_at": start}
    return append(
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
