"""The reasons for which people are refused.

Invalid    secret.*       a new PIN or password breaks a rule
           in_charge.*    an assignment of the manager in charge breaks a rule
           staff.*, device.*  a name or number breaks a rule
Forbidden  sign_on.*, signature.*, role.*, device.*, code.*
Missing    staff.unknown, device.unknown
Conflict   staff.taken, device.taken, role.*, in_charge.same
DomainError with a status of its own: session.* 401, sign_on.slow_down 429
"""

from django.utils.translation import gettext_noop as _

from casino.kernel.errors import Conflict, DomainError, Forbidden, Invalid, Missing


class SlowDownError(DomainError):
    """After ten wrong tries the account and the address wait longer with each further one."""

    code = "sign_on.slow_down"
    status = 429
    message = _("Too many wrong tries. Try again in {retry_after} seconds.")


class SignOnRefusedError(Forbidden):
    """Badge and secret must belong together; which of them is wrong is not told."""

    code = "sign_on.refused"
    message = _("Badge and secret do not belong together.")


class SignOnRoleNeededError(Invalid):
    """Who holds several roles says in which one to act."""

    code = "sign_on.role_needed"
    message = _("Choose the role to act in.")


class SignOnRoleNotHeldError(Forbidden):
    """One signs on only in a role that was granted."""

    code = "sign_on.role_not_held"
    message = _("You do not hold the role {role} here.")


class SignOnNoRoleError(Forbidden):
    """Who holds no role that may be used here cannot sign on here."""

    code = "sign_on.no_role"
    message = _(
        "You hold no role that you could use here. A dealer signs on at an enrolled tablet."
    )


class RoleNotAllowedError(Forbidden):
    """The role in which the person acts must be one that may do this."""

    code = "role.not_allowed"
    message = _("The role {role} may not do this.")


class RoleSelfGrantError(Forbidden):
    """Nobody changes his own roles."""

    code = "role.own"
    message = _("You cannot change your own roles. Ask another administrator.")


class RoleUnknownError(Invalid):
    """A role is one of the house's roles."""

    code = "role.unknown"
    message = _("Expected one of the roles of the house, not {role!r}.")


class RoleExclusiveError(Conflict):
    """Who administers holds no other role (control 6.11)."""

    code = "role.exclusive"
    message = _("The administrator holds no other role.")


class RoleUnchangedError(Conflict):
    """A role is granted to who does not hold it, and withdrawn from who does."""

    code = "role.unchanged"
    message = _("Nothing to change: the role {role} is as you want it already.")


class DeviceNotEnrolledError(Forbidden):
    """A write at a table needs an enrolled tablet."""

    code = "device.not_enrolled"
    message = _("This needs an enrolled tablet of the table.")


class DeviceKindError(Conflict):
    """Only a tablet is bound to a table."""

    code = "device.not_a_tablet"
    message = _("Only a tablet can be bound to a table.")


class DeviceRevokedError(Conflict):
    """A revoked device stays revoked; enrol it anew under another number."""

    code = "device.revoked"
    message = _("Device {number} was revoked. Enrol it under a new number.")


class DeviceUnknownError(Missing):
    """A device is named by its number."""

    code = "device.unknown"
    message = _("There is no device {number}.")


class DeviceTakenError(Conflict):
    """A device's number is given once and never reused."""

    code = "device.taken"
    message = _("The device number {number} has been used already.")


class StaffUnknownError(Missing):
    """A member of staff is named by the staff number."""

    code = "staff.unknown"
    message = _("There is no staff number {number}.")


class StaffTakenError(Conflict):
    """Staff number and badge are given once; a number is never reused."""

    code = "staff.taken"
    message = _("The {field} {value} has been used already.")


class StaffInactiveError(Conflict):
    """Somebody who left gets no codes and no roles."""

    code = "staff.inactive"
    message = _("Staff number {number} is not active.")


class StaffSelfError(Forbidden):
    """Nobody deactivates himself."""

    code = "staff.own"
    message = _("You cannot do this to yourself. Ask another administrator.")


class StaffFoundedError(Conflict):
    """The first administrator is created once; all others by an administrator."""

    code = "staff.founded"
    message = _("There is an administrator already. Staff is created by an administrator.")


class CodeRefusedError(Forbidden):
    """A one-time code counts once and for a short time."""

    code = "code.refused"
    message = _(
        "The code is not right, was used, or is too old. Ask the administrator for a new one."
    )


class IdentifierError(Invalid):
    """Numbers and badges are short codes: letters, digits, hyphen; no spaces."""

    code = "identifier.format"
    message = _("Expected {field} as 1 to {limit} letters, digits or hyphens.")


class NameEmptyError(Invalid):
    """A name is not empty."""

    code = "name.empty"
    message = _("Expected a name.")


class PinFormatError(Invalid):
    """A PIN is four to eight digits."""

    code = "secret.pin_format"
    message = _("Expected a PIN of 4 to 8 digits.")


class PinTrivialError(Invalid):
    """A PIN is not one digit repeated, a pattern repeated, or a run."""

    code = "secret.pin_trivial"
    message = _("This PIN is too easy to guess: no repeats, no runs such as 123456.")


class PasswordShortError(Invalid):
    """A password has at least twelve characters."""

    code = "secret.password_short"
    message = _("Expected a password of at least {limit} characters.")


class PasswordLongError(Invalid):
    """A password has at most so many characters."""

    code = "secret.password_long"
    message = _("Expected a password of at most {limit} characters.")


class PasswordCommonError(Invalid):
    """A password is not one of the commonest, nor made of the person's own name or number."""

    code = "secret.password_common"
    message = _("This password is among the first that anybody would try.")


class SignatureSecretError(Forbidden):
    """A signer's badge and secret must belong together."""

    code = "signature.secret_wrong"
    message = _("Signature {signer}: badge and secret do not belong together.")


class SignatureRoleError(Forbidden):
    """A signer holds the role in which he signs."""

    code = "signature.role_not_held"
    message = _("Signature {signer}: the person does not hold the role {role}.")


class SignatureSamePersonError(Forbidden):
    """Two signatures are two different people, whatever roles they hold."""

    code = "signature.same_person"
    message = _("Two signatures must come from two different people.")


class InChargeSignersError(Invalid):
    """Two managers sign an assignment, one of them the manager who takes charge (rules 2.1)."""

    code = "in_charge.signers"
    message = _("Two managers sign: the one who takes charge, and another.")


class InChargeTimeError(Invalid):
    """Charge is taken from now on or within a week, never from an earlier time."""

    code = "in_charge.time"
    message = _("Expected a time between {earliest} and {latest}.")


class InChargeSameError(Conflict):
    """Who is in charge does not take charge again from now on."""

    code = "in_charge.same"
    message = _("{name} is the manager in charge already.")


class KeyMalformedError(Invalid):
    """An idempotency key is 1 to 128 visible ASCII characters, made before the first try."""

    code = "idempotency.key"
    message = "Expected an Idempotency-Key of 1 to 128 visible ASCII characters."


class KeyReusedError(Invalid):
    """A key belongs to one write: another body under it is another write."""

    code = "idempotency.reused"
    message = "This Idempotency-Key was used for another body. Make a new key for a new write."


class AnswerPendingError(Conflict):
    """The same write is under way; its answer will be the answer to this one."""

    code = "idempotency.in_progress"
    message = "The same write is still under way. Send it again in a moment."
