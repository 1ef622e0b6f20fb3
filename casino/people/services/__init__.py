"""The only writers of staff, roles, secrets, devices, sign-ons and signatures."""

from casino.people.services.devices import (
    Claimed,
    bind_device,
    claim_device,
    enrol_device,
    issue_device_code,
    revoke_device,
)
from casino.people.services.in_charge import assign_manager_in_charge
from casino.people.services.secrets import issue_code, set_own_secret
from casino.people.services.sign_ons import (
    Recognised,
    end_dead_sign_on,
    end_sign_on,
    mark_seen,
    recognise,
    sign_off,
    sign_on,
)
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)
from casino.people.services.staff import (
    create_staff,
    deactivate_staff,
    found_house,
    grant_role,
    reactivate_staff,
    replace_badge,
    withdraw_role,
)
from casino.people.services.tidying import tidy_people

__all__ = [
    "Claimed",
    "Recognised",
    "Signer",
    "SignerInput",
    "assign_manager_in_charge",
    "bind_device",
    "claim_device",
    "create_staff",
    "deactivate_staff",
    "end_dead_sign_on",
    "end_sign_on",
    "enrol_device",
    "found_house",
    "grant_role",
    "issue_code",
    "issue_device_code",
    "mark_seen",
    "reactivate_staff",
    "recognise",
    "replace_badge",
    "revoke_device",
    "set_own_secret",
    "sign_off",
    "sign_on",
    "signature_rows",
    "tidy_people",
    "verify_signers",
    "withdraw_role",
]
