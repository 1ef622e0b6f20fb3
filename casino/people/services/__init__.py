"""The only writers of staff, roles, secrets, devices and sign-ons."""

from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)

__all__ = ["Signer", "SignerInput", "signature_rows", "verify_signers"]
