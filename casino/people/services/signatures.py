"""Signatures: a secret entered again over a stated content, by people who are not the same.

Two steps, because a slow hash must never run inside a lock: `verify_signers` before the caller's
transaction, `signature_rows` for its append. The signature lies in the stream of the act.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from audit.log.rows import Ref, Row
from casino.people.errors import (
    SignatureRoleError,
    SignatureSamePersonError,
    SignatureSecretError,
)
from casino.people.models import Signature
from casino.people.person import Origin
from casino.people.selectors import current_roles, staff_ref
from casino.people.services.attested import attest

CONTENT_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class SignerInput:
    """What one signer entered: badge (or staff number), PIN or password, the role to sign in."""

    badge: str
    secret: str = field(repr=False)
    role: str
    camera_reference: str | None = None


@dataclass(frozen=True, slots=True)
class Signer:
    """A signer whose secret was right and whose role is held."""

    staff: Ref
    name: str
    role: str
    camera_reference: str | None = None


def verify_signers(
    signers: Sequence[SignerInput], *, origin: Origin, now: datetime
) -> tuple[Signer, ...]:
    """Check badge, secret and role of each signer, and that they are different people.

    Takes about a tenth of a second a signer: call it before any lock and outside of any
    transaction, or the log of a failure is lost with the caller's. A PIN is enough everywhere,
    because who asks for a signature is signed on. A wrong secret is logged and counts as a wrong
    try. Raises SlowDownError, SignatureSecretError, SignatureRoleError, SignatureSamePersonError
    (control 6.16).
    """
    verified = tuple(
        _verify(signer, place=place, origin=origin, now=now)
        for place, signer in enumerate(signers, start=1)
    )
    _require_different(verified)
    return verified


def signature_rows(
    signers: Sequence[Signer],
    *,
    content_hash: bytes,
    purpose: str,
    subject: str,
    device: Ref | None,
) -> list[Row]:
    """Return the facts to append with the act that is signed; `content_hash` is SHA-256.

    Raises SignatureSamePersonError.
    """
    if len(content_hash) != CONTENT_HASH_BYTES:
        raise ValueError("a content hash has 32 bytes")
    _require_different(signers)
    return [
        Row(
            Signature,
            {
                "staff": signer.staff,
                "role": signer.role,
                "content_hash": content_hash,
                "purpose": purpose,
                "subject": subject,
                "device": device,
                "camera_reference": signer.camera_reference,
            },
        )
        for signer in signers
    ]


def _verify(signer: SignerInput, *, place: int, origin: Origin, now: datetime) -> Signer:
    staff = attest(
        badge=signer.badge,
        secret=signer.secret,
        pin_counts=True,
        action="signature.refused",
        origin=origin,
        now=now,
    )
    if staff is None:
        raise SignatureSecretError(signer=place)
    if signer.role not in current_roles(staff.pk):
        raise SignatureRoleError(signer=place, role=signer.role)
    return Signer(
        staff=staff_ref(staff),
        name=staff.name,
        role=signer.role,
        camera_reference=signer.camera_reference,
    )


def _require_different(signers: Sequence[Signer]) -> None:
    if len({signer.staff.id for signer in signers}) != len(signers):
        raise SignatureSamePersonError
