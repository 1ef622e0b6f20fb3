"""Who signs an irregularity: the letters of its procedure, each by a person of its own (rules 2.1).

Secrets are verified before the lock; here only who the people are and in which role they signed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NoReturn

from casino.people.models import Role
from casino.people.selectors import manager_in_charge
from casino.people.services.signatures import Signer
from tables.irregularities import Letter
from tables.irregularity_errors import (
    CameraMissingError,
    IrregularitySignersError,
    NobodyInChargeError,
)

# The manager in charge is found first, so that another manager is left for M.
_ORDER = (Letter.IN_CHARGE, Letter.MANAGER, Letter.SUPERVISOR, Letter.SURVEILLANCE, Letter.DEALER)
_ROLES = {
    Letter.DEALER: Role.DEALER,
    Letter.SUPERVISOR: Role.SUPERVISOR,
    Letter.MANAGER: Role.MANAGER,
    Letter.IN_CHARGE: Role.MANAGER,
    Letter.SURVEILLANCE: Role.SURVEILLANCE,
}
WORDS = {
    Letter.DEALER: "the dealer",
    Letter.SUPERVISOR: "a supervisor",
    Letter.MANAGER: "a manager",
    Letter.IN_CHARGE: "the manager in charge",
    Letter.SURVEILLANCE: "surveillance",
}


def require_letters(
    letters: Sequence[Letter],
    signers: Sequence[Signer],
    *,
    event: int,
    procedure: str,
    dealer: int | str | None,
    now: datetime,
) -> None:
    """Refuse signers who are not exactly the letters asked for, each a person of its own.

    `dealer` is the round's: only as D does that person sign. Raises IrregularitySignersError,
    CameraMissingError, NobodyInChargeError.
    """
    left = list(signers)
    in_charge = _in_charge(now) if Letter.IN_CHARGE in letters else None
    for letter in sorted(letters, key=_ORDER.index):
        signing = [s for s in left if _signs(s, letter, dealer=dealer, in_charge=in_charge)]
        if not signing:
            _refuse(letters, event=event, procedure=procedure)
        left.remove(signing[0])
    if left:
        _refuse(letters, event=event, procedure=procedure)
    for signer in signers:
        if signer.role == Role.SURVEILLANCE and not (signer.camera_reference or "").strip():
            raise CameraMissingError


def _signs(
    signer: Signer, letter: Letter, *, dealer: int | str | None, in_charge: int | str | None
) -> bool:
    if signer.role != _ROLES[letter] or (letter != Letter.DEALER and signer.staff.id == dealer):
        return False
    return letter != Letter.IN_CHARGE or signer.staff.id == in_charge


def _in_charge(now: datetime) -> int | str:
    """Return who is the manager in charge (H). Raises NobodyInChargeError."""
    found = manager_in_charge(now)
    if found is None:
        raise NobodyInChargeError
    return found.staff.id


def _refuse(letters: Sequence[Letter], *, event: int, procedure: str) -> NoReturn:
    expected = " and ".join(WORDS[letter] for letter in letters)
    raise IrregularitySignersError(
        event=event,
        procedure=procedure,
        expected=expected,
        letters="".join(letter.value for letter in letters),
    )
